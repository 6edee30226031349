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
  const written = `${name}=`
  for (let at = before.lastIndexOf(written); at !== -1; at = at === 0 ? -1 : before.lastIndexOf(written, at - 1)) {
    // a part of a longer name
    if (/\w/.test(before[at - 1] ?? '')) continue
    PAIR.lastIndex = from + at + written.length
    const [whole = '', password] = PAIR.exec(text) ?? []
    if (password === undefined) return undefined
    const start = from + at + written.length + whole.length - password.length
    return { value: password, start, end: start + password.length }
  }
  return undefined
}
