import {
  accessesOf,
  type Access,
  type FunctionFact,
  type ScriptFacts,
  type ThisValue,
  type Value,
  chainBack,
  resolveValue,
} from '../../facts/index.ts'
import { awaited } from '../../facts/conditions.ts'
import { calledBy } from '../../facts/own-answers.ts'
import { functionOf, functionOfThis, methodOf, type Callback } from '../../facts/callbacks.ts'
import { isRequestName, isXsScript } from '../../model/script/index.ts'
import { CDS_ROOTS } from '../tables/cap-sinks.ts'
import { firstValueOf } from './query-sinks.ts'

/** How sure it is that a value is a CAP service (a database is one): `named` by nothing but its name, in a file that uses CAP. */
export type ServiceKind = 'service' | 'named'

/** What tells the services of one file. */
export interface CapFile {
  /** It imports CAP, or uses its globals. */
  readonly usesCap: boolean
  readonly callbacks: ReadonlyMap<FunctionFact, Callback>
  /** Functions that implement a service: exported as the module, or given to `cds.service.impl`. */
  readonly implementations: ReadonlySet<FunctionFact>
  /** A script of XS classic. */
  readonly isXs: boolean
  /** Whether a function gives a service: each is read once, also where it calls itself in every branch. */
  readonly asked: Map<FunctionFact, boolean>
}

/** Globals that CAP provides. Fact: capire, "cds.ql" and "cds": available as globals in server code. */
const GLOBALS = ['cds', 'SELECT', 'INSERT', 'UPSERT', 'UPDATE', 'DELETE', 'CQL']

export function toCapFile(facts: ScriptFacts, callbacks: ReadonlyMap<FunctionFact, Callback>, path: string): CapFile {
  const implementations = new Set<FunctionFact>()
  for (const { name, value } of facts.exports) {
    const given = name === 'default' ? functionOf(value) : undefined
    if (given !== undefined) implementations.add(given)
  }
  const usesCap =
    facts.imports.some(({ source }) => /^@(?:sap\/cds|cap-js)(?:[/-]|$)/.test(source)) ||
    GLOBALS.some((name) => facts.globals.has(name)) ||
    [...callbacks.values()].some((callback) => registersHandler(callback, callbacks, implementations))
  for (const [given, callback] of callbacks) if (isImplementation(callback)) implementations.add(given)
  return { usesCap, callbacks, implementations, isXs: isXsScript(path), asked: new Map() }
}

/** `module.exports = (srv) => { srv.on('order', (req) => … req.data …) }`: a service that imports nothing of CAP. */
function registersHandler(
  { call, index }: Callback,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
  implementations: ReadonlySet<FunctionFact>,
): boolean {
  const { callee, args } = call
  if (callee.kind !== 'member' || !/^(?:on|before|after)$/.test(callee.name ?? '') || index === 0) return false
  const handler = functionOf(args[index])
  if (handler === undefined || handler.parameters.length === 0) return false
  const [request] = handler.parameters
  // undefined: a pattern
  if (request !== undefined && !isRequestName(request.name)) return false
  const owner = callee.object.kind === 'this' ? functionOfThis(callee.object.function) : parameterOwner(callee.object)
  return owner !== undefined && implementations.has(owner) && !callbacks.has(owner)
}

function parameterOwner(value: Value): FunctionFact | undefined {
  const binding = value.kind === 'reference' ? value.binding : undefined
  return binding?.kind === 'parameter' && binding.definitions[0]?.parameter === 0 ? binding.function : undefined
}

function isImplementation({ call, index }: Callback): boolean {
  if (call.callee.kind !== 'member' || index !== 0) return false
  const name = call.callee.name
  // cds.service.impl(function), cds.serve('x').with(function)
  return (name === 'impl' || name === 'with') && accessesOf(call.callee).some(isCds)
}

/** Whether an access starts at the facade `cds`, however that came into the file. */
export function isCds({ root }: Pick<Access, 'root'>): boolean {
  return CDS_ROOTS.has(root)
}

