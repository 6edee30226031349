import type { FlowHit } from '../../flow/index.ts'
import type { Locale, Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeByOrigin } from './_flow-grade.ts'

type Carrier = 'header' | 'open' | 'settings'

/** What carries the password, by what receives it. */
function carrierOf({ effects }: FlowHit['api']): Carrier {
  if (effects.has('open')) return 'open'
  return effects.has('settings') ? 'settings' : 'header'
}

const REMOVE: Localized<Readonly<Record<Carrier, string>>> = {
  en: {
    header: 'remove the Authorization header from the page’s requests',
    open: 'remove the user and the password from the call to XMLHttpRequest.open',
    settings: 'remove the user and the password from these settings',
  },
  fr: {
    header: 'retirez l’en-tête Authorization des requêtes de la page',
    open: 'retirez l’utilisateur et le mot de passe de l’appel à XMLHttpRequest.open',
    settings: 'retirez l’utilisateur et le mot de passe des paramètres de cet appel',
  },
}

/** The server has the password: it can use it itself. */
function given(locale: Locale, carrier: Carrier): string {
  return locale === 'en'
    ? `Change the password, stop sending it to the page, and ${REMOVE.en[carrier]}. Call the backend with a relative URL, through a route in xs-app.json and a destination that holds the credentials.`
    : `Changez le mot de passe, ne l’envoyez plus à la page et ${REMOVE.fr[carrier]}. Appelez le backend par une URL relative, avec une route dans xs-app.json et une destination qui contient les identifiants.`
}

/** The user has it: they can log in elsewhere. */
function entered(locale: Locale, carrier: Carrier): string {
  return locale === 'en'
    ? `Let the approuter authenticate users (XSUAA or Identity Authentication) and forward their requests to the backend through a destination; ${REMOVE.en[carrier]}.`
    : `Laissez l’approuter authentifier les utilisateurs (XSUAA ou Identity Authentication) et transmettre leurs requêtes au backend par une destination ; ${REMOVE.fr[carrier]}.`
}

const GIVEN: Localized<Omit<RuleText, 'fix'>> = {
  en: {
    title: 'Backend password exposed in the browser',
    message: 'A value from {part} is used for HTTP Basic authentication in the browser ({sink}).',
    why: 'The server sends this password to the browser: any user who receives it can read it in the developer tools and call the backend with it, outside the app.',
  },
  fr: {
    title: 'Mot de passe du backend exposé dans le navigateur',
    message: 'Une valeur issue de {part} sert à l’authentification HTTP basique dans le navigateur ({sink}).',
    why: 'Le serveur envoie ce mot de passe au navigateur : tout utilisateur qui le reçoit peut le lire dans les outils de développement et s’en servir pour appeler le backend, hors de l’application.',
  },
}

const OWN: Localized<Omit<RuleText, 'fix' | 'message'>> = {
  en: {
    title: 'Basic authentication in the browser',
    why: 'The page handles the password in cleartext and sends it with its requests: a script injected through XSS, or a log of request headers, is enough to steal it.',
  },
  fr: {
    title: 'Authentification basique dans le navigateur',
    why: 'La page manipule le mot de passe en clair et l’envoie avec ses requêtes : il suffit d’un script injecté par une faille XSS, ou d’un journal d’en-têtes de requêtes, pour le voler.',
  },
}

const BODY: Localized<Partial<RuleText>> = {
  en: {
    message: 'The page puts a credential that the backend sent to it ({part}) into the body or a header of another request.',
    why: 'The server sends this credential to the browser: any user who receives it can read it in the developer tools and use it outside the app.',
    fix: 'Change the credential, and stop sending it to the page. Let a service on the server send this request, through a destination that holds the credential.',
  },
  fr: {
    message:
      'La page met un identifiant secret que lui a envoyé le backend ({part}) dans le corps ou un en-tête d’une autre requête.',
    why: 'Le serveur envoie ce secret au navigateur : tout utilisateur qui le reçoit peut le lire dans les outils de développement et s’en servir hors de l’application.',
    fix: 'Changez ce secret et ne l’envoyez plus à la page. Faites émettre cette requête par un service sur le serveur, avec une destination qui contient le secret.',
  },
}

/** A text for each owner of the password and each way to send it. */
function variantsFor(locale: Locale): Readonly<Record<string, Partial<RuleText>>> {
  const texts: Record<string, Partial<RuleText>> = { 'given-body': BODY[locale] }
  for (const carrier of ['header', 'open', 'settings'] as const) {
    texts[`given-${carrier}`] = { fix: given(locale, carrier) }
    texts[`own-${carrier}`] = { ...OWN[locale], fix: entered(locale, carrier) }
  }
  return texts
}

/**
 * HTTP Basic authentication that a page does itself, with a password that a value holds. A password written in the code is a finding of `secrets` alone.
 * Facts: RFC 7617, "The 'Basic' HTTP Authentication Scheme"; jQuery API, ajax; API of sap.ui.model.odata.v2.ODataModel, `user` and `password`.
 * Impact: a password that the server gives to the page is one for every user of it. One that its user enters is their own: another fault, such as XSS, has
 * to read it.
 */
export const basicAuthInClient: Rule = defineRule({
  id: 'ui5/basic-auth-in-client',
  impact: 'takeover',
  // whoever opens the page gets it
  reach: 'user',
  grades: { 'own-header': { impact: 'defence' }, 'own-open': { impact: 'defence' }, 'own-settings': { impact: 'defence' } },
  confidence: 'medium',
  cwe: [522],
  since: '0.2.0',
  docs: 'https://www.rfc-editor.org/rfc/rfc7617#section-4',
  on: 'flow',

  *check(hit, project) {
    const { reach: _, evidence: __, ...match } = gradeByOrigin(hit, project)
    const isGiven = hit.origin === 'backend'
    if (hit.api.effects.has('body')) {
      // what lies in a model the user may have entered, or it goes back to where it came from
      if (isGiven && !hit.steps.some(({ step }) => step === 'store'))
        yield { ...match, variant: 'given-body', args: { part: hit.quotedPart, sink: hit.sink } }
      return
    }
    yield {
      ...match,
      variant: `${isGiven ? 'given' : 'own'}-${carrierOf(hit.api)}`,
      args: { part: hit.quotedPart, sink: hit.api.effects.has('settings') ? 'password: …' : hit.sink },
    }
  },

  text: () => ({
    en: {
      ...GIVEN.en,
      fix: given('en', 'header'),
      variants: variantsFor('en'),
      steps: { 'source-backend': '{part} is sent by the backend.' },
    },
    fr: {
      ...GIVEN.fr,
      fix: given('fr', 'header'),
      variants: variantsFor('fr'),
      steps: { 'source-backend': '{part} est envoyé par le backend.' },
    },
  }),
})
