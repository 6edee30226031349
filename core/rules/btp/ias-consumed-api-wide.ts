import { isTrue, textOf, textsBelow } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An identity application that provides or consumes more than it needs. `cds add ias` writes the token exchange with XSUAA into every project.
 * Facts: capire, "Remote Authentication" (`provided-apis`, `consumed-services`, `xsuaa-cross-consumption`).
 * Severity: LOW, least privilege; INFO for the default of the generator.
 */
export const iasConsumedApiWide: Rule = defineRule({
  id: 'btp/ias-consumed-api-wide',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/remote-authentication',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config, mta } of services) {
      if (service !== 'identity') continue
      const file = mta?.file ?? name
      for (const key of ['provided-apis', 'consumed-services']) {
        for (const { text: value, node } of textsBelow(at(config, key))) {
          if (/^(?:all-access|all_access|\*)$/i.test(value)) yield { at: placeOf(node), args: { key, name, value, file } }
        }
      }
      const cross = at(config, 'xsuaa-cross-consumption')
      const key = 'xsuaa-cross-consumption'
      if (cross === undefined || mta === undefined || !isTrue(textOf(cross))) continue
      // an existing instance may be one of XSUAA
      const usesXsuaa = mta.resources.some(
        (resource) => resource.service === 'xsuaa' || /existing|user-provided/.test(resource.type),
      )
      if (!usesXsuaa) yield { at: placeOf(cross), args: { key, name, value: 'true', file }, severity: 'INFO', variant: 'cross' }
    }
  },

  text: {
    en: {
      title: 'Overly broad API permission in the identity service',
      message: '"{key}" of {name} contains "{value}", which grants access to all APIs of a service.',
      why: 'The application can call all APIs of the service, even those that it does not need: so can an attacker with its leaked credentials.',
      fix: 'Replace "{value}" in "{key}" of {name} with the names of the APIs that are called, for example "read-orders".',
      variants: {
        cross: {
          title: 'Unused token exchange from IAS to XSUAA',
          message: '"xsuaa-cross-consumption" is true for {name}, but nothing in {file} uses XSUAA.',
          why: 'Tokens of the identity service can be exchanged for XSUAA tokens, even by an attacker with a stolen token.',
          fix: 'Remove "xsuaa-cross-consumption" from {name} in {file}.',
        },
      },
    },
    fr: {
      title: 'Permission d’API trop large dans le service d’identité',
      message: '"{key}" de l’instance {name} contient "{value}", qui donne accès à toutes les API d’un service.',
      why: 'L’application peut appeler toutes les API du service, même celles dont elle n’a pas besoin : un attaquant muni de ses identifiants divulgués le peut aussi.',
      fix: 'Remplacez "{value}" dans "{key}" de l’instance {name} par les noms des API appelées, par exemple "read-orders".',
      variants: {
        cross: {
          title: 'Échange de jetons IAS vers XSUAA inutilisé',
          message: '"xsuaa-cross-consumption" vaut true pour l’instance {name}, mais rien dans {file} n’utilise XSUAA.',
          why: 'Les jetons du service d’identité peuvent être échangés contre des jetons XSUAA, y compris par un attaquant muni d’un jeton volé.',
          fix: 'Supprimez "xsuaa-cross-consumption" de l’instance {name} dans {file}.',
        },
      },
    },
  },
})
