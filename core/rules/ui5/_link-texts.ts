import type { Locale, Localized, RuleText } from '../../types.ts'
import { LINK_ORIGINS, type BoundForm, type LinkForm, type LinkOrigin } from './_link-forms.ts'
import { MARKUP_BY_ORIGIN } from './_origin-texts.ts'

type FormText = Omit<RuleText, 'why'>

const FORMS: Localized<Readonly<Record<LinkForm, FormText>>> = {
  en: {
    bound: {
      title: 'XSS: javascript: URL possible in a bound link',
      message: 'The URL of this link is bound to "{value}", and validateUrl is not true.',
      fix: 'Set validateUrl to true on the link. If the value is only a path, put a fixed prefix before it instead: "https://www.example.com/{…}".',
    },
    unchecked: {
      title: 'XSS: javascript: URL possible in a bound link',
      message: 'The URL of this {control} is bound to "{value}", and the control does not validate it.',
      fix: 'Bind the URL with a formatter that returns the value only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts it, or put a fixed prefix before the value.',
    },
    set: {
      title: 'XSS: javascript: URL possible in a link',
      message: 'The URL of this link comes from {value} and is not validated.',
      fix: 'Set the URL only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts it, or set validateUrl: true if this is a sap.m.Link.',
    },
    element: {
      title: 'XSS: javascript: URL possible in a link',
      message: 'The URL of this element comes from {value} and is not validated.',
      fix: 'Set the URL only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts it, or put a fixed prefix before the value.',
    },
    frame: {
      title: 'XSS: javascript: URL possible in a frame',
      message: 'The URL of this frame comes from {value} and is not validated.',
      fix: 'Set the URL only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts it, or put a fixed prefix before the value.',
    },
    written: {
      title: 'XSS: javascript: URL possible in a rendered link',
      message: 'The URL that this renderer writes comes from {value} and is not validated.',
      fix: 'Write the attribute only if URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85) accepts the value.',
    },
  },
  fr: {
    bound: {
      title: 'XSS : URL javascript: possible dans un lien alimenté par des données',
      message: 'L’URL de ce lien est liée à "{value}", et validateUrl ne vaut pas true.',
      fix: 'Donnez à validateUrl la valeur true sur le lien. Si la valeur n’est qu’un chemin, placez plutôt un préfixe fixe devant elle : "https://www.example.com/{…}".',
    },
    unchecked: {
      title: 'XSS : URL javascript: possible dans un lien alimenté par des données',
      message: 'L’URL de ce contrôle {control} est liée à "{value}", et le contrôle ne la valide pas.',
      fix: 'Liez l’URL au moyen d’une fonction formatter qui ne renvoie la valeur que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) l’accepte, ou placez un préfixe fixe devant la valeur.',
    },
    set: {
      title: 'XSS : URL javascript: possible dans un lien',
      message: 'L’URL de ce lien provient de {value} et n’est pas validée.',
      fix: 'Ne définissez l’URL que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) l’accepte, ou définissez validateUrl: true s’il s’agit d’un sap.m.Link.',
    },
    element: {
      title: 'XSS : URL javascript: possible dans un lien',
      message: 'L’URL de cet élément provient de {value} et n’est pas validée.',
      fix: 'Ne définissez l’URL que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) l’accepte, ou placez un préfixe fixe devant la valeur.',
    },
    frame: {
      title: 'XSS : URL javascript: possible dans une iframe',
      message: 'L’URL de cette iframe provient de {value} et n’est pas validée.',
      fix: 'Ne définissez l’URL que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) l’accepte, ou placez un préfixe fixe devant la valeur.',
    },
    written: {
      title: 'XSS : URL javascript: possible dans un lien rendu',
      message: 'L’URL qu’écrit ce moteur de rendu provient de {value} et n’est pas validée.',
      fix: 'N’écrivez l’attribut que si URLListValidator.validate (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85) accepte la valeur.',
    },
  },
}

/** Where the value that arrives was not read by the binding itself. */
const FROM_FAR: Localized<Readonly<Record<BoundForm, string>>> = {
  en: {
    bound: 'The URL that this link is bound to comes from {value}, and validateUrl is not true.',
    unchecked: 'The URL that this {control} is bound to comes from {value}, and the control does not validate it.',
  },
  fr: {
    bound: 'L’URL à laquelle ce lien est lié provient de {value}, et validateUrl ne vaut pas true.',
    unchecked: 'L’URL à laquelle ce contrôle {control} est lié provient de {value}, et le contrôle ne la valide pas.',
  },
}

