import { moduleOfCall } from './module-calls.ts'
import type { Binding, Definition, LiteralValue, ReferenceValue, Value } from './types.ts'
import { directParts } from './values.ts'

/** Where a value comes from: a root and the steps from there. Steps are names of members, `()` for what a call gives, `new` for what a
 *  construction gives, ` `` ` for what a tagged template gives, `[]` for an element or a member that isn't known. `await` leaves no step. */
export interface Access {
  /** `global:eval`, `module:sap/m/Text`, `this`, `super`; of a binding that leads no further its kind and name: `parameter:req`, `let:x`. */
  readonly root: string
  readonly steps: readonly string[]
  /** The binding that the root is, if it is one. */
  readonly binding: Binding | undefined
}

/** Aliases and members followed in all; longer chains have no path. */
const MAX_HOPS = 64
/** Values that one name may have before it is left alone. */
const MAX_WAYS = 8

/** All that a value may be read from: aliases, destructuring, the options of `||`, several assignments. At most eight. */
export function accessesOf(value: Value): Access[] {
  return explore(value).found
}

/** Whether a value may be read from a package, whose code is not in the project. */
export function isOfPackage(value: Value): boolean {
  return accessesOf(value).some(({ root }) => root.startsWith('module:') && !root.startsWith('module:.'))
}

/** What a value is read from, where there is just one such thing. */
export function accessOf(value: Value): Access | undefined {
  return onlyOne(explore(value))
}

/** The same with a step of its own for each place that is calculated: `list[at + 1]` and `list[at + 2]` differ by `[+ at 1]` and `[+ at 2]`, with the declaration of `at`. */
export function placedAccessOf(value: Value): Access | undefined {
  return onlyOne(explore(value, calculatedPlace))
}

function onlyOne({ found, isWhole }: { readonly found: readonly Access[]; readonly isWhole: boolean }): Access | undefined {
  return isWhole && found.length === 1 ? found[0] : undefined
}

/** Root and steps in one list: `['module:@sap/cds', 'run']`, `['global:sap', 'ui', 'core', 'HTML']`. Undefined where it isn't sure. */
export function pathOf(value: Value): string[] | undefined {
  const access = accessOf(value)
  return access && [access.root, ...access.steps]
}

/** All paths that a value may have. */
export function pathsOf(value: Value): string[][] {
  return accessesOf(value).map(({ root, steps }) => [root].concat(steps))
}

/** What another file of the project exports. */
export interface ImportedName {
  readonly source: string
  readonly name: string
}

/** The exports of other files that a value may be: `checks.own` of `require('./checks')`. */
export function importedNames(value: Value): readonly ImportedName[] {
  return accessesOf(value).flatMap(({ root, steps }) =>
    /^module:\.{1,2}\//.test(root) ? [{ source: root.slice('module:'.length), name: steps.join('.') || 'default' }] : [],
  )
}

/** `isWhole`: no way was left out, and each ends at a root or at a literal. */
function explore(value: Value, placeOf: Hops['placeOf'] = anyPlace): { found: Access[]; isWhole: boolean } {
  const found: Access[] = []
  const hops: Hops = { left: MAX_HOPS, behind: NO_NAMES, isWhole: true, placeOf }
  follow(value, [], found, hops)
  return hops.left < 0 || found.length > MAX_WAYS ? { found: [], isWhole: false } : { found, isWhole: hops.isWhole }
}

interface Hops {
  left: number
  isWhole: boolean
  /** The names followed to get here: `q = q.where(a)` is the `q` before, and adds nothing. */
  behind: readonly Binding[]
  /** The step for an element or a member that isn't known. */
  readonly placeOf: (property: Value | undefined) => string
}

const NO_NAMES: readonly Binding[] = []

/** One of several ways. @param behind the steps after `value`, the last one first */
function followWay(value: Value, behind: readonly string[], found: Access[], hops: Hops): void {
  const before = hops.behind
  follow(value, [...behind], found, hops)
  hops.behind = before
}