/** A receiver's name that in CAP code is a database, a transaction or a service. */
const SERVICE_NAME = /^(?:db|tx|srv|service|(?:\w+)(?:Srv|Service|Tx|Db|DB))$/

const MAX_NESTED = 4

/** Whether a value is a CAP service or transaction: `cds`, `cds.db`, `await cds.connect.to('db')`, `this` of a service, `tx` of a callback. */
export function serviceKindOf(value: Value, file: CapFile, nested: number = 0): ServiceKind | undefined {
  if (nested > MAX_NESTED) return undefined
  if (value.kind === 'this') return kindOfThis(value, file)
  if (givesService(value, file, nested)) return 'service'
  let found: ServiceKind | undefined
  for (const access of accessesOf(value)) {
    const kind = kindOfAccess(value, access, file, nested)
    if (kind === 'service') return kind
    found ??= kind
  }
  return found
}

/** `await getDb()`, where `async function getDb() { return (db ??= await cds.connect.to('db')) }` of the file. */
function givesService(value: Value, file: CapFile, nested: number): boolean {
  const call = awaited(resolveValue(awaited(value)))
  const called = 'callee' in call ? calledBy(call.callee) : undefined
  if (called === undefined) return false
  const before = file.asked.get(called)
  if (before !== undefined) return before
  // while it is read
  file.asked.set(called, false)
  const isGiven = called.returns.some((answer) => serviceKindOf(answer, file, nested + 1) === 'service')
  file.asked.set(called, isGiven)
  return isGiven
}

function kindOfAccess(value: Value, access: Access, file: CapFile, nested: number): ServiceKind | undefined {
  const steps = [...access.steps]
  // a transaction of a service is one: srv.tx(req), cds.transaction(req)
  while (steps.at(-1) === '()' && (steps.at(-2) === 'tx' || steps.at(-2) === 'transaction')) steps.length -= 2
  if (isCds(access)) {
    return /^(?:|db|services .+|connect (?:to )?\(\)|context tx)$/.test(steps.join(' ')) ? 'service' : undefined
  }
  const last = steps.at(-1) ?? access.root.slice(access.root.indexOf(':') + 1)
  if (steps.length === 0 && access.binding !== undefined) {
    const kind = kindOfParameter(access, file, nested)
    if (kind !== undefined) return kind
  }
  if (access.root === 'this' && steps.length === 0) {
    // this.tx(req)
    const root = [...chainBack(value, firstValueOf)].at(-1)
    return root?.kind === 'this' ? kindOfThis(root, file) : undefined
  }
  if (!file.usesCap || access.root.startsWith('module:') || access.root.startsWith('global:')) return undefined
  return SERVICE_NAME.test(last) ? 'named' : undefined
}

function kindOfParameter({ binding }: Access, file: CapFile, nested: number): ServiceKind | undefined {
  const [definition] = binding?.definitions ?? []
  if (binding === undefined || definition?.kind !== 'parameter' || definition.path.length > 0 || definition.parameter !== 0)
    return undefined
  if (file.usesCap && file.implementations.has(binding.function)) return 'service'
  const callback = file.callbacks.get(binding.function)
  if (callback === undefined || callback.call.callee.kind !== 'member') return undefined
  const method = methodOf(callback)
  // srv.tx(async tx => …), cds.connect.to('db').then(db => …)
  if (method !== 'tx' && method !== 'transaction' && method !== 'then' && method !== 'run') return undefined
  return serviceKindOf(callback.call.callee.object, file, nested + 1)
}

function kindOfThis(value: ThisValue, file: CapFile): ServiceKind | undefined {
  const owner = functionOfThis(value.function)
  if (file.usesCap && file.implementations.has(owner)) return 'service'
  if (owner.owner === undefined || !('parent' in owner.owner) || owner.owner.parent === undefined) return undefined
  for (const { root, steps } of accessesOf(owner.owner.parent)) {
    const name = steps.at(-1) ?? root
    if (isCds({ root }) && name.endsWith('Service')) return 'service'
    if (file.usesCap && name.endsWith('Service')) return 'named'
  }
  return undefined
}
