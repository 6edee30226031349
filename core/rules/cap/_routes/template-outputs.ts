import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isDeveloperFile, isToolFile } from '../../../model/script/index.ts'
import { parseHtml } from '../../../parse/html.ts'
import { elementsOf, type MarkupDocument } from '../../../parse/markup.ts'
import { outputsOf, toTemplateMarkup } from '../../../parse/page-template.ts'
import { createInnerIndex, createSpanIndex } from '../../../facts/span-index.ts'
import type { Span } from '../../../types.ts'

/** A value that a template writes where its engine does not keep it from being code. */
export interface UnsafeOutput extends Span {
  /** `raw`: as markup; `handler`: in the script of an event attribute; `code`: in a script, outside of its texts or in a template literal; `json`: as JSON in a script. */
  readonly how: 'raw' | 'handler' | 'code' | 'json'
  readonly code: string
  /** The name of the value: the last field of `guest.name`. */
  readonly name: string
  /** A field of something, rather than a value that the page was given by this name. */
  readonly isField: boolean
  /** The event attribute, where it stands in one, and its offset. */
  readonly attribute: string
  readonly within: number
}

export const ejsOutputs: Extract<UnsafeOutput> = defineExtract({
  name: 'cap-ejs-outputs',
  keywords: ['<%=', '<%-'],
  inPages: true,
  isFor: (path) => /\.ejs$/i.test(path),
  collectText: (text) => unsafeOutputs('.ejs', text),
})

export const mustacheOutputs: Extract<UnsafeOutput> = defineExtract({
  name: 'cap-mustache-outputs',
  keywords: ['{{'],
  inPages: true,
  isFor: (path) => /\.(?:hbs|handlebars|mustache)$/i.test(path),
  collectText: (text) => unsafeOutputs('.mustache', text),
})

/** The name of a field that handlers take of what a client sends, or another name of a column in a statement. */
export interface SentField {
  readonly name: string
  readonly column?: string
}

export const sentFields: Extract<SentField> = defineExtract({
  name: 'cap-sent-fields',
  keywords: ['req.body', 'request.body', 'req.query', 'request.query'],
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  collectText: (text) => [...[...namesIn(text)].map((name) => ({ name })), ...aliasesIn(text)],
})

const READ = /\b(?:req|oReq)(?:uest)?\.(?:body|query)\??\.([A-Za-z_$][\w$]{0,60})/g
const TAKEN = /\{([^{}()]{1,3000})\}\s{0,5}=\s{0,5}req(?:uest)?\.(?:body|query)\b(?!\.)/g

/** `SELECT g.full_name AS guest_name` */
function aliasesIn(text: string): readonly SentField[] {
  return [...text.matchAll(/\b\w{1,40}\.(\w{1,60}) as (\w{1,60})/gi)].map(([, column = '', name = '']) => ({ name, column }))
}

function namesIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const [, name = ''] of text.matchAll(READ)) names.add(name)
  for (const [, list = ''] of text.matchAll(TAKEN))
    for (const item of list.split(',')) {
      const name = /^\s*([A-Za-z_$][\w$]{0,60})/.exec(item)?.[1]
      if (name !== undefined) names.add(name)
    }
  return names
}

