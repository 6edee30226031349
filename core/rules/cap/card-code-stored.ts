import { lastName } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `cvv`, `card.securityCode`, `card_verification_value`. */
const CODE =
  /^(?:\w{0,20}_?)?(?:cvv2?|cvc2?|cvn)(?:_?(?:code|number|no))?$|^(?:credit_?|debit_?)?card_?(?:security|verification)_?(?:code|value|number)$/i
/** What stands beside it, or what the entity is called. */
const OF_CARD = /card|expir|valid_?(?:thru|to|until)|(?:^|_)pan$|payment/i

/**
 * The verification code of a payment card as an element of an entity that is stored.
 * Facts: PCI DSS 4.0.1, requirement 3.3.1.2: the card verification code is not stored after authorization, encrypted or not.
 * Impact: whoever reads the database or a backup pays with the cards.
 */
export const cardCodeStored: Rule = defineRule({
  id: 'cap/card-code-stored',
  impact: 'data',
  reach: 'privileged',
  evidence: 'shown',
  confidence: 'medium',
  cwe: [312, 359],
  since: '0.3.0',
  docs: 'https://www.pcisecuritystandards.org/document_library/',
  on: 'cap-root',

  *check(root) {
    if (root.test) return
    for (const entity of root.entities) {
      const members = root.membersOf(entity)
      root.step(members.size + 1)
      const names = [lastName(entity), ...members.keys()]
      for (const { name, owner, place, virtual, calculated, annotations } of members.values()) {
        if (owner !== entity || virtual || calculated || annotations.has('cds.persistence.skip')) continue
        if (!CODE.test(lastName(name)) || !names.some((one) => one !== name && OF_CARD.test(one))) continue
        yield { at: place, args: { element: name, entity: lastName(entity) } }
      }
    }
  },

  text: {
    en: {
      title: 'Card verification code stored',
      message: '{entity} stores the verification code of payment cards ({element}).',
      why: 'An attacker who reads the database, a backup or an export can pay with these cards. PCI DSS forbids storing this code after the authorization of a payment, encrypted or not.',
      fix: 'Remove {element}: let a payment provider collect the card in its own form and store its token. What a handler only passes on is a parameter of an action, or a virtual element.',
    },
    fr: {
      title: 'Code de vérification de carte enregistré',
      message: '{entity} enregistre le code de vérification de cartes de paiement ({element}).',
      why: 'Un attaquant qui lit la base, une sauvegarde ou un export peut payer avec ces cartes. PCI DSS interdit de conserver ce code après l’autorisation du paiement, même chiffré.',
      fix: 'Supprimez {element} : laissez un prestataire de paiement saisir la carte dans son propre formulaire et enregistrez son jeton. Ce qu’un gestionnaire ne fait que transmettre est un paramètre d’action ou un élément virtual.',
    },
  },
})
