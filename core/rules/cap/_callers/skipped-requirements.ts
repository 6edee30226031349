import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  findPart,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { isContext, isContextName, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import { append, groupBy } from '../../../lists.ts'
import { lastName } from '../../../paths.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, RuleText, Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'

/** What a guard is told to require of callers, by the names of its options. */
const REQUIREMENT = /role|scope|permission|privilege|module|right|group|claim|polic|capabilit|authorit/i

/** A function that makes guards of two requirements, and lets the request pass after the first one. The place is where it passes. */
interface SkippingGuard extends Span {
  readonly kind: 'guard'
  readonly name: string
  readonly asked: string
  readonly skipped: string
}

/** A call with both. */
interface RequiringCall {
  readonly kind: 'call'
  readonly name: string
  readonly given: readonly string[]
}

export const skippedRequirements: Extract<SkippingGuard | RequiringCall> = defineExtract({
  name: 'cap-skipped-requirements',
  keywords: ['ole', 'cope', 'ermission', 'rivilege'],
  prefilter: (text) => REQUIREMENT.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => [...skippingGuards(facts, text, step), ...requiringCalls(facts, step)],
})

function* requiringCalls({ calls }: ScriptFacts, step: (count: number) => void): Generator<RequiringCall> {
  step(calls.length)
  for (const { callee, args } of calls)
    for (const options of args) {
      const given =
        options.kind === 'object' ? options.fields.flatMap(({ key: name, value }) => (isGiven(name, value) ? [name] : [])) : []
      if (given.length > 1) yield { kind: 'call', name: lastNameOf(callee) ?? '', given }
    }
}

/** A list or an object with something in it. */
function isGiven(name: string | undefined, value: Value): name is string {
  if (name === undefined || !REQUIREMENT.test(name)) return false
  return value.kind === 'array'
    ? value.items.length > 0
    : value.kind === 'object'
      ? value.fields.length > 0
      : value.kind === 'literal'
}

function* skippingGuards(facts: ScriptFacts, text: string, step: (count: number) => void): Generator<SkippingGuard> {
  const callsIn = createInnerIndex(facts.calls)
  const guardsIn = groupBy(facts.guards, (guard) => guard.function)
  for (const first of facts.guards) {
    step(1)
    const maker = first.function.parent
    if (!first.exits || maker === undefined || maker.parameters.length === 0) continue
    if (!first.function.parameters.some((parameter) => isContextName(parameter?.name))) continue
    const asked = requirementsOf(first.test, maker)
    const [name, another] = asked
    if (name === undefined || another !== undefined || !REFUSES.test(text.slice(first.inside.start, first.inside.end))) continue
    const passing = callsIn(first.inside).find((call) => passes(call, first, maker, text))
    if (passing === undefined) continue
    const inner = (guardsIn.get(first.function) ?? []).filter((one) => one !== first)
    const earlier = callsIn(first.function).filter(({ start }) => start < passing.start)
    step(inner.length + earlier.length)
    // what passes only after another question passes for that
    if (inner.some((one) => isWithin(passing, one.inside) && isWithin(one, first.inside))) continue
    for (const later of inner) {
      step(inner.length)
      const [other] = later.start >= first.inside.end ? requirementsOf(later.test, maker) : []
      if (other === undefined || other === name || !REFUSES.test(text.slice(later.inside.start, later.inside.end))) continue
      // what is looked at in between, or in front, is another requirement of the same guard
      if (inner.some((one) => one.start < first.inside.end && requirementsOf(one.test, maker).includes(other))) continue
      const { start, end } = passing
      // `await assertRoles(req, needs.roles)`
      if (earlier.some(({ args }) => args.some(isContext) && args.some((value) => requirementsOf(value, maker).includes(other))))
        continue
      yield { kind: 'guard', name: lastName(maker.name), asked: name, skipped: other, start, end }
      break
    }
  }
}

const REFUSES = /\b(?:401|403)\b|\bthrow\b|forbid|\breject\s?\(/i

/** The options of the function around it that a condition asks for: `options.roles`, `const { roles } = options`. */
function requirementsOf(test: Value, maker: FunctionFact): readonly string[] {
  const found = new Set<string>()
  findPart(test, (part) => {
    for (const { binding, steps } of accessesOf(part)) {
      const [name] = steps
      if (binding !== undefined && maker.parameters.includes(binding) && name !== undefined && REQUIREMENT.test(name))
        found.add(name)
    }
    return false
  })
  return [...found]
}

/** `return handler(req)`, for a handler that the function around it was given, and `return next()`. */
function passes(call: CallValue, { function: inner }: Guard, maker: FunctionFact, text: string): boolean {
  const { callee, args, start } = call
  if (
    callee.kind !== 'reference' ||
    callee.binding === undefined ||
    !/\breturn\s{1,10}(?:await\s{1,10})?$/.test(text.slice(Math.max(0, start - 30), start))
  )
    return false
  const { binding } = callee
  if (inner.parameters.includes(binding)) return binding.name === 'next' && args.length === 0
  return maker.parameters.includes(binding) && args.length > 0
}

/** Guards of which calls of the project pass what they skip. Needs the extract `skippedRequirements`. */
export function* skippedMatches({ scripts, reach }: Pick<Project, 'scripts' | 'reach'>): Generator<Match> {
  const found = scripts.get(skippedRequirements)
  const given = new Map<string, (readonly string[])[]>()
  for (const { file, value } of found)
    if (value.kind === 'call' && reach.usageOf(file) !== 'unused') append(given, value.name, value.given)
  for (const { file, value } of found) {
    if (value.kind !== 'guard') continue
    const { start, end, name, asked, skipped } = value
    const isCalled = given.get(name)?.some((names) => names.includes(asked) && names.includes(skipped)) === true
    if (name === '' || !isCalled) continue
    yield {
      at: { file, span: { start, end } },
      args: { name: quoteWord(name), asked: quoteWord(asked), setting: quoteWord(skipped) },
      variant: 'either',
      reach: 'user',
    }
  }
}

/** The words of `cap/guard-without-check` for it. */
export const EITHER_WORDS: Readonly<Record<'en' | 'fr', RuleText>> = {
  en: {
    title: 'Second requirement of a guard never checked',
    message:
      '{name} lets the request pass as soon as {asked} is fulfilled, and never checks {setting} then, although calls in the project pass both.',
    why: 'A caller with {asked} but without {setting} reaches handlers for which the project requires both.',
    fix: 'Remove this return, so that {setting} is checked as well, and let the request pass once at the end. If one of both is enough, pass only that one in each call.',
  },
  fr: {
    title: 'Seconde exigence d’une garde jamais vérifiée',
    message:
      '{name} laisse passer la requête dès que {asked} est satisfait, sans jamais vérifier {setting}, alors que des appels du projet passent les deux.',
    why: 'Un appelant qui satisfait {asked} mais pas {setting} atteint des gestionnaires pour lesquels le projet exige les deux.',
    fix: 'Supprimez ce return, afin que {setting} soit aussi vérifié, et laissez passer la requête une seule fois, à la fin. Si l’une des deux suffit, ne passez que celle-ci dans chaque appel.',
  },
}
