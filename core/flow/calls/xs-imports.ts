import { constantOf, pathOf, type CallValue, type Value } from '../../facts/index.ts'
import { XS_LIBRARY } from '../app/modules.ts'
import { MODULE_STORE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { bindingNode } from '../values/named-values.ts'

/** Adds what `$.import('shop.lib', 'db')` and `$.import('/shop/lib/db.xsjslib')` give. Fact: SAP HANA XS JavaScript Reference, "$.import". */
export function addXsImport(call: CallValue, result: number, { ends: { ports } }: FlowDraft): void {
  const library = libraryOf(call)
  if (library !== undefined)
    ports.push({ node: result, access: 'read', store: `${MODULE_STORE}${XS_LIBRARY}${library}`, path: [] })
}

/** The same library by the name that it has from then on: `$.shop.lib.db`. */
export function addXsLibrary(
  value: Value & { readonly kind: 'member' },
  to: number,
  { facts, ends: { ports } }: FlowDraft,
): void {
  if (!facts.globals.has('$')) return
  const [root, ...steps] = pathOf(value) ?? []
  if (root !== 'global:$' || steps.length < 2) return
  const path = steps.join('/')
  if (facts.calls.some((call) => libraryOf(call) === path))
    ports.push({ node: to, access: 'read', store: `${MODULE_STORE}${XS_LIBRARY}${path}`, path: [] })
}

function libraryOf({ kind, callee, args: [first, second] }: CallValue): string | undefined {
  if (kind !== 'call' || callee.kind !== 'member' || callee.name !== 'import' || first === undefined) return undefined
  if (callee.object.kind !== 'reference' || callee.object.name !== '$' || callee.object.binding !== undefined) return undefined
  const [folder, name] = [constantOf(first), second && constantOf(second)]
  if (typeof folder !== 'string') return undefined
  const path = typeof name === 'string' ? `${folder.replaceAll('.', '/')}/${name}` : folder
  return path.replace(/^\/+/, '').replace(/\.xsjslib$/, '')
}

/** A library gives all functions and names that stand at its top. */
export function addXsExports(draft: FlowDraft): void {
  const { facts, path, ends } = draft
  if (!path.endsWith('.xsjslib')) return
  const [file] = facts.functions
  for (const binding of facts.bindings)
    if (binding.function === file)
      ends.ports.push({ node: bindingNode(binding, draft), access: 'write', store: MODULE_STORE, path: [binding.name] })
}
