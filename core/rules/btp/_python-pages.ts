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
  /** The first function of each name. */
  readonly functions: ReadonlyMap<string, PythonFunction>
  readonly isFlask: boolean
  /** Of the functions of the file, by name and parameter. Undefined while it is found. */
  readonly passings: Map<string, Passing | undefined>
  /** Those that are being found. */
  readonly running: Set<string>
  readonly step: Project['step']
}

/** No line of code is longer; what goes on behind that is not read. */
const MOST_CHARACTERS = 20_000
/** Of one line; no code has more. */
const MOST_CALLS = 20
const MOST_TAINTS = 200
/** Functions that call one another, and calls within calls. */
const MOST_HOPS = 4

/** Yields the pages of deployed files into which a route puts a value of its request. */
export function* findPythonPageFaults(project: Project): Generator<PythonPageFault> {
  for (const { path: file, source, text } of readDeployedPython(project, PYTHON_PAGE)) {
    const isFlask = /^[ \t]{0,20}from[ \t]{1,5}flask\b/m.test(text)
    const functions = new Map(source.functions.toReversed().map((one) => [one.name, one]))
    const reader: Reader = {
      source,
      functions,
      isFlask,
      passings: new Map(),
      running: new Set(),
      step: (count) => project.step(count),
    }
    const told = new Set<number>()
    for (const one of source.functions) {
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
  const ofPath = new Set(
    decorators.match(/<(?:(?:string|path):)?\w{1,60}>/g)?.map((part) => part.replace(/^<(?:\w{1,6}:)?/, '<')),
  )
  return parameters.slice(0, MOST_TAINTS).flatMap(({ name, type, fallback }): [string, Taint][] => {
    const isText = TEXT.test(type) && !LIMITED.test(type) && !LIMITED.test(fallback)
    const isOfPath = type === '' && ofPath.has(`<${name}>`)
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
    const whole = source.lines[at]
    if (whole === undefined) break
    const line = { start: whole.start, end: Math.min(whole.end, whole.start + MOST_CHARACTERS) }
    reader.step(1 + ((line.end - line.start) >> 6))
    const code = source.code.slice(line.start, line.end)
    if (/^(?:if|elif|while|assert)\b/.test(code)) {
      for (const name of checkedNames(code)) taints.delete(name)
      continue
    }
    for (const { call, isTemplate = false, unless, where } of PAGES)
      for (const { index, 0: called } of [...code.matchAll(call)].slice(0, MOST_CALLS)) {
        const given = splitArguments(source.code, line.start + index + called.length, line.end)
        reader.step(1 + ((line.end - line.start - index) >> 6))
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
      if (taint !== undefined && taints.size < MOST_TAINTS) taints.set(name, taint)
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
  /(?:^|[^\w.])(?:str|repr|format|unquote|unquote_plus|Markup|mark_safe)$|\.(?:format|join|strip|lstrip|rstrip|lower|upper|title|capitalize|split|decode|encode|unquote|unquote_plus|dedent|form)$/
/** What gives a part of what it is asked of: what it is given only chooses it. */
const CHOOSES = /\.(?:get|getlist)\($|\[$/

/** A literal with something beside it that is put into it. */
const JOINED = /["']\s{0,100}(?:\+|%|\.(?:format|join)\()|\+\s{0,100}[rf]{0,2}["']/i

/** The value of the request that an expression gives, if there is one. */
function taintOf(expression: Span, taints: ReadonlyMap<string, Taint>, reader: Reader, hops = 0): Taint | undefined {
  const { source } = reader
  reader.step(1 + ((expression.end - expression.start) >> 4))
  const code = passedCode(source.code.slice(expression.start, expression.end), taints)
  const asked = REQUEST.exec(code)
  const named = namedTaint(code, taints)
  const first =
    asked !== null && (named === undefined || asked.index <= named.at)
      ? { at: asked.index, length: asked[0].length, taint: { part: asked[0] } }
      : named
  if (first === undefined) return hops < MOST_HOPS ? helperValue(expression, taints, reader, hops + 1) : undefined
  const start = expression.start + first.at
  const isInText = source.text[start - 1] === '{' || JOINED.test(code)
  const { part, put }: Taint = first.taint
  return isInText && put === undefined ? { part, put: { start, end: start + first.length } } : first.taint
}

/** A name that is no attribute, no argument's and no literal's. */
const NAME = /(?<![\w.])\w{1,100}(?![\w"']|\s{0,5}=(?!=))/g

/** The first name in some code that has a value of the request. */
function namedTaint(
  code: string,
  taints: ReadonlyMap<string, Taint>,
): { readonly at: number; readonly length: number; readonly taint: Taint } | undefined {
  if (taints.size === 0) return undefined
  for (const { index, 0: name } of code.matchAll(NAME)) {
    const taint = taints.get(name)
    if (taint !== undefined) return { at: index, length: name.length, taint }
  }
  return undefined
}

/** The code of an expression, blank where something takes a value that it doesn't give back, and where something is only compared. */
function passedCode(code: string, taints: ReadonlyMap<string, Taint>): string {
  const { closes, opens } = bracketsOf(code)
  const kept: string[] = []
  let done = 0
  for (const { index, 0: head } of code.matchAll(/(?<![\w.)\]])[\w.)\]]{1,100}[([]/g)) {
    const opened = index + head.length - 1
    const close = closes.get(opened) ?? code.length
    if (close <= done) continue
    if (CHOOSES.test(head) ? isOfRequest(code, opened, opens, taints) : PASSES.test(` ${head.slice(0, -1)}`)) continue
    const from = Math.max(index, done)
    kept.push(code.slice(done, from), ' '.repeat(close - from))
    done = close
  }
  return [...kept, code.slice(done)]
    .join('')
    .replaceAll(/\bif\b[^]{0,500}?\belse\b/g, (part) => ' '.repeat(part.length))
    .replaceAll(/\b\w{1,60}\s{0,5}(?:==|!=|\bnot\s{1,5}in\b|\bis\b|\bin\b)/g, (part) => ' '.repeat(part.length))
}

/** Of each bracket that opens, the offset behind the one that closes it, and the other way round. */
function bracketsOf(code: string): { readonly closes: ReadonlyMap<number, number>; readonly opens: ReadonlyMap<number, number> } {
  const [closes, opens] = [new Map<number, number>(), new Map<number, number>()]
  const open: number[] = []
  for (let at = 0; at < code.length; at++) {
    const here = code[at]
    if (here === '(' || here === '[') open.push(at)
    if (here !== ')' && here !== ']') continue
    const start = open.pop()
    if (start === undefined) continue
    closes.set(start, at + 1)
    opens.set(at + 1, start)
  }
  return { closes, opens }
}

/** Whether what is asked for a part of it, in front of a bracket, is the request or has a value of it. */
function isOfRequest(
  code: string,
  opened: number,
  opens: ReadonlyMap<number, number>,
  taints: ReadonlyMap<string, Taint>,
): boolean {
  let start = opened
  for (let hops = 0; hops < 300 && start > 0; hops++) {
    if (/[\w.]/.test(code[start - 1] ?? '')) start--
    else {
      const before = opens.get(start)
      if (before === undefined) break
      start = before
    }
  }
  const asked = code.slice(Math.max(start, opened - 300), opened)
  return /\brequest\./.test(asked) || namedTaint(asked, taints) !== undefined
}

/** Calls of functions of the file with a value of the request among what they are given. */
function* passedCalls(
  { start, end }: Span,
  taints: ReadonlyMap<string, Taint>,
  reader: Reader,
  hops: number,
): Generator<{ readonly passing: Passing; readonly taint: Taint }> {
  const { source, functions } = reader
  let calls = 0
  let done = 0
  for (const { index, 1: name = '' } of source.code.slice(start, end).matchAll(/(?<![\w.])(\w{1,60})\(/g)) {
    const called = functions.get(name)
    // for the value of an expression, what a call is given is asked with it
    if (called === undefined || (hops > 0 && index < done)) continue
    if (++calls > MOST_CALLS) return
    const given = splitArguments(source.code, start + index + name.length + 1, end)
    done = (given.at(-1)?.end ?? 0) - start
    reader.step(1 + (Math.max(0, done - index) >> 6))
    for (const [position, argument] of given.slice(0, MOST_CALLS).entries()) {
      const [whole = '', keyword] =
        /^\s{0,100}(\w{1,60})\s{0,5}=(?!=)/.exec(source.code.slice(argument.start, argument.end)) ?? []
      const parameter = keyword ?? called.parameters[position]?.name
      if (parameter === undefined) continue
      const taint = taintOf({ start: argument.start + whole.length, end: argument.end }, taints, reader, hops)
      if (taint !== undefined) yield { passing: passingOf(called, parameter, reader), taint }
    }
  }
}

function helperFaults(line: Span, taints: ReadonlyMap<string, Taint>, reader: Reader): Arrival[] {
  return [...passedCalls(line, taints, reader, 0)].flatMap(({ passing: { fault }, taint: { part } }) =>
    fault ? [{ fault, part }] : [],
  )
}

/** What a function of the file makes of a value of the request. */
function helperValue(expression: Span, taints: ReadonlyMap<string, Taint>, reader: Reader, hops: number): Taint | undefined {
  for (const { passing, taint } of passedCalls(expression, taints, reader, hops))
    if (passing.gives !== undefined) return { part: taint.part, put: passing.gives }
  return undefined
}

/** What a function does with a parameter, found once; one that calls itself does nothing more with it. */
function passingOf(called: PythonFunction, parameter: string, reader: Reader): Passing {
  const key = `${called.lines.from} ${parameter}`
  if (reader.passings.has(key)) return reader.passings.get(key) ?? {}
  if (reader.running.size >= MOST_HOPS) return {}
  reader.running.add(key)
  reader.passings.set(key, undefined)
  const { faults, gives } = follow(called, new Map([[parameter, { part: parameter }]]), reader)
  reader.running.delete(key)
  const own = faults.find(({ part }) => part === parameter)
  const passing: Passing = {
    ...(own && { fault: own.fault }),
    ...(gives?.part === parameter && gives.put && { gives: gives.put }),
  }
  reader.passings.set(key, passing)
  return passing
}
