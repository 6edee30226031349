import { accessesOf, constantOf, type Binding, type CallValue, type FunctionFact, type ScriptFacts } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isDeveloperFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Names that promise a check of who calls: `requireAdmin`, `isAuthenticated`, `authorize`, `verifyToken`. */
const PROMISES =
  /^(?:(?:require|ensure|check|verify|validate|assert|enforce|restrict|protect|guard|is|has|only|must|needs?)_?\w{0,20}(?:auth|admin|role|scope|permission|privilege|login|logged|token|jwt|session|owner|access|api_?key|user)\w{0,20}|(?:auth|authenticate[ds]?|authori[sz]e[ds]?|admin|jwt|protect|protected|guard|permit|restrict)(?:_?(?:middleware|guard|only|user|users|request|jwt|token|admin|role|roles|check|to|required))?|\w{1,20}(?:Only|Guard|Required))$/i
/** Those that only note something for a later one. */
const PREPARES = /optional|attach|load|parse|decode|maybe|init|log|cache|cors|skip|mock|noop|dummy/i
/** Calls that refuse by what they throw. */
const THROWS =
  /verif|check|assert|ensure|require|authenti|authori|validat|guard|reject|deny|refuse|fail|abort|forbid|decode|parse/i

/**
 * A middleware whose name promises a check of the caller, and that calls next() in every case.
 * Facts: Express 5, "Writing middleware" (next() runs what comes next; a request is refused by an answer, by next(error) or by throwing).
 * Impact: routes behind it are open to all who reach them; whether another check stands before it, its file does not say.
 */
export const guardWithoutCheck: Rule = defineRule({
  id: 'cap/guard-without-check',
  impact: 'data',
  confidence: 'medium',
  cwe: [862, 863],
  since: '0.3.0',
  docs: 'https://expressjs.com/en/guide/writing-middleware.html',
  keywords: ['next()'],
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    if (isDeveloperFile(path)) return
    for (const fact of facts.functions) {
      const next = nextOf(fact)
      if (next === undefined) continue
      budget.step(facts.calls.length + facts.guards.length + facts.assignments.length)
      const name = promisedName(fact)
      if (name === undefined || !letsAllPass(fact, next, facts, text)) continue
      yield { at: { file: path, span: placeOf(fact, name, text) }, args: { name: quoteWord(name) }, reach: 'user' }
    }
  },

  text: {
    en: {
      title: 'Authorization middleware that lets every request pass',
      message: '{name} calls next() in every case: it neither answers nor throws, so it refuses no request.',
      why: 'Routes behind this middleware look protected, but every caller can use them, with or without the role that its name promises.',
      fix: 'Check the user in it and refuse the others before next(): if (!req.authInfo?.checkLocalScope("<scope>")) return res.sendStatus(403). Or remove the middleware and require the role where the route is registered.',
    },
    fr: {
      title: 'Middleware d’autorisation qui laisse passer toutes les requêtes',
      message: '{name} appelle next() dans tous les cas : ni réponse ni exception, aucune requête n’est donc refusée.',
      why: 'Les routes placées derrière ce middleware semblent protégées, mais tout appelant peut les utiliser, avec ou sans le rôle que son nom annonce.',
      fix: 'Vérifiez l’utilisateur et refusez les autres requêtes avant next() : if (!req.authInfo?.checkLocalScope("<scope>")) return res.sendStatus(403). Ou supprimez le middleware et exigez le rôle là où la route est déclarée.',
    },
  },
})

/** `(req, res, next) => …` */
function nextOf({ parameters }: FunctionFact): Binding | undefined {
  const next = parameters[2]
  return parameters.length === 3 && next !== undefined && /^_?next$/.test(next.name) ? next : undefined
}

/** Its own name, or that of the function that makes it. */
function promisedName(fact: FunctionFact): string | undefined {
  const maker = fact.parent?.returns.some((made) => functionOf(made) === fact) === true ? fact.parent : undefined
  return [fact, maker].map((one) => one?.name.split('.').at(-1) ?? '').find((name) => PROMISES.test(name) && !PREPARES.test(name))
}

function letsAllPass(fact: FunctionFact, next: Binding, { calls, guards, assignments }: ScriptFacts, text: string): boolean {
  const isInside = ({ start, end }: Span): boolean => fact.start <= start && end <= fact.end
  const own = text.slice(fact.start, fact.end)
  if (/\bthrow\b/.test(own)) return false
  const inside = calls.filter(isInside)
  const isNext = ({ callee }: CallValue): boolean => 'binding' in callee && callee.binding === next
  const passing = inside.filter(isNext)
  const isCaught = /\bcatch\b/.test(own)
  const [request, response] = fact.parameters
  const touches = (binding: Binding | undefined, call: CallValue): boolean =>
    accessesOf(call.callee).some((access) => access.binding === binding && binding !== undefined) ||
    call.args.some((given) => 'binding' in given && given.binding === binding && binding !== undefined)
  const refuses = inside.some(
    (call) =>
      (isNext(call) && call.args.some((given) => constantOf(given) !== null)) ||
      (!isNext(call) &&
        (touches(response, call) ||
          touches(next, call) ||
          // a function of another file that is given the request may refuse by throwing
          (!isCaught && (THROWS.test(lastNameOf(call.callee) ?? '') || isOwn(call, request))))),
  )
  if (refuses) return false
  // it notes for a later one who calls
  if (assignments.some(({ target, start, end }) => isInside({ start, end }) && isOfExchange(target, [request, response])))
    return false
  const around = guards.filter((guard) => guard.function === fact)
  const leaves = around.some(
    ({ inside: body, exits }) => exits && !passing.some((call) => body.start <= call.start && call.end <= body.end),
  )
  const always = passing.some((call) => !around.some(({ inside: body }) => body.start <= call.start && call.end <= body.end))
  return !leaves && always
}

/** `check(req)` */
function isOwn({ args }: CallValue, request: Binding | undefined): boolean {
  return args.some((given) => 'binding' in given && request !== undefined && given.binding === request)
}

function isOfExchange(target: Parameters<typeof accessesOf>[0], exchange: readonly (Binding | undefined)[]): boolean {
  return accessesOf(target).some(({ binding }) => binding !== undefined && exchange.includes(binding))
}

/** The name where the function gets it, or where it begins. */
function placeOf({ start }: FunctionFact, name: string, text: string): Span {
  const inside = text.slice(start, text.indexOf('(', start)).indexOf(name)
  const at = inside >= 0 ? start + inside : text.lastIndexOf(name, start)
  return at >= 0 && start - at < MAX_BETWEEN ? { start: at, end: at + name.length } : { start, end: start + 1 }
}

const MAX_BETWEEN = 100
