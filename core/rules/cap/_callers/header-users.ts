import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { findPart, importedNames, type CallValue, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { exportedFunctions, findCallbacks, functionOf } from '../../../facts/callbacks.ts'
import { isAround, isWithin } from '../../../facts/span-index.ts'
import { append } from '../../../lists.ts'
import { handlerFunction } from '../../../model/cap/index.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { findHeaderOwners } from '../_rows/header-owners.ts'
import { isRequest } from './shown-identities.ts'
import { findBranchedUsers, findChosenRoles, findChosenUsers, findOverridingUsers, type ChosenUser } from './chosen-users.ts'

/** A header that stands for the user, the modules that the function around it asks about the caller, and the names under which other files call it. */
export interface HeaderUser extends ChosenUser {
  /** `./people` of `await resolveUser(req)`. */
  readonly asked: readonly string[]
  /** `resolveUser` of `exports.resolveUser = …`, and of what calls the function around in its script. */
  readonly offered: readonly string[]
  /** A function gives it back to those that call it: others make the user by that. */
  readonly isTold?: true
  /** The names of all functions that its script offers; of a class, or of what another function makes, it doesn't tell them. */
  readonly exported: readonly string[]
}

/** Headers that stand for the user in productive code. */
export const chosenUsers: Extract<HeaderUser> = defineExtract({
  name: 'cap-chosen-users',
  keywords: ['user', 'tenant', 'employee', 'actor', 'impersonate', 'on-behalf-of', 'role', 'scope', 'permission', 'admin'],
  prefilter: (text) =>
    /\bheaders?\b|\.get\(/.test(text) &&
    /['"](?:x-)?[\w-]{0,60}(?:user|employee|actor|tenant|impersonate|behalf|role|scope|permission|admin)/i.test(text),
  isFor: (path) => !isDeveloperFile(path) && !path.includes('/webapp/'),
  *collect({ facts, text, step }) {
    const isForDevelopers = createDevelopmentReader(facts)
    let offers: Offers | undefined
    let callbacks: ReadonlyMap<FunctionFact, unknown> | undefined
    for (const found of findAll(facts, text, step)) {
      if (isForDevelopers(found)) continue
      const { exported, offeredFor } = (offers ??= readOffers(facts, step))
      callbacks ??= findCallbacks(facts)
      const isTold = tellsCallers(found, facts, callbacks)
      yield {
        ...found,
        asked: askedModules(found, facts, step),
        exported,
        offered: offeredFor(found),
        ...(isTold && { isTold: true as const }),
      }
    }
  },
})

function* findAll(facts: ScriptFacts, text: string, step: (count?: number) => void): Generator<ChosenUser> {
  yield* findHeaderOwners(facts, text, step)
  yield* findChosenUsers(facts)
  yield* findOverridingUsers(facts)
  yield* findBranchedUsers(facts)
  yield* findChosenRoles(facts, text)
}

/** The modules whose functions get the request in the same function. */
function askedModules({ start }: ChosenUser, facts: ScriptFacts, step: (count?: number) => void): readonly string[] {
  step(facts.functions.length + facts.calls.length)
  const around = facts.functions.findLast((span) => isAround(span, start))
  if (around === undefined) return []
  return facts.calls
    .filter((call) => isWithin(call, around) && call.args.some(isRequest))
    .flatMap(({ callee }) => importedNames(callee).map(({ source }) => source))
}

/** `const who = (req) => req.headers['x-user'] || req.user.id`; what a handler gives back is its answer. */
function tellsCallers({ start, end }: Span, { functions }: ScriptFacts, callbacks: ReadonlyMap<FunctionFact, unknown>): boolean {
  const around = functions.findLast((fact) => isWithin({ start, end }, fact))
  if (around === undefined || callbacks.has(around)) return false
  return around.returns.some((given) => findPart(given, (part) => part.start === start && part.end === end) !== undefined)
}

interface Offers {
  /** Names of all functions that other files may call. */
  readonly exported: readonly string[]
  /** Under which of them they call what runs the code at a place: the functions around it, and those of the script that call them. */
  readonly offeredFor: (place: Span) => readonly string[]
}

/** Functions that call each other, looked through in a row. */
const MAX_HOPS = 3

function readOffers(facts: ScriptFacts, step: (count?: number) => void): Offers {
  const namesOf = new Map<FunctionFact, string[]>()
  const exported = exportedFunctions(facts)
  step(exported.length + facts.calls.length)
  for (const [name, fact] of exported) append(namesOf, fact, name)
  const callsOf = new Map<FunctionFact, CallValue[]>()
  for (const call of facts.calls) {
    const called = functionOf(call.callee) ?? handlerFunction(call.callee, facts)
    if (called !== undefined) append(callsOf, called, call)
  }
  const known = new Map<FunctionFact, readonly string[]>()
  const namesFor = (inner: FunctionFact): readonly string[] => {
    const reached = new Set<FunctionFact>()
    let next = [...functionsAround(inner)]
    for (let hop = 0; hop <= MAX_HOPS && next.length > 0; hop++) {
      for (const one of next) reached.add(one)
      const calls = next.flatMap((one) => callsOf.get(one) ?? [])
      step(1 + next.length + calls.length)
      const callers = calls.flatMap((call) => [...functionsAround(call.function)])
      next = [...new Set(callers)].filter((one) => !reached.has(one))
    }
    return [...reached].flatMap((one) => namesOf.get(one) ?? [])
  }
  const offeredFor = (place: Span): readonly string[] => {
    step(facts.functions.length)
    const inner = facts.functions.findLast((fact) => isWithin(place, fact))
    const names = inner === undefined ? [] : (known.get(inner) ?? namesFor(inner))
    if (inner !== undefined) known.set(inner, names)
    return names
  }
  return { exported: exported.map(([name]) => name), offeredFor }
}

function* functionsAround(inner: FunctionFact): Generator<FunctionFact> {
  for (let here: FunctionFact | undefined = inner; here !== undefined; here = here.parent) yield here
}
