import { findKubernetesObjects } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An APIRule of an unsupported version that allows any origin by default.
 * Facts: SAP BTP documentation, "Changes introduced in APIRule v2".
 * Impact: nothing by itself, the CORS default gives access only to what needs no cookie or token.
 */
export const kymaApiruleLegacy: Rule = defineRule({
  id: 'btp/kyma-apirule-legacy',
  impact: 'defence',
  reach: 'anyone',
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

  text: () => ({
    en: {
      title: 'Deprecated Kyma APIRule version that allows any origin',
      message:
        'APIRule {name} uses {version}, which by default allows CORS requests from any origin, with methods such as POST and DELETE and with the Authorization header.',
      why: 'A malicious page that has obtained a token can use it in a user’s browser, from within the user’s network, and read the responses. Kyma no longer maintains this version.',
      fix: 'Use gateway.kyma-project.io/v2 with gateway: kyma-system/kyma-gateway. Replace "host" with "hosts", "accessStrategies" with "jwt" (issuer, jwksUri) or "extAuth", and "/.*" with "/*". List allowed origins in "corsPolicy"; add the workload to the Istio mesh.',
    },
    fr: {
      title: 'Version d’APIRule Kyma obsolète autorisant toute origine',
      message:
        'L’APIRule {name} utilise {version}, qui autorise par défaut les requêtes CORS de toute origine, avec des méthodes comme POST et DELETE et avec l’en-tête Authorization.',
      why: 'Une page malveillante qui a obtenu un jeton peut l’utiliser depuis le navigateur et le réseau d’un utilisateur, et lire les réponses. Kyma ne maintient plus cette version.',
      fix: 'Utilisez apiVersion: gateway.kyma-project.io/v2 et gateway: kyma-system/kyma-gateway. Remplacez "host" par "hosts", "accessStrategies" par "jwt" (issuer, jwksUri) ou "extAuth", et "/.*" par "/*". Énumérez les origines autorisées dans "corsPolicy" ; ajoutez le workload au maillage Istio.',
    },
  }),
})
