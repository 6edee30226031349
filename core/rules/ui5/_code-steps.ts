import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  fieldOf,
  findPart,
  isConstant,
  isOnTheWay,
  resolveValue,
  type Binding,
  type CallValue,
  type FunctionFact,
  type Guard,
  type ScriptFacts,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex, isAround, isWithin, spanOf } from '../../facts/span-index.ts'
import { holdsAt } from '../../keywords/index.ts'
import { splitWords } from '../../model/script/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'
import { refuses } from './_answer-refusals.ts'
import { type HandedTo } from './_app-methods.ts'
import { callbacksOf } from './_ignored-passwords.ts'
import { SENT_CODE } from './_page-resets.ts'
import { createSecretReader } from './_read-secrets.ts'
import { namedFields, objectIn, sentObjects, type NamedField, type ObjectValue } from './_sent-bodies.ts'

/** A one-time code that a request checks, and a write behind it that the page alone makes wait for the answer. */
export interface CodeStep {
  /** The condition about the answer. */
  readonly at: Span
  /** The field of the code. */
  readonly field: string
  readonly checkedBy: HandedTo | undefined
  readonly writtenBy: HandedTo | undefined
}

/** What says that the request checks a code, and doesn't set or send one. */
const CHECKS = /verif|valid|check|confirm|pruef|prüf|comprob|conferi/i
/** What a request may prove with that the step before it was made, by the words of its name: not the code of a company or a post office. */
const PROOF =
  /(?:^| )(?:otp|totp|tokens?|ticket|nonce|signature|challenge|hash|proof|one ?time|pin|(?:old|current|previous) (?:password|pwd|pass)|(?:verif\w{0,10}|valid\w{0,10}|confirm\w{0,10}|security|reset|access|auth\w{0,12}|activation|login|sms|mail|email|mfa|entered|one) code)(?: |$)|^code$/
