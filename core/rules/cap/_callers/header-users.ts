import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { importedNames, type ScriptFacts } from '../../../facts/index.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import { createInnerIndex, isAround, isWithin } from '../../../facts/span-index.ts'
import { createDevelopmentReader, isDeveloperFile } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { reachedFrom } from '../_rows/decided-states.ts'
import { findHeaderOwners } from '../_rows/header-owners.ts'
import { isRequest } from './shown-identities.ts'
import { findBranchedUsers, findChosenRoles, findChosenUsers, findOverridingUsers, type ChosenUser } from './chosen-users.ts'

/** A header that stands for the user, the modules that the function around it asks about the caller, and the names under which other files call it. */
export interface HeaderUser extends ChosenUser {
  /** `./people` of `await resolveUser(req)`. */
  readonly asked: readonly string[]
  /** `resolveUser` of `exports.resolveUser = …`, and of what calls the function around in its script. */
  readonly offered: readonly string[]
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
    let offeredFor: ((place: Span) => readonly string[]) | undefined
    for (const found of findAll(facts, text, step)) {
      if (isForDevelopers(found)) continue
      offeredFor ??= createOfferReader(facts, step)
      yield { ...found, asked: askedModules(found, facts, step), offered: offeredFor(found) }
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

/** Under which names other files call what runs the code at a place: the functions around it, and those of the script that call them. */
function createOfferReader(facts: ScriptFacts, step: (count?: number) => void): (place: Span) => readonly string[] {
  const callsIn = createInnerIndex(facts.calls)
  const offers = exportedFunctions(facts).map(([name, fact]) => ({ name, reached: reachedFrom({ fact }, facts, callsIn) }))
  return (place) => {
    step(offers.length)
    return offers.flatMap(({ name, reached }) => (reached.some((fact) => isWithin(place, fact)) ? [name] : []))
  }
}
