import {
  accessesOf,
  constantOf,
  stringConstantOf,
  excerptOf,
  findPart,
  keysOf,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Names of functions that get a token for a code. */
const EXCHANGES = /token|exchange|authori[sz]|oauth|callback/i
/** They only look at the code, or write it down. */
const HARMLESS =
  /^(?:log|info|warn|debug|error|trace|String|isArray|test|includes|trim|decodeURIComponent|get|redirect|stringify|parse)$/
/** What binds the answer of the provider to the session in another way. Facts: RFC 9700, 2.1.1 (PKCE, nonce). */
const OTHER_BINDING = /code_?verifier|\bnonce\b/i
const GRANT = 'authorization_code'
/** Takes a value apart, or writes it down. */
const READS_STATE = /^(?:parse|from|decodeURIComponent|decode|atob|toString|String|redirect|log|info|debug|warn|error|URL|get)$/
/** More than whether it is there. */
const COMPARES = /[!=]==?|\.(?:includes|has|test|some|startsWith)\(|valid|allow|check/i
const MAX_NESTED = 3

/**
 * An OAuth client of the project's own that does not bind the answer of the provider to the session which asked, or lets the request choose where the provider answers to.
 * A server of the project's own that gives a token for a code to whoever sends it.
 * Facts: RFC 6749, 10.12 (CSRF, `state`) and 3.1.2 (redirect_uri); RFC 9700, 2.1 and 4.7.
 * Impact: a link with the attacker's code signs a user in to an account of the attacker, or connects that to the user's session. Which addresses the provider accepts for the
 * client is not in the project; where it accepts the attacker's, the code, and with it the session, is theirs.
 */
export const oauthRequestUnverified: Rule = defineRule({
  id: 'cap/oauth-request-unverified',
  impact: 'bounded',
  reach: 'anyone',
  grades: {
    address: { impact: 'session', evidence: 'assumed' },
    // how the code of somebody else is obtained, the project does not say
    grant: { impact: 'session', evidence: 'assumed' },
  },
  confidence: 'medium',
  cwe: [352],
  since: '0.3.0',
  docs: 'https://www.rfc-editor.org/rfc/rfc6749#section-10.12',
  docsByVariant: {
    address: 'https://www.rfc-editor.org/rfc/rfc9700#section-4.1',
    grant: 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3',
  },
  keywords: [GRANT, 'redirect_uri', 'req.query', 'request.query', 'ctx.query', 'searchParams.get'],
  prefilter: (text) => text.includes('redirect_uri') || (/\bcode\b/.test(text) && EXCHANGES.test(text)),
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    if (isDeveloperFile(path) || isOfUi5App(path)) return
    const step = (count = 1): void => budget.step(count)
    const exchanges = OTHER_BINDING.test(text) || checksState(facts, step) ? [] : codeExchanges(facts, step)
    for (const call of exchanges) {
      const { start, end } = call.callee
      yield {
        at: { file: path, span: { start, end } },
        args: { call: quoteWord(excerptOf(text, call.callee)) },
        groupKey: `${path} ${call.function.start}`,
      }
    }
    for (const { start, end, name } of unboundGrants(facts, text, step))
      yield { at: { file: path, span: { start, end } }, args: { call: `POST ${name}` }, variant: 'grant' }
    for (const { value, isExchange } of chosenAddresses(facts, step)) {
      const { start, end } = value
      const written = text.slice(start, end)
      const isCompared = ({ test }: Guard): boolean => {
        const asked = text.slice(test.start, test.end)
        return asked.includes(written) && COMPARES.test(asked)
      }
      if (facts.guards.some(isCompared)) continue
      yield {
        at: { file: path, span: { start, end } },
        args: { call: quoteWord(excerptOf(text, value)) },
        variant: 'address',
        // the code has been sent already, and the provider compares where to
        ...(isExchange && { impact: 'bounded' as const }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'OAuth callback without a check of state',
      message: 'This callback passes the code from the request to {call}, and nothing in this file checks the parameter state.',
      why: 'An attacker can send a user a link to the callback with a code of their own (CSRF): the session of the user is then connected to the account of the attacker.',
      fix: 'Keep a random value in the session, send it as state in the authorization request, and reject other callbacks: if (req.query.state !== req.session.state) return res.sendStatus(403).',
      variants: {
        address: {
          title: 'OAuth redirect_uri taken from the request',
          message: 'The redirect_uri of this OAuth request is {call}, which the client sends.',
          why: 'If the provider accepts other addresses for this client, an attacker receives the authorization code of a user who opens their link, and with it the account.',
          fix: 'Take redirect_uri from the configuration instead of the request, for example process.env.REDIRECT_URI.',
        },
        grant: {
          title: 'Authorization code not bound to its client',
          message:
            'The token endpoint {call} exchanges an authorization code and looks at no client, redirect_uri or code_verifier.',
          why: 'An attacker who obtains the code of a user, for example from a log, a referrer or a redirect, exchanges it for a token and acts as that user.',
          fix: 'Keep client_id, redirect_uri and code_challenge with the code, and compare them here: reject the request unless client_id and redirect_uri are the same and the SHA-256 hash of code_verifier is the code_challenge.',
        },
      },
    },
    fr: {
      title: 'Callback OAuth sans vérification de state',
      message: 'Ce callback transmet le code de la requête à {call}, et rien dans ce fichier ne vérifie le paramètre state.',
      why: 'Un attaquant peut envoyer à un utilisateur un lien vers le callback avec un code à lui (CSRF) : la session de l’utilisateur est alors liée au compte de l’attaquant.',
      fix: 'Conservez une valeur aléatoire dans la session, envoyez-la comme state dans la demande d’autorisation, et rejetez les autres callbacks : if (req.query.state !== req.session.state) return res.sendStatus(403).',
      variants: {
        address: {
          title: 'redirect_uri OAuth issue de la requête',
          message: 'Le paramètre redirect_uri de cette requête OAuth est {call}, envoyé par le client.',
          why: 'Si le fournisseur accepte d’autres adresses pour ce client, un attaquant reçoit le code d’autorisation d’un utilisateur qui ouvre son lien, et avec lui le compte.',
          fix: 'Prenez redirect_uri dans la configuration et non dans la requête, par exemple process.env.REDIRECT_URI.',
        },
        grant: {
          title: 'Code d’autorisation non lié à son client',
          message:
            'Le point de terminaison de jetons {call} échange un code d’autorisation sans regarder de client, de redirect_uri ni de code_verifier.',
          why: 'Un attaquant qui obtient le code d’un utilisateur, par exemple dans un journal, un référent ou une redirection, l’échange contre un jeton et agit en son nom.',
          fix: 'Conservez client_id, redirect_uri et code_challenge avec le code, et comparez-les ici : rejetez la requête sauf si client_id et redirect_uri sont identiques et si le hachage SHA-256 de code_verifier est le code_challenge.',
        },
      },
    },
  }),
})

/** What binds a code: the client, where it was sent to, PKCE. Fact: RFC 6749, 4.1.3; RFC 7636. */
const BINDS = /client_?(?:id|secret)|redirect_?ur[il]|code_?(?:verifier|challenge)|pkce/i
/** Another server issues the token, or a function of the project looks at the request. */
const HANDS_ON =
  /\b(?:fetch|axios\b[.\w]{0,20}|got[.\w]{0,20}|executeHttpRequest)\(|\(\s{0,4}(?:req|request|oReq|oRequest|ctx)(?:\.body)?\s{0,4}[,)]/
const READS_BODIES = /^(?:json|urlencoded|text|cors|rateLimit)$/

/** `app.post('/oauth/token', (req, res) => …)`: the handlers that give a token for a code, by nothing but that code. */
function* unboundGrants(
  facts: ScriptFacts,
  text: string,
  step: (count?: number) => void,
): Generator<{ readonly start: number; readonly end: number; readonly name: string }> {
  for (const { callee, args } of facts.calls) {
    const [route, ...handlers] = args
    const path = stringConstantOf(route)
    if (lastNameOf(callee) !== 'post' || path === undefined || !/(?:^|\/)token\/?$/i.test(path)) continue
    const answer = handlers.at(-1)
    const handler = answer && functionOf(answer)
    const isChecked = handlers.slice(0, -1).some((one) => !('callee' in one) || !READS_BODIES.test(lastNameOf(one.callee) ?? ''))
    if (route === undefined || handler === undefined || isChecked) continue
    step(handler.end - handler.start)
    const whole = text.slice(handler.start, handler.end)
    const written = whole.slice(whole.indexOf('{'))
    if (!written.includes(GRANT) || !written.includes('access_token')) continue
    if (!BINDS.test(written) && !HANDS_ON.test(written)) yield { start: route.start, end: route.end, name: path }
  }
}

/** `req.query.code`, `const { code } = ctx.request.query`, `url.searchParams.get('code')`. */
function isQueried(value: Value, name: string): boolean {
  if (value.kind === 'call') {
    const [wanted] = value.args
    const isGet = value.callee.kind === 'member' && value.callee.name === 'get' && wanted !== undefined
    return isGet && constantOf(wanted) === name && lastNameOf(value.callee.object) === 'searchParams'
  }
  return requestSteps(value).some(([part, field, ...more]) => part === 'query' && field === name && more.length === 0)
}

/** What is read of a request: `['query', 'code']`. */
function requestSteps(value: Value): readonly (readonly string[])[] {
  if (value.kind !== 'member' && value.kind !== 'reference') return []
  return accessesOf(value).flatMap(({ root, steps }) =>
    isContextRoot(root) ? [steps.filter((step) => step !== 'request' && step !== 'req')] : [],
  )
}

/** Calls that get a token for the code of the request. */
function* codeExchanges(facts: ScriptFacts, step: (count?: number) => void): Generator<CallValue> {
  for (const call of facts.calls) {
    step(1 + call.args.length)
    const name = lastNameOf(call.callee) ?? ''
    if (call.function.kind === 'file' || (HARMLESS.test(name) && !call.args.some(namesGrant))) continue
    if (!call.args.some((argument) => findPart(argument, (part) => isQueried(part, 'code')) !== undefined)) continue
    if (EXCHANGES.test(name) || call.args.some(namesGrant)) yield call
  }
}

/** `grant_type: 'authorization_code'`, `'grant_type=authorization_code&code=' + code`. */
function namesGrant(argument: Value): boolean {
  return (
    findPart(argument, (part) => {
      if (part.kind === 'template') return part.texts.some((text) => text.includes(GRANT))
      return part.kind === 'literal' && typeof part.value === 'string' && part.value.includes(GRANT)
    }) !== undefined
  )
}

/** `verifyState(req)` of another file. */
const CHECKS_STATE = /state|csrf/i

/** Something is decided by `state`, or a function that does more than taking it apart gets it. */
function checksState({ guards, calls }: ScriptFacts, step: (count?: number) => void): boolean {
  const isState = (part: Value): boolean => isQueried(part, 'state')
  step(guards.length + calls.length)
  return (
    guards.some(({ test }) => findPart(test, isState) !== undefined) ||
    calls.some(({ callee, args }) => {
      const name = lastNameOf(callee) ?? ''
      if (CHECKS_STATE.test(name)) return true
      return !READS_STATE.test(name) && args.some((given) => isState(given) || holdsState(given, isState))
    })
  )
}

/** `{ state }`, `{ response: { state } }`: options of a client that compares it. */
function holdsState(given: Value, isState: (part: Value) => boolean, depth = 0): boolean {
  if (given.kind !== 'object' || depth > MAX_NESTED) return false
  return given.fields.some(({ value }) => isState(value) || holdsState(value, isState, depth + 1))
}

interface ChosenAddress {
  readonly value: Value
  /** It goes along with the code. */
  readonly isExchange: boolean
}

/** `redirect_uri: req.body.redirectUri`, `…&redirect_uri=${req.query.back}`. */
function* chosenAddresses({ calls }: ScriptFacts, step: (count?: number) => void): Generator<ChosenAddress> {
  const seen = new Set<Value>()
  for (const call of calls) {
    step(1 + call.args.length)
    for (const argument of call.args) {
      let found: ChosenAddress | undefined
      findPart(argument, (part) => {
        found = addressIn(part)
        return found !== undefined
      })
      if (found === undefined || seen.has(found.value)) continue
      seen.add(found.value)
      yield found
    }
  }
}

function addressIn(part: Value): ChosenAddress | undefined {
  if (part.kind === 'object') {
    const keys = keysOf(part)
    const isExchange = keys.has('grant_type')
    const isClient = isExchange || keys.has('client_id') || keys.has('response_type')
    const given = part.fields.find(({ key }) => key === 'redirect_uri')?.value
    return isClient && given !== undefined && isSent(given) ? { value: given, isExchange } : undefined
  }
  if (part.kind !== 'template' && part.kind !== 'concat') return undefined
  const parts = part.kind === 'concat' ? part.parts : part.texts.flatMap((text, index) => [text, part.parts[index] ?? ''])
  for (const [index, given] of parts.entries()) {
    const before = parts[index - 1]
    const written = typeof before === 'object' ? constantOf(before) : before
    if (typeof given !== 'object' || typeof written !== 'string' || !written.endsWith('redirect_uri=') || !isSent(given)) continue
    return { value: given, isExchange: namesGrant(part) }
  }
  return undefined
}

/** The client of the request chooses it freely: a link says no headers. */
function isSent(value: Value): boolean {
  const given = value.kind === 'call' && lastNameOf(value.callee) === 'encodeURIComponent' ? value.args[0] : value
  const isData = ([part = '', field]: readonly string[]): boolean =>
    field !== undefined && /^(?:query|body|params|data)$/.test(part)
  return given !== undefined && requestSteps(given).some(isData)
}
