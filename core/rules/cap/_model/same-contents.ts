import { toWords } from '../../../model/cap/index.ts'
import type { RuleText } from '../../../types.ts'

/** Names of elements, in words, of which each tells the others of its group: an IBAN ends with the number of the account. Fact: ISO 13616 (BBAN as a part of the IBAN). */
const GROUPS: readonly RegExp[] = [
  /^(?:(?:bank|vendor|supplier|customer|payee|beneficiary) ){0,2}(?:iban|account(?: ?(?:no|nr|number|num))|bank account|bban)$/,
  /^(?:(?:credit|debit|payment) ?)?(?:card ?(?:no|nr|number|num)|pan|primary account number)$/,
]

/** An element that is masked, and one beside it that says the same. */
export interface SameContent {
  readonly masked: string
  readonly shown: string
}

/** Of the elements of a row one that is shown as it is, although another one of the same content is masked. */
export function sameContent(masked: readonly string[], shown: readonly string[]): SameContent | undefined {
  for (const name of masked) {
    const group = GROUPS.find((one) => one.test(toWords(name)))
    const other = group && shown.find((one) => group.test(toWords(one)))
    if (other !== undefined) return { masked: name, shown: other }
  }
  return undefined
}

/** The words of `cap/masking-bypassed-by-expand` for it. */
export const SIBLING_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Masked value readable in another element',
    message:
      'A handler masks {masked} after reading {entity}, but {shown} of the same rows, which holds the same number, is returned as it is stored.',
    why: 'A user who reads the rows takes the number from {shown}: the mask of {masked} hides nothing.',
    fix: 'Mask {shown} in the same handler and in every other one that returns these rows. Or leave it out of {entity} with excluding.',
  },
  fr: {
    title: 'Valeur masquée lisible dans un autre élément',
    message:
      'Un gestionnaire masque {masked} après la lecture de {entity}, mais {shown} des mêmes lignes, qui contient le même numéro, est renvoyé tel qu’il est enregistré.',
    why: 'Un utilisateur qui lit ces lignes trouve le numéro dans {shown} : le masque de {masked} ne cache rien.',
    fix: 'Masquez {shown} dans le même gestionnaire et dans tout autre qui renvoie ces lignes. Ou excluez-le de {entity} par excluding.',
  },
}