/** `guest`, `guest.name`, `guest['name']`, `guest.name || 'none'`. */
const CHAIN =
  /^([A-Za-z_$][\w$]{0,60}(?:\??\.[A-Za-z_$][\w$]{0,60}|\[[\w$'"]{1,60}\]){0,8})(?:\.(?:trim|toString|toUpperCase|toLowerCase)\(\))?(?:\s{0,5}(?:\|\||\?\?)\s{0,5}(?:'[^']{0,100}'|"[^"]{0,100}"))?$/
const JSON_OF = /^JSON\.stringify\(\s{0,5}([A-Za-z_$][\w$]{0,60}(?:\.[\w$]{1,60}){0,8})(?:,[^()]{0,40})?\)$/
/** Values that are no texts, and what layouts put in. */
const NO_TEXT =
  /^(?:id|ID|body|content|yield|length|index|count|total)$|^num|^(?:is|has)[A-Z]|(?:Id|_id|[dD]ate|_at|At|[aA]mount|[pP]rice|[cC]ount|[nN]umber|[tT]oken|[nN]once|[cC]srf)$/

function* unsafeOutputs(path: string, text: string): Generator<UnsafeOutput> {
  const outputs = [...outputsOf(path, text)]
  if (outputs.length === 0) return
  const placeOf = createPlaceReader(parseHtml(toTemplateMarkup(path, text)), text, outputs)
  for (const output of outputs) {
    const where = placeOf(output)
    const json = output.raw && where.in === 'script' ? JSON_OF.exec(output.code)?.[1] : undefined
    const chain = json ?? CHAIN.exec(output.code)?.[1]
    if (chain === undefined) continue
    const how = json !== undefined ? 'json' : output.raw && where.in !== 'text' ? 'raw' : howOf(where.in)
    const name = chain.match(/[\w$]+/g)?.at(-1) ?? chain
    if (how === undefined || (how !== 'json' && NO_TEXT.test(name))) continue
    const { start, end, code } = output
    yield { start, end, how, code, name, isField: chain !== name || path === '.mustache', ...where.of }
  }
}

interface OutputPlace {
  readonly in: 'markup' | 'handler' | 'script' | 'text'
  readonly of: Pick<UnsafeOutput, 'attribute' | 'within'>
}

function howOf(place: OutputPlace['in']): UnsafeOutput['how'] | undefined {
  if (place === 'handler') return 'handler'
  return place === 'script' ? 'code' : undefined
}

function createPlaceReader(document: MarkupDocument, text: string, outputs: readonly Span[]): (output: Span) => OutputPlace {
  const handlers: (Span & { readonly name: string })[] = []
  const scripts: Span[] = []
  for (const { name, attributes, texts } of elementsOf(document)) {
    if (name === 'script') scripts.push(...texts)
    for (const attribute of attributes)
      if (/^on[a-z]{3,30}$/i.test(attribute.name)) handlers.push({ ...attribute.valueSpan, name: attribute.name })
  }
  const handlersAround = createSpanIndex(handlers, (one) => one)
  const scriptsAround = createSpanIndex(scripts, (one) => one)
  const outputsWithin = createInnerIndex(outputs)
  const quoted = new Set(scripts.flatMap((script) => [...quotedOutputs(text, script, outputsWithin(script))]))
  return (output) => {
    const [handler] = handlersAround(output.start)
    if (handler !== undefined) return { in: 'handler', of: { attribute: handler.name, within: handler.start } }
    const of = { attribute: '', within: output.start }
    if (scriptsAround(output.start).length === 0) return { in: 'markup', of }
    return { in: quoted.has(output.start) ? 'text' : 'script', of }
  }
}

/** Where those outputs of a script begin that lie within quotes, which an escaped value does not leave; a template literal evaluates `${…}`. */
function* quotedOutputs(text: string, script: Span, outputs: readonly Span[]): Generator<number> {
  let quote = ''
  let next = 0
  for (let at = script.start; at < script.end; at++) {
    // a comment may have ended behind some of them
    while ((outputs[next]?.start ?? Infinity) < at) next++
    const tag = outputs[next]
    const character = text[at] ?? ''
    if (tag?.start === at) {
      if (quote === '"' || quote === "'") yield at
      at = tag.end - 1
    } else if (character === '\\') at++
    else if (quote !== '') quote = character === quote || (character === '\n' && quote !== '`') ? '' : quote
    else if (text.startsWith('//', at)) at = endOf(text, '\n', at)
    else if (text.startsWith('/*', at)) at = endOf(text, '*/', at)
    else if (/["'`]/.test(character)) quote = character
  }
}

function endOf(text: string, mark: string, from: number): number {
  const end = text.indexOf(mark, from)
  return end === -1 ? text.length : end + mark.length - 1
}
