import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { isDeveloperFile, isToolFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A place where a server sends pages of its own, or protects them. */
export interface ServedMarkup extends Span {
  readonly kind: 'page' | 'protection'
  readonly call: string
}

export const servedMarkup: Extract<ServedMarkup> = defineExtract({
  name: 'cap-served-markup',
  keywords: ['express', 'sendFile', '.render(', '.send(', 'helmet', 'content-security-policy', 'lusca'],
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path) && !/(?:^|\/)(?:webapp|app)\//.test(path),
  collect: ({ facts }) => [...findMarkup(facts)],
})

function* findMarkup(facts: ScriptFacts): Generator<ServedMarkup> {
  for (const { source, start, end } of facts.imports)
    if (/^(?:helmet|lusca|@fastify\/helmet)(?:\/|$)/.test(source)) yield { start, end, kind: 'protection', call: source }
  for (const call of facts.calls) {
    const { callee, start, end } = call
    const name = callee.kind === 'member' ? (callee.name ?? '') : ''
    if (
      /^(?:setHeader|set|header|writeHead)$/.test(name) &&
      call.args.some((one) => /content-security-policy/i.test(String(constantOf(one) ?? '')))
    )
      yield { start, end, kind: 'protection', call: name }
    if (servesPages(call, name))
      yield {
        start: callee.start,
        end: callee.end,
        kind: 'page',
        call: name === 'static' || name === '' ? 'express.static' : name,
      }
  }
}

function servesPages({ callee, args, kind }: CallValue, name: string): boolean {
  if (kind !== 'call') return false
  if (
    accessesOf(callee).some(
      ({ root, steps }) => (root === 'module:express' && steps.join(' ') === 'static') || root === 'module:serve-static',
    )
  )
    return true
  const [first] = args
  if (first === undefined || callee.kind !== 'member' || !isResponse(callee.object)) return false
  if (name === 'render') return args.length > 0
  const text = textOf(first)
  return name === 'sendFile' ? /\.html?$/.test(text) : name === 'send' && /^\s*<(?:!doctype|html|head|body)\b/i.test(text)
}

const CHAINED = /^(?:status|type|set|header|contentType)$/

function isResponse(value: Value): boolean {
  if (value.kind === 'call' && value.callee.kind === 'member' && CHAINED.test(value.callee.name ?? ''))
    return isResponse(value.callee.object)
  return value.kind === 'reference' && /^_?(?:res|response|reply)$/.test(value.name)
}

/** What a text begins or, of a path, ends with. */
function textOf(value: Value): string {
  const here = resolveValue(value)
  if (here.kind === 'template') return here.texts.join('')
  if (here.kind === 'concat') return here.parts.map((part) => String(constantOf(part) ?? '')).join('')
  if (here.kind === 'call') return String(here.args.map((argument) => constantOf(argument) ?? '').at(-1) ?? '')
  return String(constantOf(here) ?? '')
}
