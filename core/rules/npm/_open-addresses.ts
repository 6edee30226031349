import {
  constantOf,
  stringConstantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { packageOf, placesOf } from './_idle-imports.ts'

/** Clients of HTTP whose advisories are about addresses that an attacker gives. */
const CLIENT = 'axios'

/** Functions that send requests: the address is their first argument, or `url` of the settings. */
const SENDS = /^(?:get|delete|head|options|post|put|patch|request)$/
/** What sends nothing: checks, classes and types. */
const ELSE = /^\s{0,9}\.\s{0,9}(?:isAxiosError\b|isCancel\b|CancelToken\b|HttpStatusCode\b|Axios[A-Z])/

/**
 * Whether a script lets the client ask for an address whose beginning is not its own: where it begins with a scheme and a host of the code, of the environment or of a binding of the platform, the
 * value becomes neither a `data:` address nor an absolute one, which these advisories need. Where the client gets on as a whole, nobody knows. `code`: without comments.
 */
export function asksOpenAddress(code: string, { imports, calls, assignments }: ScriptFacts): boolean {
  const own = imports.filter(({ source }) => packageOf(source) === CLIENT)
  if (own.length === 0) return false
  const fixed = new Set<number>()
  for (const call of calls) {
    const name = sendingName(call)
    if (name === undefined) continue
    const [first] = call.args
    const settings = first === undefined ? undefined : resolveValue(first)
    const address = settings?.kind === 'object' ? fieldOf(settings, 'url')?.value : first
    const given = settings?.kind === 'object' ? [] : addressesGiven(first, assignments)
    const isOwn = given.length > 0 ? given.every((one) => isFixed(one)) : address !== undefined && isFixed(address)
    if (!isOwn) return true
    fixed.add(rootOf(call.callee).start)
  }
  return own.some(({ binding }) => {
    if (binding === undefined) return true
    return placesOf(binding.name, code).some((at) => {
      if (at === binding.start || fixed.has(at)) return false
      const behind = code.slice(at + binding.name.length, at + binding.name.length + 80)
      return !ELSE.test(behind)
    })
  })
}

/** `config.url = '/berths/' + id`: the addresses that settings of a request are given before it, in its function. */
function addressesGiven(settings: Value | undefined, assignments: ScriptFacts['assignments']): readonly Value[] {
  const { binding } = settings?.kind === 'reference' ? settings : {}
  if (binding === undefined) return []
  return assignments.flatMap(({ target, value }) =>
    target.name === 'url' && target.object.kind === 'reference' && target.object.binding === binding ? value : [],
  )
}

/** The function that sends: `axios(…)`, `axios.get(…)`. */
function sendingName({ callee }: CallValue): string | undefined {
  const [root, ...names] = pathOf(callee) ?? []
  if (root !== `module:${CLIENT}`) return undefined
  const name = names.findLast((one) => one !== 'default') ?? CLIENT
  return name === CLIENT || SENDS.test(name) ? name : undefined
}

function rootOf(value: Value): Value {
  return value.kind === 'member' ? rootOf(value.object) : value
}

/** A scheme with a host, or a path of the own host. */
const BEGINNING = /^(?:https?:\/\/[^/]|\/[^/\\])/i

function isFixed(address: Value, depth = 0): boolean {
  if (depth > 6) return false
  const constant = stringConstantOf(address)
  if (constant !== undefined) return true
  const value = resolveValue(address)
  if (value.kind === 'choice') return value.options.every((option) => isFixed(option, depth + 1))
  if (value.kind === 'concat') return startsFixed('', value.parts[0], depth)
  if (value.kind === 'template') return startsFixed(value.texts[0] ?? '', value.parts[0], depth)
  return isOfPlatform(value, depth)
}

function startsFixed(text: string, first: Value | undefined, depth: number): boolean {
  if (text !== '') return BEGINNING.test(text)
  const known = first === undefined ? undefined : constantOf(first)
  if (typeof known === 'string') return BEGINNING.test(known)
  return first !== undefined && isFixed(first, depth + 1)
}

/** What sends mails, and what reads them: each address of a mail that came in is a stranger's. */
const MAILER = 'nodemailer'
const MAIL_READER = 'mailparser'
/** Fields of a message that hold addresses. Fact: nodemailer 7, "Message configuration". */
const MAIL_ADDRESSES: ReadonlySet<string> = new Set(['from', 'to', 'cc', 'bcc', 'replyTo', 'sender', 'envelope'])

/** Whether a script reads mails, or sends one of which an address is neither a constant nor set by operators; what it hands on to others as well. */
export function sendsOpenMail({ imports, calls }: ScriptFacts): boolean {
  const sources = new Set(imports.map(({ source }) => packageOf(source)))
  if (sources.has(MAIL_READER)) return true
  if (!sources.has(MAILER)) return false
  const sent = calls.filter(({ callee }) => callee.kind === 'member' && callee.name === 'sendMail')
  return sent.length === 0 || sent.some(({ args: [message] }) => message === undefined || hasOpenAddress(resolveValue(message)))
}

function hasOpenAddress(message: Value): boolean {
  if (message.kind !== 'object') return true
  return message.fields.some(({ key, value }) => key === undefined || (MAIL_ADDRESSES.has(key) && !isFixed(value)))
}

/** Modules that read what the platform binds. Facts: @sap/xsenv 5 (`getServices`, `serviceCredentials`), @sap/cds 9 (`cds.env`, `cds.requires`). */
const BINDINGS = /^module:(?:@sap\/xsenv|cfenv)$/

/** The environment, and credentials of bound services, which operators write. */
function isOfPlatform(value: Value, depth: number): boolean {
  if (depth > 12) return false
  const [root = '', name] = pathOf(value) ?? []
  if (root === 'global:process') return name === 'env'
  if (root === 'module:@sap/cds') return name === 'env' || name === 'requires'
  if (BINDINGS.test(root)) return true
  switch (value.kind) {
    case 'member':
      return isOfPlatform(value.object, depth + 1)
    case 'await':
      return isOfPlatform(value.value, depth + 1)
    case 'call':
      return BINDINGS.test(pathOf(value.callee)?.[0] ?? '')
    case 'choice':
      return value.options.every((option) => isFixed(option, depth + 1))
    case 'reference': {
      const definitions = value.binding?.definitions ?? []
      const [only] = definitions
      if (definitions.length !== 1 || only?.value === undefined || (only.kind !== 'init' && only.kind !== 'assign')) return false
      return isOfPlatform(only.value, depth + 1)
    }
    default:
      return false
  }
}
