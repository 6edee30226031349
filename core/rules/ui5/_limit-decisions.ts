import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  isOnTheWay,
  resolveValue,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isDataWrite } from '../../model/ui5/index.ts'
import { lastName } from '../../paths.ts'
import type { Span } from '../../types.ts'

/** An amount is compared with a limit, and by the answer a field says that something is approved. */
export interface LimitDecision extends Span {
  readonly amount: string
  readonly limit: string
  readonly field: string
}

const LIMIT = /limit|threshold|(?:approval|release|max(?:imum)?)_?amount/i
const AMOUNT = /total|amount|amt|value|price|cost|sum|betrag|importe|valor/i
/** `Approved`, `U_Approved_By`, `ApprovalStatus`. */
const APPROVES = /(?:^|_|[a-z])[aA]pprov(?:ed|al)(?:_?(?:[sS]tatus|[sS]tate|[bB]y|[fF]lag|[uU]ser))?$|^approved$/
const STATES = /(?:^|_|[a-z])(?:[sS]tatus|[sS]tate)$/
/** `needsApproval`: what says that somebody has yet to approve. */
const STILL_OPEN = /need|requir|(?:^|_|[a-z])[fF]or(?=_?[aA]pprov)|must|pending|await/i
const IS_APPROVED = /^(?:[\w ]{0,40}[_ ])?(?:approved|released|accepted|genehmigt|aprobado|aprovado)$/i
/** Of these words one stands where something is approved. */
const DECIDED_WORDS = ['approv', 'released', 'accepted', 'genehmigt', 'aprobado', 'aprovado']
const REFUSES = /(?:^|[_ ])(?:not|no|un|never|pending|to be)[_ ]|^(?:un|dis)/i
/** Flags that say yes. */
const YES = /^(?:a|y|yes|x|true|1|ok)$/i
/** What a script sends by another name: methods of requests. */
const SENDS = /["'](?:PATCH|PUT|MERGE|POST)["']/

export const limitDecisions: Extract<LimitDecision> = defineExtract({
  name: 'ui5-limit-decisions',
  keywords: ['limit', 'threshold', 'amount'],
  words: DECIDED_WORDS,
  prefilter: (text, hits) => DECIDED_WORDS.some(hits.has) && /setProperty|update|create|submit/.test(text),
  *collect({ facts, text, step }) {
    if (!SENDS.test(text) && !facts.calls.some(isDataWrite)) return
    for (const guard of facts.guards) {
      step()
      const compared = comparedIn(guard)
      if (compared === undefined) continue
      step(facts.calls.length)
      const found = decidedBehind(guard, facts)
      if (found !== undefined) yield { ...compared, ...found }
    }
  },
})

/** `total <= approvalLimit` */
function comparedIn({ test }: Guard): Pick<LimitDecision, 'amount' | 'limit'> | undefined {
  if (test.kind !== 'operation' || !/^[<>]=?$/.test(test.operator)) return undefined
  const names = test.operands.map(nameOf)
  const limit = names.find((name) => LIMIT.test(name))
  const amount = names.find((name) => name !== limit && AMOUNT.test(name))
  return limit === undefined || amount === undefined ? undefined : { amount, limit }
}

/** The name of a value, or of the property of a model that it was read from. */
function nameOf(value: Value): string {
  const written = lastNameOf(value)
  const made = resolveValue(value)
  if (written !== undefined && written !== 'getProperty') return written
  const [path] = made.kind === 'call' && lastNameOf(made.callee) === 'getProperty' ? made.args : []
  return path === undefined ? '' : lastName(String(constantOf(path) ?? '').replaceAll('/', '.'))
}

/** `model.setProperty('/Approved', 'Y')` behind the comparison; what is a constant says it best. */
function decidedBehind(guard: Guard, { calls }: ScriptFacts): (Span & { readonly field: string }) | undefined {
  const found = calls.flatMap((call) => {
    const field = call.function === guard.function && isOnTheWay(guard, call.start) ? approvedBy(call) : undefined
    return field === undefined
      ? []
      : { field, start: call.start, end: call.end, isFixed: constantOf(call.args[1] ?? call) !== undefined }
  })
  const best = found.find(({ isFixed }) => isFixed) ?? found[0]
  return best && { field: best.field, start: best.start, end: best.end }
}

function approvedBy({ callee, args: [path, value] }: CallValue): string | undefined {
  if (lastNameOf(callee) !== 'setProperty' || path === undefined || value === undefined) return undefined
  const field = /([^/]{1,100})$/.exec(String(constantOf(path) ?? ''))?.[1] ?? ''
  const written = constantOf(resolveValue(value))
  const isState = typeof written === 'string' && IS_APPROVED.test(written) && !REFUSES.test(written)
  if (APPROVES.test(field) && !STILL_OPEN.test(field)) {
    const isFixed = written !== undefined
    return !isFixed || isState || YES.test(String(written)) ? field : undefined
  }
  return STATES.test(field) && isState ? field : undefined
}

/** One of each script of XS classic that answers requests: whether it speaks of approvals or limits, or only passes on what it gets. */
export const approvalServers: Extract<'asks' | 'passes'> = defineExtract({
  name: 'ui5-approval-servers',
  keywords: ['$.request', '$.response'],
  isFor: (path) => /\.xsjs(?:lib)?$/i.test(path),
  *collectText(text) {
    yield COMPARES.test(text.replaceAll(COMMENTS, ' ')) ? 'asks' : 'passes'
  },
})

const COMMENTS = /\/\*(?:[^*]|\*(?!\/)){0,5000}\*\/|(?<![:"'])\/\/[^\n]{0,500}/g
/** An approval or a limit with a comparison on the same line, on either side. */
const COMPARES =
  /(?:approv|limit(?!\s{1,9}\d))[^\n;]{0,200}(?:[<>]|[!=]==?)|(?:[<>]|[!=]==?)[^\n;]{0,200}(?:approv|limit(?!\s{1,9}\d))/i
