import type { Span } from '../types.ts'

/** One logical line of Python: a statement, or the head of a block, over all lines that brackets hold together. */
export interface PythonLine extends Span {
  /** Blanks in front of it. */
  readonly indent: number
}

/** A parameter of a function: `agent: str = "all"`, as it is written. */
export interface PythonParameter {
  readonly name: string
  readonly type: string
  readonly fallback: string
}

export interface PythonFunction {
  readonly name: string
  /** `@router.get("/agents")`, one a line. */
  readonly decorators: string
  readonly parameters: readonly PythonParameter[]
  /** Its lines, by their indices in `PythonSource.lines`. */
  readonly lines: { readonly from: number; readonly to: number }
}

/** A file of Python in its lines and functions: no tree, what rules on settings and a few calls need. */
export interface PythonSource {
  readonly text: string
  /** The same length: comments and what stands in literals are blank, but for what an f-string inserts (`f"<p>{name}</p>"`). */
  readonly code: string
  readonly lines: readonly PythonLine[]
  readonly functions: readonly PythonFunction[]
}

const OPENING = /#[^\n]*|\b([rbfu]{0,2})("""|'''|"|')|("""|'''|"|')/gi

/** Reads a file in linear time; what is no Python gives lines that mean nothing. */
export function readPython(text: string): PythonSource {
  const code = blankLiterals(text)
  const lines = logicalLines(code)
  return { text, code, lines, functions: functionsOf(text, code, lines) }
}

/** Whether what stands there is code, no comment and no part of a literal. */
export function isPythonCode({ text, code }: Pick<PythonSource, 'text' | 'code'>, offset: number): boolean {
  return code[offset] === text[offset] && code[offset] !== ' '
}

function blankLiterals(text: string): string {
  const parts: string[] = []
  let done = 0
  OPENING.lastIndex = 0
  for (let found = OPENING.exec(text); found !== null; found = OPENING.exec(text)) {
    const [whole, prefix = '', prefixed, bare] = found
    parts.push(text.slice(done, found.index))
    if (whole.startsWith('#')) {
      parts.push(' '.repeat(whole.length))
      done = OPENING.lastIndex
      continue
    }
    const quote = prefixed ?? bare ?? '"'
    const start = OPENING.lastIndex
    const end = endOfLiteral(text, start, quote)
    const inner = text.slice(start, end)
    parts.push(whole, /f/i.test(prefix) ? insertedParts(inner) : ' '.repeat(inner.length))
    done = end
    // the closing quote is kept with what follows
    OPENING.lastIndex = Math.min(text.length, end + (text.startsWith(quote, end) ? quote.length : 0))
    parts.push(text.slice(done, OPENING.lastIndex))
    done = OPENING.lastIndex
  }
  parts.push(text.slice(done))
  return parts.join('')
}

/** Where the closing quote stands; a literal of one line that does not end, ends with its line. */
function endOfLiteral(text: string, start: number, quote: string): number {
  for (let at = start; at < text.length; at++) {
    const here = text[at]
    if (here === '\\') at++
    else if (here === '\n' && quote.length === 1) return at
    else if (here === quote[0] && text.startsWith(quote, at)) return at
  }
  return text.length
}

/** What an f-string inserts, all else blank. Literals in it are blank, too, and so are its braces: they hold no lines together. */
function insertedParts(inner: string): string {
  let result = ''
  let depth = 0
  let quote = ''
  for (let at = 0; at < inner.length; at++) {
    const here = inner[at] ?? ''
    if (depth === 0) {
      if (here === '{' && inner[at + 1] === '{') {
        result += ' '
        at++
      } else if (here === '{') depth = 1
      result += ' '
      continue
    }
    if (quote !== '') {
      if (here === quote) quote = ''
      result += ' '
    } else if (here === '"' || here === "'") {
      quote = here
      result += ' '
    } else if (here === '{' || here === '}') {
      depth += here === '{' ? 1 : -1
      result += ' '
    } else result += here === '\n' ? ' ' : here
  }
  return result
}

function logicalLines(code: string): PythonLine[] {
  const lines: PythonLine[] = []
  let start = 0
  let depth = 0
  for (let at = 0; at <= code.length; at++) {
    const here = code[at]
    if (here === '(' || here === '[' || here === '{') depth++
    else if (here === ')' || here === ']' || here === '}') depth = Math.max(0, depth - 1)
    else if (here === undefined || (here === '\n' && depth === 0 && code[at - 1] !== '\\')) {
      let first = start
      while (first < at && (code[first] === ' ' || code[first] === '\t' || code[first] === '\r')) first++
      if (first < at) lines.push({ start: first, end: at, indent: first - start })
      start = at + 1
    }
  }
  return lines
}

