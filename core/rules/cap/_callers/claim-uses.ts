import { accessesOf, findOrigin, keyOf, valuesOf, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { groupBy } from '../../../lists.ts'
import type { Span } from '../../../types.ts'
import { isWithin } from '../../../facts/span-index.ts'

/** What the claims of a decoded token are used for; the worst of a call counts. */
export type ClaimUse = 'decision' | 'other' | 'log'

/** Claims that say when and how a token was made: they tell nobody apart. */
const FORMAL: ReadonlySet<string> = new Set([
  'exp',
  'iat',
  'nbf',
  'header',
  'alg',
  'kid',
  'typ',
  'jku',
  'length',
  'jti',
  'expires_in',
])
const COMPARING: ReadonlySet<string> = new Set([
  'includes',
  'has',
  'indexOf',
  'some',
  'every',
  'find',
  'startsWith',
  'endsWith',
  'test',
  'match',
  'hasOwnProperty',
])
const LOOKING_UP: ReadonlySet<string> = new Set(['where', 'findOne', 'findById', 'findUnique', 'findFirst', 'byKey', 'findByPk'])
/** What others then take for the user. */
const IDENTITY = /^(?:user|currentUser|loggedInUser|auth|principal|identity|roles|scopes|permissions|userId|isAdmin|tenant)$/
const DECIDES =
  /verif|authenticat|authori[sz]|isadmin|has_?(?:scope|role|permission)|check_?(?:scope|role|auth|access|permission|token)|validate|isallowed/i

/** How each decoded token is used within its file. */
export function findClaimUses(
  facts: ScriptFacts,
  decodings: readonly CallValue[],
  step: () => void,
): ReadonlyMap<CallValue, ClaimUse> {
  const uses = new Map<CallValue, ClaimUse>()
  const wanted = new Set<Value>(decodings)
  const note = (claims: Value, use: ClaimUse | undefined): void => {
    const call =
      use === undefined
        ? undefined
        : findOrigin(
            claims,
            (part) => {
              step()
              // what is put into a parameter is not what it is
              if (part.kind === 'reference' && part.binding?.kind === 'parameter') return 'clean'
              return wanted.has(part) ? 'source' : undefined
            },
            // const claimsOf = (token) => jwt.decode(token)
            (part) => (part.kind === 'call' && !wanted.has(part) ? functionOf(part.callee)?.returns : undefined),
          )
    const decoding = decodings.find((one) => one === call)
    if (decoding === undefined || use === undefined) return
    const before = uses.get(decoding)
    if (before === undefined || use === 'decision' || before === 'log') uses.set(decoding, use)
  }

  const parents = new Map<Value, Value | undefined>()
  const isDeciding = createDecisionReader(facts)
  const tests = new Set<Value>(facts.guards.flatMap(({ test, inside }) => (isDeciding(test, inside) ? test : [])))
  for (const { value, parent } of valuesOf(facts)) {
    step()
    parents.set(value, parent)
    if (value.kind === 'choice' && value.test !== undefined && isDeciding(value.test, value)) tests.add(value.test)
  }
  for (const value of parents.keys()) {
    step()
    if (value.kind !== 'member' && value.kind !== 'reference') continue
    // the longest chain of members counts: `decoded.scope` of `decoded.scope.length`
    const parent = parents.get(value)
    if (parent?.kind === 'member' && parent.object === value && !isMethodOf(parent, parents)) continue
    const use = useOf(value, parents, tests)
    if (use !== undefined) note(value, use)
  }
  for (const { target, value } of facts.assignments) if (IDENTITY.test(target.name ?? '')) note(value, 'decision')
  for (const { name, returns } of facts.functions) {
    if (DECIDES.test(name.slice(name.lastIndexOf('.') + 1))) for (const value of returns) note(value, 'decision')
  }
  return uses
}

/** Tells conditions from those that only replace what they ask for: `claims.email && (claims.email = mask)`. */
function createDecisionReader({ assignments }: ScriptFacts): (test: Value, inside: Span) => boolean {
  const written = groupBy(assignments, ({ target }) => keyOf(target))
  return (test, inside) => {
    const key = keyOf(test)
    const own = key === undefined ? [] : (written.get(key) ?? [])
    return !own.some(({ value }) => isWithin(value, inside))
  }
}

function isMethodOf(member: Value, parents: ReadonlyMap<Value, Value | undefined>): boolean {
  const call = parents.get(member)
  return call?.kind === 'call' && call.callee === member
}

/** The claim that a value reads; undefined for the token as a whole. */
function claimOf(value: Value): string | undefined {
  if (value.kind === 'member') return value.name ?? '[]'
  if (value.kind !== 'reference') return undefined
  const [definition] = value.binding?.definitions ?? []
  return definition?.path.at(-1) ?? (definition?.value?.kind === 'member' ? definition.value.name : undefined)
}

const MAX_CLIMB = 16

function useOf(value: Value, parents: ReadonlyMap<Value, Value | undefined>, tests: ReadonlySet<Value>): ClaimUse | undefined {
  const claim = claimOf(value)
  if (claim !== undefined && FORMAL.has(claim)) return undefined
  let here = value
  for (let climb = 0; climb < MAX_CLIMB; climb++) {
    const parent = parents.get(here)
    if (claim !== undefined && tests.has(here)) return 'decision'
    if (parent === undefined) return undefined
    if (claim !== undefined && isComparison(parent, here)) return 'decision'
    if (parent.kind === 'call' || parent.kind === 'new') {
      const name = lastNameOf(parent.callee) ?? ''
      if (isLog(parent)) return 'log'
      if (parent.callee === here && COMPARING.has(name) && claim !== undefined) return 'decision'
      if (parent.callee !== here) {
        if (COMPARING.has(name) && claim !== undefined) return 'decision'
        if (LOOKING_UP.has(name)) return 'decision'
        if (!/^(?:parse|String|toString|stringify|Number|decodeURIComponent|keys)$/.test(name))
          return claim === undefined ? undefined : 'other'
      }
    }
    here = parent
  }
  return undefined
}

function isComparison(parent: Value, here: Value): boolean {
  if (parent.kind !== 'operation') return false
  if (parent.operator === 'in') return parent.operands[1] === here || parent.operands[0] === here
  if (!/^[!=]==?$/.test(parent.operator)) return false
  const other = parent.operands.find((operand) => operand !== here)
  return !(other?.kind === 'literal' && other.value === null) && !(other?.kind === 'reference' && other.name === 'undefined')
}

function isLog({ callee }: CallValue): boolean {
  return accessesOf(callee).some(
    ({ root, steps }) =>
      root === 'global:console' ||
      /(?:^|:)_?log(?:ger)?$/i.test(root) ||
      /^_?log(?:ger)?$/i.test(steps.at(-2) ?? '') ||
      (steps.includes('log') && root.includes('cds')),
  )
}
