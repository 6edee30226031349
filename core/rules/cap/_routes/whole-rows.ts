import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isAround } from '../../../facts/span-index.ts'
import { writtenParts } from '../../../facts/written-parts.ts'
import { isAccountPassword, isDeployedCode, isPasswordHash } from '../../../model/script/index.ts'
import { isCredential, type CapRoot } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import type { Place } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { baseOf } from '../_handlers/query-chains.ts'
import { createRemovalReader, isRemoved } from '../_rows/removed-elements.ts'
import { passwordHashes } from '../_secrets/password-rows.ts'
import { isAnswer } from './route-answers.ts'

/** Rows that a route sends with all their columns. */
interface WholeRows {
  readonly at: number
  /** As the query names it: `shop.Users`, `Users`. */
  readonly entity: string
  /** What the function that answers takes out of rows, or overwrites; also one that it calls or hands to a call. */
  readonly removed: ReadonlySet<string>
}

/** `res.json(await SELECT.from('shop.Users'))`, `const users = await db.run(SELECT.from(Users)); res.send({ users })`. */
export const wholeRows: Extract<WholeRows> = defineExtract({
  name: 'cap-whole-rows',
  keywords: ['SELECT'],
  prefilter: (text) => READS.test(text) && SENDS.test(text),
  isFor: isDeployedCode,
  *collect({ facts, step }) {
    const removedBy = createRemovalReader(facts, step)
    for (const call of facts.calls) {
      step()
      if (!isAnswer(call)) continue
      for (const part of call.args.flatMap((given) => writtenParts(given))) {
        const entity = wholeEntityOf(part)
        if (entity !== undefined) yield { at: call.start, entity, removed: removedBy(answeringFunction(call)) }
      }
    }
  },
})

const READS = /\bSELECT\b[\w.]{0,10}\(|\bSELECT\.(?:one\.)?from\b/
const SENDS = /\.(?:json|send)\(/

/** The function with the parameter for the response, around callbacks of its own: `(req, res) => …`. */
function answeringFunction({ callee, function: around }: CallValue): FunctionFact {
  const responses = callee.kind === 'member' ? accessesOf(callee.object) : []
  return responses.find(({ binding }) => binding?.kind === 'parameter')?.binding?.function ?? around
}

/** Parts of a chain that leave all columns as they are. Fact: capire, "Querying in JavaScript", SELECT (`columns`, and `from` with a projection as its last argument, choose columns). */
const KEEPS_COLUMNS = /^(?:from|where|and|or|orderBy|limit|one|forUpdate|forShareLock|SELECT)$/
const MAX_CHAIN = 8

/** The entity of a query for whole rows, through `await` and `db.run(…)`. */
function wholeEntityOf(part: Value): string | undefined {
  let value = resolveValue(part)
  for (let depth = 0; depth < 3; depth++) {
    if (value.kind === 'await') value = resolveValue(value.value)
    if (value.kind !== 'call') return undefined
    const [query] = value.args
    if (lastNameOf(value.callee) !== 'run' || query === undefined) break
    value = resolveValue(query)
  }
  if (value.kind !== 'call') return undefined
  const base = baseOf(value)
  if (base?.kind !== 'read' || base.call.args.length !== 1 || !keepsColumns(value, base.call)) return undefined
  const [entity] = base.call.args
  return stringConstantOf(entity) ?? (entity && lastNameOf(entity))
}

function keepsColumns(query: CallValue, base: CallValue): boolean {
  let here: Value = query
  for (let depth = 0; depth < MAX_CHAIN; depth++) {
    if (here.kind !== 'call' || here.callee.kind !== 'member' || !KEEPS_COLUMNS.test(here.callee.name ?? '')) return false
    // SELECT('name').from(Users)
    if (here === base) return here.callee.object.kind !== 'call'
    here = here.callee.object
  }
  return false
}

/**
 * Credentials in whole rows that one of the functions which answer a route sends: elements of the entity by their names. A hash of a password opens nothing by itself.
 */
export function sentCredentials(answering: readonly Place[], project: Project): readonly string[] {
  const found = new Set<string>()
  for (const { file, span } of answering) {
    if (span === undefined) continue
    const rows = project.scripts.of(file, wholeRows)
    project.step(rows.length)
    for (const { at, entity, removed } of rows)
      if (isAround(span, at)) for (const name of credentialsIn(entity, project)) if (!isRemoved(name, removed)) found.add(name)
  }
  return [...found]
}

function credentialsIn(entity: string, { scripts, capRoots, step }: Project): readonly string[] {
  const areHashed = scripts.get(passwordHashes).length > 0
  return capRoots.flatMap((root) => {
    step(root.entities.length)
    return credentialsOf(entity, root, areHashed)
  })
}

function credentialsOf(entity: string, root: CapRoot, areHashed: boolean): readonly string[] {
  if (root.test) return []
  const qualified = root.entities.find((one) => one === entity) ?? root.entities.find((one) => lastName(one) === lastName(entity))
  if (qualified === undefined) return []
  return [...root.membersOf(qualified).values()].flatMap((member) => {
    if (member.virtual || !isCredential(member) || isPasswordHash(member.name)) return []
    return areHashed && isAccountPassword(member.name) ? [] : [member.name]
  })
}
