import type { Localized } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'
import { outsideArgs } from './_attack-ways.ts'
import { gradeByOrigin, secondHandOf, variantOf } from './_flow-grade.ts'

const SECOND_HAND: Localized<string> = {
  en: 'If an attacker can influence that value, it leads users to a phishing page, or a javascript: URL runs code in their session.',
  fr: 'Si un attaquant peut influencer cette valeur, il peut rediriger l’utilisateur vers une page d’hameçonnage ou, avec une URL javascript:, exécuter du code dans la session de l’utilisateur.',
}

const APART: Localized<string> = {
  en: 'If an attacker can influence that value, it opens a phishing page in a new window.',
  fr: 'Si un attaquant peut influencer cette valeur, il peut ouvrir une page d’hameçonnage dans une nouvelle fenêtre.',
}

/**
 * An address that others choose and that the page goes to, or opens. What stands behind a constant host or path leads nowhere else.
 * Facts: HTML standard, "Location" (javascript: addresses run as code), "window.open" (not in a new window without an opener); API reference of SAPUI5, sap.m.URLHelper, sap/base/security/URLListValidator.
 * Impact: a javascript: address runs code in the session of the user. A new window that shares nothing with the app, and the page before, which no script
 * address is, lead to a page of the attacker and no more, as does what follows a constant host; the hash alone leads to another place of the own app.
 */