function follow(value: Value, steps: string[], found: Access[], hops: Hops): void {
  let here = value
  for (;;) {
    if (hops.left-- <= 0) return
    switch (here.kind) {
      case 'member':
        steps.push(here.name ?? nameOf(here.property) ?? hops.placeOf(here.property))
        here = here.object
        continue
      case 'call': {
        const module = moduleOfCall(here)
        if (module !== undefined) {
          found.push(toModuleAccess(module.source, steps))
          return
        }
        steps.push('()')
        here = here.callee
        continue
      }
      case 'new':
        steps.push('new')
        here = here.callee
        continue
      case 'tagged':
        steps.push('``')
        here = here.callee
        continue
      case 'await':
        here = here.value
        continue
      case 'choice':
        for (const option of here.options) followWay(option, steps, found, hops)
        return
      case 'object': {
        const name = steps.pop()
        const field = here.fields.findLast((field) => field.key === name)
        if (field === undefined) {
          hops.isWhole = false
          return
        }
        here = field.value
        continue
      }
      case 'this':
      case 'super':
        found.push({ root: here.kind, steps: steps.reverse(), binding: undefined })
        return
      case 'reference': {
        const next = followReference(here, steps, found, hops)
        if (next === undefined) return
        here = next
        continue
      }
      case 'literal':
        return
      default:
        hops.isWhole = false
        return
    }
  }
}

/** The value behind a name, with its path added to the steps; undefined where the name is the root, which is then found. */
function followReference(reference: ReferenceValue, steps: string[], found: Access[], hops: Hops): Value | undefined {
  const { binding } = reference
  if (binding === undefined) {
    found.push(toGlobalAccess(reference.name, steps))
    return undefined
  }
  if (binding.module !== undefined) {
    if (binding.module.name !== undefined) steps.push(binding.module.name)
    found.push(toModuleAccess(binding.module.source, steps))
    return undefined
  }
  const { definitions } = binding
  // nearly every name is given one value
  const given = definitions.length === 1 ? definitions[0] : undefined
  const ways = given === undefined ? waysOf(definitions) : leadsOn(given) ? definitions : NO_WAYS
  if (ways.length === 0) {
    if (given?.kind === 'parameter') addSteps(given, steps)
    found.push({ root: `${binding.kind}:${binding.name}`, steps: steps.reverse(), binding })
    return undefined
  }
  if (hops.behind.includes(binding)) return undefined
  hops.behind = hops.behind.length === 0 ? [binding] : [...hops.behind, binding]
  if (ways.length < definitions.length) hops.isWhole = false
  const only = ways.length === 1 ? ways[0] : undefined
  if (only !== undefined) {
    addSteps(only, steps)
    return only.value
  }
  for (const way of ways) {
    const behind = [...steps]
    addSteps(way, behind)
    if (way.value !== undefined) followWay(way.value, behind, found, hops)
  }
  return undefined
}

/** Whether paths that begin with a name lead no further than to it, and without steps of its own. */
export function isRoot({ module, definitions }: Binding): boolean {
  if (module !== undefined) return false
  if (definitions.length > MAX_WAYS) return true
  for (const definition of definitions) if (leadsOn(definition)) return false
  return definitions.length !== 1 || definitions[0]?.kind !== 'parameter' || definitions[0].path.length === 0
}

const NO_WAYS: readonly Definition[] = []

function waysOf(definitions: readonly Definition[]): readonly Definition[] {
  return definitions.length > MAX_WAYS ? NO_WAYS : definitions.filter(leadsOn)
}

function leadsOn({ kind, operator, value }: Definition): boolean {
  if (value === undefined || value.kind === 'function' || value.kind === 'class') return false
  if (kind !== 'init' && kind !== 'assign' && kind !== 'each' && kind !== 'parameter') return false
  return operator === '=' || operator === '??=' || operator === '||='
}

