import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, findPart, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { toWords } from '../../../model/cap/index.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import { accessesOf } from '../../../facts/paths.ts'
import { changedNumbers, compoundsOf, sentPath, type Compounds } from './changed-numbers.ts'
import { entityOfUpdate } from './decided-states.ts'

/** An element that scripts of the server keep up by updates of their own: points, a count of orders, a tier, a score. */
export interface KeptNumber {
  /** The last part of the name of the entity. */
  readonly entity: string
  readonly element: string
}

export const keptNumbers: Extract<KeptNumber> = defineExtract({
  name: 'cap-kept-numbers',
  keywords: ['UPDATE', '.update('],
  prefilter: (text) => KEPT_IN_TEXT.test(text),
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    let compounds: Compounds | undefined
    for (const call of facts.calls) {
      step()
      const entity = call.texts === undefined ? entityOfUpdate(call)?.entity : undefined
      if (entity !== undefined)
        for (const element of keptIn(call, (compounds ??= compoundsOf(facts, step)))) yield { entity, element }
    }
  },
})

const KEPT_IN_TEXT = /points|balance|credits?|miles|total|lifetime|count|score|tier|verified/i
/** What only goes up and down by what happens, in words: nobody enters how many orders there were. */
const COUNTED =
  /(?:^| )(?:points|miles|balance|credits)$|^(?:total|lifetime|number of|num|no of|count of) (?:\w{1,30} )?(?:orders?|purchases?|bookings?|visits?|sales|reviews?|ratings?|likes?|votes?|downloads?|points|miles|spent|spend|spending|redeemed|redemptions?)$|^(?:order|purchase|booking|visit|review|rating|like|vote|download)s? count$/
/** What the server works out from other things. */
const WORKED_OUT = /(?:^| )(?:score|tier)$|^(?:is )?(?:kyc )?verified$/

/** The elements of an update that follow from what they were, or that code works out for other rows. */
function keptIn(call: CallValue, compounds: Compounds): readonly string[] {
  const changed = changedNumbers(call, compounds).flatMap(({ element, amount }) => (isGiven(amount) ? [] : [element]))
  const fields = call.args.flatMap((given) => {
    const row = resolveValue(given)
    return row.kind === 'object' ? row.fields : []
  })
  const worked = fields.flatMap(({ key, value }) => (key !== undefined && isWorkedOut(key, value) ? [key] : []))
  return [...new Set([...changed.filter((name) => COUNTED.test(toWords(name))), ...worked])]
}

function isWorkedOut(key: string, written: Value): boolean {
  const words = toWords(key)
  const value = resolveValue(written)
  if (COUNTED.test(words)) {
    const [only] = value.kind === 'object' ? value.fields : []
    // { '+=': 1 }
    if (only !== undefined && /^[-+]=$/.test(only.key ?? '')) return !isGiven(only.value)
    return only?.key === 'xpr' && isOfItself(key, only.value)
  }
  return WORKED_OUT.test(words) && constantOf(written) === undefined && !isGiven(written)
}

/** `{ xpr: [{ ref: ['points'] }, '+', { val: earned }] }`. Fact: capire, "Core Expression Notation (CXN)". */
function isOfItself(key: string, terms: Value): boolean {
  const names = findPart(terms, (part) => part.kind === 'literal' && part.value === key) !== undefined
  return names && findPart(terms, (part) => part.kind === 'literal' && /^[-+]$/.test(String(part.value))) !== undefined
}

/** What the client sends itself, as it is. */
function isGiven(value: Value): boolean {
  if (sentPath(value) !== undefined) return true
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps[0] === 'data')
}
