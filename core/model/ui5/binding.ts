import { readInfo } from './binding-info.ts'
import type { InfoObject, InfoValue } from './binding-info.ts'

/** What a value in a view means: a constant, or text that is bound. Facts: `sap.ui.base.BindingParser` (complex syntax), `sap.ui.base.ExpressionParser`. */
export type Binding =
  | { readonly kind: 'constant'; readonly text: string }
  /** `before`: the constant text in front of the first part. */
  | { readonly kind: 'bound'; readonly parts: readonly BindingPart[]; readonly before: string }
  /** A script makes it at run time. */
  | { readonly kind: 'computed' }

/** One `{…}` of a value. */
export type BindingPart =
  | { readonly kind: 'path'; readonly model: string; readonly path: string }
  /** `{path: …, formatter: …}`; paths of `parts` too. */
  | {
      readonly kind: 'info'
      readonly paths: readonly BindingPath[]
      readonly formatter: string | undefined
      readonly type: string | undefined
      /** `OneWay`, `OneTime`, `TwoWay`, where it is said. */
      readonly mode?: string
    }
  /** `{= … }`: `code` is JavaScript in which the name `ui5$0` stands for the first of its embedded bindings, and so on. */
  | { readonly kind: 'expression'; readonly code: string; readonly operands: readonly BindingPart[] }

/** `model` is '' for the default model. */
export interface BindingPath {
  readonly model: string
  readonly path: string
  /** Of a part of several: what formats it before the rest sees it. */
  readonly type?: string
}

/** Reads a property's value as UI5 does. Linear; what UI5 would reject counts as bound, since nobody can tell what it shows. */
export function parseBinding(value: string): Binding {
  const parts: BindingPart[] = []
  let text = ''
  let before = ''
  let at = 0
  while (at < value.length) {
    const character = value.charAt(at)
    if (character === '\\' && isEscapable(value.charAt(at + 1))) {
      text += value.charAt(at + 1)
      at += 2
    } else if (character === '{') {
      const end = bindingEnd(value, at)
      if (parts.length === 0) before = text
      parts.push(toPart(value.slice(at + 1, end)))
      at = end + 1
    } else {
      text += character
      at++
    }
  }
  return parts.length === 0 ? { kind: 'constant', text } : { kind: 'bound', parts, before }
}

/** All paths that a binding reads. */
export function pathsOf(binding: Binding): readonly BindingPath[] {
  return binding.kind === 'bound' ? binding.parts.flatMap(pathsOfPart) : []
}

function pathsOfPart(part: BindingPart): readonly BindingPath[] {
  if (part.kind === 'path') return [{ model: part.model, path: part.path }]
  return part.kind === 'info' ? part.paths : part.operands.flatMap(pathsOfPart)
}

function isEscapable(character: string): boolean {
  return character === '{' || character === '}' || character === '\\'
}

const INFO = /^\s{0,100}['"]?[a-zA-Z$_][\w$]{0,100}['"]?\s{0,100}:/u
const EXPRESSION = /^:?=/u

/** How the text behind a brace is read. */
function formOf(text: string, start: number): 'path' | 'info' | 'expression' {
  const head = text.slice(start, start + 310)
  if (EXPRESSION.test(head)) return 'expression'
  return INFO.test(head) ? 'info' : 'path'
}

function toPart(source: string): BindingPart {
  const form = formOf(source, 0)
  return form === 'expression' ? toExpression(source.slice(source.indexOf('=') + 1)) : toOperand(source, form)
}

function toOperand(source: string, form: 'path' | 'info'): BindingPart {
  if (form === 'path') return { kind: 'path', ...toPath(source) }
  return toInfo(readInfo(source))
}

/** `model>path`; the model's name ends at the first `>`. */
export function toPath(written: string): BindingPath {
  const text = written.trim()
  const split = text.indexOf('>')
  return split <= 0 ? { model: '', path: text } : { model: text.slice(0, split), path: text.slice(split + 1) }
}

/** With `${path}`, `%{path}` and `${path: …}` replaced by names. */
function toExpression(source: string): BindingPart {
  const operands: BindingPart[] = []
  let code = ''
  let done = 0
  for (let at = source.indexOf('{'); at !== -1; at = source.indexOf('{', at + 1)) {
    const before = source.charAt(at - 1)
    if (before !== '$' && before !== '%') continue
    const end = bindingEnd(source, at)
    code += `${source.slice(done, at - 1)} ui5$${operands.length} `
    const inner = source.slice(at + 1, end)
    operands.push(toOperand(inner, formOf(inner, 0) === 'info' ? 'info' : 'path'))
    done = end + 1
    at = end
  }
  return { kind: 'expression', code: code + source.slice(done), operands }
}

/** Parts within parts; UI5 itself takes one level. */
const MAX_PART_DEPTH = 10

/** `{path: …}` or `{parts: […]}` with what stands beside it. A static `{value: …}` reads no path. */
export function toInfo(info: InfoObject): BindingPart & { readonly kind: 'info' } {
  const mode = textOf(info.get('mode'))
  return {
    kind: 'info',
    paths: infoPaths(info, 0),
    formatter: textOf(info.get('formatter')),
    type: textOf(info.get('type')),
    ...(mode !== undefined && { mode }),
  }
}

function infoPaths(info: InfoObject, depth: number): readonly BindingPath[] {
  const parts = info.get('parts')
  if (isList(parts)) {
    return depth < MAX_PART_DEPTH ? parts.flatMap((part) => partPaths(part, depth + 1)) : []
  }
  const path = textOf(info.get('path'))
  if (path === undefined) return []
  const named = toPath(path)
  return [named.model === '' ? { model: textOf(info.get('model')) ?? '', path: named.path } : named]
}

function partPaths(part: InfoValue, depth: number): readonly BindingPath[] {
  if (typeof part === 'string') return [toPath(part)]
  if (part === undefined || isList(part)) return []
  const type = textOf(part.get('type'))
  return infoPaths(part, depth).map((path) => (type === undefined ? path : { ...path, type }))
}

function isList(value: InfoValue): value is readonly InfoValue[] {
  return Array.isArray(value)
}

function textOf(value: InfoValue): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** The brace that closes the one at `open`: of a path the first one, else the one that matches, strings aware. The end of the text where there is none. */
function bindingEnd(value: string, open: number): number {
  if (formOf(value, open + 1) === 'path') {
    const end = value.indexOf('}', open)
    return end === -1 ? value.length : end
  }
  let depth = 0
  let quote = ''
  for (let at = open; at < value.length; at++) {
    const character = value.charAt(at)
    if (quote !== '') {
      if (character === '\\') at++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at
  }
  return value.length
}
