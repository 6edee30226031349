import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { packageOf } from '../../model/cap/index.ts'

/** What CAP runs its tests and its development on; @sap/cds-dk, @cap-js/cds-test and sqlite3 are npm/dev-tool-in-production's. */
const HELPERS: ReadonlySet<string> = new Set(['@cap-js/sqlite', 'better-sqlite3', 'sql.js'])

/** SQLite among what is installed in production, in a project whose production has SAP HANA.
 *  Facts: capire, "Using SQLite for Development" (npm add @cap-js/sqlite -D); @cap-js/hana 2.8.0 is what production needs. */
export const capTestHelpersInProd: Rule = defineRule({
  id: 'cap/cap-test-helpers-in-prod',
  severity: 'LOW',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/databases-sqlite',
  on: 'cap-root',

  *check(root, { npm }) {
    const own = packageOf(root, npm)
    if (own === undefined || !root.deployed) return
    const names = new Set(own.dependencies.flatMap(({ name, member }) => (member === 'devDependencies' ? [] : [name])))
    const kinds = root.productive().map((configuration) => stringOf(configuration.value('requires', 'db', 'kind')?.node))
    const isHana = kinds.some((kind) => kind?.startsWith('hana') === true)
    const isSql = kinds.every((kind) => kind === undefined || kind === 'sql') && names.has('@cap-js/hana')
    if (kinds.length === 0 || !(isHana || isSql)) return
    for (const { name, member, nameSpan } of own.dependencies)
      if (member === 'dependencies' && HELPERS.has(name))
        yield { at: { file: own.file, span: nameSpan }, args: { package: name, file: own.file } }
  },

  text: {
    en: {
      title: 'The database of development is installed in production',
      message: '{package} is in "dependencies" of {file}, though production runs on SAP HANA.',
      why: 'A native library and its build come into production for nothing; and one wrong profile is enough for the application to start on an empty SQLite instead of failing.',
      fix: 'Move {package} to "devDependencies".',
    },
    fr: {
      title: 'La base de données de développement est installée en production',
      message: '{package} figure dans « dependencies » de {file}, alors que la production tourne sur SAP HANA.',
      why: 'Une bibliothèque native et sa compilation arrivent pour rien en production ; et un seul profil erroné suffit pour que l’application démarre sur un SQLite vide au lieu d’échouer.',
      fix: 'Déplacez {package} dans « devDependencies ».',
    },
  },
})
