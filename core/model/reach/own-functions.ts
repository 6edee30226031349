import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { createSpanIndex } from '../../facts/span-index.ts'
import type { Assignment, Binding, FunctionFact, ReferenceValue, ScriptFacts, Value } from '../../facts/types.ts'
import { append } from '../../lists.ts'
import type { Span } from '../../types.ts'
import { runsInBrowser } from '../script/index.ts'
import { blankComments, mentionsOf } from './code-words.ts'

/** The functions of one module that have names, and what in the module itself speaks of them. */
export interface OwnFunctions {
  /** In the order of their starts, those around others first. */
  readonly functions: readonly OwnFunction[]
  /** By their positions: which function speaks of which, two numbers each; -1 is what runs when the module is loaded. */
  readonly uses: readonly number[]
  /** Its exports are handed on as a whole. */
  readonly isOpen: boolean
}

export interface OwnFunction extends Span {
  /** Names under which others may read it. */
  readonly exported: readonly string[]
}

/** What may call a function by a name that is put together, and scripts whose functions pages see. */
const BY_NAME =
  /\beval\s{0,10}\(|\b(?:this|globalThis|global|window)\s{0,10}\[|\bFunction\s{0,10}\(|\btypeof\s{1,10}(?:module|exports|window)\b/
/** Who loads a module by `define` is told in another way. */
const MODULES: ReadonlySet<string> = new Set(['require', 'import', 'reexport', 'dynamic'])

export const ownFunctions: Extract<OwnFunctions> = defineExtract({
  name: 'reach-own-functions',
  isFor: (path) => /\.[cm]?[jt]s$/.test(path),
  withFlow: true,
  collect({ path, facts, text, step }) {
    const isModule = facts.exports.length > 0 || facts.imports.some(({ kind }) => MODULES.has(kind))
    if (!isModule || BY_NAME.test(text) || runsInBrowser(path, facts, false)) return []
    const named = findNamed(facts, text)
    if (named.functions.size === 0) return []
    return [readUses(named, blankComments(text), step)]
  },
})

/** A function by the names that lead to it: `orders.api.load`; `exports.load` of what others read as `load`. */
interface Named {
  readonly functions: Map<FunctionFact, { readonly paths: (readonly string[])[]; readonly exported: Set<string> }>
  /** The same by the first name of the way. */
  readonly byRoot: Map<string, { readonly fact: FunctionFact; readonly path: readonly string[] }[]>
  /** Objects whose functions are known by the first name of the way to them. */
  readonly objects: { readonly span: Span; readonly root: string }[]
  /** Where such names are declared, assigned to or exported. */
  readonly definitions: Set<number>
  /** First names of what is known by others, too. */
  readonly open: Set<string>
}

const EXPORTS = 'exports'
const MAX_DEPTH = 3

function findNamed(facts: ScriptFacts, text: string): Named {
  const named: Named = { functions: new Map(), byRoot: new Map(), objects: [], definitions: new Set(), open: new Set() }
  const bound = new Map<Binding, Value>()
  for (const binding of facts.bindings) {
    const value = ownValueOf(binding, text)
    if (value === undefined) continue
    bound.set(binding, value)
    named.definitions.add(binding.start)
    addValue(named, value, [binding.name])
  }
  for (const assignment of facts.assignments) {
    const to = pathTo(assignment.target)
    if (to === undefined || assignment.operator !== '=') continue
    const { path, root } = to
    const isExport = root.binding === undefined && path[0] === EXPORTS
    const object = root.binding && bound.get(root.binding)
    // what is put on a function is of the objects that it makes
    if (!isExport && (object === undefined || !('fields' in object))) continue
    if (isAliased(text, assignment)) named.open.add(path[0] ?? '')
    else named.definitions.add(root.start)
    if (functionOf(assignment.value) !== undefined) named.objects.push({ span: assignment.value, root: path[0] ?? '' })
    if (!isExport) addValue(named, assignment.value, path)
    else if (path.length > 2) addValue(named, assignment.value, path, path[1])
  }
  for (const { name, value } of facts.exports) if (value !== undefined) addExport(named, name, value, bound)
  return named
}

/** The function or object that a name always stands for, and that has no other name from the beginning. */
function ownValueOf(binding: Binding, text: string): Value | undefined {
  const [definition, further] = binding.definitions
  if (definition?.value === undefined || further !== undefined || definition.kind !== 'init' || definition.path.length > 0)
    return undefined
  const { value } = definition
  if (!('fields' in value) && functionOf(value) === undefined) return undefined
  const isDeclaration = value.start <= binding.start
  return isDeclaration || isPlainly(text, binding.start + binding.name.length, value) ? value : undefined
}

/** What is written there; names of functions, the function's own one included, and `this` stand elsewhere. */
function functionOf(value: Value): FunctionFact | undefined {
  if (!('function' in value) || 'args' in value) return undefined
  return value.function.start === value.start ? value.function : undefined
}

/** Nothing but `=` stands between a name and its value: no other name gets the same. */
function isPlainly(text: string, end: number, { start }: Span): boolean {
  return start - end < MAX_TYPE && /^[^=]{0,300}=\s{0,100}\(?$/.test(text.slice(end, start).trimEnd())
}

const MAX_TYPE = 300

/** `other = orders.api = {…}`. */
function isAliased(text: string, { target, value, start }: Assignment): boolean {
  return /=\s*$/.test(text.slice(Math.max(0, start - 20), start)) || (isHeld(value) && !isPlainly(text, target.end, value))
}

function isHeld(value: Value): boolean {
  return 'fields' in value || functionOf(value) !== undefined
}

/** The names of `orders.api.load`, and the first one as it stands there; `module.exports` is `exports`. */
function pathTo(target: Value): { readonly path: readonly string[]; readonly root: ReferenceValue } | undefined {
  const names: string[] = []
  let here = target
  for (; 'object' in here; here = here.object) {
    if (here.name === undefined || names.length > MAX_DEPTH) return undefined
    names.push(here.name)
  }
  if (!('binding' in here)) return undefined
  const path = [here.name, ...names.reverse()]
  const isOfModule = here.binding === undefined && path[0] === 'module' && path[1] === EXPORTS
  return { path: isOfModule ? path.slice(1) : path, root: here }
}

function addValue(named: Named, value: Value, path: readonly string[], exported?: string): void {
  const fact = functionOf(value)
  if (fact !== undefined) {
    const known = named.functions.get(fact) ?? { paths: [], exported: new Set() }
    named.functions.set(fact, known)
    known.paths.push(path)
    append(named.byRoot, path[0] ?? '', { fact, path })
    if (exported !== undefined) known.exported.add(exported)
  } else if ('fields' in value && path.length <= MAX_DEPTH) {
    const [root = ''] = path
    named.objects.push({ span: value, root })
    for (const { key, value: field } of value.fields) if (key !== undefined) addValue(named, field, [...path, key], exported)
  }
}

const DEFAULT = 'default'

function addExport(named: Named, name: string, value: Value, bound: ReadonlyMap<Binding, Value>): void {
  const own = 'binding' in value && value.binding !== undefined ? bound.get(value.binding) : undefined
  if (own !== undefined) named.definitions.add(value.start)
  const held = own ?? value
  if (isHeld(held)) named.objects.push({ span: held, root: EXPORTS })
  if (!('fields' in held)) addValue(named, held, [EXPORTS, name], name)
  else if (own !== undefined && 'binding' in value) addObject(named, value.name, name)
  else if (name !== DEFAULT) addValue(named, held, [EXPORTS, name], name)
  else for (const { key, value: field } of held.fields) if (key !== undefined) addExport(named, key, field, bound)
}

/** Whatever was put into the object that is called so. */
function addObject({ functions, byRoot }: Named, root: string, name: string): void {
  for (const { fact, path } of byRoot.get(root) ?? []) {
    const rest = name === DEFAULT ? path.slice(1) : [name, ...path.slice(1)]
    const known = functions.get(fact)
    known?.paths.push([EXPORTS, ...rest])
    known?.exported.add(rest[0] ?? DEFAULT)
  }
}

function readUses(named: Named, code: string, step: (count?: number) => void): OwnFunctions {
  const facts = [...named.functions.keys()].sort((a, b) => a.start - b.start || b.end - a.end)
  const byPath = new Map<string, { readonly index: number; readonly path: readonly string[] }[]>()
  const byRoot = new Map<string, number[]>()
  const byLast = new Map<string, number[]>()
  const byHolder = new Map<string, number[]>()
  for (const [index, fact] of facts.entries())
    for (const path of named.functions.get(fact)?.paths ?? []) {
      append(byRoot, path[0] ?? '', index)
      append(byPath, path.slice(0, 2).join('.'), { index, path })
      if (path.length > 1) append(byLast, path.at(-1) ?? '', index)
      for (const holder of new Set(path.slice(1, -1))) append(byHolder, holder, index)
    }
  const around = createSpanIndex(
    facts.map((fact, index) => ({ fact, index })),
    ({ fact }) => fact,
  )
  const inObject = createSpanIndex(named.objects, ({ span }) => span)
  const uses = new Map<string, readonly [number, number]>()
  const open = new Set(named.open)
  const use = (from: number, used: readonly number[] = []): void => {
    step(used.length)
    for (const to of used) if (from !== to) uses.set(`${from} ${to}`, [from, to])
  }
  for (const { start, chain, next, before } of mentionsOf(code, new Set([...byRoot.keys(), EXPORTS, THIS]))) {
    step()
    const [root = '', second] = chain
    if (root === THIS) {
      if (second === undefined) for (const one of inObject(start)) open.add(one.root)
      const from = around(start)[0]?.index ?? -1
      for (const name of chain.slice(1)) use(from, byLast.get(name))
      // an object is taken whole
      use(from, byHolder.get(chain.at(-1) ?? ''))
      continue
    }
    if (named.definitions.has(start) || (root === EXPORTS && second === undefined && next === '=' && before !== '=')) continue
    const from = around(start)[0]?.index ?? -1
    if (second === undefined && root !== EXPORTS) use(from, byRoot.get(root))
    else if (second === undefined) open.add(EXPORTS)
    else
      for (const key of [root, `${root}.${second}`])
        use(
          from,
          (byPath.get(key) ?? []).flatMap(({ index, path }) => (agree(path, chain) ? index : [])),
        )
  }
  for (const root of open) use(-1, byRoot.get(root))
  return {
    functions: facts.map((fact) => {
      const { start, end } = fact
      return { start, end, exported: [...(named.functions.get(fact)?.exported ?? [])] }
    }),
    uses: [...uses.values()].flat(),
    isOpen: open.has(EXPORTS),
  }
}

const THIS = 'this'

/** As far as both go they are the same way. */
function agree(path: readonly string[], chain: readonly string[]): boolean {
  return path.every((name, index) => chain[index] === undefined || chain[index] === name)
}
