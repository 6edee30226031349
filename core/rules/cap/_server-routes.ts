import {
  accessesOf,
  constantOf,
  findPart,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createEffectReader, type EffectReader } from '../../flow/frameworks/route-effects.ts'
import { CHANGING_VERBS, PUBLIC_PATH, VERBS } from '../../flow/tables/routes.ts'
import type { Span } from '../../types.ts'

/** A route of Express whose handler stands in the file. */
export interface ServerRoute extends Span {
  /** `DELETE /orders/:id`. */
  readonly name: string
  readonly verb: string
  /** What checks more than a login in front of it or in it; undefined: nothing. */
  readonly check: string | undefined
  /** Its handler, or what runs in front of it, looks at who calls. */
  readonly looksAtCaller: boolean
  /** What the client names the row by, `req.params.id`, where the handler changes or reads stored data with it. */
  readonly key: string | undefined
}

const APP = /app|router|routes|server|express|api/i
/** Names of middlewares that check more than a login. */
const CHECKS =
  /scope|role|permission|admin|authori[sz]|privileg|owner|polic(?:y|ies)|\bacl\b|allowed|rights|forbid|restrict|\bcan[A-Z]|access(?!_?token)/i
/** What a function looks at that checks more than a login. */
const LOOKS =
  /\b(?:checkLocalScope|checkScope|hasLocalScope|hasScope|scopes?|roles?|isAdmin|permissions?|authorities|groups?)\b|\.is\(/
const CALLER =
  /\b(?:req|request|ctx|context|res\.locals)\s{0,4}\??\.\s{0,4}(?:user\w{0,20}|authInfo|tokenInfo|auth|session|securityContext|currentUser|tenant\w{0,20}|locals)\b|\bcurrentUser|\buserId\b|\bgetUser|\bowner/i

/** The routes that a script registers with handlers of its own. */
export function findServerRoutes(text: string, facts: ScriptFacts, step: (count: number) => void): readonly ServerRoute[] {
  const effects = createEffectReader(facts)
  const uses = facts.calls.filter(({ callee }) => callee.kind === 'member' && callee.name === 'use')
  return facts.calls.flatMap((call) => {
    const { callee, args } = call
    const verb = callee.kind === 'member' ? (callee.name ?? '') : ''
    const path = args[0] && constantOf(args[0])
    if (callee.kind !== 'member' || !VERBS.has(verb) || args.length < 2 || typeof path !== 'string') return []
    if (!path.startsWith('/') || PUBLIC_PATH.test(path) || !APP.test(lastNameOf(callee.object) ?? '')) return []
    const handler = handlerOf(args.at(-1))
    if (handler === undefined) return []
    step(uses.length + facts.calls.length)
    const receiver = lastNameOf(callee.object)
    const before = uses.filter((use) => use.end <= call.start && coversAll(use, receiver, path))
    const fronts = [...before.flatMap((use) => use.args), ...args.slice(1, -1)].filter(
      (front) => typeof constantOf(front) !== 'string',
    )
    const check = fronts.find((front) => checksMore(front, text)) ?? (LOOKS.test(textOf(handler, text)) ? handler : undefined)
    return {
      start: call.start,
      end: callee.end,
      name: `${verb.toUpperCase()} ${path}`,
      verb,
      check: check === undefined ? undefined : nameOf(check, text),
      looksAtCaller: [handler, ...calledBy(handler, facts)].some((fact) => CALLER.test(textOf(fact, text))),
      key: keyUsed(handler, facts, effects),
    }
  })
}

/** The function itself, or the one that a wrapper is given: `asyncHandler(async (req, res) => …)`. */
function handlerOf(value: Value | undefined): FunctionFact | undefined {
  const own = value && functionOf(value)
  if (own !== undefined || value?.kind !== 'call') return own
  return value.args.length === 1 ? functionOf(value.args[0]) : undefined
}

/** `router.use(requireScope('Read'))` runs for every route below it, `app.use('/admin', requireAdmin)` for some. */
function coversAll({ callee, args }: CallValue, receiver: string | undefined, path: string): boolean {
  if (!('object' in callee) || lastNameOf(callee.object) !== receiver) return false
  const prefix = args[0] && constantOf(args[0])
  return typeof prefix !== 'string' || path === prefix || path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`)
}

function checksMore(front: Value, text: string): boolean {
  const called = front.kind === 'call' ? front.callee : front.kind === 'spread' ? front.value : front
  const fact = functionOf(called)
  if (CHECKS.test(lastNameOf(called) ?? '')) return true
  return fact !== undefined && LOOKS.test(textOf(fact, text))
}

function nameOf(check: Value | FunctionFact, text: string): string {
  if ('parameters' in check) return LOOKS.exec(textOf(check, text))?.[0].replace(/^\.|\($/g, '') ?? ''
  return lastNameOf(check.kind === 'call' ? check.callee : check) ?? text.slice(check.start, check.end)
}

function textOf({ start, end }: Span, text: string): string {
  return text.slice(start, end)
}

/** Functions of the file that a function calls by itself. */
function calledBy({ start, end }: FunctionFact, { calls }: ScriptFacts): readonly FunctionFact[] {
  return calls.flatMap((call) => (start <= call.start && call.end <= end ? (functionOf(call.callee) ?? []) : []))
}

/** Calls that answer, note or convert: what they get changes nothing. */
const HARMLESS =
  /^(?:json|send|sendStatus|status|end|log|info|warn|error|debug|trace|Number|String|parseInt|parseFloat|isNaN|Boolean|trim|toString|validate|test|includes|match|replace|split|slice|find|filter|some|indexOf|isValid|isUUID|encodeURIComponent|get|has)$/

const STORES =
  /^(?:pool|client|db|database|conn|connection|hana|hdb|sql|knex|prisma|collection|repository|repo|store|\w{1,40}(?:Repository|Repo|Service|Model|Store|Dao|Collection))$/

/** What the client sends that a call on stored data gets, or a function of another file. */
function keyUsed(handler: FunctionFact, { calls }: ScriptFacts, effects: EffectReader): string | undefined {
  const isStored = effects.usesOf(handler) === 'stored'
  for (const { start, end, callee, args } of calls) {
    if (start < handler.start || end > handler.end || HARMLESS.test(lastNameOf(callee) ?? '')) continue
    if (!isStored && !('object' in callee && STORES.test(lastNameOf(callee.object) ?? ''))) continue
    for (const argument of args) {
      const part = findPart(argument, (one) => clientKey(one) !== undefined)
      if (part !== undefined) return clientKey(part)
    }
  }
  return undefined
}

/** `req.params.id`, `const { id } = req.params`. */
function clientKey(value: Value): string | undefined {
  if (value.kind !== 'member' && value.kind !== 'reference') return undefined
  for (const { root, steps } of accessesOf(value))
    if (/^parameter:_?(?:req|request)$/.test(root) && steps[0] === 'params' && steps.length === 2) return `req.params.${steps[1]}`
  return undefined
}

export function isChange({ verb }: ServerRoute): boolean {
  return CHANGING_VERBS.has(verb)
}
