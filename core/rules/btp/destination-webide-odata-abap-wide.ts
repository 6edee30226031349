import { isForTesting, isTrue } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A destination of a deployment that development tools may use.
 *  Facts: SAP Business Application Studio, "Connecting to External Systems" (`WebIDEEnabled`, `WebIDEUsage`). */
export const destinationWebideOdataAbapWide: Rule = defineRule({
  id: 'btp/destination-webide-odata-abap-wide',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [732],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/connectivity/sap-btp-connectivity-cf/http-destinations',
  on: 'deployment',

  *check({ destinations }) {
    for (const { kind, name, property } of destinations) {
      if (kind !== 'service') continue
      const enabled = property('WebIDEEnabled')
      const usage = property('WebIDEUsage')
      const found = enabled !== undefined && isTrue(enabled.text) ? enabled : enabled === undefined ? usage : undefined
      if (found === undefined || found.text.trim() === '' || isForTesting(found.place.file)) continue
      yield { at: found.place, args: { name, key: found.key, value: found.text } }
    }
  },

  text: {
    en: {
      title: 'A deployed destination is open to development tools',
      message: 'Destination {name} says "{key}": {value}.',
      why: 'Every developer of the subaccount reaches its backend from SAP Business Application Studio, with the rights that the destination has, past the application.',
      fix: 'Remove "{key}" from {name}; make a destination of its own for development, in the subaccount for development.',
    },
    fr: {
      title: 'Une destination déployée est ouverte aux outils de développement',
      message: 'La destination {name} indique « {key} » : {value}.',
      why: 'Tout développeur du sous-compte atteint son serveur depuis SAP Business Application Studio, avec les droits de la destination, sans passer par l’application.',
      fix: 'Supprimez « {key} » de {name} ; créez une destination à part pour le développement, dans le sous-compte de développement.',
    },
  },
})
