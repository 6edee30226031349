import { keyOfName, resolveValue, type Binding, type FunctionFact, type Guard, type Value, directParts } from '../facts/index.ts'
import { askedOfItself, calledBy, givesPromise, settledAnswer } from '../facts/own-answers.ts'
import { isOnTheWay } from '../facts/guards.ts'
import { nameOf } from './addresses.ts'
import { askedIn, type Asked } from './asked.ts'
import { answered, believed, named } from './atoms/predicates.ts'
import { beginnings, ownName } from './atoms/beginnings.ts'
import { refusedCharacters } from './atoms/characters.ts'
import { examined } from './atoms/examined.ts'
import { forms } from './atoms/forms.ts'
import { LENGTH, lengths } from './atoms/lengths.ts'
import { listed } from './atoms/lists.ts'
import { schemes } from './atoms/schemes.ts'
import { namesOfOrigin, origins } from './atoms/origins.ts'
import { READS_STATE, refusals } from './atoms/refusals.ts'
import { MAKES_DIGESTS, signatures } from './atoms/signatures.ts'
import { common, knowsHost, tellsLittle, unite, type Constraint } from './constraint.ts'
import { constraintsOfItems, ofEachItem } from './items.ts'
import { keysOf } from './pattern-texts.ts'

/** What a call or a comparison proves about values. */
interface Atom {
  readonly read: (asked: Asked) => readonly Constraint[]
  /** Of what else is asked, it knows nothing. */
  readonly of?: readonly Value['kind'][]
  /** Of the script: it is not asked where that does not occur. */
  readonly prefilter?: RegExp
}

const ATOMS: readonly Atom[] = [
  { read: listed },
  { read: forms, of: ['call', 'operation'] },
  { read: named, of: ['call'] },
  { read: examined },
  { read: lengths, of: ['operation'], prefilter: LENGTH },
  { read: refusedCharacters, of: ['call'] },
  { read: ownName, of: ['operation'] },
  { read: beginnings },
  { read: schemes, of: ['call', 'operation'] },
  { read: origins, of: ['call', 'operation'] },
  { read: signatures, prefilter: MAKES_DIGESTS },
  { read: refusals, of: ['member', 'operation'], prefilter: READS_STATE },
]

/** Conditions within conditions, names and functions included. */
const MAX_DEPTH = 8
/** Functions that a function asks, one behind the other. */
const MAX_CALLS = 4
const MAX_RETURNS = 8

/** What the walker has to know of a script. `step` counts what is looked at. */
interface ConditionFacts {
  readonly text: string
  guardsIn(fact: FunctionFact): readonly Guard[]
  patternsIn(fact: FunctionFact): readonly Binding[]
  readonly step: (count?: number) => void
}

/** Keys of values that somebody asks about. */
export interface Names {
  has(of: string): boolean
}

export interface Conditions {
  /** What a test proves about values where it holds, or where it does not. */
  constraintsOf(test: Value, holds: boolean): readonly Constraint[]
  /** What conditions prove that are on the way to a place, of these values alone or of all. */
  constraintsAt(guards: readonly Guard[], offset: number, names?: Names): readonly Constraint[]
  /** What holds of each item of which a callback gives true; the keys lead from the item. */
  constraintsOfItems(callback: Value): readonly Constraint[]
}

type Sides = [holding?: readonly Constraint[], failing?: readonly Constraint[]]

/** What was worked out before. */
interface Walk {
  readonly facts: ConditionFacts
  readonly atoms: readonly Atom[]
  readonly known: Map<Value, Sides>
  readonly answers: Map<FunctionFact, Sides>
  readonly running: Set<FunctionFact>
}

/**
 * The only walker over conditions: `!`, `&&`, `||`, `?:`, `await`, names of conditions, comparisons of what a call gives, functions of the file. What a single call or
 * comparison proves, atoms say.
 */
export function createConditions(facts: ConditionFacts): Conditions {
  const atoms = ATOMS.filter(({ prefilter }) => prefilter?.test(facts.text) !== false)
  const walk: Walk = { facts, atoms, known: new Map(), answers: new Map(), running: new Set() }
  return {
    constraintsOf: (test, holds) => constraintsOf(test, holds, walk),
    constraintsAt: (guards, offset, names) => constraintsAt(guards, offset, walk, names),
    constraintsOfItems: (callback) => ofEachItem(callback, true, (fact, holds) => answersOf(fact, holds, walk)),
  }
}

function constraintsOf(test: Value, holds: boolean, walk: Walk): readonly Constraint[] {
  const sides = walk.known.get(test) ?? []
  walk.known.set(test, sides)
  return (sides[holds ? 0 : 1] ??= constraintsIn(test, holds, walk, 0) ?? [])
}

