import { splitArguments, type PythonFunction, type PythonSource } from '../../parse/python-source.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { readDeployedPython } from './_python-files.ts'

/** A page that a route makes with a value of its request. */
export interface PythonPageFault {
  readonly file: string
  /** Where the value is put in. */
  readonly span: Span
  /** Where it comes from: `request.args`, `query parameter agent`. */
  readonly part: string
  /** What makes the page: `HTMLResponse`. */
  readonly sink: string
  /** The text is a template itself, and runs on the server. */
  readonly isTemplate: boolean
}

/** What makes a page: other files are not read. */
export const PYTHON_PAGE: RegExp =
  /\bHTMLResponse\(|\brender_template_string\(|\bMarkup\(|\bmark_safe\(|\bHttpResponse\(|text\/html|^[ \t]{0,20}from[ \t]{1,5}flask\b/m

interface PageRow {
  readonly call: RegExp
  readonly isTemplate?: true
  /** It makes HTML unless one of its arguments says otherwise. */
  readonly unless?: RegExp
  /** It makes HTML only where one of its arguments says so. */
  readonly where?: RegExp
}

/**
 * Sources: FastAPI, "Custom Response" (HTMLResponse); Starlette, `Response(media_type=…)`; Flask 3, "API" (render_template_string, Response: text/html by
 * default); MarkupSafe, `Markup`; Django, `mark_safe`, `HttpResponse` (text/html by default).
 */
const PAGES: readonly PageRow[] = [
  { call: /\bHTMLResponse\(/g },
  { call: /\brender_template_string\(/g, isTemplate: true },
  { call: /\b(?:Markup|mark_safe)\(/g },
  { call: /\bHttpResponse\(/g, unless: /\bcontent_type\s{0,5}=(?!\s{0,5}["']text\/html)/ },
  {
    call: /(?<![\w.])(?:\w{1,40}\.)?(?:Response|make_response)\(/g,
    where: /\b(?:media_type|mimetype|content_type)\s{0,5}=\s{0,5}["']text\/html/,
  },
]

/** A value of the request, and where it was put into a text. */
interface Taint {
  readonly part: string
  readonly put?: Span
}

/** What a function does with one of its parameters. */
interface Passing {
  readonly fault?: Arrival['fault']
  /** It gives back a text with the parameter in it. */
  readonly gives?: Span
}

/** A fault in a function, with the value that gets there. */
interface Arrival {
  readonly fault: Omit<PythonPageFault, 'file' | 'part'>
  readonly part: string
}

interface Reader {
  readonly source: PythonSource
  readonly isFlask: boolean
  /** Of the functions of the file, by name and parameter. Undefined while it is found. */
  readonly passings: Map<string, Passing | undefined>
}

/** Yields the pages of deployed files into which a route puts a value of its request. */
export function* findPythonPageFaults(project: Project): Generator<PythonPageFault> {
  for (const { path: file, source, text } of readDeployedPython(project, PYTHON_PAGE)) {
    const reader: Reader = { source, isFlask: /^[ \t]{0,20}from[ \t]{1,5}flask\b/m.test(text), passings: new Map() }
    const told = new Set<number>()
    for (const one of source.functions) {
      project.step(1 + one.lines.to - one.lines.from)
      const { faults } = follow(one, new Map(routeParameters(one)), reader)
      for (const { fault, part } of faults) {
        if (told.has(fault.span.start)) continue
        told.add(fault.span.start)
        yield { file, part, ...fault }
      }
    }
  }
}

const ROUTE = /^@\w{1,60}\.(?:get|post|route|api_route)\(/m
/** A text without a form. */
const TEXT = /^(?:Optional\[)?str\b(?:\s{0,5}\||\]|$)|^(?:typing\.)?Annotated\[\s{0,5}str\b/
const LIMITED = /\b(?:pattern|regex|Depends|Body|Header|Cookie)\b/

/** Parameters of a route that a link or a form fills: those of FastAPI that are texts, those of the path of Flask. */
function routeParameters({ decorators, parameters }: PythonFunction): [string, Taint][] {
  if (!ROUTE.test(decorators)) return []
  return parameters.flatMap(({ name, type, fallback }): [string, Taint][] => {
    const isText = TEXT.test(type) && !LIMITED.test(type) && !LIMITED.test(fallback)
    const isOfPath = type === '' && new Set(decorators.match(/<(?:(?:string|path):)?\w{1,60}>/g)).has(`<${name}>`)
    return isText || isOfPath ? [[name, { part: name }]] : []
  })
}

const REQUEST = /\brequest\.(?:query_params|args|form|values|GET|POST|path_params|view_args)\b/
const ASSIGNED = /^(\w{1,60})[ \t]{0,5}(?::[^=\n]{0,100})?\+?=(?!=)/

/** Follows values of the request through the lines of a function, from top to bottom. */
function follow(
  one: PythonFunction,
  taints: Map<string, Taint>,
  reader: Reader,
): { readonly faults: readonly Arrival[]; readonly gives: Taint | undefined } {
  const { source, isFlask } = reader
  const faults: Arrival[] = []
  let gives: Taint | undefined
  const isRoute = ROUTE.test(one.decorators)
  for (let at = one.lines.from; at < one.lines.to; at++) {
    const line = source.lines[at]
    if (line === undefined) break
    const code = source.code.slice(line.start, line.end)
    if (/^(?:if|elif|while|assert)\b/.test(code)) {
      for (const name of checkedNames(code)) taints.delete(name)
      continue
    }
    for (const { call, isTemplate = false, unless, where } of PAGES)
      for (const { index, 0: called } of code.matchAll(call)) {
        const given = splitArguments(source.code, line.start + index + called.length)
        const written = given.map(({ start, end }) => source.text.slice(start, end))
        if (unless !== undefined && written.some((text) => unless.test(text))) continue
        const isPage =
          where === undefined || written.some((text) => where.test(text)) || (isFlask && isFlaskPage(called, written))
        const page = isPage ? pageOf(given, written) : undefined
        const taint = page && taintOf(page, taints, reader)
        if (page && taint)
          faults.push({ fault: { span: taint.put ?? page, sink: called.slice(0, -1), isTemplate }, part: taint.part })
      }
    faults.push(...helperFaults(line, taints, reader))
    const [assigned, name] = ASSIGNED.exec(code) ?? []
    if (assigned !== undefined && name !== undefined) {
      const taint = taintOf({ start: line.start + assigned.length, end: line.end }, taints, reader)
      if (taint !== undefined) taints.set(name, taint)
      else if (!assigned.includes('+=')) taints.delete(name)
    }
    if (!code.startsWith('return')) continue
    const value = { start: line.start + 'return'.length, end: line.end }
    const given = taintOf(value, taints, reader)
    gives ??= given
    // Flask sends a text as a page
    if (given?.put !== undefined && isFlask && isRoute && isText(value, source))
      faults.push({ fault: { span: given.put, sink: 'return', isTemplate: false }, part: given.part })
  }
  return { faults, gives }
}

function isFlaskPage(called: string, written: readonly string[]): boolean {
  return (
    /^(?:Response|make_response)/.test(called) &&
    !written.some((text) => /\b(?:mimetype|content_type|headers)\s{0,5}=/.test(text))
  )
}

/** The argument that is the page: the first, or `content=`. */
function pageOf(given: readonly Span[], written: readonly string[]): Span | undefined {
  const named = written.findIndex((text) => /^\s{0,100}(?:content|response|source|body)\s{0,5}=/.test(text))
  if (named >= 0) return given[named]
  return /^\s{0,100}\w{1,60}\s{0,5}=(?!=)/.test(written[0] ?? '') ? undefined : given[0]
}

/** A literal or a name stands first: what else is returned may be no text. */
function isText({ start, end }: Span, { code, text }: PythonSource): boolean {
  if (/content-type|mimetype/i.test(text.slice(start, Math.min(end, start + 5000)))) return false
  return /^\s{0,100}\(?\s{0,100}(?:[rf]{0,2}["']|\w{1,60}\s{0,5}(?:,|$))/i.test(code.slice(start, end))
}

/** Names that a condition compares to something or asks for their form. */
function checkedNames(code: string): string[] {
  const names = [
    ...code.matchAll(
      /\b(\w{1,60})\s{1,5}(?:not\s{1,5})?in\b|\b(\w{1,60})\.(?:isalnum|isdigit|isdecimal|isalpha|isidentifier|isnumeric)\(|\bmatch\([^()]{0,200}?\b(\w{1,60})\s{0,5}\)/g,
    ),
  ]
  return names.flatMap((found) => found.slice(1).filter((name) => name !== undefined))
}

/** Calls that give back what they are given, as a text that is no less dangerous. */
const PASSES =
  /(?:^|[^\w.])(?:str|repr|format|unquote|unquote_plus|Markup|mark_safe)$|\.(?:get|getlist|format|join|strip|lstrip|rstrip|lower|upper|title|capitalize|split|decode|encode|unquote|unquote_plus|dedent|form)$/

/** A literal with something beside it that is put into it. */
const JOINED = /["']\s{0,100}(?:\+|%|\.(?:format|join)\()|\+\s{0,100}[rf]{0,2}["']/i

/** The value of the request that an expression gives, if there is one. */
function taintOf(expression: Span, taints: ReadonlyMap<string, Taint>, reader: Reader): Taint | undefined {
  const { source } = reader
  const code = passedCode(expression, reader)
  const asked = REQUEST.exec(code)
  const places: { readonly at: number; readonly length: number; readonly taint: Taint }[] = []
  if (asked !== null) places.push({ at: asked.index, length: asked[0].length, taint: { part: asked[0] } })
  for (const [name, taint] of taints) {
    const at = nameIn(code, name)
    if (at >= 0) places.push({ at, length: name.length, taint })
  }
  const [first] = places.sort((one, other) => one.at - other.at)
  if (first === undefined) return helperValue(expression, taints, reader)
  const start = expression.start + first.at
  const isInText = source.text[start - 1] === '{' || JOINED.test(code)
  return isInText && first.taint.put === undefined ? { ...first.taint, put: { start, end: start + first.length } } : first.taint
}

function nameIn(code: string, name: string): number {
  for (let at = code.indexOf(name); at >= 0; at = code.indexOf(name, at + 1)) {
    const isWhole = !/[\w.]/.test(code[at - 1] ?? '') && !/\w/.test(code[at + name.length] ?? '')
    const isNamed = /^\s{0,5}=(?!=)/.test(code.slice(at + name.length, at + name.length + 8))
    if (isWhole && !isNamed && !/^["']/.test(code.slice(at + name.length))) return at
  }
  return -1
}

/** The code of an expression, blank where a call takes a value that it doesn't give back, and where something is only compared. */
function passedCode({ start, end }: Span, { source }: Reader): string {
  let code = source.code.slice(start, end)
  for (const { index, 0: head } of code.matchAll(/[\w.)\]]{1,100}\(/g)) {
    const opened = index + head.length
    const close = closeOf(code, opened)
    const isKept = PASSES.test(` ${head.slice(0, -1)}`) || (head === '(' && close > 0)
    if (!isKept) code = code.slice(0, index) + ' '.repeat(close - index) + code.slice(close)
  }
  code = code.replaceAll(/\bif\b[^]{0,500}?\belse\b/g, (part) => ' '.repeat(part.length))
  return code.replaceAll(/\b\w{1,60}\s{0,5}(?:==|!=|\bnot\s{1,5}in\b|\bis\b|\bin\b)/g, (part) => ' '.repeat(part.length))
}

function closeOf(code: string, opened: number): number {
  let depth = 1
  for (let at = opened; at < code.length; at++) {
    if (code[at] === '(') depth++
    else if (code[at] === ')' && --depth === 0) return at + 1
  }
  return code.length
}

/** Calls of functions of the file with a value of the request among what they are given. */
function* passedCalls(
  { start, end }: Span,
  taints: ReadonlyMap<string, Taint>,
  reader: Reader,
): Generator<{ readonly passing: Passing; readonly taint: Taint }> {
  const { source } = reader
  for (const { index, 1: name = '' } of source.code.slice(start, end).matchAll(/(?<![\w.])(\w{1,60})\(/g)) {
    const called = source.functions.find((one) => one.name === name)
    if (called === undefined) continue
    const given = splitArguments(source.code, start + index + name.length + 1)
    for (const [position, argument] of given.entries()) {
      const [whole = '', keyword] =
        /^\s{0,100}(\w{1,60})\s{0,5}=(?!=)/.exec(source.code.slice(argument.start, argument.end)) ?? []
      const parameter = keyword ?? called.parameters[position]?.name
      if (parameter === undefined) continue
      const taint = taintOf({ start: argument.start + whole.length, end: argument.end }, taints, reader)
      if (taint !== undefined) yield { passing: passingOf(called, parameter, reader), taint }
    }
  }
}

function helperFaults(line: Span, taints: ReadonlyMap<string, Taint>, reader: Reader): Arrival[] {
  return [...passedCalls(line, taints, reader)].flatMap(({ passing: { fault }, taint: { part } }) =>
    fault ? [{ fault, part }] : [],
  )
}

/** What a function of the file makes of a value of the request. */
function helperValue(expression: Span, taints: ReadonlyMap<string, Taint>, reader: Reader): Taint | undefined {
  for (const { passing, taint } of passedCalls(expression, taints, reader))
    if (passing.gives !== undefined) return { part: taint.part, put: passing.gives }
  return undefined
}

/** What a function does with a parameter, found once; one that calls itself does nothing more with it. */
function passingOf(called: PythonFunction, parameter: string, reader: Reader): Passing {
  const key = `${called.lines.from} ${parameter}`
  if (reader.passings.has(key)) return reader.passings.get(key) ?? {}
  reader.passings.set(key, undefined)
  const { faults, gives } = follow(called, new Map([[parameter, { part: parameter }]]), reader)
  const own = faults.find(({ part }) => part === parameter)
  const passing: Passing = {
    ...(own && { fault: own.fault }),
    ...(gives?.part === parameter && gives.put && { gives: gives.put }),
  }
  reader.passings.set(key, passing)
  return passing
}
