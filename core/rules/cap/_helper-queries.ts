import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { accessesOf, accessOf, type CallValue, type Value } from '../../facts/index.ts'
import { exportedFunctions, resolveModule } from '../../flow/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import type { Span } from '../../types.ts'
import { findHandledFunctions } from './_handled-functions.ts'
import {
  clientData,
  givesBack,
  INSTANCES,
  isUserAsked,
  KEY,
  mentionsUser,
  REQUEST,
  scriptQueries,
  type OwnedQuery,
} from './_owned-queries.ts'

/** A function with a query for the row whose key it is given, which looks at no user. */
interface KeyedHelper extends Pick<OwnedQuery, 'kind' | 'entity' | 'column'> {
  /** As other files know it, or `@` and where it starts. */
  readonly names: readonly string[]
  /** The position of the parameter with the key. */
  readonly parameter: number
}

const keyedHelpers: Extract<KeyedHelper> = defineExtract({
  name: 'cap-keyed-helpers',
  keywords: ['UPDATE', 'DELETE', 'SELECT', 'INSERT', '.update(', '.delete('],
  prefilter: (text) => /\bwhere\b|\bbyKey\b|\b(?:UPDATE|DELETE|SELECT|INSERT)\b|\.(?:update|delete)\(/.test(text),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    const exported = exportedFunctions(facts)
    for (const { base, kind, entity, terms, last } of scriptQueries(facts, step)) {
      const { function: around } = base
      step(terms.length + exported.length)
      // who gets the request, or the user, may compare
      if (around.kind === 'file' || around.parameters.some((parameter) => parameter === undefined || TELLS.test(parameter.name)))
        continue
      if (terms.some(({ column, value }) => OWNED_BY.test(column) || mentionsUser(value)) || isUserAsked(base, facts)) continue
      const found = terms.flatMap(({ column, value }) => {
        const parameter = around.parameters.findIndex((one) => accessesOf(value).some((access) => isItself(access, one)))
        return parameter < 0 || !KEY.test(column) ? [] : [{ column, parameter }]
      })[0]
      if (found === undefined || (kind === 'read' && !givesBack(last, facts, step))) continue
      const names = exported.flatMap(([name, fact]) => (fact === around ? [name] : []))
      yield { names: [...names, `@${around.start}`], kind, entity, ...found }
    }
  },
})

/** Names of parameters that tell who asks. */
const TELLS = /^_?(?:req|request|ctx|context)$|user|owner|caller|tenant|principal/i
const OWNED_BY = /user|owner|tenant|created_?by/i

type Access = ReturnType<typeof accessesOf>[number]

function isItself({ binding, steps }: Access, parameter: Access['binding'] | undefined): boolean {
  return binding !== undefined && binding === parameter && steps.length === 0
}

/** A call of a handler that hands on a key which the client sends. */
interface HandedKey extends Span, Pick<OwnedQuery, 'client' | 'around' | 'handled'> {
  /** The module, relative to the file; empty: the file itself. */
  readonly source: string
  readonly name: string
  readonly position: number
  /** The handler answers with what it gives. */
  readonly isAnswer: boolean
}

const handedKeys: Extract<HandedKey> = defineExtract({
  name: 'cap-handed-keys',
  keywords: ['.on(', '.before('],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    let handled: ReturnType<typeof findHandledFunctions> | undefined
    for (const call of facts.calls) {
      step(1 + call.args.length)
      const position = call.args.findIndex((argument) => clientData(argument) !== undefined)
      const key = call.args[position]
      const link = key === undefined ? undefined : linkOf(call)
      if (key === undefined || link === undefined || call.args.some(tellsUser) || isUserAsked(call, facts)) continue
      handled ??= findHandledFunctions(facts)
      const handler = handled.handlerOf(call)
      if (handler === undefined) continue
      const { events = [], entities = [] } = handler
      yield {
        ...link,
        position,
        client: clientData(key) ?? '',
        isAnswer: handler.fact === call.function && givesBack(call, facts, step),
        around: call.function.start,
        handled: events.every((name) => name !== undefined && INSTANCES.test(name)) ? [...entities] : [],
        start: call.start,
        end: call.end,
      }
    }
  },
})

function tellsUser(argument: Value): boolean {
  return mentionsUser(argument) || accessesOf(argument).some(({ root, steps }) => isRequest(root) && steps.length === 0)
}

function isRequest(root: string): boolean {
  return root.startsWith('parameter:') && REQUEST.test(root.slice('parameter:'.length))
}

/** `tickets.load(…)` of another file, `new Tickets().load(…)` of a class of that, `load(…)` of the file itself. */
function linkOf({ callee }: CallValue): Pick<HandedKey, 'source' | 'name'> | undefined {
  const own = functionOf(callee)
  if (own !== undefined) return { source: '', name: `@${own.start}` }
  const access = accessOf(callee)
  if (access?.root.startsWith('module:.') !== true) return undefined
  const made = access.steps.indexOf('new')
  const method = access.steps.slice(made + 1).join('.')
  const type = access.steps.slice(0, Math.max(made, 0)).join('.') || 'default'
  return { source: access.root.slice('module:'.length), name: made < 0 ? method || 'default' : `${type}#${method}` }
}

export const helperQueryExtracts: readonly [typeof keyedHelpers, typeof handedKeys] = [keyedHelpers, handedKeys]

/** Queries of functions that a handler calls with a key of the client, told where it calls them. */
export function* helperQueries({ scripts }: CapRoot): Generator<{ readonly file: string; readonly value: OwnedQuery }> {
  const files = new Map<string, string>()
  const helpers = new Map<string, KeyedHelper[]>()
  for (const { file, value } of scripts.get(keyedHelpers)) {
    files.set(file, file)
    for (const name of value.names) {
      const key = `${file} ${name}`
      helpers.set(key, [...(helpers.get(key) ?? []), value])
    }
  }
  if (files.size === 0) return
  for (const { file, value: call } of scripts.get(handedKeys)) {
    const target = call.source === '' ? file : resolveModule(file, call.source, files)
    for (const { kind, entity, column, parameter } of helpers.get(`${target ?? ''} ${call.name}`) ?? []) {
      if (parameter !== call.position || (kind === 'read' && !call.isAnswer)) continue
      const { client, around, handled, start, end } = call
      yield {
        file,
        value: { kind, isRead: false, entity, column, client, isDerived: false, via: [], around, handled, start, end },
      }
    }
  }
}
