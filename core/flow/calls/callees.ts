import { accessesOf, stringConstantOf, resolveValue, type Access, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { promisifiedBy } from '../../facts/direct-calls.ts'
import { UNPACKERS, EACH_ENTRY } from '../tables/archives.ts'
import { ANY_FIELD, WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

const OF_NODE = 'module:node:'

/** `lodash/template.js` of a package; `chart.js` is one. */
const ENDING = /^(module:(?:@[^/]+\/)?[^/.@][^/]*\/.+)\.[cm]?js$/

/** An access path with blanks between its steps; modules of Node.js have one name with and without `node:`, those of packages with and without their ending. */
export function writtenPath({ root, steps }: Access): string {
  const own = root.startsWith(OF_NODE)
    ? `module:${root.slice(OF_NODE.length)}`
    : root.endsWith('js') && root.includes('/')
      ? root.replace(ENDING, '$1')
      : root
  return steps.length === 0 ? own : `${own} ${steps.join(' ')}`
}

/** The access paths of a callee, with blanks between the steps. */
export function pathsOfCallee(callee: Value): string[] {
  const here = resolveValue(callee)
  // `const run = promisify(exec)`
  const promisified = promisifiedBy(here)
  if (promisified !== undefined) return pathsOfCallee(promisified)
  // XS classic: `$.require('fs').readFile`
  const module = here.kind === 'member' ? xsModuleOf(here.object) : undefined
  if (module !== undefined && here.kind === 'member') return [`module:${module} ${here.name ?? '[]'}`]
  return accessesOf(callee).map(writtenPath)
}

function xsModuleOf(value: Value): string | undefined {
  const here = resolveValue(value)
  if (here.kind !== 'call' || here.callee.kind !== 'member' || here.callee.name !== 'require') return undefined
  const { object } = here.callee
  const source = stringConstantOf(here.args[0])
  return object.kind === 'reference' && object.name === '$' ? source : undefined
}

/** `this.run` that was given `promisify(exec)`, `this.http.get` where `this.http` is a package or made by one; `global.run` by what the file gives that name. */
export function pathsInFields(callee: Value, draft: FlowDraft): readonly string[] {
  if (callee.kind !== 'member' || callee.name === undefined) return []
  const { object, name } = callee
  if (usesGlobals(draft) && isGlobal(object)) return valuesOfGlobal(name, draft).flatMap((value) => pathsOfCallee(value))
  const owner = draft.owners.ownerBehind(object)
  if (owner !== undefined) return draft.classes.fieldValues(owner, name).flatMap((value) => pathsOfCallee(value))
  if (object.kind !== 'member' || object.name === undefined) return []
  const holder = draft.owners.ownerBehind(object.object)
  const held = holder === undefined ? [] : draft.classes.fieldValues(holder, object.name)
  return held
    .flatMap((value) => pathsOfCallee(value).map((path) => `${path} ${name}`))
    .filter((path) => path.startsWith('module:'))
}

const GLOBAL = /^global:(?:global|globalThis)$/

/** Few files do: the others need not resolve the receiver of each of their calls. */
function usesGlobals({ facts: { globals } }: FlowDraft): boolean {
  return globals.has('global') || globals.has('globalThis')
}

function isGlobal(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => GLOBAL.test(root) && steps.length === 0)
}

function valuesOfGlobal(name: string, { facts, step }: FlowDraft): readonly Value[] {
  step(facts.assignments.length >> 3)
  return facts.assignments.flatMap(({ target, value }) => (target.name === name && isGlobal(target.object) ? value : []))
}

/** `zip.forEach((path, file) => …)`. Fact: JSZip 3, "JSZip#forEach". */
export function addEachEntry({ callee, args: [given] }: CallValue, draft: FlowDraft): void {
  if (callee.kind !== 'member' || callee.name !== 'forEach' || !draft.facts.imports.some(({ source }) => source === EACH_ENTRY))
    return
  const fact = functionOf(given)
  const node = fact && fact.parameters.length === 2 ? draft.parameters.nodeOf(fact, 0) : undefined
  const isUnpacked = accessesOf(callee).some(
    ({ root, steps }) => root === `module:${EACH_ENTRY}` || /zip|archive|^z$/i.test(steps.at(-2) ?? root),
  )
  const binding = fact?.parameters[0]
  if (node === undefined || binding === undefined || !isUnpacked) return
  draft.ends.sources.push({ node, origin: 'archive-entry', weak: false })
  draft.show(node, binding.name)
}

const ENTRY_FIELDS = ['name', 'unsafeOriginalName']

/** `Object.keys(zip.files)`: whoever made the archive chose the names. Fact: JSZip 3, "JSZip#files". */
export function addEntryNames({ args: [files] }: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  const isOfValues = paths.includes('global:Object values')
  if (files === undefined || (!isOfValues && !paths.some((path) => /^global:Object (?:keys|entries)$/.test(path)))) return
  if (!draft.facts.imports.some(({ source }) => UNPACKERS.has(source))) return
  const isUnpacked = accessesOf(files).some(({ root }) => UNPACKERS.has(root.replace('module:', '')))
  if (!isUnpacked && (files.kind !== 'member' || files.name !== 'files')) return
  if (isOfValues) {
    const { graph } = draft
    const [name, entry] = [graph.add(files), graph.add(files)]
    for (const field of ENTRY_FIELDS) graph.connect(name, entry, WRITE, field)
    graph.connect(entry, result, WRITE, ANY_FIELD)
    draft.ends.sources.push({ node: name, origin: 'archive-entry', weak: false })
    return draft.show(name, files)
  }
  draft.ends.sources.push({ node: result, origin: 'archive-entry', weak: false })
  draft.show(result, files)
}
