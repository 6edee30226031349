import { accessesOf, constantOf, createCodeReader, excerptOf, type Guard, type Value } from '../../../facts/index.ts'
import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isWithin } from '../../../facts/span-index.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App, isToolFile, runsInBrowser } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { asksForRight, createGuardReader, PRIVILEGES } from './written-privileges.ts'

/** A privilege of a new record that a constant in the request gives: `if (req.body.username === 'admin') user.isAdmin = true`. */
export interface NamedPrivilege extends Span {
  readonly field: string
  /** The comparison, as it is written. */
  readonly part: string
}

export const namedPrivileges: Extract<NamedPrivilege> = defineExtract({
  name: 'cap-named-privileges',
  keywords: ['isAdmin', 'is_admin', 'role', 'Role', 'uperAdmin', 'uper_admin', 'permissions', 'privileges'],
  prefilter: (text) => /\bbody\b/.test(text) && /===?/.test(text) && /\bnew\s/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path) && !/admin/i.test(path),
  *collect({ path, facts, text, step }) {
    if (runsInBrowser(path, facts)) return
    const given = facts.assignments.filter(
      ({ target, value, operator }) =>
        operator === '=' && PRIVILEGES.test(target.name ?? '') && isGiven(value) && isOfNewRecord(target.object),
    )
    if (given.length === 0) return
    const isGuarded = createGuardReader(facts, text, step)
    const asks = createCodeReader(text, (code) => SECRET.test(code))
    for (const guard of facts.guards) {
      const sent = sentIn(guard)
      step(given.length)
      const one = sent && given.find((written) => isWithin(written, guard.inside))
      if (sent === undefined || one === undefined || asks(guard.test) || isGuarded(one.function)) continue
      if (asksForRight(text.slice(one.function.start, guard.start))) continue
      const { start, end } = one.target
      yield { start, end, field: one.target.name ?? '', part: excerptOf(text, guard.test) }
    }
  },
})

/** What only few know is a proof of its own. */
const SECRET = /passw|secret|token|code|key|\bpin\b|invite/i

/** `true`, or the name of a role. */
function isGiven(value: Value): boolean {
  const constant = constantOf(value)
  return constant === true || (typeof constant === 'string' && /admin|super|root|manager/i.test(constant))
}

/** `const user = new User()`. */
function isOfNewRecord(object: Value): boolean {
  if (object.kind !== 'reference') return false
  const [made, other] = object.binding?.definitions ?? []
  return other === undefined && made?.value?.kind === 'new'
}

/** The request is compared with a word of the code. */
function sentIn({ test, exits }: Guard): Value | undefined {
  if (exits || test.kind !== 'operation' || !/^===?$/.test(test.operator)) return undefined
  const [first, second] = test.operands
  if (first === undefined || second === undefined || typeof constantOf(second) !== 'string') return undefined
  return accessesOf(first).some(({ root, steps }) => isContextRoot(root) && steps[0] === 'body' && steps.length > 1)
    ? first
    : undefined
}
