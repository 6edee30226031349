import { accessesOf, excerptOf, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { writtenParts } from '../../facts/written-parts.ts'
import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Methods of a response that send. Facts: Express 5, response; Node.js, http.ServerResponse. */
const SENDS = /^(?:send|json|jsonp|end|write)$/
const RESPONSE = /^(?:res|resp|response|reply)$/
/** Getters of the token itself. Facts: @sap/xssec 3 and 4, README (`getAppToken`, `getTokenValue`, `token.jwt`). */
const GETTERS = /^(?:getAppToken|getToken|getTokenValue|getHdbToken)$/

/**
 * The access token of the user in the answer to the browser.
 * Facts: @sap/xssec 3 and 4, README; @sap/approuter, README: the approuter keeps tokens on the server and gives browsers a session cookie that scripts can't read.
 * Impact: scripts of the page, extensions and caches get a token that works against the backend directly until it ends.
 */
export const tokenInResponse: Rule = defineRule({
  id: 'cap/token-in-response',
  impact: 'bounded',
  reach: 'anyone',
  // another fault has to bring the attacker to the page or its cache
  evidence: 'assumed',
  confidence: 'high',
  cwe: [200],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/OAuth2_Cheat_Sheet.html',
  keywords: ['getAppToken', 'getToken', 'getTokenValue', 'getHdbToken', 'authorization', '.jwt'],
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    if (isToolFile(path)) return
    const isForDevelopers = createDevelopmentReader(facts)
    for (const call of facts.calls) {
      budget.step()
      if (!isAnswer(call) || isForDevelopers(call)) continue
      for (const part of call.args.flatMap((argument) => writtenParts(argument)))
        if (isToken(part))
          yield {
            at: { file: path, span: { start: part.start, end: part.end } },
            args: { value: quoteWord(excerptOf(text, part)) },
          }
    }
  },

  text: {
    en: {
      title: 'Access token of the user sent to the browser',
      message: '{value}, the access token of the user, is part of the response.',
      why: 'Scripts injected into the page, browser extensions and caches can read the token and call the backend with it directly, past the approuter and its session, until the token expires.',
      fix: 'Remove the token from the response. If the page needs information about the user, send only single claims such as the name; let the approuter forward the token to backends.',
    },
    fr: {
      title: 'Jeton d’accès de l’utilisateur envoyé au navigateur',
      message: '{value}, le jeton d’accès de l’utilisateur, figure dans la réponse.',
      why: 'Des scripts injectés dans la page, des extensions du navigateur et des caches peuvent lire le jeton et appeler le backend directement, sans passer par l’approuter ni sa session, jusqu’à son expiration.',
      fix: 'Retirez le jeton de la réponse. Si la page a besoin d’informations sur l’utilisateur, n’envoyez que certains attributs, comme son nom ; laissez l’approuter transmettre le jeton aux backends.',
    },
  },
})

/** `res.send(…)`, `res.status(200).json(…)`. */
function isAnswer({ kind, callee }: CallValue): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || !SENDS.test(callee.name ?? '')) return false
  return accessesOf(callee.object).some(({ binding, steps }) => {
    const isWhole = steps.every((step) => step === '()' || /^(?:status|type|set|header|code)$/.test(step))
    return binding?.kind === 'parameter' && RESPONSE.test(binding.name) && isWhole
  })
}

/** `req.authInfo.getAppToken()`, `req.headers.authorization`, `req.tokenInfo.jwt`. */
function isToken(value: Value): boolean {
  if (value.kind === 'call') {
    const owner = value.callee.kind === 'member' ? lastNameOf(value.callee.object) : undefined
    return GETTERS.test(lastNameOf(value.callee) ?? '') && /^(?:authInfo|tokenInfo|securityContext|\(\))$/.test(owner ?? '')
  }
  return accessesOf(value).some(({ binding, steps }) => {
    if (binding?.kind !== 'parameter' || !/^(?:req|request)$/.test(binding.name)) return false
    const way = steps.join('.')
    return /^headers\.[Aa]uthorization$|^(?:tokenInfo|authInfo)\.(?:jwt|token)$/.test(way)
  })
}
