import {
  constantOf,
  fieldOf,
  isConstant,
  keyOf,
  resolveValue,
  type CallValue,
  type Value,
  beginningOf,
} from '../../facts/index.ts'
import { constructionsOf, readSetting } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'
import { DOCUMENT_VIEWER } from '../tables/controls.ts'
import { boundNode } from '../pages/controls.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { writeInto } from '../values/writes.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import { addFound } from './sink-parts.ts'

/** What makes a viewer trust its document: settings, or a call of its setter. */
interface Trust {
  readonly at: Span
  readonly viewer: Value
  readonly settings: Value | undefined
}

const SETTER = 'setSource'

/** Adds the documents of viewers that trust them: in their settings, set later, or set by another file on a viewer that it is given. */
export function addDocuments(draft: FlowDraft): void {
  const { facts } = draft
  const set = facts.calls.filter(
    ({ callee, args: [value] }) => isMethod(callee, SETTER) && value !== undefined && !isConstant(value),
  )
  const trusts = trustsIn(draft)
  for (const { at, viewer, settings } of trusts) {
    const node = draft.graph.add(viewer)
    draft.ends.sources.push({ node, origin: 'trusting-viewer', weak: false })
    writeInto(viewer, node, draft)
    const source = settings && fieldOf(settings, 'source')?.value
    if (source !== undefined) addDocument(source, at, draft)
  }
  for (const call of set) {
    const [value] = call.args
    const viewer = viewerOf(call)
    const own = trusts.find((trust) => isSame(trust.viewer, viewer))
    if (value === undefined || viewer === undefined) continue
    if (own !== undefined) addDocument(value, own.at, draft)
    else {
      const receiver = { node: draft.use(viewer), origin: 'trusting-viewer' } as const
      addFound(FOUND_SINKS.viewerSource, value, draft, { only: { receiver } })
    }
  }
}

function addDocument(value: Value, at: Span, draft: FlowDraft): void {
  const bound = readSetting(value)
  if (bound === undefined && isConstant(value)) return
  const node = bound === undefined ? draft.use(value) : boundNode(bound, value, draft)
  addFound(FOUND_SINKS.viewerSource, value, draft, { node, isOpen: true, at })
}

function trustsIn({ facts }: FlowDraft): Trust[] {
  const made = [...constructionsOf(facts, DOCUMENT_VIEWER.replaceAll('.', '/'))].flatMap(({ call, settings }): Trust[] => {
    const trusted = fieldOf(settings, 'isTrustedSource')?.value
    return trusted === undefined || constantOf(trusted) !== true ? [] : [{ at: trusted, viewer: call, settings }]
  })
  const set = facts.calls.flatMap((call): Trust[] => {
    const [trusted] = call.args
    const viewer = isMethod(call.callee, 'setIsTrustedSource') ? viewerOf(call) : undefined
    if (trusted === undefined || viewer === undefined || constantOf(trusted) !== true) return []
    const built = resolveValue(viewer)
    const settings =
      built.kind === 'new'
        ? built.args.map((argument) => resolveValue(argument)).find(({ kind }) => kind === 'object')
        : undefined
    return [{ at: trusted, viewer, settings }]
  })
  return [...made, ...set]
}

function isMethod(callee: Value, name: string): boolean {
  return callee.kind === 'member' && callee.name === name
}

/** What a chain of setters begins with: each gives the viewer back. */
function viewerOf({ callee }: CallValue): Value | undefined {
  return callee.kind === 'member' ? beginningOf(callee.object, (name) => /^set[A-Z]/.test(name)) : undefined
}

function isSame(one: Value, other: Value | undefined): boolean {
  if (other === undefined) return false
  const [made, own] = [resolveValue(one), resolveValue(other)]
  // each is made for itself, though by the same class
  if (made === own || made.kind === 'new' || own.kind === 'new') return made === own
  const key = keyOf(one)
  return key !== undefined && key === keyOf(other)
}
