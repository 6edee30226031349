import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { methodAround } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { CallValue, FunctionFact, Guard, ScriptFacts } from '../../facts/types.ts'
import { holdsAt } from '../../keywords/index.ts'
import { isDataWrite, MODEL_WRITE_KEYWORDS } from '../../model/ui5/index.ts'
import type { Span } from '../../types.ts'
import { asksRow, createDenialReader } from './_denials.ts'
import { ownerIn, roleIn, userComparedIn } from './_role-words.ts'
import { isOfThis } from './_user-identities.ts'
import { isOnTheWay } from '../../facts/guards.ts'

/** What a script changes on a server: by one of its methods, or behind a condition on the role of the user. */
export interface RoleGuardedWrite {
  /** Methods of the script that change something, also through one another. */
  readonly methods: readonly string[]
  readonly guarded: readonly GuardedWrite[]
  /** Behind such a condition it calls these methods, its own or inherited ones. */
  readonly calling: readonly (GuardedWrite & { readonly called: readonly string[] })[]
}

interface GuardedWrite {
  readonly at: Span
  readonly role: string
  readonly by: 'code' | 'owner' | 'denied' | 'answered'
}

/** What may change a row, or compare its owner. */
const CHANGES =
  /\b(?:[oO]wner|[cC]reated_?[bB]y|[uU](?:ser(?:Name|Id|ID)?|suario|name)) ?[!=]==?|\bsubmit(?:Changes|Batch)\b|\bcallFunction\b|\.(?:create|update|remove)\(\s{0,40}["'`]\/|(?<=["'`])(?:POST|PUT|PATCH|DELETE|MERGE)["'`]|bindContext\(/y
/** How its alternatives begin. */
const CHANGE_WORDS = [
  ...'owner createdby created_by user usuario uname'.split(' '),
  ...MODEL_WRITE_KEYWORDS,
  ...'POST PUT PATCH DELETE MERGE'.split(' '),
  'bindContext(',
]

export const roleGuardedWrites: Extract<RoleGuardedWrite> = defineExtract({
  name: 'ui5-role-guarded-writes',
  keywords: [...MODEL_WRITE_KEYWORDS, '.delete(', '.execute(', 'fetch(', '.ajax('],
  withFlow: true,
  words: CHANGE_WORDS,
  prefilter: (text, hits) =>
    holdsAt(text, hits.places(text, CHANGE_WORDS), CHANGES) ||
    ((hits.has('.delete(') || hits.has('.execute(')) && /[cC]ontext(?:\([^()]{0,40}\))?\.(?:delete|execute)\(/.test(text)),
  collect({ facts, step }) {
    const denialIn = createDenialReader(facts)
    const writes = facts.calls.filter((call) => isDataWrite(call) || isContextWrite(call))
    const guarded = writes.flatMap((write) => {
      step(facts.guards.length)
      return guardedBy(write, facts, denialIn) ?? []
    })
    if (writes.length > 0) guarded.push(...deletionsOffered(facts, step))
    const calling = [...callsBehindRoles(facts, denialIn, step)]
    return writes.length === 0 && calling.length === 0
      ? []
      : [{ methods: [...methodsThatWrite(writes, facts)], guarded, calling }]
  },
})

/** OData V4: `context.delete()`, `model.bindContext("/approve(...)").execute()`. */
function isContextWrite({ callee }: CallValue): boolean {
  if (callee.kind !== 'member') return false
  const owner = lastNameOf(callee.object.kind === 'call' ? callee.object.callee : callee.object) ?? ''
  if (callee.name === 'delete') return /context$/i.test(owner)
  return (callee.name === 'execute' || callee.name === 'invoke') && /(?:context|binding|action|operation)$/i.test(owner)
}

/** The name of the method of a controller around a call. */
function nameAround(from: FunctionFact): string | undefined {
  const method = methodAround(from)
  return method?.name.slice(method.name.lastIndexOf('.') + 1)
}

function methodsThatWrite(writes: readonly CallValue[], { calls }: ScriptFacts): ReadonlySet<string> {
  const callers = new Map<string, Set<string>>()
  for (const { callee, function: around } of calls) {
    if (callee.kind !== 'member' || callee.name === undefined || !isOfThis(callee.object)) continue
    const caller = nameAround(around)
    if (caller !== undefined) callers.set(callee.name, (callers.get(callee.name) ?? new Set()).add(caller))
  }
  const found = new Set<string>()
  const open = writes.flatMap(({ function: around }) => nameAround(around) ?? [])
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...(callers.get(name) ?? []))
  }
  return found
}

/** A role is told before an owner. */
const ASKED = [
  ['code', ({ test }: Guard) => roleIn(test)],
  ['owner', ({ test }: Guard) => ownerIn(test)],
  [
    'denied',
    (guard: Guard, denialIn: DenialReader) => {
      const denial = guard.exits ? denialIn(guard) : undefined
      return denial === undefined || asksRow(guard) ? undefined : denial
    },
  ],
  // the service has said so of this row: it knows the right
  ['answered', (guard: Guard, denialIn: DenialReader) => (guard.exits ? denialIn(guard) : undefined)],
] as const

type DenialReader = ReturnType<typeof createDenialReader>

/** `item.setEnableDelete(true)` where the row is one of the user. Fact: API of sap.m.UploadCollectionItem, `enableDelete`. */
function* deletionsOffered({ calls, guards }: ScriptFacts, step: (count?: number) => void): Generator<GuardedWrite> {
  for (const call of calls) {
    if (!/^set(?:Enable|Visible)Delete$/.test(lastNameOf(call.callee) ?? '')) continue
    step(guards.length)
    for (const guard of guards) {
      const role = isOnTheWay(guard, call.start) ? (ownerIn(guard.test) ?? userComparedIn(guard.test)) : undefined
      if (role === undefined) continue
      yield { at: { start: guard.test.start, end: guard.test.end }, role, by: 'owner' }
      return
    }
  }
}

function guardedBy(write: CallValue, facts: ScriptFacts, denialIn: DenialReader): GuardedWrite | undefined {
  const before = facts.guards.filter((guard) => isOnTheWay(guard, write.start))
  for (const [by, nameIn] of ASKED) {
    for (const guard of before) {
      const role = nameIn(guard, denialIn)
      if (role !== undefined) return { at: { start: guard.test.start, end: guard.test.end }, role, by }
    }
  }
  return undefined
}

function* callsBehindRoles(
  facts: ScriptFacts,
  denialIn: DenialReader,
  step: (count?: number) => void,
): Generator<RoleGuardedWrite['calling'][number]> {
  const own = facts.calls.filter(({ callee }) => callee.kind === 'member' && isOfThis(callee.object))
  if (own.length === 0) return
  for (const guard of facts.guards) {
    step()
    for (const [by, nameIn] of ASKED) {
      const role = nameIn(guard, denialIn)
      if (role === undefined) continue
      step(own.length)
      const called = own.flatMap((call) => (isOnTheWay(guard, call.start) ? (lastNameOf(call.callee) ?? []) : []))
      if (called.length > 0) yield { at: { start: guard.test.start, end: guard.test.end }, role, by, called }
      break
    }
  }
}
