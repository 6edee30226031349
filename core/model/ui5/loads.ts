import {
  constantOf,
  stringConstantOf,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { holdsAt, type WordPlaces } from '../../keywords/index.ts'
import { holdsRemote } from './addresses.ts'
import { possibleConstants } from '../script/index.ts'
import { fieldOf } from './constructions.ts'

/** A script or a style sheet that a script adds to its page, by a constant address. */
export interface ScriptLoad {
  readonly url: Span
  readonly address: string
  readonly style: boolean
  readonly integrity: boolean
  readonly crossorigin: boolean
  /** What loads it: UI5 with attributes, in its settings or behind the URL, an element that the script makes, a tag that it writes into a page, or what takes no hash. */
  readonly via: 'include' | 'second' | 'element' | 'written' | 'getScript' | 'import'
}

/** Facts: API of sap/ui/dom/includeScript, sap/ui/dom/includeStylesheet, jQuery.sap.include*, jQuery.getScript. */
const INCLUDES: ReadonlySet<string> = new Set([
  'module:sap/ui/dom/includeScript',
  'module:sap/ui/dom/includeStylesheet',
  'global:jQuery sap includeScript',
  'global:$ sap includeScript',
  'global:jQuery sap includeStyleSheet',
  'global:jQuery getScript',
  'global:$ getScript',
  'module:sap/ui/thirdparty/jquery getScript',
  // modules of old that give jQuery
  'module:jquery.sap.global sap includeScript',
  'module:jquery.sap.global sap includeStyleSheet',
  'module:sap/ui/thirdparty/jquery sap includeScript',
  'module:sap/ui/thirdparty/jquery sap includeStyleSheet',
])

/** How a script loads another one. */
const LOADS =
  /include(?:Script|Style[sS]heet)\b|\bgetScript\b|createElement\(\s{0,8}["'`](?:script|link)\b|document\.write(?:ln)?\(|\b(?:from|import)\b[ (]{0,3}["'](?:https?:)?\/\//iuy

/** The words that it begins with. */
export const LOAD_WORDS: readonly string[] = [
  'includescript',
  'includestylesheet',
  'getscript',
  'createelement(',
  'document.write',
  'from',
  'import',
]

/** Whether a script loads another one, as far as its words tell. */
export function mayLoadScripts(text: string, hits: WordPlaces): boolean {
  return holdsAt(text, hits.places(text, LOAD_WORDS), LOADS)
}

/** What one script loads, in the order of the text by kind; each element that it makes once, each address of a list that it goes through. `step` counts. */
export function* loadsOf(facts: ScriptFacts, step: (count?: number) => void): Generator<ScriptLoad> {
  for (const call of facts.calls) {
    yield* includedBy(call, facts, step)
    yield* writtenBy(call, step)
  }
  // modules of the browser take addresses, and no hash
  for (const { source, start, end } of facts.imports)
    if (/^(?:https?:)?\/\//iu.test(source))
      yield { url: { start, end }, address: source, style: false, integrity: false, crossorigin: false, via: 'import' }
  let set: ReadonlyMap<Value, ReadonlyMap<string, Value>> | undefined
  for (const call of facts.calls) {
    const tag = madeTag(call)
    if (tag !== 'script' && tag !== 'link') continue
    set ??= attributesOf(facts)
    const given = set.get(call)
    const url = given?.get(tag === 'link' ? 'href' : 'src')
    if (url === undefined) continue
    const relation = given?.get('rel')
    if (tag === 'link' && (relation === undefined || constantOf(relation) !== 'stylesheet')) continue
    for (const address of addressesOf(url, facts, step))
      yield {
        url,
        address,
        style: tag === 'link',
        integrity: given?.has('integrity') ?? false,
        crossorigin: given?.has('crossorigin') ?? false,
        via: 'element',
      }
  }
}

/** By the element that a script makes: its attributes by their names in lower case, whether set as properties or by `setAttribute`. */
function attributesOf({ assignments, calls }: ScriptFacts): ReadonlyMap<Value, ReadonlyMap<string, Value>> {
  const found = new Map<Value, Map<string, Value>>()
  const note = (object: Value, name: unknown, value: Value | undefined): void => {
    if (typeof name !== 'string' || value === undefined) return
    const element = elementOf(object)
    const own = found.get(element) ?? new Map<string, Value>()
    found.set(element, own.set(name.toLowerCase(), value))
  }
  for (const { target, value } of assignments) note(target.object, target.name, value)
  for (const { callee, args } of calls)
    if (callee.kind === 'member' && callee.name === 'setAttribute') note(callee.object, args[0] && constantOf(args[0]), args[1])
  return found
}

/** What a name holds there: of several values the last one that stands before it (`var tag = …` twice in a row). */
function elementOf(object: Value): Value {
  const value = resolveValue(object)
  if (value.kind !== 'reference') return value
  const before = (value.binding?.definitions ?? []).filter(
    ({ path, value: given }) => path.length === 0 && (given?.end ?? Infinity) <= object.start,
  )
  return before.at(-1)?.value ?? value
}

function addressesOf(url: Value, facts: ScriptFacts, step: (count?: number) => void): readonly string[] {
  const found = possibleConstants(url, facts, step).filter((one) => typeof one === 'string')
  return [...new Set(found)]
}

/** Scripts and style sheets that scripts load from other hosts. */
export const scriptLoads: Extract<ScriptLoad> = defineExtract({
  name: 'ui5-script-loads',
  keywords: [
    'includeScript',
    'includeStylesheet',
    'includeStyleSheet',
    'getScript',
    'createElement',
    'document.write',
    'from "https://',
    "from 'https://",
  ],
  words: LOAD_WORDS,
  prefilter: (text, hits) => holdsRemote(text) && mayLoadScripts(text, hits),
  inPages: true,
  *collect({ facts, step }) {
    for (const { url, ...load } of loadsOf(facts, step)) yield { ...load, url: { start: url.start, end: url.end } }
  },
})

function* includedBy(call: CallValue, facts: ScriptFacts, step: (count?: number) => void): Generator<ScriptLoad> {
  const name = pathOf(call.callee)?.join(' ') ?? ''
  const [first, second] = call.args
  if (!INCLUDES.has(name) || first === undefined) return
  const settings = first.kind === 'object' ? first : undefined
  const url = settings === undefined ? first : fieldOf(settings, 'url')
  if (url === undefined) return
  const written = settings === undefined ? second : fieldOf(settings, 'attributes')
  const attributes = written && resolveValue(written)
  const given = attributes?.kind === 'object' ? new Set(attributes.fields.map(({ key }) => key?.toLowerCase())) : new Set()
  for (const address of addressesOf(url, facts, step))
    yield {
      url,
      address,
      style: /style/iu.test(name),
      integrity: given.has('integrity'),
      crossorigin: given.has('crossorigin'),
      via: name.endsWith('getScript') ? 'getScript' : settings === undefined ? 'second' : 'include',
    }
}

/** The tag of a script or of a style sheet, with its address: `data-src` is none. */
const TAG =
  /<(script|link)\b(?=[^<>]{0,400}[\s"'/](?:src|href)\s{0,4}=\s{0,4}["']?((?:https?:)?\/\/[^\s"'<>]{1,300}))[^<>]{0,800}>/giu

/** A script of any other type is a block of data. Fact: HTML standard, "The script element", `type`. */
const OTHER_TYPE =
  /[\s"'/]type\s{0,4}=\s{0,4}["']?(?!(?:module|(?:text|application)\/(?:x-)?(?:java|ecma)script)["'\s>])[^\s"'>]/iu

/** `popup.document.write('<script src="https://…"></script>')`. Fact: HTML standard, "document.write()": a script that is written runs, unlike one of innerHTML. */
function* writtenBy({ callee, args }: CallValue, step: (count?: number) => void): Generator<ScriptLoad> {
  if (callee.kind !== 'member' || !/^write(?:ln)?$/u.test(callee.name ?? '')) return
  if (lastNameOf(callee.object) !== 'document') return
  for (const given of args)
    for (const { text, url } of textsOf(given)) {
      step(1 + text.length / 1000)
      for (const [tag, name = '', address = ''] of withoutComments(text).matchAll(TAG)) {
        const style = name.toLowerCase() === 'link'
        if (style && !/\brel\s{0,4}=\s{0,4}["']?stylesheet\b/iu.test(tag)) continue
        if (!style && OTHER_TYPE.test(tag)) continue
        const [integrity, crossorigin] = [/\sintegrity\s{0,4}=/iu.test(tag), /\scrossorigin\b/iu.test(tag)]
        yield { url, address, style, integrity, crossorigin, via: 'written' }
      }
    }
}

function withoutComments(text: string): string {
  const [first = '', ...others] = text.split('<!--')
  const behind = others.map((part) => {
    const end = part.indexOf('-->')
    return end === -1 ? '' : part.slice(end + 3)
  })
  return [first, ...behind].join('')
}

/** The texts of what is written; a tag does not end behind what is filled in. */
function textsOf(given: Value): readonly { readonly text: string; readonly url: Value }[] {
  const constant = stringConstantOf(given)
  if (constant !== undefined) return [{ text: constant, url: given }]
  if (given.kind === 'template') return given.texts.map((text) => ({ text, url: given }))
  return given.kind === 'concat' ? given.parts.flatMap(textsOf) : []
}

/** `script` of `document.createElement("script")`. */
function madeTag({ callee, args }: CallValue): string | undefined {
  if (callee.kind !== 'member' || callee.name !== 'createElement') return undefined
  return stringConstantOf(args[0])?.toLowerCase()
}
