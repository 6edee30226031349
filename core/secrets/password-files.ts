import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook, type Layer } from './layers.ts'

/** What stands in files whose lines are fields without names. */
export const PASSWORD_FILE_KEYWORDS: readonly string[] = ['machine ', ':5432:', ':*:']

const NETRC = /\bpassword[ \t\r\n]{1,8}([^\s"]{4,200})/g
/** host:port:database:user:password; a colon within a field is escaped. */
const PGPASS = /^(?:(?:[^:\\\r\n#]|\\.){1,200}:){4}([^\r\n]{4,200})$/gm

/** Passwords of `.netrc` and `.pgpass`. Facts: the manuals of GNU inetutils (.netrc) and of PostgreSQL (libpq, 33.16). */
export function* findPasswordLines(layer: Layer, path: string, budget: Budget): Generator<Assignment> {
  const file = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const form = /^[._]netrc$/.test(file) ? NETRC : /^\.?pgpass(?:\.conf)?$/.test(file) ? PGPASS : undefined
  if (form === undefined) return
  countLook(budget, layer.text.length)
  for (const found of layer.text.matchAll(form)) {
    budget.step(4)
    const value = (found[1] ?? '').trim()
    const end = found.index + found[0].trimEnd().length
    yield {
      name: 'password',
      kind: 'password',
      form: 'assigned',
      nameStart: found.index,
      value,
      start: end - value.length,
      end,
      isQuoted: false,
    }
  }
}