/** Names of a code, as keys. */
const CODE_WORDS = ['otp', 'one_time', 'onetime', 'verif', 'confirm', 'security']
const NAMES_CODE =
  /(?<=(?<![\w$.])[\w$]{0,60})(?:otp|(?:(?<![\w$])otp|one_?time|(?:verif\w{1,10}|confirm\w{0,10}|security)_?(?:code|pin))[\w$]{0,60})(?:["'`]|\s{0,99}[:,}])/iy
const MAX_HOPS = 2

/**
 * `check("Codes", { mail, otp }).then((answer) => { if (answer.ok) this.begin() })`, where `begin` sends a request that holds neither the code nor what the answer brings.
 * Facts: OWASP Multifactor Authentication Cheat Sheet; CWE-603, "Use of Client-Side Authentication".
 */
export const codeSteps: Extract<CodeStep> = defineExtract({
  name: 'ui5-code-steps',
  keywords: CODE_WORDS,
  prefilter: (text, hits) => holdsAt(text, hits.places(text, CODE_WORDS), NAMES_CODE) && CHECKS.test(text),
  *collect({ facts, text, step }) {
    const fieldsOf = createFieldReader(step)
    const sent = [...sentObjects(facts, step)].flatMap((one) =>
      one.by?.saysGet === true ? [] : { ...one, fields: fieldsOf(one.object) },
    )
    step(sent.length)
    const checks = sent.flatMap((one) => {
      const code = one.fields.find(({ key, value }) => SENT_CODE.test(key) && !isConstant(value))
      const around = `${one.call.function.name} ${text.slice(one.call.start, Math.min(one.call.end, one.call.start + LONGEST_CALL))}`
      return code !== undefined && CHECKS.test(around) ? { ...one, field: code.key } : []
    })
    if (checks.length === 0 || sendsCookies(facts, step)) return
    const writes = sent.filter(({ fields }) => fields.length > 0 && !fields.some(({ key }) => proves(key)))
    const readsSecret = createSecretReader(text, facts, step)
    const within = createReach(facts, step)
    for (const { call, by, field } of checks) {
      for (const decision of decisionsOn(call, facts, step)) {
        if (readsSecret(decision.answer)) continue
        const reached = within(decision)
        step(writes.length * (reached.length + 1))
        const write = writes.find((one) => one.call !== call && reached.some((span) => isWithin(one.call, span)))
        if (write === undefined) continue
        yield { at: spanOf(decision.guard.test), field, checkedBy: by, writtenBy: write.by }
        break
      }
    }
  },
})

const LONGEST_CALL = 1000

/** The fields that a request holds, and those of the objects in them. Methods may be given the same object again and again. */
function createFieldReader(step: (count?: number) => void): (object: ObjectValue) => readonly NamedField[] {
  const known = new Map<ObjectValue, readonly NamedField[]>()
  return (object) => {
    const before = known.get(object)
    if (before !== undefined) return before
    const found = [object, ...object.fields.flatMap(({ value }) => objectIn(value) ?? [])].flatMap(namedFields)
    step(found.length)
    known.set(object, found)
    return found
  }
}

function proves(key: string): boolean {
  return PROOF.test(splitWords(key).join(' '))
}

/** A server of another origin knows its caller by the cookie of a session: `xhrFields: { withCredentials: true }`, `credentials: "include"`. */
function sendsCookies({ calls, assignments }: ScriptFacts, step: (count?: number) => void): boolean {
  step(calls.length + assignments.length)
  return (
    assignments.some(({ target, value }) => target.name === 'withCredentials' && constantOf(value) === true) ||
    calls.some(({ args }) =>
      args.some((given) => {
        const settings = resolveValue(given)
        if (settings.kind !== 'object') return false
        const fields = fieldOf(settings, 'xhrFields')?.value ?? settings
        const [mode, goes] = [fieldOf(settings, 'credentials'), fieldOf(resolveValue(fields), 'withCredentials')]
        return (mode && constantOf(mode.value)) === 'include' || (goes && constantOf(goes.value)) === true
      }),
    )
  )
}

interface Decision {
  readonly guard: Guard
  readonly answer: Binding
  /** The condition holds where the code is wrong. */
  readonly isRefusal: boolean
}

/** The conditions about the answer of a request, in its callback or behind `await`; none that only say what happens where the code is wrong. */
function* decisionsOn(
  call: CallValue,
  { calls, guards, bindings }: ScriptFacts,
  step: (count?: number) => void,
): Generator<Decision> {
  step(calls.length + bindings.length + guards.length)
  const answers = [
    ...callbacksOf(call, calls).flatMap(({ parameters }) => parameters[0] ?? []),
    ...bindings.filter(({ definitions: [only, other] }) => {
      const given = other === undefined && only?.value?.kind === 'await' ? only.value.value : undefined
      return given === call
    }),
  ]
  for (const answer of answers)
    for (const guard of guards) {
      if (guard.function !== answer.function) continue
      if (findPart(guard.test, (part) => 'binding' in part && part.binding === answer) === undefined) continue
      const isRefusal = refuses(guard.test)
      if (!isRefusal || guard.exits) yield { guard, answer, isRefusal }
    }
}

/** What runs where the answer is right: the places themselves, and the methods of the script that they call. */
function createReach(facts: ScriptFacts, step: (count?: number) => void): (decision: Decision) => readonly Span[] {
  const methods = new Map<string, FunctionFact>()
  for (const fact of facts.functions) if (fact.owner !== undefined) methods.set(lastName(fact.name), fact)
  const callsIn = createInnerIndex(facts.calls)
  const methodsIn = (calls: readonly CallValue[]) => {
    step(calls.length)
    return calls.flatMap(({ callee }) => {
      const isOwn = callee.kind === 'member' && resolveValue(callee.object).kind === 'this'
      return (isOwn && methods.get(lastNameOf(callee) ?? '')) || []
    })
  }
  return ({ guard, answer, isRefusal }) => {
    const inside = callsIn(guard.function)
    step(inside.length)
    const calls = inside.filter(({ start }) => isOnTheWay(guard, start) && isAround(guard.inside, start) !== isRefusal)
    // what gets the answer may hold what it brings
    if (calls.some(({ args }) => args.some((given) => given.kind === 'reference' && given.binding === answer))) return []
    const reached = new Set<FunctionFact>()
    let open: readonly FunctionFact[] = methodsIn(calls)
    for (let hop = 1; hop <= MAX_HOPS && open.length > 0; hop++) {
      const added: FunctionFact[] = []
      for (const fact of open) {
        if (reached.has(fact)) continue
        reached.add(fact)
        added.push(fact)
      }
      open = hop === MAX_HOPS ? [] : added.flatMap((fact) => methodsIn(callsIn(fact)))
    }
    return [...calls.map(spanOf), ...reached]
  }
}
