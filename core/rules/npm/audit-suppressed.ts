import { at, booleanOf, itemsOf, membersOf, numberOf, stringOf, type DataNode } from '../../parse/data.ts'
import { folderOf } from '../../paths.ts'
import type { Localized, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const OUTLIVES: Localized<string> = {
  en: 'The exception can outlive its reason: it still hides the advisory when a fix exists or when the vulnerable code becomes reachable.',
  fr: 'L’exception peut survivre à sa raison d’être : elle masque l’avis de sécurité même lorsqu’un correctif existe ou que le code vulnérable devient atteignable.',
}

/**
 * Known vulnerabilities that are no longer reported: the audit is disabled, or exceptions never expire. Facts: npm documentation, "config"
 * (audit; pnpm and Yarn do not read it); READMEs of better-npm-audit (.nsprc) and audit-ci (it runs npm, pnpm and Yarn before 4); pnpm, "Settings" (auditConfig);
 * Yarn 4, "Settings (.yarnrc.yml)" (npmAuditIgnoreAdvisories, npmAuditExcludePackages).
 * Impact: a report is missing, nothing in what is deployed changes.
 */
export const auditSuppressed: Rule = defineRule({
  id: 'npm/audit-suppressed',
  impact: 'defence',
  confidence: 'high',
  cwe: [1395],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/config#audit',
  docsByVariant: {
    exception: 'https://github.com/jeemok/better-npm-audit#readme',
    allowlist: 'https://github.com/IBM/audit-ci#readme',
    setting: 'https://pnpm.io/settings#auditconfig',
    yarn: 'https://yarnpkg.com/configuration/yarnrc',
  },
  on: 'project',

  *check({ npm, files }) {
    for (const { key, value, place } of npm.settings) {
      const { lock, audit } = npm.byFolder.get(folderOf(place.file))?.manager ?? npm.manager
      if (key === 'audit' && value === 'false' && lock === 'package-lock.json')
        yield { at: place, args: { setting: `${key}=${value}`, audit, key: '' } }
    }
    for (const { path: file, kind, content } of files.values()) {
      if (content.as !== 'data') continue
      const { audit } = npm.byFolder.get(folderOf(file))?.manager ?? npm.manager
      for (const { name, span, key } of findLeftOut(kind.test ? undefined : kind.role, content.roots[0]))
        yield {
          at: { file, span: { start: span.start, end: span.end } },
          args: { setting: name, audit, key },
          variant: key.startsWith('npmAudit') ? 'yarn' : 'setting',
          groupKey: `${file} ${key}`,
        }
      if (kind.role !== 'audit-exceptions') continue
      for (const { name, span } of findEndless(content.roots[0]))
        yield {
          at: { file, span: { start: span.start, end: span.end } },
          args: { setting: name, audit, key: '' },
          variant: file.endsWith('.nsprc') ? 'exception' : 'allowlist',
          groupKey: file,
        }
    }
  },

  text: () => ({
    en: {
      title: 'Automatic npm audit disabled by a setting',
      message: '{setting} disables the report of known vulnerabilities after every installation.',
      why: 'Newly published vulnerabilities in dependencies can go unnoticed while attackers already exploit them.',
      fix: 'Remove the line, or set "audit=true", and run "{audit}" in a pipeline step.',
      variants: {
        exception: {
          title: 'Audit exception without an expiry date',
          message: '{setting} is excluded from the audit without an expiry date.',
          why: OUTLIVES.en,
          fix: 'Write the exception as "{setting}": { "active": true, "expiry": "2027-01-31", "notes": "…" }, with the date to review it; or update the affected package and delete the exception.',
        },
        allowlist: {
          title: 'Audit exception without an expiry date',
          message: '{setting} is excluded from the audit without an expiry date.',
          why: OUTLIVES.en,
          fix: 'Write the exception as { "{setting}": { "active": true, "expiry": "2027-01-31", "notes": "…" } }, with the date to review it; or update the affected package and delete the exception.',
        },
        setting: {
          title: 'Audit exception without an expiry date',
          message: '"{key}" excludes {setting} from the audit without an expiry date.',
          why: OUTLIVES.en,
          fix: 'Delete the entry, update the affected package, and run "{audit}". If there is no fix yet, run "npx audit-ci --config audit-ci.jsonc" instead, with { "high": true, "allowlist": [{ "<GHSA ID>": { "active": true, "expiry": "<review date>" } }] } in that file.',
        },
        yarn: {
          title: 'Audit exception without an expiry date',
          message: '"{key}" excludes {setting} from the audit without an expiry date.',
          why: OUTLIVES.en,
          fix: 'Update the affected package, delete the entry, and run "{audit}". If there is no fix yet, suppress this finding in parapet.config.json, with "until" set to the date to review the entry.',
        },
      },
    },
    fr: {
      title: 'Audit npm automatique désactivé par un réglage',
      message: '{setting} désactive le rapport des vulnérabilités connues après chaque installation.',
      why: 'De nouvelles vulnérabilités des dépendances peuvent passer inaperçues alors que des attaquants les exploitent déjà.',
      fix: 'Supprimez cette ligne, ou définissez "audit=true", et exécutez "{audit}" dans une étape du pipeline.',
      variants: {
        exception: {
          title: 'Exception d’audit sans date d’expiration',
          message: '{setting} est exclu de l’audit sans date d’expiration.',
          why: OUTLIVES.fr,
          fix: 'Écrivez l’exception sous la forme "{setting}": { "active": true, "expiry": "2027-01-31", "notes": "…" }, avec la date de réexamen ; ou mettez à jour le paquet concerné et supprimez l’exception.',
        },
        allowlist: {
          title: 'Exception d’audit sans date d’expiration',
          message: '{setting} est exclu de l’audit sans date d’expiration.',
          why: OUTLIVES.fr,
          fix: 'Écrivez l’exception sous la forme { "{setting}": { "active": true, "expiry": "2027-01-31", "notes": "…" } }, avec la date de réexamen ; ou mettez à jour le paquet concerné et supprimez l’exception.',
        },
        setting: {
          title: 'Exception d’audit sans date d’expiration',
          message: '"{key}" exclut {setting} de l’audit sans date d’expiration.',
          why: OUTLIVES.fr,
          fix: 'Supprimez l’entrée, mettez à jour le paquet concerné et exécutez "{audit}". S’il n’existe pas encore de correctif, exécutez plutôt "npx audit-ci --config audit-ci.jsonc", avec { "high": true, "allowlist": [{ "<ID GHSA>": { "active": true, "expiry": "<date de réexamen>" } }] } dans ce fichier.',
        },
        yarn: {
          title: 'Exception d’audit sans date d’expiration',
          message: '"{key}" exclut {setting} de l’audit sans date d’expiration.',
          why: OUTLIVES.fr,
          fix: 'Mettez à jour le paquet concerné, supprimez l’entrée et exécutez "{audit}". S’il n’existe pas encore de correctif, masquez ce constat dans parapet.config.json, avec la date de réexamen de l’entrée dans "until".',
        },
      },
    },
  }),
})

/** Where package managers have advisories and packages that their audit leaves out. */
const LEFT_OUT: ReadonlyMap<string | undefined, readonly (readonly string[])[]> = new Map([
  [
    'package',
    [
      ['pnpm', 'auditConfig', 'ignoreCves'],
      ['pnpm', 'auditConfig', 'ignoreGhsas'],
    ],
  ],
  [
    'pnpm-workspace',
    [
      ['auditConfig', 'ignoreCves'],
      ['auditConfig', 'ignoreGhsas'],
    ],
  ],
  ['yarnrc', [['npmAuditIgnoreAdvisories'], ['npmAuditExcludePackages']]],
])

function* findLeftOut(role: string | undefined, root: DataNode | undefined): Generator<Endless & { readonly key: string }> {
  for (const path of LEFT_OUT.get(role) ?? [])
    for (const item of itemsOf(at(root, ...path))) {
      const name = stringOf(item) ?? (numberOf(item) === undefined ? undefined : String(numberOf(item)))
      if (name !== undefined) yield { name, span: item, key: path.join('.') }
    }
}

/** An entry without an end. */
interface Endless {
  readonly name: string
  readonly span: Span
}

/** .nsprc: `{ "<id>": { active, expiry } | "reason" }` or `{ exceptions: [ids] }`; audit-ci: `{ allowlist: [ids | { id: { active, expiry } }] }`. */
function* findEndless(root: DataNode | undefined): Generator<Endless> {
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
