import { PYTHON_REFUSAL } from '../../parse/python-text.ts'
import { isPythonCode, readPython, type PythonFunction, type PythonLine, type PythonSource } from '../../parse/python-source.ts'
import type { Place } from '../../types.ts'

/** The one check of an application, which is left out where a variable of the environment is missing. */
export interface UnsetPythonSecret {
  /** The condition that leaves it out. */
  readonly at: Place
  /** Name of the variable. */
  readonly variable: string
}

/** A file, without its comments. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** `TOKEN = os.environ.get("TOKEN", "").strip()`, with an empty default or none. Fact: Python 3, `os.environ.get` and `os.getenv` give None for what is not set; `os.environ["TOKEN"]` raises. */
const READ =
  /^[ \t]{0,40}(\w{1,80})[ \t]{0,5}(?::[^=\n]{0,80})?=[ \t]{0,5}(?:\w{1,40}\.)?(?:environ\.get|getenv)\([ \t]{0,5}["'](\w{1,100})["'][ \t]{0,5}(?:,[ \t]{0,5}(?:""|''|None)[ \t]{0,5})?\)(?:\.strip\(\))?[ \t]{0,20}$/gm
/** It opens something, by its name. */
const SECRET = /secret|token|password|passwd|(?:^|_)(?:api_?|access_?|service_?|auth_?|signing_?)?key$/i

/**
 * Finds the check of the applications whose code refuses nobody elsewhere: `if not TOKEN: return await call_next(request)`, `if TOKEN and given != TOKEN: return 401`.
 * Functions that end or refuse where the secret is missing leave nothing open.
 */
export function findUnsetSecret(code: readonly Source[], step: (count: number) => void): UnsetPythonSecret | undefined {
  let found: UnsetPythonSecret | undefined
  for (const { path, text } of code) {
    const settings = settingsOf(text)
    if (settings.size === 0 && !PYTHON_REFUSAL.test(text)) continue
    step(1 + (text.length >> 6))
    const source = readPython(text)
    for (const name of requiredIn(source, settings)) settings.delete(name)
    const [check, ...others] = source.functions.flatMap((one) => leavesOut(one, source, settings, path) ?? [])
    if (check === undefined) {
      if (PYTHON_REFUSAL.test(text)) return undefined
      continue
    }
    if (found !== undefined || others.length > 0) return undefined
    if (PYTHON_REFUSAL.test(without(source, check.function))) return undefined
    found = { at: check.at, variable: check.variable }
  }
  return found
}

/** Names that hold variables of the environment with such names, and their variables. */
export function settingsOf(text: string, called: RegExp = SECRET): Map<string, string> {
  return new Map([...text.matchAll(READ)].flatMap(([, name = '', key = '']) => (called.test(key) ? [[name, key] as const] : [])))
}

/** What the application ends or refuses without, at its start or in a function: `if not TOKEN: raise …`, `assert TOKEN`. */
export function requiredIn(source: PythonSource, settings: ReadonlyMap<string, string>): readonly string[] {
  return source.lines.flatMap((line, index) => {
    const [, asserted] =
      /^assert\b[ \t(]{1,5}(\w{1,80})\b/.exec(source.code.slice(line.start, Math.min(line.end, line.start + 200))) ?? []
    if (asserted !== undefined) return asserted
    const test = testOf(line, source)
    return test?.isMissing === true && settings.has(test.name) && refusesIn(source.lines, index, source) ? test.name : []
  })
}

interface Test {
  readonly name: string
  /** It holds where the variable is missing: `not TOKEN`, `TOKEN is None`. */
  readonly isMissing: boolean
  readonly condition: string
}

function testOf(line: PythonLine, source: PythonSource): Test | undefined {
  const condition = conditionOf(line, source)
  const [, not, name, none, notNone] =
    /^(not[ \t]{1,5})?(\w{1,80})([ \t]{1,5}is[ \t]{1,5}(not[ \t]{1,5})?None)?(?=[ \t]{0,5}(?:$|[):]|\b(?:or|and)\b))/.exec(
      condition,
    ) ?? []
  if (name === undefined) return undefined
  return { name, isMissing: not !== undefined || (none !== undefined && notNone === undefined), condition }
}

interface LeftOut extends UnsetPythonSecret {
  readonly function: PythonFunction
}

function leavesOut(
  one: PythonFunction,
  source: PythonSource,
  settings: ReadonlyMap<string, string>,
  file: string,
): LeftOut | undefined {
  const lines = source.lines.slice(one.lines.from, one.lines.to)
  let left: LeftOut | undefined
  let refuses = false
  for (const [index, line] of lines.entries()) {
    if (isRefusal(line, source)) refuses = true
    const test = testOf(line, source)
    if (test === undefined) continue
    const { name, isMissing, condition } = test
    const variable = settings.get(name)
    if (variable === undefined) continue
    const ends = refusesIn(lines, index, source)
    const { start, end } = line
    const place = {
      at: { file, span: { start, end: Math.min(end, source.text.indexOf('\n', start) >>> 0) } },
      variable,
      function: one,
    }
    const isOpened = isMissing ? !/\band\b/.test(condition) && passesIn(lines, index, source) : /\band\b/.test(condition) && ends
    if (isOpened) left ??= place
  }
  return refuses ? left : undefined
}

function conditionOf({ start, end }: PythonLine, { code }: PythonSource): string {
  const [, condition = ''] =
    /^(?:el)?if\b[ \t]{0,5}\(?[ \t\n]{0,40}([^]{0,2000})$/.exec(code.slice(start, Math.min(end, start + 2000))) ?? []
  return condition.replace(/\)?\s{0,5}:\s{0,20}$/, '')
}

/** The lines of the block below one. */
export function blockBelow(lines: readonly PythonLine[], index: number): readonly PythonLine[] {
  const indent = lines[index]?.indent ?? 0
  let end = index + 1
  while ((lines[end]?.indent ?? 0) > indent) end++
  return lines.slice(index + 1, end)
}

function refusesIn(lines: readonly PythonLine[], index: number, source: PythonSource): boolean {
  const { start = 0, end = 0 } = lines[index] ?? {}
  const isOnLine = /:[ \t]{1,5}(?:raise\b|\w{0,20}\.?exit\()/.test(source.code.slice(start, Math.min(end, start + 500)))
  return isOnLine || blockBelow(lines, index).some((line) => isRefusal(line, source))
}

/** The request goes on: `return await call_next(request)`, `return`, `return True`. */
function passesIn(lines: readonly PythonLine[], index: number, { code }: PythonSource): boolean {
  const [first, ...more] = blockBelow(lines, index)
  const written = first === undefined ? '' : code.slice(first.start, Math.min(first.end, first.start + 200)).trim()
  return more.length === 0 && /^return(?:[ \t]{1,5}(?:None|True|await[ \t]{1,5}\w{1,60}\([^]{0,100}\)))?$/.test(written)
}

/** `raise`, and answers that say that something is wrong: `status_code=503`, `abort(404)`, `return error, 500`. */
const ENDS = /^raise\b|\bstatus(?:_code)?\s{0,3}=\s{0,3}[45]\d\d\b|^return\b[^\n]{0,200},\s{0,5}[45]\d\d\b|\b(?:abort|exit)\(/

function isRefusal({ start, end }: PythonLine, source: PythonSource): boolean {
  const written = source.text.slice(start, Math.min(end, start + 1000))
  return isPythonCode(source, start) && (PYTHON_REFUSAL.test(written) || ENDS.test(written))
}

/** The rest of the code, without what names the function as a dependency. */
function without({ text, lines }: PythonSource, { name, lines: { from, to } }: PythonFunction): string {
  const start = lines[from]?.start ?? 0
  const end = lines[to - 1]?.end ?? start
  return (text.slice(0, start) + text.slice(end)).replaceAll(`Depends(${name})`, '')
}