function constraintsAt(guards: readonly Guard[], offset: number, walk: Walk, names?: Names): readonly Constraint[] {
  const found: Constraint[] = []
  for (const guard of guards) {
    if (!isOnTheWay(guard, offset)) continue
    const isInside = offset < guard.inside.end
    for (const one of constraintsOf(guard.test, isInside, walk)) {
      if (names?.has(one.of) !== false) found.push(one)
      // what leaves for an item of a list lets the list pass where all items may
      const list = !isInside && one.of.endsWith(ITEM) ? one.of.slice(0, -ITEM.length) : undefined
      if (list !== undefined && names?.has(list) !== false) found.push({ ...one, of: list })
    }
  }
  return found.length < 2 ? found : unite([found])
}

/** The end of the key of an item. */
const ITEM = ' []'

/** Undefined: nothing can be on that side. */
function constraintsIn(test: Value, holds: boolean, walk: Walk, depth: number): readonly Constraint[] | undefined {
  if (depth > MAX_DEPTH) return []
  walk.facts.step()
  const further: Further = (value, side) => constraintsIn(value, side, walk, depth + 1)
  switch (test.kind) {
    case 'literal':
      return Boolean(test.value) === holds ? [] : undefined
    case 'choice': {
      if (test.test !== undefined) return throughChoice(test.test, test.options, holds, further)
      // behind `a || b` neither holds, inside `a && b` both do
      if ((test.isAnd === true) === holds) return together(test.options.map((option) => further(option, holds)))
      // whoever develops the program may do as they like
      const options = test.options.filter((option) => !asksForStage(option))
      return either(options.map((option) => further(option, holds)))
    }
    case 'reference': {
      if (isUndefined(test)) return holds ? undefined : []
      const given = resolveValue(test)
      const behind = given === test ? either(answersBehind(test).map((one) => further(one, holds))) : further(given, holds)
      return behind && unite([behind, constraintsAsked(test, holds, walk, further) ?? []])
    }
    case 'operation': {
      const [negated] = test.operator === '!' ? test.operands : []
      return negated === undefined ? constraintsAsked(test, holds, walk, further) : further(negated, !holds)
    }
    default:
      return constraintsAsked(test, holds, walk, further)
  }
}

function constraintsAsked(test: Value, holds: boolean, walk: Walk, further: Further): readonly Constraint[] | undefined {
  const asked = askedIn(test, holds)
  if (asked === undefined) return []
  const isCall = asked.test.kind === 'call'
  if (asked.test !== test && !isCall) return further(asked.test, asked.holds)
  if (asked.test.kind === 'call' && !asked.isAwaited && givesPromise(asked.test)) return answered(asked)
  if (!ASKING.has(asked.test.kind)) return []
  const answers = (fact: FunctionFact, side: boolean): readonly Constraint[] => answersOf(fact, side, walk)
  const own = ownAnswer(asked, walk)
  if (own !== undefined) return unite([own, answered(asked)])
  const { kind } = asked.test
  const sets = [answered(asked)]
  for (const { read, of } of walk.atoms) if (of === undefined || of.includes(kind)) sets.push(read(asked))
  sets.push(constraintsOfItems(asked, answers))
  return unite(sets)
}

/** What proves something. */
const ASKING: ReadonlySet<Value['kind']> = new Set<Value['kind']>(['call', 'operation', 'reference', 'member'])

/** `isPlain(name)`, `this.isPlain()` of the file: what each of its answers proves, and the conditions on the way to it. Where that does not tell, its name is believed. */
function ownAnswer(asked: Asked, walk: Walk): readonly Constraint[] | undefined {
  const { test, holds, isCompared } = asked
  const own = askedOfItself(test)
  const ofItself = own === undefined ? [] : answersOf(own.fact, holds, walk)
  if (own !== undefined)
    return unite([
      examined(asked),
      ofItself.flatMap((one) =>
        one.of.startsWith(own.inside) ? { ...one, of: own.outside + one.of.slice(own.inside.length) } : [],
      ),
    ])
  const fact = test.kind === 'call' && isCompared === undefined ? calledBy(test.callee) : undefined
  if (test.kind !== 'call' || fact === undefined || fact.kind === 'file' || fact.parameters.length === 0) return undefined
  const proved = handedOver(fact, answersOf(fact, holds, walk), test.args, walk.facts)
  return unite([proved, believed(asked).filter(({ of }) => !tellsLittle(proved.filter((one) => one.of === of)))])
}

