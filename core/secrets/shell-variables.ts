import type { Budget } from '../budget.ts'
import type { Word } from './command-words.ts'
import { countLook } from './layers.ts'

/** `"$AUTH"`, `${AUTH}` */
const VARIABLE = /^\$(?:([A-Za-z_]\w{0,60})|\{([A-Za-z_]\w{0,60})\})$/
/** What it was given: a user and a password. */
const PAIR = /["']?[\w.@\\-]{1,80}:([^"'\s$`]{4,200})(?=["'\s]|$)/y
const REACH = 20_000

/** The password in `AUTH="user:password"`, which a command before `end` takes by that variable of its script. */
export function passwordOfVariable({ value }: Word, text: string, end: number, budget: Budget): Word | undefined {
  const [, plain, braced] = VARIABLE.exec(value) ?? []
  const name = plain ?? braced
  if (name === undefined) return undefined
  const from = Math.max(0, end - REACH)
  const before = text.slice(from, end)
  countLook(budget, before.length / 4)
  const at = lastGiven(name, before)
  if (at === undefined) return undefined
  PAIR.lastIndex = from + at
  const [whole = '', password] = PAIR.exec(text) ?? []
  if (password === undefined) return undefined
  const start = from + at + whole.length - password.length
  return { value: password, start, end: start + password.length }
}

/** Where the value stands that a shell gives a variable last: in `URL=…`, behind the sign. */
export function lastGiven(name: string, script: string): number | undefined {
  const written = `${name}=`
  for (let at = script.lastIndexOf(written); at !== -1; at = at === 0 ? -1 : script.lastIndexOf(written, at - 1))
    // no part of a longer name
    if (!/\w/.test(script[at - 1] ?? '')) return at + written.length
  return undefined
}
