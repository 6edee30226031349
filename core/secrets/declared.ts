import type { Budget } from '../budget.ts'
import type { Assignment } from './assignments.ts'
import { countLook } from './layers.ts'
import { readLiteral } from './literal.ts'
import type { NameKind } from './names.ts'

const NAME = /[A-Za-z_$][\w$]{1,40}(?=\s{0,8}[,)])/y
/** Of JavaScript, TypeScript and Java, in a line of its own. */
const DECLARING = /(?:^|[;{}\n])[ \t]{0,40}(?:[a-z]{1,10} ){0,4}(?:const|let|var|String) $/
const GIVEN = /(?:: string)?\s{0,4}=\s{0,8}(?=["'`])/y
const LONGEST_DECLARATION = 100
const MOST_NAMES = 30

/** The constant that an argument names: `const KEY = '…'` … `jwt.sign(user, KEY)`. What its own name gives away is found by that name as well. */
export function* readDeclared(text: string, at: number, kind: NameKind, budget: Budget): Generator<Assignment> {
  NAME.lastIndex = at
  const name = NAME.exec(text)?.[0]
  if (name === undefined) return
  for (const nameStart of placesBefore(text, name, at, budget)) {
    GIVEN.lastIndex = nameStart + name.length
    if (!GIVEN.test(text) || !DECLARING.test(text.slice(Math.max(0, nameStart - LONGEST_DECLARATION), nameStart))) continue
    const literal = readLiteral(text, GIVEN.lastIndex, 'quoted')
    if (literal !== undefined) yield { name, kind, form: 'assigned', nameStart, ...literal }
    return
  }
}

/** Where a name stands before an offset. */
function* placesBefore(text: string, name: string, at: number, budget: Budget): Generator<number> {
  let start = text.indexOf(name)
  countLook(budget, start)
  for (let looks = 0; looks < MOST_NAMES && start !== -1 && start < at; looks++) {
    yield start
    const next = text.indexOf(name, start + name.length)
    countLook(budget, next - start)
    start = next
  }
}

const NAMED_LIST = /(?:[\w$]{1,40}\.){0,4}([A-Za-z_$][\w$]{1,40})(?=\s{0,8}\.join\(\s{0,4}["'`]:["'`]\s{0,4}\))/y
/** `login: ['user', '…']`, `const login: string[] = [USER, '…']`, `this.login = […]`, up to the second of two. */
const HOLDS_LIST =
  /["']?(?:: ?(?:readonly )?(?:string\[\]|\[string, ?string\]))?\s{0,4}[:=]\s{0,8}\[\s{0,40}(?:["'`]([^"'`\s]{1,100})["'`]|[\w$.]{1,80}),\s{0,40}(?=["'`])/y
const END_OF_LIST = /["'`]\s{0,8},?\s{0,40}\]/y
const SHORTEST_PASSWORD = 4
/** Keys of caches are joined and encoded the same way. */
const OF_A_HEADER = /basic\s|authorization/i
const AROUND = 200

/** The second of two that a constant or a field holds and a colon joins: `login: ['user', '…']` … `btoa(scale.login.join(':'))`. */
export function* readNamedList(text: string, at: number, kind: NameKind, budget: Budget): Generator<Assignment> {
  budget.step(8)
  NAMED_LIST.lastIndex = at
  const name = NAMED_LIST.exec(text)?.[1]
  if (name === undefined || !OF_A_HEADER.test(text.slice(Math.max(0, at - AROUND), at + AROUND))) return
  for (const nameStart of placesBefore(text, name, at, budget)) {
    if (/[\w$]/.test(text[nameStart - 1] ?? '')) continue
    HOLDS_LIST.lastIndex = nameStart + name.length
    const list = HOLDS_LIST.exec(text)
    if (list === null) continue
    const literal = readLiteral(text, HOLDS_LIST.lastIndex, 'quoted')
    END_OF_LIST.lastIndex = literal?.end ?? 0
    if (literal === undefined || literal.value.length < SHORTEST_PASSWORD || literal.value === list[1]) return
    if (END_OF_LIST.test(text)) yield { name, kind, form: 'assigned', nameStart, ...literal }
    return
  }
}
