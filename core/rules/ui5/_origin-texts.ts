import type { Localized } from '../../types.ts'

/** Where a value comes from that the page shows as markup; the names are variants of rules. */
type OriginOfMarkup = 'stored' | 'link' | 'own' | 'indirect' | 'unknown'

/** What an attacker can do with a value that becomes markup, by who can supply it. */
export const MARKUP_BY_ORIGIN: Localized<Readonly<Record<OriginOfMarkup, { readonly why: string }>>> = {
  en: {
    stored: {
      why: 'An attacker who can write that data can store a script in it, which runs in the session of every user who opens this page, with their permissions.',
    },
    link: {
      why: '{bait} can put a script into that value, which runs in the victim’s session, with all their permissions.',
    },
    own: { why: 'Users can attack only their own session, unless another page or user can supply that value.' },
    indirect: { why: 'If another user, page or file can supply that value, a script in it runs in the user’s session.' },
    unknown: {
      why: 'If another user can supply that value, they can put a script into it, which runs in the victim’s session.',
    },
  },
  fr: {
    stored: {
      why: 'Un attaquant qui peut écrire ces données peut y stocker un script, qui s’exécute dans la session de chaque utilisateur qui ouvre cette page, avec les droits de cet utilisateur.',
    },
    link: {
      why: '{bait} peut placer dans cette valeur un script qui s’exécute dans la session de la victime, avec tous ses droits.',
    },
    own: {
      why: 'L’utilisateur ne peut attaquer que sa propre session, sauf si une autre page ou un autre utilisateur peut fournir cette valeur.',
    },
    indirect: {
      why: 'Si un autre utilisateur, une autre page ou un fichier peut fournir cette valeur, un script qu’elle contient s’exécute dans la session de l’utilisateur.',
    },
    unknown: {
      why: 'Si un autre utilisateur peut fournir cette valeur, il peut y placer un script, qui s’exécute dans la session de la victime.',
    },
  },
}
