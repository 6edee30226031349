import { accessesOf, constantOf, methodsBack, resolveValue, type Binding, type CallValue, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { TAGS_ESCAPED } from '../models/escaped.ts'
import { DECODED_UNCLEANS } from '../tables/propagators.ts'
import { DECODING, HTML_FAULTS } from '../tables/web.ts'
import { CLEAN, DECODE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import type { Replacement } from './replacements.ts'
import { bindingOf, receiverOf } from '../../facts/asked-values.ts'

/** The rules for which what a function decodes is harmless no longer. */
export function decodedBy(paths: readonly string[]): readonly string[] | undefined {
  for (const path of paths) {
    if (!MAY_DECODE.test(path)) continue
    const found = DECODING.find(([wanted]) => wanted.test(path))
    if (found !== undefined) return [...found[1], ...DECODED_UNCLEANS]
  }
  return undefined
}

/** `Buffer.from(text, 'base64')` on a server: what was escaped or checked before, says nothing about the bytes. */
export function bytesDecodedBy(call: CallValue): readonly string[] | undefined {
  return decodingOf(call) === 'bytes' ? DECODED_UNCLEANS : undefined
}

/** Functions of any library that give what was encoded; what a token holds is judged by its signature. */
const DECODERS = /^(?:decode|base64_?decode|b64_?decode|decode_?base64|from_?base64)$/i
/** The same of what was encrypted: whoever knows the key chooses it. */
const DECIPHERS = /^(?:dec|decrypt|decryptString|decryptText)$/
const OF_TOKENS = /jwt|jose|token|jws|saml/i
/** Keys that are set where the program runs. */
const KEPT_OUTSIDE = /\bprocess\.env\b|\benv\b|vault|credstore|credentials/i

/** Whether a function that nothing knows gives what it decodes, or decrypts by a key that stands in the project: `Cipher.dec(body.name, config.key)`. */
export function isDecodedByName({ callee, args: [given, key] }: CallValue, paths: readonly string[], text: string): boolean {
  const name = lastNameOf(callee) ?? ''
  const isDecoder = DECODERS.test(name)
  // asked of every call: most are neither
  if (given === undefined || !(isDecoder || DECIPHERS.test(name)) || paths.some((path) => OF_TOKENS.test(path))) return false
  return isDecoder || (key !== undefined && !KEPT_OUTSIDE.test(text.slice(key.start, key.end)) && isWritten(key))
}

/** A constant, or what a module of constants gives: `config.key`. */
function isWritten(key: Value): boolean {
  const here = resolveValue(key)
  return (
    constantOf(here) !== undefined ||
    ('object' in here && /^(?:config\w{0,20}|constants?|settings)$/i.test(lastNameOf(here.object) ?? ''))
  )
}

/** `escapes`: what stands for single characters. `bytes`: all of the text. */
export type Decoding = 'escapes' | 'bytes'

/** What a call of the language or of Node decodes: `decodeURIComponent(name)`, `Buffer.from(name, 'base64')`. */
export function decodingOf({ callee, args: [, encoding] }: CallValue): Decoding | undefined {
  const name = lastNameOf(callee) ?? ''
  if (/^(?:decodeURI(?:Component)?|unescape)$/.test(name)) return 'escapes'
  if (name === 'atob') return 'bytes'
  if (name !== 'from' || encoding === undefined) return undefined
  return isOfBytes(encoding) ? 'bytes' : undefined
}

/** `Buffer.from(text).toString('hex')`: letters and digits are left. */
export function encodesBytes({ args: [encoding] }: CallValue): boolean {
  return encoding !== undefined && isOfBytes(encoding)
}

function isOfBytes(encoding: Value): boolean {
  return /^(?:base64(?:url)?|hex)$/.test(String(constantOf(encoding) ?? ''))
}

/** The same of tags that are put back. */
export const TAG_UNCLEANS: readonly string[] = [...HTML_FAULTS, ...DECODED_UNCLEANS]

const MAY_DECODE = /decode|unescape|atob/

/** What elements hold as a text, decoded from the markup that they were given. */
export const DECODED: ReadonlySet<string> = new Set(['value', 'textContent', 'innerText'])

/** `area.innerHTML = text; return area.value` of an element that a function of the file makes to decode a text. */
export function addDecoded(element: Value, to: number, draft: FlowDraft): void {
  const { facts, graph, use } = draft
  const binding = madeElement(element, draft)
  if (binding === undefined) return
  for (const { target, value } of facts.assignments)
    if (target.name === 'innerHTML' && bindingOf(target.object) === binding)
      graph.connect(use(value), to, DECODE, HTML_FAULTS.join(' '))
}

/** The name of an element that the file makes: `const holder = document.createElement('div')`. */
function madeElement(element: Value, { facts, step }: FlowDraft): Binding | undefined {
  const binding = bindingOf(element)
  const [made] = binding === undefined ? [] : methodsBack(resolveValue(element))
  if (made?.name !== 'createElement') return undefined
  step((facts.assignments.length + facts.calls.length) >> 3)
  return binding
}

const ENCODED_BY_ELEMENTS = [...HTML_FAULTS, TAGS_ESCAPED].join(' ')
const TEXT_FIELDS: ReadonlySet<string> = new Set(['textContent', 'innerText'])

/**
 * `holder.textContent = text; return holder.innerHTML` of an element that a function makes to encode a text; `new Option(text).innerHTML`. Fact: HTML standard, "Serializing HTML
 * fragments": of the text of an element `&`, `<` and `>` become entities, and quotes do not.
 */
export function addEncoded(element: Value, to: number, draft: FlowDraft): void {
  const { facts, graph, use } = draft
  const encode = (text: Value | undefined): void => {
    if (text !== undefined) graph.connect(use(text), to, CLEAN, ENCODED_BY_ELEMENTS)
  }
  const [option] = accessesOf(element)
  if (option?.root === 'global:Option' && 'args' in element) encode(element.args[0])
  const binding = madeElement(element, draft)
  if (binding === undefined) return
  for (const { target, value } of facts.assignments)
    if (TEXT_FIELDS.has(target.name ?? '') && bindingOf(target.object) === binding) encode(value)
  for (const call of facts.calls) {
    const [node] = call.args
    const holder = /^append(?:Child)?$/.test(lastNameOf(call.callee) ?? '') ? receiverOf(call) : undefined
    if (holder === undefined || node === undefined || bindingOf(holder) !== binding) continue
    for (const { call: made, name } of methodsBack(resolveValue(node))) if (name === 'createTextNode') encode(made.args[0])
  }
}

/** `$('<div>').text(text).html()`. */
export function addEncodedByQuery(call: CallValue, result: number, { graph, use }: FlowDraft): void {
  const [read, filled] = call.args.length === 0 && lastNameOf(call.callee) === 'html' ? methodsBack(call) : []
  const [text] = read !== undefined && filled?.name === 'text' ? filled.call.args : []
  if (text !== undefined) graph.connect(use(text), result, CLEAN, ENCODED_BY_ELEMENTS)
}

/** `text.replace(/&lt;/g, '<')`, `text.replace(/&lt;(.*?)&gt;/g, '<$1>')`, `text.split('&lt;').join('<')`: tags that were encoded, or written in another way, are tags again. */
export function putsTagBack({ found, isPattern, put, written }: Replacement): boolean {
  // tags that are there already are written anew
  if (put === undefined || /(?:^|[^?])</.test(found)) return false
  if (written === '<') return true
  const isOpen = isPattern && OPEN_GROUP.test(found)
  if (written !== undefined) return isOpen && /<\/?\$[&1-9<]/.test(written)
  const fact = functionOf(put)
  return fact !== undefined && fact.returns.some((answer) => givesTag(answer, isOpen))
}

/** A group, or all that is found, that may hold any tag with its attributes: `(.*?)`, `([^&]+)`, `(\w+)`. Of `(b|i|u)` everybody knows what it is. */
const OPEN_GROUP = /(?:\.|\[\^(?:\\.|[^\]\\]){1,80}\]|\\[SwD]|\[[^\]]{0,40}(?:a-z|\\[wSsDW])[^\]]{0,40}\])(?:[+*]|\{\d)/

/** `'<'`, `{ '&lt;': '<' }[found]`, and with a group of any text `'<' + group + '>'`. */
function givesTag(answer: Value, isOpen: boolean): boolean {
  if (answer.kind === 'choice') return answer.options.some((option) => givesTag(option, isOpen))
  if (constantOf(answer) === '<') return true
  if (answer.kind === 'member' && answer.property !== undefined) {
    const table = resolveValue(answer.object)
    return table.kind === 'object' && table.fields.some(({ value }) => constantOf(value) === '<')
  }
  if (!isOpen) return false
  const [start, next] =
    answer.kind === 'template'
      ? [answer.texts[0], answer.parts[0]]
      : answer.kind === 'concat' && answer.parts[0] !== undefined
        ? [constantOf(answer.parts[0]), answer.parts[1]]
        : []
  return typeof start === 'string' && /<\/?$/.test(start) && next?.kind === 'reference'
}
