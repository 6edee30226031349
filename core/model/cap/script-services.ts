import { findCallbacks, functionOf, functionOfThis, type Callback } from '../../facts/callbacks.ts'
import { stringConstantOf } from '../../facts/constants.ts'
import { accessesOf } from '../../facts/paths.ts'
import type { Binding, CallValue, ClassFact, FunctionFact, ScriptFacts, ThisValue, Value } from '../../facts/types.ts'
import { resolveValue } from '../../facts/values.ts'
import { append } from '../../lists.ts'
import { isAround } from '../../facts/span-index.ts'

/** The service that a value of a script is, as far as the script itself tells. */
export interface ScriptService {
  /**
   * `own`: this script implements it · `connected`: `cds.connect.to('X')`, `cds.services.X` · `cds`: the facade, whose events are those of the server ·
   * `named`: it is called as services are · `foreign`: an object of Node.js or of a package · `unknown`: anything else.
   */
  readonly kind: 'own' | 'connected' | 'cds' | 'named' | 'foreign' | 'unknown'
  /** Of its class, or as `serve` and `connect.to` name it. */
  readonly name: string | undefined
}

/** A receiver's name that in CAP code is a service. */
const SERVICE_NAME = /^(?:srv|service|messaging|\w+(?:Srv|Service|Messaging))$/
/** One that connects to a broker, wherever it was connected. */
const MESSAGING_NAME = /^(?:messaging|messenger|\w+Messaging|eventMesh|broker)$/
const MAX_HOPS = 6

/** Tells services of one script apart. */
export function createServiceReader(facts: ScriptFacts): (value: Value) => ScriptService {
  const callbacks = findCallbacks(facts)
  const implementations = findImplementations(facts, callbacks)
  /** Of a name once: it is given as many values as its author likes, and asked for as often. */
  const services = new Map<Binding, ScriptService>()
  let fields: ReadonlyMap<string, readonly Value[]> | undefined
  const fieldValues = (name: string): readonly Value[] => (fields ??= fieldValuesOf(facts)).get(name) ?? []
  const read = (value: Value, hops: number): ScriptService => {
    if (hops > MAX_HOPS) return UNKNOWN
    if (value.kind === 'await') return read(value.value, hops + 1)
    if (value.kind === 'this') return ofThis(value, implementations, facts)
    const connected = connectedName(value)
    if (connected !== undefined) return { kind: 'connected', name: connected }
    if (value.kind === 'member' && value.object.kind === 'this' && value.name !== undefined) {
      const given = fieldValues(value.name).map((field) => read(field, hops + 1))
      const known = given.find(({ kind }) => kind === 'connected')
      if (known !== undefined) return known
    }
    if (value.kind === 'reference' && MESSAGING_NAME.test(value.name) && value.binding?.kind === 'parameter')
      return { kind: 'connected', name: 'messaging' }
    if (value.kind !== 'reference' || value.binding === undefined) return byAccess(value)
    const { binding } = value
    const known = services.get(binding)
    if (known !== undefined) return known
    // a name that is being read tells nothing about itself
    services.set(binding, UNKNOWN)
    const found = ofBinding(binding, hops)
    const service = found.kind === 'unknown' ? byAccess(value) : found
    services.set(binding, service)
    return service
  }
  const ofBinding = (binding: Binding, hops: number): ScriptService => {
    for (const definition of binding.definitions) {
      const { value, path, parameter } = definition
      if (definition.kind === 'parameter' && value === undefined && path.length === 0) {
        const filled = parameter === 0 ? ofParameter(binding.function, hops) : UNKNOWN
        if (filled.kind !== 'unknown') return filled
      }
      const [first, ...rest] = path
      if (value !== undefined && first === undefined) {
        const found = read(value, hops + 1)
        if (found.kind !== 'unknown') return found
      }
      // const [db, messaging] = await Promise.all([cds.connect.to('db'), …])
      const items = value?.kind === 'await' && value.value.kind === 'call' ? value.value.args[0] : undefined
      const item = items?.kind === 'array' && rest.length === 0 ? items.items[Number(first)] : undefined
      if (item !== undefined) return read(item, hops + 1)
    }
    return UNKNOWN
  }
  const ofParameter = (fact: FunctionFact, hops: number): ScriptService => {
    const served = implementations.get(fact)
    if (served !== undefined) return served
    const callback = callbacks.get(fact)
    const { callee } = callback?.call ?? {}
    // cds.connect.to('messaging').then((messaging) => …)
    return callee?.kind === 'member' && callee.name === 'then' ? read(callee.object, hops + 1) : UNKNOWN
  }
  return (value) => read(value, 0)
}