export const browserOpenRedirect: Rule = defineRule({
  id: 'ui5/open-redirect',
  impact: 'session',
  confidence: 'high',
  cwe: [601],
  since: '0.2.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/url-list-validation-91f3768.md',
  on: 'flow',

  *check(hit, project) {
    // an address below the own host leads nowhere else
    if (hit.detail !== 'begin' || hit.origin === 'unknown') return
    const variant = variantOf(hit)
    const isApart = hit.api.effects.has('apart')
    // the hash alone leads to another place of the own app or launchpad; the page before is where the victim comes from
    const near = hit.api.effects.has('hash')
      ? 'hash'
      : hit.api.effects.has('behind')
        ? 'behind'
        : hit.origin === 'referrer' && !isApart
          ? 'referrer'
          : undefined
    yield {
      ...gradeByOrigin(hit, project),
      impact: near === 'hash' ? 'defence' : near !== undefined || isApart ? 'bounded' : 'session',
      args: { part: hit.quotedPart, sink: hit.sink, ...outsideArgs(hit) },
      ...(near === undefined
        ? variantOfCases(isApart && variant !== 'own' && 'apart', variant === 'indirect' ? secondHandOf(hit) : variant)
        : { variant: near }),
    }
  },

  text: () => ({
    en: {
      title: 'Open redirect in the browser',
      message: 'A URL from {part} reaches {sink} without sufficient validation.',
      why: '{bait} can take the victim to a phishing page or, if javascript: URLs are accepted, run code in their session.',
      fix: 'Use the URL only if new URL(url, location.href).origin === location.origin. To allow other hosts, call URLListValidator.add("https", "www.example.com") and check URLListValidator.validate(url) (sap/base/security/URLListValidator, URLWhitelist before UI5 1.85).',
      variants: {
        stored: {
          title: 'Open redirect to a URL from the backend',
          why: 'An attacker who can write that data can redirect other users to a phishing page or, if javascript: URLs are accepted, run code in their session.',
        },
        own: {
          title: 'Redirect to a URL that the user enters',
          why: 'Users can only redirect themselves, unless another page can supply that value.',
        },
        property: { title: 'Redirect to a URL from a control property', why: SECOND_HAND.en },
        storage: { title: 'Redirect to a URL from the browser storage', why: SECOND_HAND.en },
        imported: { title: 'Redirect to a URL from a file or the clipboard', why: SECOND_HAND.en },
        apart: {
          why: '{bait} can open a phishing page in a new window, which the victim may take for a part of the app.',
        },
        'apart-stored': {
          title: 'Open redirect to a URL from the backend',
          why: 'An attacker who can write that data can open a phishing page for other users in a new window, which they may take for a part of the app.',
        },
        'apart-property': { title: 'Redirect to a URL from a control property', why: APART.en },
        'apart-storage': { title: 'Redirect to a URL from the browser storage', why: APART.en },
        'apart-imported': { title: 'Redirect to a URL from a file or the clipboard', why: APART.en },
        hash: {
          title: 'Navigation to a hash that is not validated',
          message: 'A hash from {part} reaches {sink} without sufficient validation.',
          why: 'If an attacker can influence that value, the user ends up on another page of this app or in another app of the launchpad, with parameters that the attacker chooses.',
          fix: 'Compare the value with a list of allowed hashes before passing it to {sink}, or navigate with this.getOwnerComponent().getRouter().navTo("routeName", parameters).',
        },
        behind: {
          title: 'Open redirect behind a fixed host name',
          message:
            'A value from {part} directly follows the host name in a URL that reaches {sink}, without a slash between them.',
          why: 'The value can change the host: "@attacker.example" makes the fixed host a user name. An attacker who can influence it can lead users to a phishing page.',
          fix: 'End the fixed part of the URL with a slash, as in "https://host/", or compare new URL(url).host with the expected host before passing it to {sink}.',
        },
        referrer: {
          title: 'Redirect to the referring page',
          why: 'document.referrer is the page with the link to your app. If that is an attacker’s page, the app sends the user back there, for example to a fake sign-in form.',
        },
      },
    },
    fr: {
      title: 'Redirection ouverte dans le navigateur',
      message: 'Une URL issue de {part} est transmise à {sink} sans validation suffisante.',
      why: '{bait} peut rediriger la victime vers une page d’hameçonnage ou, si les URL javascript: sont acceptées, exécuter du code dans sa session.',
      fix: 'N’ouvrez l’URL que si new URL(url, location.href).origin === location.origin. Pour autoriser d’autres hôtes, appelez URLListValidator.add("https", "www.example.com") et vérifiez URLListValidator.validate(url) (sap/base/security/URLListValidator, URLWhitelist avant UI5 1.85).',
      variants: {
        stored: {
          title: 'Redirection ouverte vers une URL du backend',
          why: 'Un attaquant qui peut écrire ces données peut rediriger d’autres utilisateurs vers une page d’hameçonnage ou, si les URL javascript: sont acceptées, exécuter du code dans leur session.',
        },
        own: {
          title: 'Redirection vers une URL saisie par l’utilisateur',
          why: 'L’utilisateur ne peut rediriger que lui-même, sauf si une autre page peut fournir cette valeur.',
        },
        property: { title: 'Redirection vers une URL issue d’une propriété de contrôle', why: SECOND_HAND.fr },
        storage: { title: 'Redirection vers une URL issue du stockage du navigateur', why: SECOND_HAND.fr },
        imported: { title: 'Redirection vers une URL issue d’un fichier ou du presse-papiers', why: SECOND_HAND.fr },
        apart: {
          why: '{bait} peut ouvrir dans une nouvelle fenêtre une page d’hameçonnage que la victime peut prendre pour une partie de l’application.',
        },
        'apart-stored': {
          title: 'Redirection ouverte vers une URL du backend',
          why: 'Un attaquant qui peut écrire ces données peut ouvrir chez d’autres utilisateurs, dans une nouvelle fenêtre, une page d’hameçonnage qu’ils peuvent prendre pour une partie de l’application.',
        },
        'apart-property': { title: 'Redirection vers une URL issue d’une propriété de contrôle', why: APART.fr },
        'apart-storage': { title: 'Redirection vers une URL issue du stockage du navigateur', why: APART.fr },
        'apart-imported': { title: 'Redirection vers une URL issue d’un fichier ou du presse-papiers', why: APART.fr },
        hash: {
          title: 'Navigation vers un hash non validé',
          message: 'Un hash issu de {part} est transmis à {sink} sans validation suffisante.',
          why: 'Si un attaquant peut influencer cette valeur, l’utilisateur arrive sur une autre page de l’application ou dans une autre application du launchpad, avec des paramètres choisis par l’attaquant.',
          fix: 'Comparez la valeur à une liste de hashs autorisés avant de la transmettre à {sink}, ou naviguez avec this.getOwnerComponent().getRouter().navTo("routeName", parameters).',
        },
        behind: {
          title: 'Redirection ouverte derrière un nom d’hôte fixe',
          message:
            'Une valeur issue de {part} suit directement le nom d’hôte dans une URL transmise à {sink}, sans barre oblique entre les deux.',
          why: 'La valeur peut changer l’hôte : "@attacker.example" fait de l’hôte fixe un nom d’utilisateur. Un attaquant qui peut l’influencer peut mener l’utilisateur vers une page d’hameçonnage.',
          fix: 'Terminez la partie fixe de l’URL par une barre oblique, comme "https://host/", ou comparez new URL(url).host à l’hôte attendu avant de la transmettre à {sink}.',
        },
        referrer: {
          title: 'Redirection vers la page précédente',
          why: 'document.referrer désigne la page qui contient le lien vers votre application. Si c’est celle d’un attaquant, l’application y renvoie l’utilisateur, par exemple vers un faux formulaire de connexion.',
        },
      },
    },
  }),
})
