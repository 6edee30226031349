import type { FlowHit } from '../../flow/index.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import { gradeByOrigin, variantOf } from './_flow-grade.ts'

/** An address that is encoded for markup runs as code still: stored data needs a click of the victim (MEDIUM), one from a link no other preparation (HIGH). */
export function gradeEncodedAddress(hit: FlowHit): Match & { readonly variant: string } {
  return { ...gradeByOrigin(hit, variantOf(hit) === undefined ? 'HIGH' : 'MEDIUM'), variant: 'address' }
}

/** The texts of the variant. @param part the argument that is the address */
export function encodedAddressTexts(part: 'part' | 'value'): Localized<RuleText> {
  return {
    en: {
      title: 'XSS: encoded address in markup without a scheme check',
      message: `{${part}} is encoded, but it becomes the whole address of a link, form or frame, and nothing checks its scheme.`,
      why: 'Encoding leaves javascript: as it is: an attacker who can supply the address runs a script in the session of the user who follows it.',
      fix: 'Check the address before it becomes part of the markup: if (!/^https?:\\/\\//i.test(url)) return; or begin the attribute with a fixed path: href="/documents/…".',
    },
    fr: {
      title: 'XSS : adresse encodée dans le balisage, schéma non vérifié',
      message: `{${part}} est encodé, mais devient l’adresse entière d’un lien, d’un formulaire ou d’un cadre, et rien n’en vérifie le schéma.`,
      why: 'L’encodage laisse javascript: intact : un attaquant qui fournit l’adresse exécute un script dans la session de l’utilisateur qui la suit.',
      fix: 'Vérifiez l’adresse avant de l’insérer dans le balisage : if (!/^https?:\\/\\//i.test(url)) return; ou commencez l’attribut par un chemin fixe : href="/documents/…".',
    },
  }
}