/** What leads from the value of a definition to what the name gets of it, the last step first. */
function addSteps({ kind, path }: Definition, steps: string[]): void {
  for (let index = path.length - 1; index >= 0; index--) steps.push(path[index] ?? '')
  if (kind === 'each') steps.push('[]')
}

function nameOf(property: Value | undefined): string | undefined {
  if (property?.kind !== 'reference' || property.binding?.definitions.length !== 1) return undefined
  const value = property.binding.definitions[0]?.value
  return value?.kind === 'literal' ? String(value.value) : undefined
}

const anyPlace = (): string => '[]'

/** Longer calculations are one place. */
const MAX_PARTS = 6

/** The step for a place that is calculated of names, fields and constants. Places within it are all one: they have no end. */
function calculatedPlace(property: Value | undefined): string {
  const parts = property === undefined || !CALCULATED.has(property.kind) ? [] : directParts(property)
  if (property === undefined || parts.length === 0 || parts.length > MAX_PARTS) return '[]'
  const names = parts.map((part) => {
    if (isWritten(part)) return String(part.value)
    const access = accessOf(part)
    return access === undefined ? '[]' : `${access.root}@${access.binding?.start ?? ''}.${access.steps.join('.')}`
  })
  // `1 + at` is `at + 1`; of texts the order counts
  if (parts.some((part) => isWritten(part) && typeof part.value === 'number') && !('operator' in property)) names.sort()
  const texts = 'texts' in property ? (property.texts ?? []) : []
  return `[${[...('operator' in property ? [property.operator] : []), ...texts, ...names].join(',')}]`
}

function isWritten(value: Value): value is LiteralValue {
  return 'value' in value && typeof value.value !== 'object'
}

const CALCULATED: ReadonlySet<Value['kind']> = new Set<Value['kind']>(['template', 'concat', 'operation'])

/**
 * Files of packages that editors import by themselves, and the members of the package that they are: each is asked for as the package is.
 * Fact: @sap/cds 9.9.3, lib/index.js (the facade), lib/ql/cds-ql.js (`cds.ql`).
 */
const FILES_OF_PACKAGES: ReadonlyMap<string, readonly [source: string, ...members: string[]]> = new Map([
  ['@sap/cds/lib', ['@sap/cds']],
  ['@sap/cds/lib/index', ['@sap/cds']],
  ['@sap/cds/lib/ql/cds-ql', ['@sap/cds', 'ql']],
])

/** Packages that early versions of XS advanced had without a scope, as projects of that time load them; their successors in the scope behave alike. */
const FORMER_NAME = /^sap-(?=(?:hdbext|logging|textbundle|xsenv|xsjs|xssec)(?:\/|$))/

/** `steps`: the last one first. */
function toModuleAccess(named: string, steps: string[]): Access {
  // asked of every module that a path begins with
  const source = named.startsWith('sap-') ? named.replace(FORMER_NAME, '@sap/') : named
  // a module and its default export are one: how it was imported makes no difference
  if (steps.at(-1) === 'default') steps.pop()
  const file = source.startsWith('@sap/cds/') ? FILES_OF_PACKAGES.get(source.replace(/\.js$/, '')) : undefined
  if (file === undefined) return { root: `module:${source}`, steps: steps.reverse(), binding: undefined }
  const [name, ...members] = file
  return { root: `module:${name}`, steps: [...members, ...steps.reverse()], binding: undefined }
}

/** Names of the global object. */
const GLOBAL_OBJECTS = new Set(['window', 'globalThis', 'self', 'global'])

/** `steps`: the last one first; they are the caller's no more. */
function toGlobalAccess(name: string, steps: string[]): Access {
  let here = name
  for (let first = steps.at(-1); first !== undefined && GLOBAL_OBJECTS.has(here) && /^[\w$]/.test(first); first = steps.at(-1)) {
    here = first
    steps.pop()
  }
  return { root: `global:${here}`, steps: steps.reverse(), binding: undefined }
}
