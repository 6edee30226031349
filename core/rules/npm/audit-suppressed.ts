import { at, booleanOf, itemsOf, membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Known vulnerabilities that are no longer reported: the audit is disabled, or exceptions never expire. Facts: npm documentation, "config"
 * (audit); READMEs of better-npm-audit (.nsprc) and audit-ci.
 * Severity: LOW, hygiene: a report is missing, nothing in what is deployed changes.
 */
export const auditSuppressed: Rule = defineRule({
  id: 'npm/audit-suppressed',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#audit',
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
          groupKey: file,
        }
    }
  },

  text: {
    en: {
      title: 'npm audit disabled by a setting',
      message: '{setting} disables the report of known vulnerabilities after every installation.',
      why: 'Newly published vulnerabilities in dependencies go unnoticed until an attacker uses them.',
      fix: 'Remove the line, or set "audit=true", and run "npm audit --audit-level=high" in a pipeline step.',
      variants: {
        exception: {
          title: 'Audit exception without an expiry date',
          message: '{setting} is excluded from the audit without an expiry date.',
          why: 'The exception outlives its reason: it still hides the advisory when a fix exists or when the vulnerable code becomes reachable.',
          fix: 'Write the exception as an object with "active": true, "expiry": "2027-01-31" (the date to review it) and "notes"; or update the package and delete the exception.',
        },
      },
    },
    fr: {
      title: 'npm audit désactivé par un réglage',
      message: '{setting} désactive le rapport des vulnérabilités connues après chaque installation.',
      why: 'Les vulnérabilités nouvellement publiées dans les dépendances passent inaperçues jusqu’à ce qu’un attaquant les exploite.',
      fix: 'Supprimez cette ligne, ou définissez "audit=true", et exécutez "npm audit --audit-level=high" dans une étape du pipeline.',
      variants: {
        exception: {
          title: 'Exception d’audit sans date d’expiration',
          message: '{setting} est exclu de l’audit sans date d’expiration.',
          why: 'L’exception survit à sa raison d’être : elle masque l’avis de sécurité même lorsqu’un correctif existe ou que le code vulnérable devient accessible.',
          fix: 'Écrivez l’exception sous forme d’objet avec "active": true, "expiry": "2027-01-31" (date de réexamen) et "notes" ; ou mettez le paquet à jour et supprimez l’exception.',
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
