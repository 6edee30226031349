import { findPart, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createOffsetIndex, isAround } from '../../facts/span-index.ts'
import { append } from '../../lists.ts'
import { ACCOUNT_FIELDS, ANSWERING, ONE_TIME_FIELDS } from '../tables/routes.ts'

/** Bodies that name an account: `const { email, code } = req.body` asks for what was sent to its owner. */
export function sentToAccounts({ bindings }: ScriptFacts): ReadonlySet<number> {
  return new Set(
    bindings.flatMap(({ definitions }) =>
      definitions.flatMap(({ path: [name = ''], value }) =>
        ACCOUNT_FIELDS.test(name) && value !== undefined && lastNameOf(value) === 'body' ? [value.start] : [],
      ),
    ),
  )
}

/** `const code = crypto.randomInt(100000, 1000000)` beside an account that the body names, and in no answer: it is for the owner of that account alone. */
export function codesSent({ bindings, calls }: ScriptFacts, sent: ReadonlySet<number>): readonly number[] {
  const drawn = bindings.flatMap(({ name, function: around, definitions: [made] }) => {
    const isDrawn = ONE_TIME_FIELDS.test(name) && made?.value !== undefined && findPart(made.value, isRandom) !== undefined
    return isDrawn ? [{ around, start: made.start, value: made.value.start }] : []
  })
  if (drawn.length === 0) return []
  const names = createOffsetIndex(sent)
  /** The answers that hold a value, by where that begins. */
  const answers = new Map<number, number[]>()
  for (const { start, callee, args } of calls) {
    if (!ANSWERING.test(lastNameOf(callee) ?? '')) continue
    for (const given of args)
      findPart(given, (part) => {
        append(answers, part.start, start)
        return false
      })
  }
  return drawn.flatMap(({ around, start, value }) =>
    names(around) && answers.get(value)?.some((one) => isAround(around, one)) !== true ? start : [],
  )
}

/** Facts: Node.js 20, "crypto". */
function isRandom(part: Value): boolean {
  return 'callee' in part && /^random(?:Int|Bytes|UUID)$/.test(lastNameOf(part.callee) ?? '')
}
