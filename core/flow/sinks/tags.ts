import { constantOf, resolveValue, type Binding, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/field-values.ts'

const MAX_DEPTH = 4
/** The tag in a selector: `.list > iframe.map`. */
const SELECTED = /(?:^|[\s>+~])([a-z][a-z\d-]{0,60})(?:[.#[:][^\s>+~]{0,200})?$/

/** `script` of `document.createElement('script')`, also by way of functions of the file, fields and methods that give the element back; '' where nobody can tell. */
export function tagOf(value: Value, draft: FlowDraft, depth = 0): string {
  if (depth > MAX_DEPTH) return ''
  draft.step()
  const here = resolveValue(value)
  if (here.kind === 'member') {
    const held = here.object.kind === 'this' ? behindFields(here, draft).filter((one) => one !== here) : []
    return firstTag(here.name === '0' ? [here.object] : held, draft, depth)
  }
  if (here.kind !== 'call') return ''
  const name = lastNameOf(here.callee) ?? ''
  const [first, second] = here.args
  if (name === 'createElement' || name === 'createElementNS') {
    const tag = name === 'createElement' ? first : second
    return tag === undefined ? '' : String(constantOf(tag) ?? '')
  }
  // $("<iframe>"), $("#panel iframe")
  if (/^(?:\$|jQuery)$/.test(name)) {
    const text = String((first && constantOf(first)) ?? '')
    return (MARKUP.exec(text) ?? SELECTED.exec(text))?.[1] ?? ''
  }
  if (SELECTING.test(name)) return SELECTED.exec(String((first && constantOf(first)) ?? ''))?.[1] ?? ''
  if (first !== undefined && GIVING_BACK.test(name)) return tagOf(first, draft, depth + 1)
  const functions = draft.owners.functionsBehind(here.callee)
  const given = firstTag(
    functions.flatMap(({ returns }) => returns),
    draft,
    depth,
  )
  return given !== '' ? given : handedTag(here.args, functions)
}

/** `iframe` of `this.place('iframe')`, which makes or finds what it is told to and gives it back. */
function handedTag(args: readonly Value[], functions: readonly FunctionFact[]): string {
  for (const { returns, parameters } of functions)
    for (const value of returns) {
      const made = resolveValue(value)
      const name = made.kind === 'call' ? (lastNameOf(made.callee) ?? '') : ''
      const [tag] = made.kind === 'call' && (name === 'createElement' || SELECTING.test(name)) ? made.args : []
      const at = tag?.kind === 'reference' ? parameters.findIndex((one) => one !== undefined && one === tag.binding) : -1
      const handed = args[at]
      const text = String((handed && constantOf(handed)) ?? '')
      if (handed !== undefined) return name === 'createElement' ? text : (SELECTED.exec(text)?.[1] ?? '')
    }
  return ''
}

/** Fact: HTML standard, HTMLHyperlinkElementUtils. */
const PARTS: readonly string[] = ['host', 'origin', 'protocol', 'pathname', 'search', 'hash', 'port']

/** An anchor that only takes an address apart: `anchor.href = address; return anchor.host`. Nothing gets it, and nobody clicks on it. */
export function isOnlyRead(element: Value, { facts, text, step }: FlowDraft): boolean {
  const binding = bindingOf(element)
  if (binding === undefined || binding.kind === 'parameter' || binding.module !== undefined) return false
  const made = resolveValue(element)
  if (made.kind !== 'call' || lastNameOf(made.callee) !== 'createElement') return false
  if (!PARTS.some((part) => text.includes(`${binding.name}.${part}`, binding.function.start))) return false
  const isIt = (value: Value | undefined): boolean => value !== undefined && bindingOf(value) === binding
  step(facts.calls.length + facts.assignments.length)
  const isCalled = facts.calls.some((call) => isIt(receiverOf(call)) || call.args.some(isIt))
  return !isCalled && !facts.assignments.some(({ value }) => isIt(value)) && !binding.function.returns.some(isIt)
}

/**
 * An anchor with a `download` attribute, `link.download = name` or `link.setAttribute('download', name)`: its address is saved, and leads nowhere.
 * Fact: HTML standard, "Following hyperlinks" and "Downloading resources".
 */
export function isSaved(element: Value | undefined, { facts, text, step }: FlowDraft): boolean {
  const binding = element && bindingOf(element)
  if (binding === undefined || binding.module !== undefined || !text.includes('download', binding.function.start)) return false
  const isIt = (value: Value | undefined): boolean => value !== undefined && bindingOf(value) === binding
  step(facts.calls.length + facts.assignments.length)
  return (
    facts.assignments.some(({ target }) => target.name === 'download' && isIt(target.object)) ||
    facts.calls.some((call) => {
      const [name] = call.args
      return (
        SETTING.test(lastNameOf(call.callee) ?? '') &&
        name !== undefined &&
        constantOf(name) === 'download' &&
        isIt(receiverOf(call))
      )
    })
  )
}

const SETTING = /^(?:setAttribute|attr|prop)$/

export function bindingOf(value: Value): Binding | undefined {
  return value.kind === 'reference' ? value.binding : undefined
}

/** `link` of `link.click()`. */
export function receiverOf({ callee }: CallValue): Value | undefined {
  return callee.kind === 'member' ? callee.object : undefined
}

function firstTag(values: readonly Value[], draft: FlowDraft, depth: number): string {
  for (const value of values) {
    const tag = tagOf(value, draft, depth + 1)
    if (tag !== '') return tag
  }
  return ''
}

const MARKUP = /^\s{0,20}<([a-z]{1,20})[\s/>]/i
const SELECTING = /^(?:querySelector|getElementsByTagName|closest)$/
/** Methods that give back the element that they are given. */
const GIVING_BACK = /^(?:appendChild|insertBefore|removeChild|assign)$/
