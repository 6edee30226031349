import { defineRule, type Rule } from '../rule.ts'
import { lockedAs, packageOf } from '../../model/cap/index.ts'

/** Multitenancy by the first generation of CAP's library for it.
 *  Facts: capire, "Migration from Old MTX" (@sap/cds-mtx is for cds 6 and earlier, and is not maintained); @sap/cds 7 change log: its support ended. */
export const mtxLegacy: Rule = defineRule({
  id: 'cap/mtx-legacy',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/old-mtx-migration',
  on: 'cap-root',

  *check(root, { npm }) {
    const own = root.test ? undefined : packageOf(root, npm)
    const dependency = own?.dependencies.find(({ name, member }) => name === '@sap/cds-mtx' && member === 'dependencies')
    if (own === undefined || dependency === undefined) return
    const version = lockedAs(own, '@sap/cds-mtx')[0]?.version ?? dependency.range
    yield { at: { file: own.file, span: dependency.nameSpan }, args: { file: own.file, version } }
  },

  text: {
    en: {
      title: 'Tenants are managed by a library without fixes',
      message: '{file} builds multitenancy on @sap/cds-mtx {version}, which @sap/cds-mtxs superseded with CAP 6.',
      why: 'It creates and deletes tenants and runs their extensions: a weakness of it opens all of them, and stays open.',
      fix: 'Move to @sap/cds-mtxs, with the migration guide.',
    },
    fr: {
      title: 'Les clients sont gérés par une bibliothèque sans correctifs',
      message: '{file} fonde le multi-client sur @sap/cds-mtx {version}, que @sap/cds-mtxs a remplacé avec CAP 6.',
      why: 'Elle crée et supprime les clients et exécute leurs extensions : une faille y ouvre tous les clients, et reste ouverte.',
      fix: 'Passez à @sap/cds-mtxs, avec le guide de migration.',
    },
  },
})
