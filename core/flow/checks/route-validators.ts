import {
  constantOf,
  fieldOf,
  findPart,
  isOnTheWay,
  isStrictPattern,
  keyOf,
  keyOfName,
  pathOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
  methodsBack,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { Proof } from '../../conditions/constraint.ts'
import { isFewCharacters } from '../../facts/regex/costly.ts'
import type { Conditions } from '../../conditions/walk.ts'
import { REQUEST_CHAINS } from '../models/schemas.ts'
import { ROUTES } from '../tables/requests.ts'
import type { CheckingScript } from '../graph/input.ts'
import type { ProofReader } from './asserted.ts'
import { FORMED, KNOWN, provedAtPath, provedByAsked, type Shape } from './schemas.ts'

/** Where a chain looks, by the function that begins it. Fact: express-validator 7, "ValidationChain". */
const PLACES: ReadonlyMap<string, readonly string[]> = new Map([
  ['body', ['body']],
  ['query', ['query']],
  ['param', ['params']],
  ['header', ['headers']],
  ['cookie', ['cookies']],
  ['check', ['body', 'query', 'params', 'headers', 'cookies']],
])
const OF_LIST = /^(?:isIn|isInt|isFloat|isNumeric|isDecimal|isBoolean|toInt|toFloat|toBoolean|toDate|isPort|equals)$/
const OF_FORM =
  /^(?:isUUID|isAlpha|isAlphanumeric|isHexadecimal|isMongoId|isISO8601|isDate|isCurrency|isLocale|isSlug|isIP|isHash|isMD5|isSemVer|isCountryCode|whitelist)$/
const VALIDATORS = 'express-validator'

const NOTHING: readonly Proof[] = []

interface Chain {
  readonly places: readonly string[]
  readonly fields: readonly string[]
  readonly shape: Shape
}

/** Tells what chains of express-validator in front of a route have made sure of a field of its request, where somebody asks for their result. */
export function createValidatorReader({
  facts,
  text,
  step,
  parts,
}: Pick<CheckingScript, 'facts' | 'text' | 'step' | 'parts'>): ProofReader | undefined {
  if (!text.includes(VALIDATORS)) return undefined
  const routes = routesOf(facts, parts.conditions)
  return (value) => {
    const key = value.kind === 'member' || value.kind === 'reference' ? keyOf(value) : undefined
    if (key === undefined) return NOTHING
    for (const { handler, request, chains, isAsked } of routes) {
      if (value.start < handler.start || value.end > handler.end || !key.startsWith(`${request} `)) continue
      step(chains.length)
      const [place = '', field] = key.slice(request.length + 1).split(' ')
      const own = chains.find(({ places, fields }) => places.includes(place) && field !== undefined && fields.includes(field))
      return own !== undefined && (isAsked || asksHere(value, facts)) ? provedAtPath(own.shape, []) : NOTHING
    }
    return NOTHING
  }
}

interface Route {
  readonly handler: FunctionFact
  /** The key of its request. */
  readonly request: string
  readonly chains: readonly Chain[]
  /** What stands between the chains and the handler asks for their result. */
  readonly isAsked: boolean
}

function routesOf(facts: ScriptFacts, conditions: Conditions): readonly Route[] {
  return facts.calls.flatMap(({ callee, args }): readonly Route[] => {
    const handler = callee.kind === 'member' && ROUTES.has(callee.name ?? '') ? functionOf(args.at(-1)) : undefined
    const [parameter] = handler?.parameters ?? []
    const request = parameter && keyOfName(parameter)
    if (handler === undefined || request === undefined) return []
    const front = args.slice(0, -1).flatMap(itemsOf)
    const chains = front.flatMap((value) => chainOf(value, conditions) ?? [])
    return chains.length === 0 ? [] : [{ handler, request, chains, isAsked: front.some((value) => asksForResult(value, facts)) }]
  })
}

function itemsOf(value: Value): readonly Value[] {
  const here = resolveValue(value.kind === 'spread' ? value.value : value)
  return here.kind === 'array' ? here.items.flatMap(itemsOf) : [here]
}

/** `body('site').trim().isIn(SITES)` */
function chainOf(value: Value, conditions: Conditions): Chain | undefined {
  const methods = [...methodsBack(value, resolveValue)]
  const links = methods.map(({ call }) => call)
  const begin = methods.at(-1)?.object ?? value
  const first = begin.kind === 'call' ? begin : links.pop()
  const path = first && pathOf(first.callee)
  if (first === undefined || path?.[0] !== REQUEST_CHAINS) return undefined
  const places = PLACES.get(path.at(-1) ?? '')
  const [named] = first.args
  if (places === undefined || named === undefined) return undefined
  const names = itemsOf(named).map((one) => String(constantOf(one) ?? ''))
  const isKnown = links.some(({ callee }) => OF_LIST.test(lastNameOf(callee) ?? ''))
  return { places, fields: names, shape: isKnown ? KNOWN : { proofs: links.flatMap((link) => provedByLink(link, conditions)) } }
}

function provedByLink({ callee, args: [given] }: CallValue, conditions: Conditions): readonly Proof[] {
  const name = lastNameOf(callee) ?? ''
  if (name === 'custom' && given !== undefined) return provedByAsked(conditions.constraintsOfItems(given))
  if (name === 'isLength' && isFewCharacters(mostOf(given))) return [{ kind: 'short' }]
  const isOfForm = OF_FORM.test(name) || (name === 'matches' && given !== undefined && isStrictPattern(given))
  return isOfForm ? FORMED.proofs : NOTHING
}

/** `20` of `isLength({ max: 20 })`. */
function mostOf(options: Value | undefined): unknown {
  const most = options && fieldOf(resolveValue(options), 'max')?.value
  return most && constantOf(most)
}

/** A middleware that asks for what the chains found, by its body or, of another file, by its name. */
function asksForResult(value: Value, { guards }: ScriptFacts): boolean {
  const fact = functionOf(value)
  if (fact === undefined) return value.kind !== 'call' && /valid|check|refuse|reject/i.test(lastNameOf(value) ?? '')
  return guards.some((guard) => guard.function === fact && guard.exits && findPart(guard.test, isResult) !== undefined)
}

function asksHere({ start }: Value, { guards }: ScriptFacts): boolean {
  return guards.some(
    (guard) =>
      guard.exits && start >= guard.inside.end && isOnTheWay(guard, start) && findPart(guard.test, isResult) !== undefined,
  )
}

/** `validationResult(req)` */
function isResult(part: Value): boolean {
  return part.kind === 'call' && lastNameOf(part.callee) === 'validationResult'
}
