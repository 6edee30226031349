import { constantOf, stringConstantOf, resolveValue, type CallValue, type FunctionFact, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { behindFields } from '../fields/members.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { bindingOf, receiverOf } from '../../facts/asked-values.ts'

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
    return (MARKUP.exec(text) ?? SELECTED.exec(text))?.[1] ?? tagOfId(text)
  }
  if (SELECTING.test(name)) {
    const text = String((first && constantOf(first)) ?? '')
    return SELECTED.exec(text)?.[1] ?? tagOfId(text)
  }
  if (name === 'getElementById') return tagOfId(`#${String((first && constantOf(first)) ?? '')}`)
  if (first !== undefined && GIVING_BACK.test(name)) return tagOf(first, draft, depth + 1)
  const functions = draft.owners.functionsBehind(here.callee)
  const given = firstTag(
    functions.flatMap(({ returns }) => returns),
    draft,
    depth,
  )
  return given !== '' ? given : handedTag(here.args, functions)
}

const FRAME = /^#[\w-]{0,60}[fF]rame(?:[_-]?(?:Id|ID|\d{1,3}))?$/
/** Frames around pictures and films are called so as well. */
const OF_PICTURE = /pict|image|img|photo|foto|video|movie|film|avatar|logo|thumb|icon|canvas|camera|animation|key_?frame/i

/** An element of the page by an id that says what it is: `#contentFrame`. */
function tagOfId(selector: string): string {
  return FRAME.test(selector) && !OF_PICTURE.test(selector) ? 'iframe' : ''
}

/** The id by which alone an element is taken for a frame: the page may say what it is. */
export function guessedFrame(element: Value | undefined): string | undefined {
  const here = element && resolveValue(element)
  if (here === undefined || !('args' in here)) return undefined
  const [first] = here.args
  const text = String((first && constantOf(first)) ?? '')
  const selector = lastNameOf(here.callee) === 'getElementById' ? `#${text}` : text
  return tagOfId(selector) === '' ? undefined : selector.slice(1)
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

const MAX_BEGINNINGS = 6
const TAG = /^\s*</
/** What leaves the beginning of a text, mostly. */
const KEEPS: ReadonlySet<string> = new Set(['trim', 'replace', 'replaceAll', 'concat', 'toString', 'split', 'reverse'])

/** Whether a text may begin with a tag, put together by whatever names, lists and functions of the file: `$(rowOf(order))` makes elements then. */
export function mayBeginWithTag(value: Value, draft: FlowDraft, depth = 0): boolean {
  if (depth > MAX_BEGINNINGS) return false
  draft.step()
  const may = (one: Value | undefined): boolean => one !== undefined && mayBeginWithTag(one, draft, depth + 1)
  const here = resolveValue(value)
  const constant = constantOf(here)
  if (constant !== undefined) return TAG.test(String(constant))
  switch (here.kind) {
    case 'concat':
      return may(here.parts.find((part) => !isBlank(part)))
    case 'template': {
      const [text = ''] = here.texts
      return text.trim() === '' ? may(here.parts[0]) : TAG.test(text)
    }
    case 'choice':
      return here.options.some(may)
    case 'array':
      return may(here.items[0])
    case 'reference':
      return (here.binding?.definitions ?? []).some(
        ({ operator, path, value: given }) => operator === '=' && path.length === 0 && may(given),
      )
    case 'call':
      return beginningsOf(here, draft).some(may)
    default:
      return false
  }
}

const isBlank = (part: Value): boolean => {
  const constant = stringConstantOf(part)
  return constant !== undefined && constant.trim() === ''
}

function beginningsOf({ callee, args }: CallValue, draft: FlowDraft): readonly Value[] {
  const called = draft.owners.functionsBehind(callee)
  if (called.length > 0) return called.flatMap(({ returns }) => returns)
  if (callee.kind !== 'member' || callee.name === undefined) return []
  const { object, name } = callee
  if (name === 'join') return [...(object.kind === 'reference' ? (object.binding?.additions.slice(0, 1) ?? []) : []), object]
  if (name === 'map') return functionOf(args[0])?.returns ?? []
  return KEEPS.has(name) ? [object] : []
}

/** Where a text of markup ends. `code`: what a browser runs; `address`: nothing of it stands there yet, so that what follows chooses the scheme. */
export type MarkupPlace = 'tag' | 'attribute' | 'address' | 'code' | 'script'

const MAX_TAG = 400
const MAX_NAME = 41

/** Attributes of which browsers run an address with the scheme `javascript:`. Facts: HTML standard, "javascript: URLs"; SVG 2, "Links". */
const ADDRESSES = /^(?:(?:a|area) (?:xlink:)?href|i?frame src|embed src|object data|form action|(?:button|input) formaction)$/i

/** @param from behind the last part of the text that nobody knows */
export function placeInMarkup(text: string, from = 0): MarkupPlace | undefined {
  const opened = text.lastIndexOf('<')
  if (opened < 0) return undefined
  return placeInTag(text.slice(opened), from - opened) ?? (isInScript(text) ? 'script' : undefined)
}

function isInScript(text: string): boolean {
  return text.lastIndexOf('<script') > text.lastIndexOf('</script')
}

function placeInTag(tag: string, from: number): MarkupPlace | undefined {
  if (!/^<[a-z]/i.test(tag)) return undefined
  if (tag.length > MAX_TAG) return tag.includes('>') ? undefined : 'tag'
  let quote = ''
  let begins = 0
  for (let at = 0; at < tag.length; at++) {
    const character = tag[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return undefined
    else if ((character === '"' || character === "'") && tag[at - 1] === '=') [quote, begins] = [character, at]
  }
  if (quote === '' && !tag.endsWith('=')) return 'tag'
  const end = quote === '' ? tag.length : begins
  const attribute = /([\w:-]{1,40})=$/.exec(tag.slice(Math.max(0, end - MAX_NAME), end))?.[1] ?? ''
  const value = quote === '' ? '' : tag.slice(begins + 1)
  if (quote !== '' && (/^on[a-z]/i.test(attribute) || /^\s*javascript:/i.test(value))) return 'code'
  const element = /^<([a-z][a-z\d]{0,20})\s/i.exec(tag)?.[1] ?? ''
  const isBeginning = value.trim() === '' && from < end + quote.length
  return isBeginning && ADDRESSES.test(`${element} ${attribute}`) ? 'address' : 'attribute'
}
