import {
  accessesOf,
  excerptOf,
  fieldOf,
  findOrigin,
  findPart,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { tellsOf } from '../../flow/frameworks/route-rights.ts'
import { OBTAINS_CREDENTIALS } from '../../flow/tables/routes.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { handlerFunction, registrationOf, unbound } from '../../model/cap/index.ts'
import { createDevelopmentReader, isRequestName, isToolFile } from '../../model/script/index.ts'
import { allows } from '../../model/npm/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Match, Span } from '../../types.ts'
import { isBelow } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'
import { EXTENSION_KEYWORDS } from '../approuter/_extension-handlers.ts'
import { createSessionReader } from './_callers/approuter-sessions.ts'
import { sentSessions } from './_callers/backend-sessions.ts'
import { holdsCredentials } from './_secrets/bound-credentials.ts'
import { createHeldReader, secretVariable, type HeldReader } from './_secrets/held-credentials.ts'
import { contextAnswers } from './_routes/context-answers.ts'
import { isAnswer } from './_routes/route-answers.ts'

/** Getters of the token itself. Facts: @sap/xssec 3 and 4, README (`getAppToken`, `getTokenValue`, `token.jwt`). */
const GETTERS = /^(?:getAppToken|getToken|getTokenValue|getHdbToken)$/

const backendSessions = sentSessions((call, facts) => (isAnswer(call) ? call.args : answersOf(call, facts)))
/** Pages of other origins may read answers: `cors()`, `Access-Control-Allow-Origin`. */
const OTHER_ORIGINS = /\bcors\s{0,4}\(|Access-Control-Allow/i
const XSSEC = '@sap/xssec'
/** The last version whose security context holds token and credentials as fields, and the first major without. */
const [WITH_FIELDS, WITHOUT] = ['2.2.5', '3.6.2']

/**
 * The access token of the user, one that the application gets for itself, the session of the approuter, the credentials of a bound service or of the
 * environment in the answer to the browser.
 * Facts: @sap/xssec 3 and 4, README; @sap/approuter, README: the approuter keeps tokens on the server and gives browsers a session cookie that scripts can't read.
 * Impact: with the credentials of a binding a caller gets tokens of the application for all tenants and users; scripts of the page, extensions and caches get a token that works against the backend directly until it ends.
 */
export const tokenInResponse: Rule = defineRule({
  id: 'cap/token-in-response',
  impact: 'session',
  // another fault has to bring the attacker to the page or its cache; callers that get their own token alone gain little (`bounded`)
  evidence: 'assumed',
  grades: {
    service: { impact: 'data', reach: 'user', evidence: 'shown' },
    // with them whoever calls gets tokens of the application, or its database
    credentials: { impact: 'takeover', reach: 'user', evidence: 'shown', inOpenRoute: 'shown' },
    // of a handler of CAP its service tells who may call
    variable: { impact: 'takeover', evidence: 'shown', inOpenRoute: 'shown' },
    session: { impact: 'takeover', reach: 'user', evidence: 'shown' },
    // whoever may call has the session of the technical user
    backend: { impact: 'takeover', evidence: 'shown' },
    context: { impact: 'takeover', reach: 'user', evidence: 'shown' },
  },
  confidence: 'high',
  cwe: [200],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/OAuth2_Cheat_Sheet.html',
  keywords: [
    '.cookies',
    'set-cookie',
    'Set-Cookie',
    'getSetCookie',
    'SessionId',
    'SessionID',
    'sessionId',
    'getAppToken',
    'getToken',
    'getTokenValue',
    'getHdbToken',
    'authorization',
    '.jwt',
    'user.token',
    'JwtFrom',
    'TokenFrom',
    'client_credentials',
    'Token(',
    'VCAP_SERVICES',
    'getServices',
    'erviceCredentials',
    'getDestination',
    'readDestination',
    '.credentials',
    'process.env',
    ...EXTENSION_KEYWORDS,
  ],
  extracts: [backendSessions, contextAnswers],
  checks: {
    *'server-script'({ path, text, content: { facts }, budget }) {
      if (isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(facts)
      const isOfSession = createSessionReader(facts)
      const held = createHeldReader(facts)
      for (const call of facts.calls) {
        budget.step()
        const answers = isAnswer(call) ? call.args : answersOf(call, facts)
        if (answers.length === 0 || isForDevelopers(call)) continue
        const told = new Set<number>()
        for (const { at: part, variant, name } of answers.flatMap((answer) => [...heldSecrets(answer, held)])) {
          if (told.has(part.start)) continue
          told.add(part.start)
          const at = { file: path, span: { start: part.start, end: part.end } }
          // which service a handler belongs to, the project tells
          const reach = variant === 'credentials' || isAnswer(call) ? { reach: 'user' as const } : {}
          yield { at, args: { value: quoteWord(excerptOf(text, part)), name }, variant, ...reach }
        }
        for (const part of answers.flatMap((answer) => writtenParts(answer))) {
          if (told.has(part.start)) continue
          if (isOfSession(part, call)) {
            const at = { file: path, span: { start: part.start, end: part.end } }
            yield { at, args: { value: quoteWord(excerptOf(text, part)), name: '' }, variant: 'session' }
            continue
          }
          const isOfUser = isToken(part) || isReadToken(part, () => budget.step())
          if (!isOfUser && !isServiceToken(part, text, () => budget.step())) continue
          yield {
            at: { file: path, span: { start: part.start, end: part.end } },
            args: { value: quoteWord(excerptOf(text, part)), name: '' },
            ...(isOfUser
              ? { reach: 'anyone' as const, ...(!OTHER_ORIGINS.test(text) && { impact: 'bounded' as const }) }
              : { variant: 'service' }),
            // an open route with such a function says more: cap/express-route-unauthenticated
            ...(!isOfUser && tellsOf(call.function, facts, text) === 'token' && { isToldByRoute: true }),
          }
        }
      }
    },

    *project({ scripts, reach, npm: { packages } }): Generator<Match> {
      for (const { file, value } of scripts.get(backendSessions)) {
        const at = { file, span: { start: value.start, end: value.end } }
        yield {
          at,
          args: { value: quoteWord(value.part) },
          variant: 'backend',
          exposure: reach.at(at),
          groupKey: `${file} backend session`,
        }
      }
      // 3 and 4 keep token and credentials where JSON doesn't reach
      for (const { file, value } of scripts.get(contextAnswers)) {
        const [own] = packages
          .filter(({ folder }) => isBelow(file, folder))
          .toSorted((one, other) => other.folder.length - one.folder.length)
        const range = own?.dependencies.find(({ name }) => name === XSSEC)?.range
        if (range === undefined || !allows(range, WITH_FIELDS) || allows(range, WITHOUT)) continue
        const { start, end, text } = value
        yield { at: { file, span: { start, end } }, args: { value: quoteWord(text) }, variant: 'context' }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Access token of the user sent to the browser',
      message: '{value}, the access token of the user, is part of the response.',
      why: 'Scripts injected into the page, browser extensions and caches can read the token and call the backend with it directly, past the approuter and its session, until the token expires.',
      fix: 'Remove the token from the response. If the page needs information about the user, send only single claims such as the name; let the approuter forward the token to backends.',
      variants: {
        credentials: {
          title: 'Credentials of a bound service sent to clients',
          message: '{value} is part of the response: it holds the credentials of a bound service or a destination.',
          why: 'Every user who may send the request obtains the secret, and can get tokens of the application with it or log on to the service directly.',
          fix: 'Send only the single values that the client needs, such as the URL of a service. Then replace the credentials: delete and recreate the binding or the service key.',
        },
        variable: {
          title: 'Credential of the server sent to clients',
          message: '{value} is part of the response: it holds the value of the environment variable {name}.',
          why: 'Every user who may send the request obtains the credential, and can call the other system with it directly, with all permissions of the application.',
          fix: 'Remove {name} from the response: let the server call the other system, and send only what the user may see, for example whether a credential is set. Then replace the credential.',
        },
        session: {
          title: 'Client secret of the approuter sent to users',
          message:
            '{value} is part of the response: in the approuter it holds the tokens of the user and, as token.oauthOptions, the client ID and client secret of its OAuth service.',
          why: 'Every logged-in user obtains the secret, and can get tokens of the application with it for all the services that trust it.',
          fix: 'Send only single values, such as req.user.name and req.user.id, or use the user API of the approuter. Then replace the credentials: delete and recreate the binding of the XSUAA or identity service.',
        },
        backend: {
          title: 'Session of a back-end login sent to clients',
          message: '{value}, the session of a login that the server makes with stored credentials, is part of the response.',
          why: 'A caller can send this session to the back end and act there as the technical user, with all its authorizations, until the session ends.',
          fix: 'Remove the session from the response: keep it on the server, send requests to the back end there and answer with the data that the caller may see.',
        },
        context: {
          title: 'Security context sent to the browser',
          message:
            '{value}, the whole security context, is part of the response: with @sap/xssec 2 its JSON holds the access token and the client secret of the application.',
          why: 'Every user who may send the request obtains the secret, and can get tokens of the application with it for all the services that trust it.',
          fix: 'Send only single values that the page needs, such as req.authInfo.getLogonName(). Then replace the credentials: delete and recreate the binding of the XSUAA or identity service.',
        },
        service: {
          title: 'Access token of the application sent to the browser',
          message: '{value}, an access token that the application gets with its own credentials, is part of the response.',
          why: 'Every user who may call the route can take the token and call the other system directly, with all permissions of the application instead of those of the user.',
          fix: 'Keep the token on the server: let this route call the other system and send only what the user may see. Or exchange the token of the user (grant type jwt-bearer) where the browser has to call it.',
        },
      },
    },
    fr: {
      title: 'Jeton d’accès de l’utilisateur envoyé au navigateur',
      message: '{value}, le jeton d’accès de l’utilisateur, figure dans la réponse.',
      why: 'Des scripts injectés dans la page, des extensions du navigateur et des caches peuvent lire le jeton et appeler le backend directement, sans passer par l’approuter ni sa session, jusqu’à son expiration.',
      fix: 'Retirez le jeton de la réponse. Si la page a besoin d’informations sur l’utilisateur, n’envoyez que certains attributs, comme son nom ; laissez l’approuter transmettre le jeton aux backends.',
      variants: {
        credentials: {
          title: 'Identifiants d’un service lié envoyés aux clients',
          message: '{value} figure dans la réponse et contient les identifiants d’un service lié ou d’une destination.',
          why: 'Tout utilisateur autorisé à envoyer la requête obtient le secret et peut l’utiliser pour demander des jetons de l’application ou se connecter directement au service.',
          fix: 'N’envoyez que les valeurs dont le client a besoin, par exemple l’URL d’un service. Remplacez ensuite les identifiants : supprimez et recréez la liaison ou la clé de service.',
        },
        variable: {
          title: 'Identifiant du serveur envoyé aux clients',
          message: '{value} figure dans la réponse et contient la valeur de la variable d’environnement {name}.',
          why: 'Tout utilisateur autorisé à envoyer la requête obtient cet identifiant et peut appeler directement l’autre système, avec toutes les autorisations de l’application.',
          fix: 'Retirez {name} de la réponse : le serveur doit appeler lui-même l’autre système et n’envoyer que ce que l’utilisateur peut voir, par exemple si un identifiant est défini. Remplacez ensuite cet identifiant.',
        },
        session: {
          title: 'Secret client de l’approuter envoyé aux utilisateurs',
          message:
            '{value} figure dans la réponse : dans l’approuter, cet objet contient les jetons de l’utilisateur et, dans token.oauthOptions, l’identifiant et le secret client de son service OAuth.',
          why: 'Tout utilisateur connecté obtient le secret et peut l’utiliser pour demander des jetons de l’application, valables pour tous les services qui lui font confiance.',
          fix: 'N’envoyez que certaines valeurs, comme req.user.name et req.user.id, ou utilisez l’API utilisateur de l’approuter. Remplacez ensuite les identifiants : supprimez et recréez la liaison du service XSUAA ou d’identité.',
        },
        backend: {
          title: 'Session d’un système backend envoyée aux clients',
          message:
            '{value}, la session d’une connexion que le serveur établit avec des identifiants enregistrés, figure dans la réponse.',
          why: 'Un appelant peut envoyer cette session au système backend et y agir en tant qu’utilisateur technique, avec toutes ses autorisations, jusqu’à la fin de la session.',
          fix: 'Retirez la session de la réponse : gardez-la sur le serveur, envoyez-y les requêtes au système backend et ne répondez que par les données que l’appelant peut voir.',
        },
        context: {
          title: 'Contexte de sécurité envoyé au navigateur',
          message:
            '{value}, le contexte de sécurité entier, figure dans la réponse : avec @sap/xssec 2, son JSON contient le jeton d’accès et le secret client de l’application.',
          why: 'Tout utilisateur autorisé à envoyer la requête obtient le secret et peut demander des jetons de l’application, valables pour tous les services qui lui font confiance.',
          fix: 'N’envoyez que les valeurs dont la page a besoin, comme req.authInfo.getLogonName(). Remplacez ensuite les identifiants : supprimez et recréez la liaison du service XSUAA ou d’identité.',
        },
        service: {
          title: 'Jeton d’accès de l’application envoyé au navigateur',
          message: '{value}, un jeton d’accès que l’application obtient avec ses propres identifiants, figure dans la réponse.',
          why: 'Tout utilisateur autorisé à appeler la route peut prendre ce jeton et appeler directement l’autre système, avec toutes les autorisations de l’application au lieu des siennes.',
          fix: 'Gardez le jeton sur le serveur : cette route doit appeler elle-même l’autre système et n’envoyer que ce que l’utilisateur peut voir. Ou échangez le jeton de l’utilisateur (grant type jwt-bearer) si le navigateur doit l’appeler.',
        },
      },
    },
  }),
})

/** The credentials that an answer holds: those of a binding, or of a variable of the environment. */
function* heldSecrets(
  answer: Value,
  held: HeldReader,
): Generator<{ readonly at: Span; readonly variant: 'credentials' | 'variable'; readonly name: string }> {
  for (const { value, at } of held(answer)) {
    const name = secretVariable(value)
    if (name !== undefined) yield { at, variant: 'variable', name }
    else if (holdsCredentials(value)) yield { at, variant: 'credentials', name: '' }
  }
}

/** What a handler of CAP gives back, `srv.on('settings', () => …)`, or `req.reply(…)`. */
function answersOf(call: CallValue, facts: ScriptFacts): readonly Value[] {
  if (
    call.callee.kind === 'member' &&
    call.callee.name === 'reply' &&
    /^_?(?:req|oReq)(?:uest)?$/.test(lastNameOf(call.callee.object) ?? '')
  )
    return call.args
  const registration = registrationOf(call)
  if (registration?.phase !== 'on' || registration.handler === undefined) return []
  return handlerFunction(unbound(registration.handler).callee, facts)?.returns ?? []
}

/** Headers in which a token arrives. Fact: @sap/approuter, README ("x-approuter-authorization"); oauth2-proxy, "Configuration" (x-forwarded-access-token). */
const HEADER = /^headers\.(?:x-approuter-)?authorization$|^headers\.x-forwarded-access-token$/i
/** Facts: @sap/approuter, doc/extending.md (`req.user.token.accessToken`, also in the session); @sap/cds 9.9.3, lib/srv/middlewares/auth/jwt-auth.js (`user.tokenInfo`, `user.authInfo`). */
const HELD =
  /^(?:user\.)?(?:tokenInfo|authInfo)\.(?:jwt|token)$|^(?:session\.)?user\.token(?:\.(?:accessToken|idToken|refreshToken))?$/

/** Fact: @sap/xssec 3, README (`authInfo.getTokenInfo()`). */
const OWNERS = /^(?:authInfo|tokenInfo|securityContext|getTokenInfo)$/

/** `req.authInfo.getAppToken()`, `req.headers.authorization`, `req.tokenInfo.jwt`, `req.user.token.accessToken`. */
function isToken(value: Value): boolean {
  if (value.kind === 'call') {
    const { object } = value.callee.kind === 'member' ? value.callee : { object: undefined }
    const owner = object && lastNameOf(object.kind === 'call' ? object.callee : object)
    return GETTERS.test(lastNameOf(value.callee) ?? '') && OWNERS.test(owner ?? '')
  }
  return accessesOf(value).some(({ binding, steps }) => {
    if (binding?.kind !== 'parameter' || !isRequestName(binding.name)) return false
    const way = steps.join('.')
    return HEADER.test(way) || HELD.test(way)
  })
}

const TOKEN = /^(?:(?:access|user|bearer|raw)?_?token|(?:user|raw)?_?jwt)$/i

/** `extractJwtFromRequest(req)`: a function of another file that says it. */
const READER = /^(?:extract|get|read|resolve|retrieve)\w{0,20}(?:Jwt|Token)From(?:Request|Req|Headers?)$/

/** `tokenOf(req).token`: a function reads it from the request. */
function isReadToken(part: Value, step: () => void): boolean {
  const options = part.kind === 'choice' ? part.options : [part]
  return options.some((option) => {
    if (option.kind !== 'member' || !TOKEN.test(option.name ?? '')) return false
    const made = resolveValue(option.object)
    const fact = made.kind === 'call' ? functionOf(made.callee) : undefined
    if (fact === undefined && made.kind === 'call') return READER.test(lastNameOf(made.callee) ?? '')
    return (
      fact?.returns.some(
        (returned) =>
          findOrigin(fieldOf(resolveValue(returned), option.name ?? '')?.value ?? returned, (one) => {
            step()
            return isToken(one) ? 'source' : undefined
          }) !== undefined,
      ) === true
    )
  })
}

/** Functions that get a token for something else than calls to other systems, or from the request. */
const OTHER_TOKENS = /csrf|xsrf|user|device|push|request|bearer|jwt|id_?token|exchange/i

/** What a request with the grant type client_credentials gives, or a function that obtains a token without a look at the request. */
function isServiceToken(part: Value, text: string, step: () => void): boolean {
  if (!/token|data|body|json|\(\)/i.test(lastNameOf(part) ?? '()')) return false
  return (
    findOrigin(part, (one) => {
      step()
      if (one.kind !== 'call') return undefined
      if (one.args.some((given) => CLIENT_GRANT.test(writtenOf(given, text)))) return 'source'
      const name = lastNameOf(one.callee) ?? ''
      const isAsked = [one.callee, ...one.args].some((given) => findPart(given, isRequest) !== undefined)
      if (OBTAINS_CREDENTIALS.test(name) && /token/i.test(name) && !OTHER_TOKENS.test(name) && !isAsked) return 'source'
      return /^(?:json|parse|then|String|trim)$/.test(name) ? undefined : 'clean'
    }) !== undefined
  )
}

const CLIENT_GRANT = /grant_type['"]?\s{0,4}[:=,]\s{0,4}['"]?client_credentials/

function writtenOf(given: Value, text: string): string {
  const made = resolveValue(given)
  return text.slice(made.start, Math.min(made.end, made.start + 2000))
}

/** The request, or the user of it. */
function isRequest(part: Value): boolean {
  return 'binding' in part && /^_?(?:req|request|oReq|oRequest|ctx|user|jwt|authInfo)$/.test(part.name)
}