function answersOf(fact: FunctionFact, holds: boolean, walk: Walk): readonly Constraint[] {
  const { answers, running, facts } = walk
  const own = answers.get(fact) ?? []
  answers.set(fact, own)
  const side = holds ? 0 : 1
  const before = own[side]
  if (before !== undefined) return before
  if (running.has(fact) || running.size >= MAX_CALLS || fact.returns.length === 0 || fact.returns.length > MAX_RETURNS) return []
  running.add(fact)
  const guards = facts.guardsIn(fact)
  const judged = fact.returns.map((answer) => {
    const proved = constraintsIn(settledAnswer(answer), holds, walk, 1)
    return proved && unite([proved, constraintsAt(guards, answer.start, walk)])
  })
  // where no answer gives that, it comes to its end
  const isEnd = judged.every((one) => one === undefined)
  const found = isEnd ? constraintsAt(guards, fact.end - 1, walk) : (either(judged) ?? [])
  running.delete(fact)
  own[side] = found
  return found
}

/** What a function knows of its parameters, said of what it is given. */
function handedOver(
  fact: FunctionFact,
  found: readonly Constraint[],
  args: readonly Value[],
  { patternsIn }: ConditionFacts,
): readonly Constraint[] {
  if (found.length === 0) return []
  const hosts: (readonly [own: string, addresses: readonly string[]])[] = []
  const renamed: (readonly [own: string, given: string, isWhole: boolean])[] = []
  const rename = (binding: Binding | undefined, given: Value | undefined, path: readonly string[]): void => {
    const own = binding && keyOfName(binding)
    if (own === undefined || given === undefined) return
    const whole = keysOf(given, true)
    for (const name of new Set([...whole, nameOf(given)]))
      if (name !== undefined) renamed.push([own, [name, ...path].join(' '), whole.includes(name)])
    hosts.push([own, path.length === 0 ? namesOfOrigin(given) : []])
  }
  for (const [index, parameter] of fact.parameters.entries()) rename(parameter, args[index], [])
  for (const binding of patternsIn(fact)) {
    const [definition] = binding.definitions
    if (definition?.parameter !== undefined) rename(binding, args[definition.parameter], definition.path)
  }
  return found.flatMap((one) => [
    ...hosts.flatMap(([own, addresses]): readonly Constraint[] =>
      one.of === own && knowsHost(one) ? addresses.map((of) => ({ kind: 'origin', of })) : [],
    ),
    ...renamed.flatMap(([own, given, isWhole]): readonly Constraint[] =>
      (isWhole || one.kind !== 'form') && (one.of === own || one.of.startsWith(`${own} `))
        ? [{ ...one, of: given + one.of.slice(own.length) }]
        : [],
    ),
  ])
}

function isUndefined({ name, binding }: Value & { readonly kind: 'reference' }): boolean {
  return name === 'undefined' && binding === undefined
}

/** All that a name is given: `let isOwn = false; try { isOwn = … } catch { isOwn = false }`; nothing where more may be behind it. */
function answersBehind({ binding }: Value & { readonly kind: 'reference' }): readonly Value[] {
  const definitions = binding?.definitions ?? []
  if (binding?.kind === 'parameter' || definitions.length < 2 || definitions.length > MAX_RETURNS) return []
  const given = definitions.flatMap(({ kind, path, operator, value }) =>
    (kind === 'init' || (kind === 'assign' && operator === '=')) && path.length === 0 && value !== undefined ? [value] : [],
  )
  return given.length === definitions.length ? given : []
}

type Further = (value: Value, holds: boolean) => readonly Constraint[] | undefined

/** `a ? b : c`: one of the two ways was gone. */
function throughChoice(
  test: Value,
  [first, second]: readonly Value[],
  holds: boolean,
  further: Further,
): readonly Constraint[] | undefined {
  if (first === undefined || second === undefined) return []
  return either([
    together([further(test, true), further(first, holds)]),
    together([further(test, false), further(second, holds)]),
  ])
}

function together(sets: readonly (readonly Constraint[] | undefined)[]): readonly Constraint[] | undefined {
  const all = sets.filter((one) => one !== undefined)
  return all.length < sets.length ? undefined : unite(all)
}

function either(sets: readonly (readonly Constraint[] | undefined)[]): readonly Constraint[] | undefined {
  if (sets.length === 0) return []
  const open = sets.filter((one) => one !== undefined)
  return open.length === 0 ? undefined : common(open)
}

const STAGES: ReadonlySet<unknown> = new Set(['production', 'development', 'test'])
const MAX_STAGES = 4

/** `process.env.NODE_ENV === 'production'`: what the stage alone decides, says nothing about values. */
function asksForStage(given: Value, depth = 0): boolean {
  const test = resolveValue(given)
  if (test.kind !== 'operation' || depth > MAX_STAGES) return false
  return directParts(test).some((part) => (part.kind === 'literal' ? STAGES.has(part.value) : asksForStage(part, depth + 1)))
}
