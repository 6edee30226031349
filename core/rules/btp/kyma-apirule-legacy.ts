import { findKubernetesObjects } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An APIRule of a version that allows every origin by itself. Facts: SAP BTP documentation, "Changes introduced in APIRule v2". */
export const kymaApiruleLegacy: Rule = defineRule({
  id: 'btp/kyma-apirule-legacy',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-platform/blob/main/docs/30-development/changes-introduced-in-apirule-v2-aa34a4a.md',
  on: 'project',

  *check({ files }) {
    for (const { file, node, name, kind, apiVersion } of findKubernetesObjects(files)) {
      const place = at(node, 'apiVersion')
      if (kind !== 'APIRule' || place === undefined || !/^gateway\.kyma-project\.io\/v1(?:alpha1|beta1)$/.test(apiVersion))
        continue
      yield { at: { file, span: { start: place.start, end: place.end } }, args: { name, version: apiVersion } }
    }
  },

  text: {
    en: {
      title: 'APIRule of a version that allows every origin',
      message:
        'APIRule {name} is of {version}, which answers every origin with all methods and the Authorization header allowed.',
      why: 'Any web page may call the service from the browsers of your users and read the answers; the version is also no longer supported by Kyma.',
      fix: 'Move to "apiVersion: gateway.kyma-project.io/v2" and name the origins that need it in "corsPolicy".',
    },
    fr: {
      title: 'APIRule d’une version qui autorise toutes les origines',
      message:
        'APIRule {name} est en {version}, qui répond à toute origine avec toutes les méthodes et l’en-tête Authorization autorisés.',
      why: 'N’importe quelle page web peut appeler le service depuis le navigateur de vos utilisateurs et lire les réponses ; de plus, Kyma ne prend plus cette version en charge.',
      fix: 'Passez à « apiVersion: gateway.kyma-project.io/v2 » et nommez dans « corsPolicy » les origines qui en ont besoin.',
    },
  },
})
