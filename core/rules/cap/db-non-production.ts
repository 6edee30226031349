import { isForProduction, keyIn, localDatabase, placeKey } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A database of one process, in a file or in memory, in effect where the application is deployed.
 * Facts: @sap/cds 9.9.3, lib/env/cds-requires.js; capire, "Using SQLite for Development".
 * Impact: data is read only through another fault that exposes the file; that it may be lost takes no attack.
 */
export const dbNonProduction: Rule = defineRule({
  id: 'cap/db-non-production',
  impact: 'defence',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/databases/sqlite#using-sqlite-in-production',
  on: 'cap-root',

  *check(root) {
    const seen = new Set<string>()
    for (const configuration of root.productive()) {
      const found = localDatabase(configuration)
      if (found === undefined || seen.has(placeKey(found.setting)) || !isForProduction(root, found.setting)) continue
      seen.add(placeKey(found.setting))
      const { setting, kind } = found
      const args = { key: keyIn(setting, 'requires', 'db'), kind, file: setting.place.file, profile: setting.profile ?? '' }
      yield {
        at: setting.place,
        args,
        ...(setting.variable === undefined ? setting.profile !== undefined && { variant: 'profile' } : { variant: 'variable' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Development database used in production',
      message: 'The effective database in production is "{kind}", set by {key} in {file}.',
      why: 'With this kind of database, each instance of the application has its own data: it can be lost on restart, and an attacker with access to the instance can read it, as it is not encrypted.',
      fix: 'Run "cds add hana", then set {key} in {file} to { "kind": "{kind}", "[production]": { "kind": "hana" } }, or to "sql", which selects SQLite in development and SAP HANA in production.',
      variants: {
        profile: {
          message: 'The effective database in production is "{kind}", set by {key} in the {profile} profile of {file}.',
          fix: 'Run "cds add hana", then set {key} to "hana" in the {profile} profile of {file}.',
        },
        variable: {
          fix: 'Remove {key} from {file}. If no other setting then selects SAP HANA, run "cds add hana" and set "db": "sql" in "cds": { "requires": … } of package.json, which selects SQLite in development and SAP HANA in production.',
        },
      },
    },
    fr: {
      title: 'Base de données de développement utilisée en production',
      message: 'La base de données effective en production est "{kind}", définie par {key} dans {file}.',
      why: 'Avec ce type de base, chaque instance de l’application a ses propres données, qui peuvent être perdues au redémarrage. Comme elles ne sont pas chiffrées, un attaquant ayant accès à l’instance peut les lire.',
      fix: 'Exécutez "cds add hana", puis donnez à {key} dans {file} la valeur { "kind": "{kind}", "[production]": { "kind": "hana" } }, ou la valeur "sql", qui sélectionne SQLite en développement et SAP HANA en production.',
      variants: {
        profile: {
          message:
            'La base de données effective en production est "{kind}", définie par {key} dans le profil {profile} de {file}.',
          fix: 'Exécutez "cds add hana", puis donnez à {key} la valeur "hana" dans le profil {profile} de {file}.',
        },
        variable: {
          fix: 'Supprimez {key} de {file}. Si aucun autre réglage ne sélectionne alors SAP HANA, exécutez "cds add hana" et définissez "db": "sql" dans "cds": { "requires": … } de package.json, ce qui sélectionne SQLite en développement et SAP HANA en production.',
        },
      },
    },
  }),
})
