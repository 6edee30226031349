import { findFirst } from '../../lists.ts'
import { createPythonGuards, isPythonCode, pythonLineAt, type PythonGuard, type PythonSource } from '../../parse/python-source.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { readDeployedPython } from './_python-files.ts'

/** A setting by which a client accepts any certificate, or one of any host. */
export interface PythonTlsFault {
  readonly file: string
  readonly span: Span
  /** As it is written: `verify=False`. */
  readonly setting: string
  readonly kind: 'context' | 'host' | 'database' | 'process' | 'client'
  /** The variable that switches it on where nobody sets it. */
  readonly variable?: string
}

interface SettingRow {
  readonly written: RegExp
  readonly kind: PythonTlsFault['kind']
  /** Modules of which the file imports one. */
  readonly of?: RegExp
  /** What is called with it; without: whatever stands around. */
  readonly callee?: RegExp
}

const REQUESTS = /\b(?:get|post|put|patch|delete|head|options|request|send|stream|Session|Client|AsyncClient|HTTPTransport)$/

/**
 * Sources: Python, `ssl` (CERT_NONE, check_hostname, _create_unverified_context; PEP 476); requests, "SSL Cert Verification"; HTTPX, "SSL"; aiohttp,
 * `TCPConnector(ssl=False)`; hdbcli and hana_ml, `sslValidateCertificate`; urllib3, redis and pymongo, `cert_reqs`.
 */
