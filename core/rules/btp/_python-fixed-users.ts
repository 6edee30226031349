import { readPython, type PythonFunction, type PythonLine, type PythonSource } from '../../parse/python-source.ts'
import { PYTHON_REFUSAL } from '../../parse/python-text.ts'
import { blockBelow, requiredIn, settingsOf, type Source, type UnsetPythonSecret } from './_python-unset-secrets.ts'

/** It says that callers log in, or how: `AUTH_ENABLED`, `JWT_ISSUER`, `OIDC_URL`. What the platform sets, such as VCAP_SERVICES, is none. */
const ABOUT_LOGIN =
  /auth|jwt|jwks|oidc|issuer|xsuaa|\bsso\b|login|(?:^|_)idp|(?:secret|token|signing|public)_?key$|(?:jwt|token|auth)_?secret$/i
/** `os.getenv("JWT_ISSUER")`, with an empty default or none. */
const READS =
  /^(?:\w{1,40}\.)?(?:environ\.get|getenv)\([ \t]{0,5}["'](\w{1,100})["'][ \t]{0,5}(?:,[ \t]{0,5}(?:""|''|None)[ \t]{0,5})?\)/
/** What decides that somebody may call; an optional user is None. */
const DECIDES = /\bdecode\w{0,40}\(|\bverif\w{0,40}\(|\bvalidate\w{0,40}\(/
/** A user that the code writes: `{"sub": "local"}`, `User(name="local")`, or the name of such a constant. */
const WRITTEN_USER =
  /^return[ \t]{1,5}(?:\{\s{0,100}["'][^]{0,1000}:[^]{0,1000}\}|\w{1,60}\([^]{0,400}["'][^]{0,400}\)|([A-Z_][A-Z_\d]{1,60}))$/

/**
 * Finds a dependency of FastAPI that gives routes a user of the code where a variable of the environment is missing: `if not os.getenv("JWT_ISSUER"): return LOCAL_USER`. A switch that
 * has to be set is none, nor is a variable without which the application refuses or ends somewhere.
 */
export function findFixedUser(code: readonly Source[], step: (count: number) => void): UnsetPythonSecret | undefined {
  const asked = new Set(code.flatMap(({ text }) => [...text.matchAll(DEPENDS)].map(([, name = '']) => name)))
  if (asked.size === 0) return undefined
  const sources = code.flatMap(({ path, text }) => {
    if (!/\benviron\b|\bgetenv\b/.test(text)) return []
    step(1 + (text.length >> 6))
    return { path, source: readPython(text), settings: settingsOf(text, ABOUT_LOGIN) }
  })
  for (const { path, source, settings } of sources) {
    const required = new Set(requiredIn(source, settings))
    for (const one of source.functions) {
      if (!asked.has(one.name) || !isDecider(one, source)) continue
      const found = missingIn(one, source, settings)
      if (found === undefined || required.has(found.setting)) continue
      const { start, end } = found.line
      const span = { start, end: Math.min(end, source.text.indexOf('\n', start) >>> 0) }
      return { at: { file: path, span }, variable: found.variable }
    }
  }
  return undefined
}

const DEPENDS = /\b(?:Depends|Security)\(\s{0,20}(?:\w{1,60}\.)?(\w{1,80})/g

function isDecider(one: PythonFunction, source: PythonSource): boolean {
  const written = writtenIn(source.lines.slice(one.lines.from, one.lines.to), source.text)
  return PYTHON_REFUSAL.test(written) || DECIDES.test(written)
}

interface Missing {
  readonly line: PythonLine
  readonly variable: string
  /** The name that holds it. */
  readonly setting: string
}

function missingIn(one: PythonFunction, source: PythonSource, settings: ReadonlyMap<string, string>): Missing | undefined {
  const lines = source.lines.slice(one.lines.from, one.lines.to)
  for (const [index, line] of lines.entries()) {
    const [, condition = ''] = /^if[ \t]{1,5}not[ \t]{1,5}([^]{1,300}?):?\s{0,20}$/.exec(writtenIn([line], source.text)) ?? []
    if (condition === '' || /\band\b/.test(condition)) continue
    const [first, ...more] = blockBelow(lines, index)
    if (first === undefined || more.length > 0 || !isFixed(first, source)) continue
    const [setting = ''] = /^\w{1,80}/.exec(condition) ?? []
    const variable = settings.get(setting) ?? READS.exec(condition)?.[1] ?? askedBy(condition, source)
    if (variable !== undefined && ABOUT_LOGIN.test(variable)) return { line, variable, setting }
  }
  return undefined
}

/** `is_secured()` of the file, which says nothing but whether the variable is set. */
function askedBy(condition: string, source: PythonSource): string | undefined {
  const [, name] = /^(\w{1,80})\(\)/.exec(condition) ?? []
  const called = name === undefined ? undefined : source.functions.find((one) => one.name === name)
  const [only, ...more] = called === undefined ? [] : source.lines.slice(called.lines.from, called.lines.to)
  if (only === undefined || more.length > 0) return undefined
  return READS.exec(writtenIn([only], source.text).replace(/^return[ \t]{1,5}(?:bool\()?/, ''))?.[1]
}

/** Constants alone: what the request says makes no fixed user. */
function isFixed({ start, end }: PythonLine, { text, code }: PythonSource): boolean {
  const [whole, name] = WRITTEN_USER.exec(text.slice(start, Math.min(end, start + 2000)).trim()) ?? []
  if (whole === undefined) return false
  if (name !== undefined) return [...text.matchAll(MADE)].some(([, made]) => made === name)
  const values = code
    .slice(start, end)
    .replace(/^\s{0,100}return\s{1,20}(?:\w{1,60}\()?/, '')
    .replaceAll(/\b(?:\w{1,60}\s{0,5}=(?!=)|True\b|False\b|None\b)/g, '')
  return !/[a-z_]/i.test(values)
}

/** `LOCAL_USER = {…}`, `LOCAL_USER: User = User(…)` */
const MADE = /^([A-Z_][A-Z_\d]{1,60})(?:[ \t]{0,5}:[^=\n]{0,80})?[ \t]{0,5}=[ \t]{0,5}(?:\{|\w{1,60}\()/gm

function writtenIn(lines: readonly PythonLine[], text: string): string {
  return text.slice(lines[0]?.start ?? 0, lines.at(-1)?.end ?? 0).trim()
}
