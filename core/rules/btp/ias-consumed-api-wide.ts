import { isTrue, textOf, textsBelow } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** An identity application that provides or takes more than it has to. `cds add ias` writes the bridge to XSUAA into every project.
 *  Facts: capire, "Remote Authentication" (`provided-apis`, `consumed-services`, `xsuaa-cross-consumption`). */
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
      // an instance that is there already may be one of XSUAA
      const usesXsuaa = mta.resources.some(
        (resource) => resource.service === 'xsuaa' || /existing|user-provided/.test(resource.type),
      )
      if (!usesXsuaa) yield { at: placeOf(cross), args: { key, name, value: 'true', file }, severity: 'INFO', variant: 'cross' }
    }
  },

  text: {
    en: {
      title: 'An API permission covers everything',
      message: '"{key}" of {name} has {value}.',
      why: 'A consumer that needs one thing may do all: what one leaked credential opens is the whole service.',
      fix: 'Name the APIs one by one, and take those that are called.',
      variants: {
        cross: {
          title: 'Tokens for XSUAA are allowed without need',
          message: '"xsuaa-cross-consumption" is true for {name}, but nothing in {file} uses XSUAA.',
          why: 'Each token of the identity service can be exchanged for one of XSUAA, a way in that nobody watches.',
          fix: 'Remove "xsuaa-cross-consumption" from {name}.',
        },
      },
    },
    fr: {
      title: 'Une permission d’API couvre tout',
      message: '« {key} » de {name} contient {value}.',
      why: 'Un consommateur qui a besoin d’une chose peut tout faire : un identifiant divulgué ouvre le service entier.',
      fix: 'Nommez les API une par une, et prenez celles qui sont appelées.',
      variants: {
        cross: {
          title: 'Des jetons pour XSUAA sont permis sans besoin',
          message: '« xsuaa-cross-consumption » vaut true pour {name}, mais rien dans {file} n’utilise XSUAA.',
          why: 'Chaque jeton du service d’identité peut être échangé contre un jeton XSUAA, une entrée que personne ne surveille.',
          fix: 'Supprimez « xsuaa-cross-consumption » de {name}.',
        },
      },
    },
  },
})
