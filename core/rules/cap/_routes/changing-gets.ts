import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  stringConstantOf,
  excerptOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isDeployedCode } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A route for GET whose path says that it changes something, and which does. */
export interface ChangingGet {
  readonly at: Span
  readonly path: string
  readonly effect: string
}

/** Routes of Express that change data for GET: by their path, and by a statement of their handler or the name of one of another file. */
export const changingGets: Extract<ChangingGet> = defineExtract({
  name: 'cap-changing-gets',
  keywords: ['.get('],
  prefilter: (text) => GETS_CHANGE.test(text),
  isFor: isDeployedCode,
  *collect({ facts, text, step }) {
    for (const call of facts.calls) {
      step()
      const route = routeOf(call)
      const handler = route === undefined ? undefined : call.args.at(-1)
      if (route === undefined || handler === undefined) continue
      const operation = operationOf(route.path)
      const isChange = CHANGES.test(operation)
      if (!isChange && !MAY_CHANGE.test(operation)) continue
      const effect = effectOf(handler, isChange ? route.path : undefined, facts, step)
      if (effect === undefined) continue
      const { start, end } = route.at
      yield { at: { start, end }, path: route.path, effect: excerptOf(text, effect) }
    }
  },
})

const GETS_CHANGE =
  /\.(?:get|route)\(\s{0,20}["'`]\/[\w/:-]{0,100}(?:create|change|update|delete|remove|insert|add|save|approve|reject|start|stop|reset|trigger|enable|disable|cancel|clear)/i
/** A verb, and no noun that begins like one: `/createOrder`, `/delete-order`, `/delete`; not `/updates`, `/address`. */
const CHANGES = /^(?:create|change|update|delete|remove|insert|add|save|approve|reject)(?=[A-Z_-]|$)/
/** Verbs that may as well read or show something. */
const MAY_CHANGE = /^(?:start|stop|reset|trigger|enable|disable|cancel|clear)(?=[A-Z_-]|$)/

/** The last part of a path that is no parameter: `createOrder` of `/orders/createOrder/:id`. */
function operationOf(path: string): string {
  return path.split('/').findLast((part) => part !== '' && !part.startsWith(':')) ?? ''
}

/** `app.get('/deleteOrder/:id', …)`, `app.route('/deleteOrder/:id').get(…)` */
function routeOf({ callee, args }: CallValue): { readonly path: string; readonly at: Span } | undefined {
  if (!('object' in callee) || callee.name !== 'get') return undefined
  const { object } = callee
  const isChained = 'callee' in object && lastNameOf(object.callee) === 'route'
  const at = isChained ? object.args[0] : args.length > 1 ? args[0] : undefined
  const path = stringConstantOf(at)
  return at !== undefined && path !== undefined && path.startsWith('/') ? { path, at } : undefined
}

type Step = (count?: number) => void

const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPSERT', 'UPDATE', 'DELETE'])
const STATEMENT = /^\s{0,20}(?:insert\s{1,9}into|update\s{1,9}\S{1,120}\s{1,9}set|delete\s{1,9}from|upsert|merge\s{1,9}into)\b/i

/** A statement of the handler, or of a function of the file that it calls; of a handler of another file its name: without values in the path, it may show a form. */
function effectOf(handler: Value, path: string | undefined, facts: ScriptFacts, step: Step): Value | undefined {
  const fact = functionOf(handler)
  if (fact !== undefined) return statementIn(fact, facts, step)
  if (path?.includes('/:') !== true) return undefined
  return 'object' in handler && CHANGES.test(lastNameOf(handler) ?? '') && isOfFile(handler.object) ? handler : undefined
}

/** `const orders = require('./orders')`, `import * as orders from './orders'` */
function isOfFile(value: Value): boolean {
  if (!('binding' in value) || value.binding === undefined) return false
  const [definition] = value.binding.definitions
  const call = definition?.value
  const source = call !== undefined && 'callee' in call && lastNameOf(call.callee) === 'require' ? call.args[0] : undefined
  const path = stringConstantOf(source)
  return value.binding.module !== undefined || (path !== undefined && path.startsWith('.'))
}

/** A statement of a function that changes rows, or the call of a function of the file with one. */
export function statementIn(fact: FunctionFact, facts: ScriptFacts, step: Step, depth = 0): Value | undefined {
  step(1 + (facts.calls.length >> 3))
  for (const call of facts.calls) {
    if (!isWithin(call, fact)) continue
    const first = 'object' in call.callee ? lastNameOf(call.callee.object) : lastNameOf(call.callee)
    const statement = stringConstantOf(call.args[0])
    if (WRITES.has(first ?? '') || (statement !== undefined && STATEMENT.test(statement))) return call
    const called = depth < 2 ? functionOf(call.callee) : undefined
    if (called !== undefined && called !== fact && statementIn(called, facts, step, depth + 1) !== undefined) return call
  }
  return undefined
}
