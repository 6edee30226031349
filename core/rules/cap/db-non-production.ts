import { isForProduction, keyIn, placeKey, type Configuration, type Setting } from '../../model/cap/index.ts'
import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** SQLite and H2, by the kinds that CAP knows them by; `sql` is SAP HANA in production. */
const LOCAL = /^(?:(?:better-|legacy-)?sqlite(?::memory)?|h2)$/

/** A database of one process, in a file or in memory, in force where the application is deployed.
 *  Facts: @sap/cds 9.9.3, lib/env/cds-requires.js; capire, "Using SQLite for Development". */
export const dbNonProduction: Rule = defineRule({
  id: 'cap/db-non-production',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection',
  on: 'cap-root',

  *check(root) {
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const found = localDatabase(configuration)
      if (found === undefined || seen.has(placeKey(found.setting)) || !isForProduction(root, found.setting)) continue
      seen.add(placeKey(found.setting))
      const { setting, kind } = found
      const args = { key: keyIn(setting, 'requires', 'db'), kind, file: setting.place.file }
      yield { at: setting.place, args, ...(!root.deployed && { severity: 'LOW' as const }) }
    }
  },

  text: {
    en: {
      title: 'Production keeps its data in SQLite',
      message: '{key} in {file} makes {kind} the database in production.',
      why: 'The data lies unencrypted in one file or in the memory of one process: every restart or second instance loses it, and tenants, users and audit of a database don’t exist.',
      fix: 'Move it into "[development]" and write "[production]": { "db": "hana" }, or "db": "sql", which is SQLite in development alone.',
    },
    fr: {
      title: 'La production garde ses données dans SQLite',
      message: '{key} dans {file} fait de {kind} la base de données de la production.',
      why: 'Les données sont, sans chiffrement, dans un seul fichier ou dans la mémoire d’un seul processus : chaque redémarrage ou seconde instance les perd, et il n’y a ni clients séparés, ni utilisateurs, ni audit.',
      fix: 'Déplacez ce réglage dans « [development] » et écrivez « "[production]": { "db": "hana" } », ou « "db": "sql" », qui n’est SQLite qu’en développement.',
    },
  },
})

function localDatabase(configuration: Configuration): { setting: Setting; kind: string } | undefined {
  const setting = configuration.value('requires', 'db', 'kind')
  const kind = stringOf(setting?.node)
  if (setting !== undefined && kind !== undefined) return LOCAL.test(kind) ? { setting, kind } : undefined
  const impl = configuration.value('requires', 'db', 'impl')
  return impl !== undefined && stringOf(impl.node) === '@cap-js/sqlite' ? { setting: impl, kind: 'sqlite' } : undefined
}
