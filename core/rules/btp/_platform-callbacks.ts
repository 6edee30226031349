import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  constantOf,
  stringConstantOf,
  valuesOf,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { createInnerIndex, isWithin } from '../../facts/span-index.ts'
import { isLogCall, isOfUi5App } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { appOf, namesOfApps } from '../cap/_callers/handed-apps.ts'

/** A route that the platform calls, whose handler checks no scope. */
export interface PlatformCallback {
  readonly at: Span
  readonly method: string
  readonly path: string
  readonly purpose: 'tenants' | 'jobs'
  /** Names of the parameters of the handler. */
  readonly request: string
  readonly response: string
  /** The handlers write log lines and answer, and do nothing else. */
  readonly onlyAnswers: boolean
  /** Nothing of this script in front of it authenticates anybody. */
  readonly isOpen: boolean
  /** The exported function that gets the app from another script. */
  readonly within: string | undefined
}

const VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'all'])
/** Addresses that the platform calls: the form that its documentation suggests, or what such a handler reads. */
export const TENANTS: RegExp = /\/callback\/.{0,50}tenants?\b/i
const READS_TENANT = /^(?:subscribedTenantId|subscribedSubdomain|subscriptionAppName)$/
const READS_JOB = /^x-sap-(?:job-(?:id|schedule-id|run-id)|scheduler-host|run-at)$/i
/** Names of functions and middlewares that check the rights of a caller. */
const CHECKS =
  /scope|role|permission|authori[sz]|allowed|grant|^is$|^has$|admin|verif|check|ensure|require[A-Z]|hmac|signature|secret|basic/i
const AUTHENTICATES = /auth|passport|jwt|xssec|token|login|middlewares/i

/** Facts: SAP BTP, "Developing Multitenant Applications" and "Secure Access" of the Job Scheduling Service. */
export const platformCallbacks: Extract<PlatformCallback> = defineExtract({
  name: 'btp-platform-callbacks',
  keywords: ['tenants', 'subscribedTenantId', 'subscribedSubdomain', 'x-sap-job-', '@sap/jobs-client'],
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    let names: ReturnType<typeof namesOfApps> | undefined
    const telling = [...valuesOf(facts)].flatMap(({ value }) => (isTelling(value) ? [value] : []))
    const callsIn = createInnerIndex(facts.calls)
    for (const call of facts.calls) {
      const verb = call.callee.kind === 'member' ? (call.callee.name ?? '') : ''
      const [first, ...others] = call.args
      const path = stringConstantOf(first)
      if (!VERBS.has(verb) || path === undefined || !path.startsWith('/') || others.length === 0) continue
      const handlers = others.flatMap((argument) => functionOf(argument) ?? [])
      step(facts.calls.length + handlers.length * (1 + telling.length))
      // a handler of another file may check for itself
      if (handlers.length === 0 || others.some((argument) => functionOf(argument) === undefined && isCheck(argument))) continue
      const purpose = purposeOf(path, handlers, telling)
      if (purpose === undefined || handlers.some((handler) => checksScope(callsIn(handler)))) continue
      const before = usesBefore(call, path, facts)
      if (before.some((argument) => CHECKS.test(nameOf(argument)) && !AUTHENTICATES.test(nameOf(argument)))) continue
      const isOpen = ![...before, ...others].some((argument) => AUTHENTICATES.test(nameOf(argument)))
      const [request, response] = handlers.at(-1)?.parameters ?? []
      step(handlers.length * (facts.values.length + facts.assignments.length))
      names ??= namesOfApps(facts)
      const app = appOf(call)
      yield {
        at: { start: call.start, end: call.callee.end },
        method: verb === 'all' ? 'ANY' : verb.toUpperCase(),
        path,
        purpose,
        request: request?.name ?? 'req',
        response: response?.name ?? 'res',
        isOpen,
        onlyAnswers:
          handlers.every((handler) => onlyAnswers(handler, callsIn(handler), facts)) && others.length === handlers.length,
        within: app && names.get(app),
      }
    }
  },
})

function purposeOf(
  path: string,
  handlers: readonly FunctionFact[],
  telling: readonly Value[],
): PlatformCallback['purpose'] | undefined {
  const reads = (pattern: RegExp): boolean =>
    handlers.some((handler) => telling.some((value) => isWithin(value, handler) && pattern.test(wordOf(value))))
  if (TENANTS.test(path) || reads(READS_TENANT)) return 'tenants'
  return reads(READS_JOB) ? 'jobs' : undefined
}

/** It names what only the platform sends. */
function isTelling(value: Value): boolean {
  const word = wordOf(value)
  return READS_TENANT.test(word) || READS_JOB.test(word)
}

function wordOf(value: Value): string {
  if (value.kind === 'member') return value.name ?? ''
  return value.kind === 'literal' ? String(value.value) : ''
}

function isCheck(argument: Value): boolean {
  const name = nameOf(argument)
  return !AUTHENTICATES.test(name) || CHECKS.test(name.replace(/authenticat\w{0,10}/gi, ''))
}

/** The arguments of `app.use(…)` before a route that hold for its path. */
function usesBefore(route: CallValue, path: string, facts: ScriptFacts): Value[] {
  return facts.calls.flatMap(({ callee, args, start }) => {
    if (callee.kind !== 'member' || callee.name !== 'use' || start > route.start) return []
    const prefix = stringConstantOf(args[0])
    return prefix === undefined || path.startsWith(prefix) ? args : []
  })
}

function nameOf(argument: Value): string {
  const value = argument.kind === 'spread' ? argument.value : argument
  const read = value.kind === 'call' ? value.callee : value
  return `${lastNameOf(read) ?? ''} ${value.kind === 'reference' ? value.name : ''}`.trim()
}

function checksScope(calls: readonly CallValue[]): boolean {
  return calls.some(({ callee }) => CHECKS.test(lastNameOf(callee) ?? ''))
}

/** What it is sent gets into a text at most: each of its calls is a line of the log or a step of the answer, it keeps nothing, and answers with nothing that was kept. */
function onlyAnswers(handler: FunctionFact, calls: readonly CallValue[], facts: ScriptFacts): boolean {
  const { assignments, deletions } = facts
  const [, response] = handler.parameters
  const lines = calls.filter(isLogCall)
  const isKept = (value: Value): boolean =>
    value.kind === 'reference' &&
    value.binding !== undefined &&
    isWithin(value, handler) &&
    !isWithin(value.binding, handler) &&
    constantOf(value) === undefined &&
    !lines.some((line) => isWithin(value, line.callee))
  const isOfAnswer = ({ callee }: CallValue): boolean => {
    let here: Value = callee
    while (here.kind === 'member' || here.kind === 'call') here = here.kind === 'member' ? here.object : here.callee
    return here.kind === 'reference' && response !== undefined && here.binding === response
  }
  return (
    calls.every(
      (call) => call.kind === 'call' && (isLogCall(call) || (isOfAnswer(call) && ANSWERS.test(lastNameOf(call.callee) ?? ''))),
    ) &&
    ![...assignments, ...deletions].some((one) => isWithin(one, handler)) &&
    !valuesOf(facts).some(({ value }) => isKept(value))
  )
}

/** Facts: Express 5 API, Response. */
const ANSWERS = /^(?:status|sendStatus|send|json|end|type|set|contentType)$/
