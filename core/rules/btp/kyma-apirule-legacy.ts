import { findKubernetesObjects } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An APIRule of an unsupported version that allows any origin by default.
 * Facts: SAP BTP documentation, "Changes introduced in APIRule v2".
 * Severity: LOW, the CORS default gives access only to what needs no cookie or token.
 */
export const kymaApiruleLegacy: Rule = defineRule({
  id: 'btp/kyma-apirule-legacy',
  severity: 'LOW',
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
      title: 'Unsupported Kyma APIRule version that allows any origin',
      message:
        'APIRule {name} uses {version}, which by default allows CORS requests from any origin, with methods such as POST and DELETE and with the Authorization header.',
      why: 'A malicious page that a user visits can call the service and read the responses to requests that need no token. Kyma no longer supports this version.',
      fix: 'Use "apiVersion: gateway.kyma-project.io/v2", "hosts" instead of "host", "jwt" or "extAuth" instead of "accessStrategies", and paths like "/*" instead of "/.*"; list the origins that need access in "corsPolicy". The workload must be in the Istio service mesh.',
    },
    fr: {
      title: 'Version d’APIRule Kyma obsolète autorisant toute origine',
      message:
        'L’APIRule {name} utilise {version}, qui autorise par défaut les requêtes CORS de toute origine, avec des méthodes comme POST et DELETE et avec l’en-tête Authorization.',
      why: 'Une page malveillante visitée par un utilisateur peut appeler le service et lire les réponses aux requêtes qui n’exigent pas de jeton. Kyma ne prend plus cette version en charge.',
      fix: 'Utilisez "apiVersion: gateway.kyma-project.io/v2", remplacez "host" par "hosts", "accessStrategies" par "jwt" ou "extAuth", et les chemins comme "/.*" par "/*" ; énumérez dans "corsPolicy" les origines qui ont besoin d’un accès. Le workload doit faire partie du maillage Istio.',
    },
  },
})
