import type { FlowHit } from '../../flow/index.ts'
import type { Localized, Match, RuleText } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { gradeByOrigin } from './_flow-grade.ts'

/** An address that is encoded for markup runs as code still. */
export function gradeEncodedAddress(hit: FlowHit, project: Project): Match & { readonly variant: string } {
  return { ...gradeByOrigin(hit, project), variant: 'address' }
}

/** The texts of the variant. @param part the argument that is the address */
export function encodedAddressTexts(part: 'part' | 'value'): Localized<RuleText> {
  return {
    en: {
      title: 'XSS: encoded URL in markup without a scheme check',
      message: `A value from {${part}} is encoded, but becomes the whole URL of a link, form or frame without a check of its scheme.`,
      why: 'Encoding does not stop javascript: URLs: an attacker who can supply the URL can run a script in the session of the user who follows it.',
      fix: 'Check the URL before it becomes part of the markup: if (!/^https?:\\/\\//i.test(url)) return; or begin the attribute with a fixed path: href="/documents/…".',
    },
    fr: {
      title: 'XSS : URL encodée dans le balisage, schéma non vérifié',
      message: `Une valeur issue de {${part}} est encodée, mais devient l’URL entière d’un lien, d’un formulaire ou d’une iframe sans que son schéma soit vérifié.`,
      why: 'L’encodage n’arrête pas les URL javascript:, et un attaquant qui peut fournir l’URL peut exécuter un script dans la session de l’utilisateur qui ouvre cette URL.',
      fix: 'Vérifiez l’URL avant de l’insérer dans le balisage : if (!/^https?:\\/\\//i.test(url)) return; ou commencez l’attribut par un chemin fixe : href="/documents/…".',
    },
  }
}
