import { isTrue, textOf } from '../../model/deployment/index.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An identity application that provides or consumes more than it needs. `cds add ias` writes the token exchange with XSUAA into every project.
 * Facts: capire, "Remote Authentication" (`provided-apis`, `consumed-services`, `xsuaa-cross-consumption`).
 * Impact: least privilege: it takes a stolen token first; what the generator writes is only worth knowing.
 */
export const iasConsumedApiWide: Rule = defineRule({
  id: 'btp/ias-consumed-api-wide',
  impact: 'defence',
  reach: 'user',
  grades: { cross: { impact: 'hygiene' } },
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
      if (!usesXsuaa) yield { at: placeOf(cross), args: { key, name, value: 'true', file }, variant: 'cross' }
    }
  },

  text: () => ({
    en: {
      title: 'Overly broad API permission in the identity service',
      message: '"{key}" of {name} contains "{value}", which suggests access to all APIs of a service.',
      why: 'An attacker with the leaked credentials of a consuming application can then call all these APIs, even those that the application does not need.',
      fix: 'Replace "{value}" in "{key}" of {name} with narrower API permission groups, for example "read-orders", which the providing instance lists in "provided-apis".',
      variants: {
        cross: {
          title: 'Unused token exchange from IAS to XSUAA',
          message: '"xsuaa-cross-consumption" is true for {name}, but nothing in {file} uses XSUAA.',
          why: 'The setting adds XSUAA to the audience of the application’s tokens: an attacker with a stolen token may be able to exchange it for an XSUAA token.',
          fix: 'Set "xsuaa-cross-consumption" of {name} to false in {file}, unless a service that the application calls requires XSUAA tokens.',
        },
      },
    },
    fr: {
      title: 'Autorisation d’API trop large dans IAS',
      message: '"{key}" de l’instance {name} contient "{value}", ce qui suggère un accès à toutes les API d’un service.',
      why: 'Un attaquant muni des identifiants divulgués d’une application consommatrice peut alors appeler toutes ces API, même celles dont l’application n’a pas besoin.',
      fix: 'Remplacez "{value}" dans "{key}" de l’instance {name} par des groupes d’autorisations d’API plus restreints, par exemple "read-orders", déclarés dans "provided-apis" par l’instance qui fournit ces API.',
      variants: {
        cross: {
          title: 'Échange inutilisé de jetons IAS contre des jetons XSUAA',
          message: '"xsuaa-cross-consumption" vaut true pour l’instance {name}, mais rien dans {file} n’utilise XSUAA.',
          why: 'Ce paramètre ajoute XSUAA à l’audience des jetons de l’application : un attaquant muni d’un jeton volé pourrait l’échanger contre un jeton XSUAA.',
          fix: 'Donnez à "xsuaa-cross-consumption" de l’instance {name} la valeur false dans {file}, sauf si un service appelé par l’application exige des jetons XSUAA.',
        },
      },
    },
  }),
})