const DEFINITION = /^(?:async[ \t]{1,5})?def[ \t]{1,5}(\w{1,100})[ \t]{0,5}\(/

function functionsOf(text: string, code: string, lines: readonly PythonLine[]): PythonFunction[] {
  const found: PythonFunction[] = []
  lines.forEach(({ start, end, indent }, index) => {
    const head = DEFINITION.exec(code.slice(start, Math.min(end, start + 200)))
    if (head === null) return
    let decorated = index
    while (decorated > 0 && code[lines[decorated - 1]?.start ?? 0] === '@') decorated--
    let to = index + 1
    while (to < lines.length && (lines[to]?.indent ?? 0) > indent) to++
    const opened = start + head[0].length
    found.push({
      name: head[1] ?? '',
      decorators: text.slice(lines[decorated]?.start ?? start, start),
      parameters: splitArguments(code, opened).flatMap((span) => parameterOf(text.slice(span.start, span.end))),
      lines: { from: index + 1, to },
    })
  })
  return found
}

const PARAMETER = /^\s{0,100}(\w{1,100})\s{0,20}(?::([^=]{0,300}))?(?:=([^]{0,300}))?/

function parameterOf(written: string): PythonParameter[] {
  const [, name, type = '', fallback = ''] = PARAMETER.exec(written) ?? []
  return name === undefined ? [] : [{ name, type: type.trim(), fallback: fallback.trim() }]
}

/** Spans of what stands between the bracket before `opened` and its end, split at its commas; what goes on at a limit ends there. */
export function splitArguments(code: string, opened: number, limit: number = code.length): Span[] {
  const found: Span[] = []
  let depth = 0
  let start = opened
  for (let at = opened; at < limit; at++) {
    const here = code[at]
    if (here === '(' || here === '[' || here === '{') depth++
    else if (here === ')' || here === ']' || here === '}') depth--
    if (depth >= 0 && (here !== ',' || depth > 0)) continue
    if (code.slice(start, at).trim() !== '') found.push({ start, end: at })
    if (depth < 0) return found
    start = at + 1
  }
  if (limit < code.length && start < limit) found.push({ start, end: limit })
  return found
}

/** Index of the logical line at an offset; -1: none. */
export function pythonLineAt(lines: readonly PythonLine[], offset: number): number {
  let low = 0
  let high = lines.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const { start = 0, end = 0 } = lines[middle] ?? {}
    if (offset < start) high = middle - 1
    else if (offset > end) low = middle + 1
    else return middle
  }
  return -1
}

/** A condition on the way to a line. */
export interface PythonGuard {
  /** As it is written: `os.environ.get("X") == "1"`. */
  readonly condition: string
  readonly holds: boolean
}

const BRANCH = /^(?:if|elif|else|while)\b/

/** No code has more branches before its `else`, or around a line. */
const MOST_GUARDS = 100

/** Finds the conditions of the branches around a line, within its function: those of each branch once. */
export function createPythonGuards({ text, code, lines }: PythonSource): (index: number) => readonly PythonGuard[] {
  const outer = outerLines(lines)
  const known = new Map<number, readonly PythonGuard[]>()
  const ownGuards = (index: number, line: PythonLine): readonly PythonGuard[] => {
    const { word, condition } = branchOf(text, line)
    if (word === undefined) return []
    return word === 'else' ? skippedBranches({ text, lines }, index) : [{ condition, holds: true }]
  }
  return (index) => {
    const guards: PythonGuard[] = []
    for (let at = outer[index] ?? -1; at >= 0 && guards.length < MOST_GUARDS; at = outer[at] ?? -1) {
      const line = lines[at]
      if (line === undefined || DEFINITION.test(code.slice(line.start, Math.min(line.end, line.start + 200)))) break
      const own = known.get(at) ?? ownGuards(at, line)
      known.set(at, own)
      guards.push(...own)
    }
    return guards
  }
}

/** Of each line, the index of the last one before it with less in front of it; -1: none. */
function outerLines(lines: readonly PythonLine[]): number[] {
  const around: number[] = []
  return lines.map(({ indent }, index) => {
    while (around.length > 0 && (lines[around.at(-1) ?? 0]?.indent ?? 0) >= indent) around.pop()
    const found = around.at(-1) ?? -1
    around.push(index)
    return found
  })
}

function branchOf(text: string, { start, end }: PythonLine): { readonly word?: string; readonly condition: string } {
  const head = text.slice(start, Math.min(end, start + 500))
  const word = BRANCH.exec(head)?.[0]
  if (word === undefined) return { condition: '' }
  const condition = head.slice(word.length).trim()
  return { word, condition: condition.endsWith(':') ? condition.slice(0, -1) : condition }
}

/** Of `else`, the conditions of the branches before it. */
function skippedBranches({ text, lines }: Pick<PythonSource, 'text' | 'lines'>, index: number): PythonGuard[] {
  const guards: PythonGuard[] = []
  const indent = lines[index]?.indent ?? 0
  for (let at = index - 1; at >= 0; at--) {
    const line = lines[at]
    if (line === undefined || line.indent > indent) continue
    const { word, condition } = branchOf(text, line)
    if (line.indent < indent || word === undefined || word === 'else') return guards
    guards.push({ condition, holds: false })
    if (word === 'if' || guards.length >= MOST_GUARDS) return guards
  }
  return guards
}
