import { at, booleanOf, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Known weaknesses that nobody is told about any more: the audit switched off, or exceptions without an end. Facts: npm documentation, "config"
 * (audit); read-me files of better-npm-audit (.nsprc) and audit-ci.
 */
export const auditSuppressed: Rule = defineRule({
  id: 'npm/audit-suppressed',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/using-npm/config#audit',
  on: 'project',

  *check({ npm, files }) {
    for (const { key, value, place } of npm.settings)
      if (key === 'audit' && value === 'false') yield { at: place, args: { setting: `${key}=${value}` } }
    for (const { path: file, kind, content } of files.values()) {
      if (kind.role !== 'audit-exceptions' || content.as !== 'data') continue
      for (const { name, span } of findEndless(content.roots[0]))
        yield {
          at: { file, span: { start: span.start, end: span.end } },
          args: { setting: name },
          variant: 'exception',
          sameAs: file,
        }
    }
  },

  text: {
    en: {
      title: 'npm tells nobody about known weaknesses',
      message: '{setting} switches off the report on known weaknesses after an installation.',
      why: 'A weakness that becomes known tomorrow is not told to anybody who installs the project.',
      fix: 'Remove the setting, or run "npm audit" in the pipeline instead.',
      variants: {
        exception: {
          title: 'An exception for a known weakness never ends',
          message: '{setting} is excepted from the audit without a day on which the exception ends.',
          why: 'What was right to put aside once stays aside when a fix is there, or when the weak part is used.',
          fix: 'Give the exception an end ("expiry": "<date>") and a reason, or update the package.',
        },
      },
    },
    fr: {
      title: 'npm ne signale les failles connues à personne',
      message: '{setting} désactive le rapport sur les failles connues après une installation.',
      why: 'Une faille qui sera connue demain ne sera signalée à personne qui installe le projet.',
      fix: 'Supprimez ce réglage, ou exécutez plutôt « npm audit » dans la chaîne d’intégration.',
      variants: {
        exception: {
          title: 'Une exception pour une faille connue ne finit jamais',
          message: '{setting} est exempté de l’audit sans jour de fin.',
          why: 'Ce qu’il était juste d’écarter un jour le reste quand une correction existe, ou quand la partie faible est utilisée.',
          fix: 'Donnez une fin à l’exception (« "expiry": "<date>" ») et une raison, ou mettez le paquet à jour.',
        },
      },
    },
  },
})

/** .nsprc: `{ "<id>": { active, expiry } | "reason" }` or `{ exceptions: [ids] }`; audit-ci: `{ allowlist: [ids | { id: { active, expiry } }] }`. */
function* findEndless(root: DataNode | undefined): Generator<{ readonly name: string; readonly span: Span }> {
  for (const list of [at(root, 'exceptions'), at(root, 'allowlist')]) {
    for (const item of itemsOf(list)) {
      const name = stringOf(item)
      if (name !== undefined) yield { name, span: item }
      for (const { key, keySpan, value } of membersOf(item)) if (!hasEnd(value)) yield { name: key, span: keySpan }
    }
  }
  for (const { key, keySpan, value } of membersOf(root))
    if (/^(?:\d{1,9}|GHSA(?:-\w{4}){3}|CVE-\d{4}-\d{1,9})$/.test(key) && !hasEnd(value)) yield { name: key, span: keySpan }
}

function hasEnd(value: DataNode): boolean {
  return at(value, 'expiry') !== undefined || at(value, 'expires') !== undefined || booleanOf(at(value, 'active')) === false
}
