import { defineRule, type Rule } from '../rule.ts'
import { lockedAs, packageOf } from '../../model/cap/index.ts'

/**
 * Multitenancy with the unmaintained library @sap/cds-mtx.
 * Facts: capire, "Migration from Old MTX" (@sap/cds-mtx is for cds 6 and earlier, and is not maintained); @sap/cds 7 change log: its support ended.
 * Impact: out of maintenance for more than half a year, without a known vulnerability that could be exploited.
 */
export const mtxLegacy: Rule = defineRule({
  id: 'cap/mtx-legacy',
  impact: 'hygiene',
  circumstance: 'ended',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/multitenancy/old-mtx-migration#switch-to-sap-cds-mtxs',
  on: 'cap-root',

  *check(root, { npm }) {
    const own = root.test ? undefined : packageOf(root, npm)
    const dependency = own?.dependencies.find(({ name, member }) => name === '@sap/cds-mtx' && member === 'dependencies')
    if (own === undefined || dependency === undefined) return
    const version = lockedAs(own, '@sap/cds-mtx')[0]?.version ?? dependency.range
    yield { at: { file: own.file, span: dependency.nameSpan }, args: { ...own.manager, file: own.file, version } }
  },

  text: () => ({
    en: {
      title: 'Unmaintained multitenancy library @sap/cds-mtx',
      message:
        '{file} depends on @sap/cds-mtx {version}, which is deprecated and does not run with current versions of @sap/cds; @sap/cds-mtxs replaces it.',
      why: 'The library creates and deletes tenants and activates their extensions: a vulnerability in it could affect all tenants and would not be fixed.',
      fix: 'Run "{remove} @sap/cds-mtx" and "{add} @sap/cds@latest @sap/cds-mtxs@latest" in the folder of {file}, then follow the guide "Migration from Old MTX" to convert the configuration and the tenants.',
    },
    fr: {
      title: 'Bibliothèque multi-locataire @sap/cds-mtx non maintenue',
      message:
        '{file} dépend de @sap/cds-mtx {version}, une bibliothèque obsolète, incompatible avec les versions actuelles de @sap/cds ; @sap/cds-mtxs la remplace.',
      why: 'Cette bibliothèque crée et supprime les locataires et active leurs extensions : une vulnérabilité pourrait toucher tous les locataires et ne serait pas corrigée.',
      fix: 'Exécutez "{remove} @sap/cds-mtx" et "{add} @sap/cds@latest @sap/cds-mtxs@latest" dans le dossier de {file}, puis suivez le guide "Migration from Old MTX" pour convertir la configuration et les locataires.',
    },
  }),
})