const UNKNOWN: ScriptService = { kind: 'unknown', name: undefined }

function byAccess(value: Value): ScriptService {
  for (const { root, steps } of accessesOf(value)) {
    const isCds = root === 'global:cds' || root === 'module:@sap/cds'
    if (isCds && steps.length === 0) return { kind: 'cds', name: undefined }
    if (isCds && steps[0] === 'services' && steps.length === 2) return { kind: 'connected', name: steps[1] }
    if (root === 'global:process' || (root.startsWith('module:') && !isCds && !/^module:[.#]/.test(root)))
      return { kind: 'foreign', name: undefined }
    const last = steps.at(-1) ?? root.slice(root.indexOf(':') + 1)
    if (MESSAGING_NAME.test(last)) return { kind: 'connected', name: 'messaging' }
    if (SERVICE_NAME.test(last)) return { kind: 'named', name: undefined }
  }
  return UNKNOWN
}

/** The name in `cds.connect.to('X')`. */
export function connectedName(value: Value): string | undefined {
  const here = resolveValue(value)
  const call = here.kind === 'await' ? here.value : here
  if (call.kind !== 'call' || !isConnect(call)) return undefined
  const [name] = call.args
  return stringConstantOf(name)
}

function isConnect({ callee }: CallValue): boolean {
  return accessesOf(callee).some(
    ({ root, steps }) => (root === 'global:cds' || root === 'module:@sap/cds') && /^connect(?: to)?$/.test(steps.join(' ')),
  )
}

function fieldValuesOf({ assignments }: ScriptFacts): ReadonlyMap<string, readonly Value[]> {
  const values = new Map<string, Value[]>()
  for (const { target, value } of assignments)
    if (target.name !== undefined && target.object.kind === 'this') append(values, target.name, value)
  return values
}

/** Functions that implement a service: exported as the module, or given to `cds.service.impl` or `cds.serve('X').with`. */
function findImplementations(
  facts: ScriptFacts,
  callbacks: ReadonlyMap<FunctionFact, Callback>,
): ReadonlyMap<FunctionFact, ScriptService> {
  const found = new Map<FunctionFact, ScriptService>()
  for (const { name, value } of facts.exports) {
    const given = name === 'default' ? functionOf(value) : undefined
    if (given !== undefined) found.set(given, { kind: 'own', name: undefined })
  }
  for (const [fact, { call, index }] of callbacks) {
    if (index !== 0 || call.callee.kind !== 'member') continue
    const { name, object } = call.callee
    if (name === 'impl') found.set(fact, { kind: 'own', name: undefined })
    if (name === 'with') found.set(fact, { kind: 'own', name: servedName(object) })
  }
  return found
}

/** The name in `cds.serve('X')`, `cds.serve('X').from('…')`. */
function servedName(value: Value): string | undefined {
  let here = resolveValue(value)
  for (let hops = 0; hops < MAX_HOPS && here.kind === 'call' && here.callee.kind === 'member'; hops++) {
    if (here.callee.name === 'serve') {
      const [name] = here.args
      return stringConstantOf(name)
    }
    here = resolveValue(here.callee.object)
  }
  return undefined
}

function ofThis(value: ThisValue, implementations: ReadonlyMap<FunctionFact, ScriptService>, facts: ScriptFacts): ScriptService {
  const owner = functionOfThis(value.function)
  const served = implementations.get(owner)
  if (served !== undefined) return served
  const around = owner.owner
  return around !== undefined && 'members' in around && isService(around, facts) ? { kind: 'own', name: around.name } : UNKNOWN
}

/** A class that extends one of CAP, or one of the project by a name that says so, or hands its start on to it: `super.init()`. */
function isService(fact: ClassFact, { calls }: ScriptFacts): boolean {
  const { parent } = fact
  if (parent === undefined) return false
  if (accessesOf(parent).some(({ root, steps }) => (steps.at(-1) ?? root).endsWith('Service'))) return true
  if (parent.kind === 'reference' && parent.name.endsWith('Service')) return true
  return calls.some(
    ({ callee, start }) =>
      callee.kind === 'member' && callee.name === 'init' && callee.object.kind === 'super' && isAround(fact, start),
  )
}
