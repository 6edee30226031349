import {
  accessesOf,
  stringConstantOf,
  excerptOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { CHECKS_RIGHTS, LOOKS_AT_CALLER, LOOKS_AT_RIGHTS, VERBS } from '../../flow/tables/routes.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import { quoteWord } from '../../quote.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Statements for all rows of a table. Facts: SQL:2016, DROP TABLE, TRUNCATE TABLE; DELETE without a condition. */
const STATEMENT =
  /^\s{0,20}(?:drop\s{1,9}(?:table|schema|database|view)|truncate\s{1,9}table|delete\s{1,9}from\s{1,9}[\w."`]{1,120}\s{0,9};?\s{0,9}$)/i
/** What is filled anew all the time. */
const PASSING = /#|\btemp|tmp|stag(?:e|ing)|cache|log|session/i
/** Names of functions that do the same: `dropTable`, `truncateAll`, `resetDatabase`. */
const NAMED =
  /^(?:(?:drop|truncate|wipe|purge|reset|recreate)_?(?:all_?)?(?:tables?|databases?|db|schemas?|collections?)|delete_?(?:all|everything)(?:_?(?:rows|records|entries|data|tables))?|(?:truncate|wipe)_?(?:all|everything))$/i

/**
 * A route that drops or empties tables and looks at nothing but the login.
 * Facts: Express 5, "Routing"; @sap/xssec 4 (README: a valid token says who calls, `checkLocalScope` what they may do); OWASP API Security Top 10 2023, API5.
 * Impact: one request of any user deletes the data of all; that no other file checks a role in front of the router is assumed.
 */
export const destructiveRouteUnrestricted: Rule = defineRule({
  id: 'cap/destructive-route-unrestricted',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://www.npmjs.com/package/@sap/xssec#usage',
  keywords: ['router', 'Router', 'express', 'fastify', 'koa', "'bootstrap'"],
  prefilter: (text) =>
    /drop|truncate|wipe|purge|reset_?(?:all|table|data|db|schema)|recreate|delete_?(?:all|everything|\s{1,9}from)/i.test(text),
  on: 'server-script',
  // of a route without any login that rule says more
  yieldsTo: ['cap/express-route-unauthenticated'],

  *check({ path, text, content: { facts }, budget }) {
    if (isDeveloperFile(path) || isToolFile(path)) return
    const routes = facts.calls.flatMap((call) => routeOf(call) ?? [])
    budget.step(facts.calls.length)
    if (routes.length === 0 || facts.calls.some((call) => isCheckForAll(call))) return
    for (const { call, verb, address, handler, fronts } of routes) {
      budget.step(facts.calls.length)
      const own = text.slice(handler.start, handler.end)
      if (LOOKS_AT_RIGHTS.test(own) || LOOKS_AT_CALLER.test(own) || fronts.some(isCheck)) continue
      const effect = effectIn(handler, facts)
      if (effect === undefined) continue
      const { start, end } = call.callee
      yield {
        at: { file: path, span: { start, end } },
        args: { route: quoteWord(`${verb.toUpperCase()} ${address}`), effect: quoteWord(excerptOf(text, effect)) },
      }
    }
  },

  text: () => ({
    en: {
      title: 'Destructive server route without an authorization check',
      message: 'The route {route} drops or empties a table ({effect}) and checks no scope, role or owner.',
      why: 'A login only says who calls: one request of any user deletes the data of all users and tenants.',
      fix: 'Remove the route and run such statements with the tools of the database. Or check the scope of an administrator before: if (!req.authInfo.checkLocalScope("admin")) return res.sendStatus(403).',
    },
    fr: {
      title: 'Route de serveur destructrice sans contrôle d’autorisation',
      message: 'La route {route} supprime ou vide une table ({effect}) sans vérifier ni scope, ni rôle, ni propriétaire.',
      why: 'Une connexion dit seulement qui appelle : une requête de n’importe quel utilisateur supprime les données de tous les utilisateurs et locataires.',
      fix: 'Supprimez la route et exécutez ces instructions avec les outils de la base de données. Ou vérifiez d’abord le scope d’un administrateur : if (!req.authInfo.checkLocalScope("admin")) return res.sendStatus(403).',
    },
  }),
})

interface Route {
  readonly call: CallValue
  readonly verb: string
  readonly address: string
  readonly handler: FunctionFact
  readonly fronts: readonly Value[]
}

/** `router.get('/reset', check, (req, res) => …)` */
function routeOf(call: CallValue): Route | undefined {
  const { callee, args } = call
  const [first] = args
  const address = stringConstantOf(first)
  const last = args.at(-1)
  const handler = last && functionOf(last)
  if (callee.kind !== 'member' || !VERBS.has(callee.name ?? '') || address === undefined || handler === undefined)
    return undefined
  if (!address.startsWith('/') || handler.parameters.length < 1) return undefined
  return { call, verb: callee.name === 'all' ? 'any' : (callee.name ?? ''), address, handler, fronts: args.slice(1, -1) }
}

/** `router.use(requireAdmin)`: it runs before routes of the file. */
function isCheckForAll({ callee, args }: CallValue): boolean {
  return callee.kind === 'member' && callee.name === 'use' && args.some(isCheck)
}

function isCheck(value: Value): boolean {
  const made = resolveValue(value)
  const names = [lastNameOf(value), ...(made.kind === 'call' ? [lastNameOf(made.callee)] : [])]
  const isOwn = functionOf(value) !== undefined && lastNameOf(value) === undefined
  return isOwn || names.some((name) => name !== undefined && CHECKS_RIGHTS.test(name))
}

/** A statement for all rows, or a call of a module that says so by its name; also of functions of the file that it calls. */
function effectIn({ start, end }: Span, { calls }: Pick<ScriptFacts, 'calls'>, depth = 0): Value | undefined {
  for (const call of calls) {
    if (call.start < start || call.end > end) continue
    const [first] = call.args
    const statement = stringConstantOf(first)
    if (statement !== undefined && STATEMENT.test(statement) && !PASSING.test(statement)) return first
    const isOfModule = accessesOf(call.callee).some(({ root }) => root.startsWith('module:.'))
    if (isOfModule && NAMED.test(lastNameOf(call.callee) ?? '')) return call.callee
    const called = depth === 0 ? functionOf(call.callee) : undefined
    if (called !== undefined && effectIn(called, { calls }, 1) !== undefined) return call.callee
  }
  return undefined
}
