import type { Proof } from '../../conditions/constraint.ts'
import {
  createGuardReader,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
  directParts,
  keyOf,
} from '../../facts/index.ts'
import type { FlowCheck } from '../check-types.ts'
import type { CheckingScript } from '../graph/input.ts'
import type { HandlerFunction } from '../../model/cap/index.ts'
import { checkedParametersOf } from '../servers/handlers.ts'
import { instanceGuards } from '../values/instances.ts'
import { createAskersOf, type Askers, type ByOwner } from './asked-values.ts'
import { createMarkupReader } from '../sinks/content-types.ts'
import { formulaTestsIn, type FormulaTests } from './formulas.ts'
import { createProofReader, provedAt } from './proofs.ts'
import { mayCleanMarkdown } from './markdown.ts'
import { refusedOf } from './refusals.ts'
import { toMark } from '../field-marks.ts'
import { cleansOf } from '../tables/harmless.ts'
import { marksOfAll } from '../values/filtered.ts'

/** What conditions of the script prove, asked where a value is read. */
export interface ScriptChecks {
  /** What a condition on the way makes of the value: `clean` for everything, a comparison with the beginning that it must have, or with the own origin. */
  proofsOf(value: Value): readonly Proof[]
  /** Conditions that decide about what stands at an offset. */
  guardsAt(offset: number): readonly Guard[]
  readonly askers: Askers
  /** By handler: fields that others put on its request, and that are checked before it runs. */
  readonly refusedFields: ReadonlyMap<FunctionFact, ReadonlySet<string>>
  /** Fields of what is handed on that conditions on the way have checked. */
  checkedPartsOf(value: Value): readonly string[]
  /** Parameters of routes that are checked before any handler runs. */
  readonly checkedParameters: ReadonlySet<string>
  /** What the text of a response is. */
  readonly markupDetail: ReturnType<typeof createMarkupReader>
  /** Conditions that look whether a text is a formula. */
  readonly formulas: FormulaTests
  /** Conditions that ask whether a value was made from a class. */
  readonly instanceGuards: readonly Guard[]
  /** What marked renders may be without HTML. */
  readonly isMarkdownCleaned: boolean
}

/** `handlers`: of a server; `checksOf`: what a function of the file proves about its parameters. */
export function createScriptChecks(
  script: CheckingScript & ByOwner,
  handlers: readonly HandlerFunction[],
  checksOf: (fact: FunctionFact) => readonly FlowCheck[],
): ScriptChecks {
  const { facts, text, step } = script
  let guardsRead: ScriptChecks['guardsAt'] | undefined
  const guardsAt: ScriptChecks['guardsAt'] = (offset) => (guardsRead ??= createGuardReader(facts.guards, step))(offset)
  return {
    proofsOf: createProofReader(script),
    guardsAt,
    askers: createAskersOf({ ...script, guardsAt }, checksOf),
    refusedFields: refusedOf(handlers, script),
    isMarkdownCleaned: mayCleanMarkdown(facts, text, step),
    checkedPartsOf: createPartReader({ ...script, guardsAt }),
    checkedParameters: checkedParametersOf(script),
    markupDetail: createMarkupReader(script),
    formulas: formulaTestsIn(facts, text),
    instanceGuards: instanceGuards(facts, text),
  }
}

const MAX_PARTS = 40
/** What looks at the items of a list one by one. */
const ITERATING = /^(?:forEach|map|flatMap|filter|find|reduce|entries|values|slice|sort|at)$/

/** What calls are given, or look at one by one. */
function handedOn({ calls, bindings }: ScriptFacts): ReadonlySet<Value> {
  const found = new Set<Value>()
  for (const { callee, args } of calls) {
    if (callee.kind === 'member' && ITERATING.test(callee.name ?? '')) found.add(callee.object)
    for (const argument of args) found.add(argument)
  }
  for (const { definitions } of bindings)
    for (const { kind, value } of definitions) if (kind === 'each' && value !== undefined) found.add(value)
  return found
}

/**
 * Tells which fields of an object conditions on the way have checked where the object as a whole is handed on: `if (!FORMAT.test(req.data.name)) return`, then
 * `save(req.data)`. As a move behind checks names them.
 */
function createPartReader(
  script: Pick<CheckingScript, 'facts' | 'step' | 'parts'> & Pick<ScriptChecks, 'guardsAt'>,
): (value: Value) => readonly string[] {
  const { facts, step, guardsAt, parts } = script
  if (facts.guards.length === 0) return () => []
  let handed: ReadonlySet<Value> | undefined
  return (value) => {
    const own = guardsAt(value.start)
    if (own.length === 0) return []
    handed ??= handedOn(script.facts)
    const key = handed.has(value) ? keyOf(value) : undefined
    if (key === undefined) return []
    const inside = `${key} `
    const found = new Map<string, string>()
    const isMentioned = parts.mentions(key)
    const open: Value[] = own.flatMap(({ test }) => (isMentioned(test) ? test : []))
    for (let visits = 0; visits < MAX_PARTS; visits++) {
      const here = open.pop()
      if (here === undefined) break
      step()
      const inner = here.kind === 'member' || here.kind === 'reference' ? keyOf(here) : undefined
      if (inner?.startsWith(inside) === true) {
        const path = inner.slice(key.length + 1).replaceAll(' ', '.')
        const proofs = found.has(path) ? [] : provedAt({ ...here, start: value.start, end: value.end }, own, parts)
        const cleans = cleansOf(proofs)
        if (cleans !== undefined) found.set(path, toMark(path, cleans))
      } else open.push(...directParts(here))
    }
    const ofItems = own.flatMap(({ test, inside }) => marksOfAll(test, key, value.start < inside.end, script))
    return [...found.values(), ...ofItems]
  }
}
