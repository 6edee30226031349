import { isTrue, type CapMember, type CapRoot } from '../../model/cap/index.ts'
import { splitWords } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'

/** `cvv`, `card.securityCode`, `card_verification_value`; not whether there is one. */
const CODE =
  /^(?!(?:requires?|has|is|needs?|with)_?[A-Z]?(?:cv|card))(?:\w{0,20}_?)?(?:cvv2?|cvc2?|cvn)(?:_?(?:code|number|no))?$|^(?:credit_?|debit_?)?card_?(?:security|verification)_?(?:code|value|number)$/i
/** Types that no such code has. */
const OTHER_TYPES: ReadonlySet<string> = new Set([
  'Boolean',
  'Decimal',
  'Double',
  'Date',
  'DateTime',
  'Timestamp',
  'Association',
  'Composition',
])
/** What stands beside it, or what the entity is called, by its words. */
const OF_CARD =
  /\b(?:credit|debit|payment|bank)?cards?(?:num(?:ber)?|no|nr|holder(?:name)?|owner|type|token|id|data|details|expiry)?s?\b|\bexpir|\bvalid ?(?:thru|to|until)\b|\bpan$|payment/
const SKIP = 'cds.persistence.skip'

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
    const entities = new Set(root.entities)
    const external = root.services.flatMap(({ name, exposure }) => (exposure === 'external' ? `${name}.` : []))
    // what an aspect or a type declares is told once, where it stands
    const told = new Set<string>()
    for (const entity of root.entities) {
      const members = root.membersOf(entity)
      root.step(members.size + 1 + external.length)
      if (!isStored(root, entity) || external.some((service) => entity.startsWith(service))) continue
      const names = [lastName(entity), ...members.keys()]
      for (const member of members.values()) {
        const { name, owner, place, type = '' } = member
        if (!CODE.test(lastName(name)) || OTHER_TYPES.has(type) || (owner !== entity && entities.has(owner))) continue
        if (!isOfTable(member, members) || !names.some((one) => one !== name && OF_CARD.test(splitWords(one).join(' ')))) continue
        const key = `${owner} ${place.file} ${place.span?.start ?? 0}`
        if (told.has(key)) continue
        told.add(key)
        yield { at: place, args: { element: name, entity: lastName(entity) } }
      }
    }
  },

  text: () => ({
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
  }),
})

/** It has a table of its own: it projects on nothing, and nothing says that it has none. */
function isStored(root: CapRoot, entity: string): boolean {
  return root.projected(entity).length < 2 && !isTrue(root.annotationsOf(entity).get(SKIP)?.value)
}

/** It is a column, and the structures around it are some. */
function isOfTable({ name }: CapMember, members: ReadonlyMap<string, CapMember>): boolean {
  const steps = name.split('.')
  return steps.every((_, index) => {
    const part = members.get(steps.slice(0, index + 1).join('.'))
    return part === undefined || !(part.virtual || part.calculated || part.annotations.has(SKIP))
  })
}
