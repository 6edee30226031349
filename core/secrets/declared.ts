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
  let start = text.indexOf(name)
  countLook(budget, start)
  for (let looks = 0; looks < MOST_NAMES && start !== -1 && start < at; looks++) {
    GIVEN.lastIndex = start + name.length
    if (GIVEN.test(text) && DECLARING.test(text.slice(Math.max(0, start - LONGEST_DECLARATION), start))) {
      const literal = readLiteral(text, GIVEN.lastIndex, 'quoted')
      if (literal !== undefined) yield { name, kind, form: 'assigned', nameStart: start, ...literal }
      return
    }
    const next = text.indexOf(name, start + name.length)
    countLook(budget, next - start)
    start = next
  }
}
