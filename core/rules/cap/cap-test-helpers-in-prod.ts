import { stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'
import { packageOf } from '../../model/cap/index.ts'

/** What CAP runs its tests and its development on; @sap/cds-dk, @cap-js/cds-test and sqlite3 are npm/dev-tool-in-production's. */
const HELPERS: ReadonlySet<string> = new Set(['@cap-js/sqlite', 'better-sqlite3', 'sql.js'])

/**
 * SQLite among the production dependencies of a project whose production database is SAP HANA.
 * Facts: capire, "Using SQLite for Development" (npm add @cap-js/sqlite -D); @cap-js/hana 2.8.0 is what production needs.
 * Impact: none by itself; a package that production does not use.
 */
export const capTestHelpersInProd: Rule = defineRule({
  id: 'cap/cap-test-helpers-in-prod',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/databases/sqlite#setup-for-sqlite',
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
        yield {
          at: { file: own.file, span: nameSpan },
          args: { package: name, file: own.file },
          ...(name === '@cap-js/sqlite' && { variant: 'plugin' }),
        }
  },

  text: () => ({
    en: {
      title: 'SQLite driver among the production dependencies',
      message: '{package} is in "dependencies" of {file}, although the production database is SAP HANA.',
      why: 'A package that production does not use still enlarges the attack surface: each vulnerability published for it has to be assessed and patched.',
      fix: 'Move {package} from "dependencies" to "devDependencies" in {file}.',
      variants: {
        plugin: {
          why: 'An unused package enlarges the attack surface; with the wrong profile, the application can also start on an empty SQLite database instead of failing.',
        },
      },
    },
    fr: {
      title: 'Pilote SQLite parmi les dépendances de production',
      message: '{package} figure dans "dependencies" de {file}, alors que la base de données de production est SAP HANA.',
      why: 'Un paquet inutilisé en production élargit tout de même la surface d’attaque : chaque vulnérabilité publiée pour ce paquet doit être évaluée et corrigée.',
      fix: 'Déplacez {package} de "dependencies" vers "devDependencies" dans {file}.',
      variants: {
        plugin: {
          why: 'Un paquet inutilisé élargit la surface d’attaque ; avec un profil erroné, l’application peut en outre démarrer sur une base SQLite vide au lieu d’échouer.',
        },
      },
    },
  }),
})
