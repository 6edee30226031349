/** What a value in a view means: a constant, or text that is bound. Facts: `sap.ui.base.BindingParser` (complex syntax), `sap.ui.base.ExpressionParser`. */
export type Binding =
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'bound'; readonly parts: readonly BindingPart[] }

/** One `{…}` of a value. */
export type BindingPart =
  | { readonly kind: 'path'; readonly model: string; readonly path: string }
  /** `{path: …, formatter: …}`; paths of `parts` too. */
  | {
      readonly kind: 'info'
      readonly paths: readonly BindingPath[]
      readonly formatter: string | undefined
      readonly type: string | undefined
    }
  /** `{= … }`: `code` is JavaScript in which the name `ui5$0` stands for the first of its embedded bindings, and so on. */
  | { readonly kind: 'expression'; readonly code: string; readonly operands: readonly BindingPart[] }

/** `model` is '' for the default model. */
export interface BindingPath {
  readonly model: string
  readonly path: string
}

/** Reads a property's value as UI5 does. Linear; what UI5 would reject counts as bound, since nobody can tell what it shows. */
export function parseBinding(value: string): Binding {
  const parts: BindingPart[] = []
  let text = ''
  let at = 0
  while (at < value.length) {
    const character = value.charAt(at)
    if (character === '\\' && isEscapable(value.charAt(at + 1))) {
      text += value.charAt(at + 1)
      at += 2
    } else if (character === '{') {
      const end = bindingEnd(value, at)
      parts.push(toPart(value.slice(at + 1, end)))
      at = end + 1
    } else {
      text += character
      at++
    }
  }
  return parts.length === 0 ? { kind: 'constant', text } : { kind: 'bound', parts }
}

/** All paths that a binding reads. */
export function pathsOf(binding: Binding): readonly BindingPath[] {
  return binding.kind === 'constant' ? [] : binding.parts.flatMap(pathsOfPart)
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
  return { kind: 'info', paths: infoPaths(source), formatter: FORMATTER.exec(source)?.[2], type: TYPE.exec(source)?.[2] }
}

/** `model>path`; the model's name ends at the first `>`. */
export function toPath(written: string): BindingPath {
  const text = written.trim()
  const split = text.indexOf('>')
  return split === -1 ? { model: '', path: text } : { model: text.slice(0, split), path: text.slice(split + 1) }
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

const PATHS = /(?:^|[{,\s])['"]?path['"]?\s{0,100}:\s{0,100}(['"])((?:\\.|(?!\1)[^\\]){0,1000})\1/gu
const PART_NAMES = /['"]?parts['"]?\s{0,100}:\s{0,100}\[([^\]]{0,1000})\]/u
const QUOTED = /(['"])((?:\\.|(?!\1)[^\\]){0,1000})\1/gu
const MODEL = /(?:^|[{,\s])['"]?model['"]?\s{0,100}:\s{0,100}(['"])([^'"]{0,100})\1/u

/** The paths of `{path: '…'}` and `{parts: ['…', {path: '…'}]}`. */
function infoPaths(source: string): BindingPath[] {
  const model = MODEL.exec(source)?.[2]
  const withModel = (path: BindingPath): BindingPath =>
    model === undefined || path.model !== '' ? path : { model, path: path.path }
  const paths = [...source.matchAll(PATHS)].map((match) => withModel(toPath(match[2] ?? '')))
  if (paths.length > 0) return paths
  const names = PART_NAMES.exec(source)?.[1]
  return names === undefined ? [] : [...names.matchAll(QUOTED)].map((match) => toPath(match[2] ?? ''))
}

const FORMATTER = /(?:^|[{,\s])['"]?formatter['"]?\s{0,100}:\s{0,100}(['"])([^'"]{0,200})\1/u
const TYPE = /(?:^|[{,\s])['"]?type['"]?\s{0,100}:\s{0,100}(['"])([^'"]{0,200})\1/u

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
