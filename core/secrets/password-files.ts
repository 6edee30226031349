import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook, permitted, type Layer } from './layers.ts'

/** What stands in files whose lines are fields without names. */
export const PASSWORD_FILE_KEYWORDS: readonly string[] = ['machine ', ':5432:', ':*:']

/** A line of it that a command writes. */
const MACHINE = /machine [^\s"']{1,200} login [^\s"']{1,200} password ([^\s"'\\]{4,200})/y
const NETRC = /\bpassword[ \t\r\n]{1,8}([^\s"]{4,200})/g
/** host:port:database:user:password; a colon within a field is escaped. */
const PGPASS = /^(?:(?:[^:\\\r\n#]|\\.){1,200}:){4}([^\r\n]{4,200})$/gm

/** Passwords of `.netrc`, `.msmtprc` and `.pgpass`. Facts: the manuals of GNU inetutils (.netrc), of msmtp and of PostgreSQL (libpq, 33.16). */
export function* findPasswordLines(layer: Layer, path: string, budget: Budget): Generator<Assignment> {
  for (const hit of permitted(layer, layer.offsets('machine '))) {
    budget.step(2)
    MACHINE.lastIndex = hit
    const [whole = '', value = ''] = MACHINE.exec(layer.text) ?? []
    if (value !== '') yield toAssignment(hit, value, hit + whole.length)
  }
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const form = /^[._]netrc$|^\.?msmtprc$/.test(file) ? NETRC : /^\.?pgpass(?:\.conf)?$/.test(file) ? PGPASS : undefined
  if (form === undefined) return
  countLook(budget, layer.text.length)
  for (const found of layer.text.matchAll(form)) {
    if (!layer.permits(found.index)) continue
    budget.step(4)
    const value = (found[1] ?? '').trim()
    yield toAssignment(found.index, value, found.index + found[0].trimEnd().length)
  }
}

function toAssignment(nameStart: number, value: string, end: number): Assignment {
  const start = end - value.length
  return { name: 'password', kind: 'password', form: 'assigned', nameStart, value, start, end, isQuoted: false }
}