const SETTINGS: readonly SettingRow[] = [
  { written: /\bverify_mode[ \t]{0,5}=[ \t]{0,5}(?:\w{1,20}\.){0,2}CERT_NONE\b/g, kind: 'context' },
  { written: /\bcheck_hostname[ \t]{0,5}=[ \t]{0,5}False\b/g, kind: 'host' },
  { written: /\b(?:ssl_)?cert_reqs[ \t]{0,5}=[ \t]{0,5}(?:(?:ssl\.)?CERT_NONE\b|["'](?:CERT_NONE|none)["'])/g, kind: 'client' },
  { written: /\b_create_default_https_context[ \t]{0,5}=[ \t]{0,5}(?:ssl\.)?_create_unverified_context\b/g, kind: 'process' },
  { written: /(?<==[ \t]{0,5}(?:ssl\.)?)_create_unverified_context\(/g, kind: 'client' },
  { written: /\bsslValidateCertificate["']?[ \t]{0,5}[=:][ \t]{0,5}["']?(?:False|false|0)\b["']?/g, kind: 'database' },
  {
    written: /\bverify[ \t]{0,5}=[ \t]{0,5}False\b/g,
    kind: 'client',
    of: /^[ \t]{0,20}(?:import|from)[ \t]{1,5}(?:requests|httpx|niquests|requests_oauthlib)\b/m,
    callee: REQUESTS,
  },
  {
    written: /\b(?:verify_ssl|ssl)[ \t]{0,5}=[ \t]{0,5}False\b/g,
    kind: 'client',
    of: /^[ \t]{0,20}(?:import|from)[ \t]{1,5}aiohttp\b/m,
    callee: /\b(?:TCPConnector|get|post|put|patch|delete|head|request|ws_connect)$/,
  },
]

/** What one of the settings contains: other files are not read. */
export const PYTHON_TLS: RegExp =
  /\bCERT_NONE\b|check_hostname[ \t]{0,5}=|_create_unverified_context|sslValidateCertificate|\bverify(?:_ssl)?[ \t]{0,5}=[ \t]{0,5}False|\bssl[ \t]{0,5}=[ \t]{0,5}False/

/** Yields the settings in deployed files that hold where nobody has asked for them. */
export function* findPythonTlsFaults(project: Project): Generator<PythonTlsFault> {
  for (const { path, source } of readDeployedPython(project, PYTHON_TLS)) {
    const found = findSettings(path, source)
    const contexts = found.filter(({ kind }) => kind === 'context').map(({ span }) => span.start)
    const guardsOf = createPythonGuards(source)
    for (const fault of found) {
      // the mode can't be changed before the name: both are one decision
      if (fault.kind === 'host' && isNearOne(contexts, fault.span.start)) continue
      const guards = guardsOf(pythonLineAt(source.lines, fault.span.start))
      project.step(1 + guards.length)
      const effect = effectOf(guards)
      if (effect === 'off') continue
      if (effect === 'on') yield fault
      else if (!isSet(effect.variable, project)) yield { ...fault, variable: effect.variable }
    }
  }
}

function findSettings(file: string, source: PythonSource): PythonTlsFault[] {
  const found: PythonTlsFault[] = []
  for (const { written, kind, of, callee } of SETTINGS) {
    if (of !== undefined && !of.test(source.text)) continue
    for (const { index, 0: setting } of source.text.matchAll(written)) {
      if (!isPythonCode(source, index)) continue
      if (callee !== undefined && source.code[index - 1] !== '.' && !callee.test(calleeBefore(source.code, index))) continue
      found.push({ file, span: { start: index, end: index + setting.length }, setting, kind })
    }
  }
  return found
}

/** Whether one of the offsets, from first to last, is near another. */
function isNearOne(offsets: readonly number[], place: number): boolean {
  const next = offsets[findFirst(offsets.length, (index) => (offsets[index] ?? 0) > place - 400)]
  return next !== undefined && next < place + 400
}

/** What stands before the open bracket around an offset: `requests.get`. */
function calleeBefore(code: string, offset: number): string {
  let depth = 0
  for (let at = offset - 1; at >= 0 && offset - at < 3000; at--) {
    const here = code[at]
    if (here === ')' || here === ']' || here === '}') depth++
    else if (here === '(' || here === '[' || here === '{') {
      if (depth === 0) return here === '(' ? code.slice(Math.max(0, at - 100), at) : ''
      depth--
    }
  }
  return ''
}

/** Says that somebody asked for it, or that it is for development. */
const ASKED =
  /insecure|skip|disable|unverified|allow|self_?signed|(?<![a-z])(?:local|dev|test)|debug|mock|sandbox|no_?(?:verify|ssl)|ignore/i
/** Says that it is not for where it is deployed. */
const UNLESS = /verif|validat|secure|prod|(?<![a-z])cf(?![a-z])|vcap|bind|bound|check|(?<![a-z])ssl/i
const VARIABLE =
  /\bos\.(?:environ\.get|getenv)\([ \t]{0,5}["'](\w{1,100})["'](?:[ \t]{0,5},[ \t]{0,5}["']([^"'\n]{0,100})["'])?[ \t]{0,5}\)((?:\.(?:lower|upper|strip)\(\)){0,3})[ \t]{0,5}(==|!=|not in\b|in\b)?[ \t]{0,5}([^\n]{0,200})/

/** Whether the conditions around hold by themselves: `on`, `off`, or while nobody sets a variable. */
function effectOf(guards: readonly PythonGuard[]): 'on' | 'off' | { readonly variable: string } {
  let variable: string | undefined
  for (const { condition, holds } of guards) {
    const asked = VARIABLE.exec(condition)
    if (asked !== null) {
      if (isTrueByDefault(condition, asked) !== holds) return 'off'
      variable = asked[1]
      continue
    }
    // a value that is not given says nothing of what somebody asked for
    const isNegated = !/\bis None\b/.test(condition) && /^not\b|\bis False\b|== ?False\b/.test(condition) === holds
    if ((isNegated ? UNLESS : ASKED).test(condition)) return 'off'
  }
  return variable === undefined ? 'on' : { variable }
}

function isTrueByDefault(condition: string, asked: RegExpExecArray): boolean {
  const [, , fallback, , operator, rest = ''] = asked
  const isNegated = condition.slice(0, asked.index).trimEnd().endsWith('not')
  return isNegated !== holdsByDefault(fallback, operator, rest)
}

function holdsByDefault(fallback: string | undefined, operator: string | undefined, rest: string): boolean {
  if (operator === undefined) return fallback !== undefined && fallback !== ''
  const values = rest.toLowerCase().replaceAll("'", '"')
  const isListed = fallback !== undefined && values.includes(`"${fallback.toLowerCase()}"`)
  return operator === '!=' || operator === 'not in' ? !isListed : isListed
}

/** A descriptor gives the variable a value. */
function isSet(variable: string, { deployment }: Project): boolean {
  return deployment.applications.some(({ variables }) => variables.some(({ name }) => name === variable))
}