/** Of an address that the URL of the page or a message brings: nothing but a path of the app is expected there. */
const FROM_OUTSIDE: Localized<FormText> = {
  en: {
    title: 'XSS: link target from outside the app',
    message: 'The URL of this link comes from {value}, that is, from {source}, and is not validated.',
    fix: 'Accept only URLs on the app’s own server: set the URL only if new URL(value, location.href).origin === location.origin.',
  },
  fr: {
    title: 'XSS : cible de lien issue d’une donnée externe',
    message: 'L’URL de ce lien provient de {value}, c’est-à-dire de {source}, et n’est pas validée.',
    fix: 'N’acceptez que des URL du serveur de l’application : ne définissez l’URL que si new URL(valeur, location.href).origin === location.origin.',
  },
}

const CLICKED: Localized<Readonly<Record<LinkOrigin, string>>> = {
  en: {
    stored:
      'An attacker who can write that data can store a javascript: URL, whose code runs in the session of every user who clicks the link.',
    outside:
      '{bait} can put a javascript: URL into that value; its code runs in the session of the user who then clicks this link of the app.',
    own: MARKUP_BY_ORIGIN.en.own.why,
    indirect:
      'If another user, page or file can supply that value, a javascript: URL in it runs code in the session of the user who clicks the link.',
  },
  fr: {
    stored:
      'Un attaquant qui peut écrire ces données peut y stocker une URL javascript:, dont le code s’exécute dans la session de chaque utilisateur qui clique sur le lien.',
    outside:
      '{bait} peut placer une URL javascript: dans cette valeur ; son code s’exécute dans la session de l’utilisateur qui clique ensuite sur ce lien de l’application.',
    own: MARKUP_BY_ORIGIN.fr.own.why,
    indirect:
      'Si un autre utilisateur, une autre page ou un fichier peut fournir cette valeur, le code d’une URL javascript: qu’elle contient s’exécute dans la session de l’utilisateur qui clique sur le lien.',
  },
}

const LOADED: Localized<Readonly<Record<LinkOrigin, string>>> = {
  en: {
    stored:
      'An attacker who can write that data can store a javascript: URL: the frame loads it without a click, and its code runs in the session of every user who displays the frame.',
    outside:
      '{bait} can put a javascript: URL into that value: the frame loads it without a click, and its code runs in the user’s session.',
    own: MARKUP_BY_ORIGIN.en.own.why,
    indirect:
      'If another user, page or file can supply that value, the frame runs the code of a javascript: URL in it without a click, in the user’s session.',
  },
  fr: {
    stored:
      'Un attaquant qui peut écrire ces données peut y stocker une URL javascript:, que l’iframe charge sans clic ; le code de cette URL s’exécute dans la session de chaque utilisateur qui affiche l’iframe.',
    outside:
      '{bait} peut placer une URL javascript: dans cette valeur : l’iframe charge cette URL sans clic, et son code s’exécute dans la session de l’utilisateur.',
    own: MARKUP_BY_ORIGIN.fr.own.why,
    indirect:
      'Si un autre utilisateur, une autre page ou un fichier peut fournir cette valeur, l’iframe exécute sans clic, dans la session de l’utilisateur, le code d’une URL javascript: que la valeur contient.',
  },
}

/** Of the usual case, a link bound to data. */
export const BOUND_LINK: Localized<RuleText> = {
  en: { ...FORMS.en.bound, why: CLICKED.en.stored },
  fr: { ...FORMS.fr.bound, why: CLICKED.fr.stored },
}

/** A text for each form of link and each origin of its address. */
export function linkTexts(locale: Locale): Readonly<Record<string, RuleText>> {
  const texts: Record<string, RuleText> = {}
  for (const [form, words] of Object.entries(FORMS[locale]))
    for (const origin of LINK_ORIGINS) {
      const why = (form === 'frame' ? LOADED : CLICKED)[locale][origin]
      texts[`${form}-${origin}`] = { ...(form === 'set' && origin === 'outside' ? FROM_OUTSIDE[locale] : words), why }
      if (form === 'bound' || form === 'unchecked')
        texts[`${form}-${origin}-far`] = { ...words, message: FROM_FAR[locale][form], why }
    }
  return texts
}
