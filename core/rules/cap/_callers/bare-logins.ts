import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import {
  accessesOf,
  stringConstantOf,
  findPart,
  type Assignment,
  type CallValue,
  type FunctionFact,
  type Guard,
} from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { OWN_STEPS, VERBS } from '../../../flow/tables/routes.ts'
import { blankComments } from '../../../model/reach/index.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A middleware that verifies a token and reads nothing of it (`bare`); what some code knows of its caller (`keeps`); a route by which people make accounts (`signup`). */
export interface BareLogin extends Span {
  readonly kind: 'bare' | 'keeps' | 'signup'
  readonly name: string
}

/** Facts: jsonwebtoken 9 (README, `verify`), jose 6 (`jwtVerify`). */
const VERIFIES = /^module:(?:jsonwebtoken (?:default )?verify|jose (?:default )?jwtVerify)$/

/** Who calls, as middlewares of packages and of projects keep it, and what reads a token once more. Facts: Express 5 (`res.locals`), Koa 3 (`ctx.state`), passport 0.7. */
const KNOWS_CALLER =
  /\b(?:req|request|oReq|oRequest|ctx|context)\s{0,4}\??\.\s{0,4}(?:user|auth|account|session|state|decoded|token|principal|identity|caller|payload|claims|current)|\blocals\b|\bpassport\b|-session\b|\bAsyncLocalStorage\b|\bcls-hooked\b|\bx-api-key\b|\bdecode(?:Jwt|Token)?\(|\bjwt_?decode\b|\b(?:is|require|check|has|only)_?(?:Admin|Role|Scope|Permission)|express-(?:jwt|oauth)|express-basic-auth|@sap\/xssec/i

/** Whether any code of a project can know who calls: middlewares that only let a valid token pass, and what is known beside them. */
export const bareLogins: Extract<BareLogin> = defineExtract({
  name: 'cap-bare-logins',
  keywords: ['verify', 'req', 'ctx', 'locals', 'passport', 'session', 'decode', 'Admin', 'cls-hooked', 'AsyncLocalStorage'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts: { calls, assignments, guards }, text, step }) {
    step(calls.length + assignments.length + guards.length)
    const code = withoutComments(text)
    const known = KNOWS_CALLER.exec(code)
    if (known !== null) yield { kind: 'keeps', name: '', start: known.index, end: known.index + known[0].length }
    for (const assignment of assignments) {
      const { start, end } = assignment
      if (isKept(assignment)) yield { kind: 'keeps', name: '', start, end }
    }
    const namesIn = createNameCounter(code, step)
    const verifying = new Set<FunctionFact>()
    for (const call of calls) {
      const { start, end, callee } = call
      if (isSignUp(call)) yield { kind: 'signup', name: '', start, end }
      if (!accessesOf(callee).some(({ root, steps }) => VERIFIES.test([root, ...steps].join(' ')))) continue
      const middleware = middlewareAround(call.function)
      if (middleware !== undefined) verifying.add(middleware)
      const isBare = middleware !== undefined && !isRead(call, middleware, code, namesIn(middleware))
      yield { kind: isBare ? 'bare' : 'keeps', name: middleware?.name ?? '', start: callee.start, end: callee.end }
    }
    for (const guard of guards) {
      const middleware = middlewareAround(guard.function)
      if (middleware === undefined || verifying.has(middleware) || !asksRequest(guard)) continue
      yield { kind: 'keeps', name: middleware.name, start: guard.start, end: guard.end }
    }
  },
})

/** Blanks in their place, so that places stay what they are. */
function withoutComments(text: string): string {
  return blankComments(text).replaceAll(BEHIND_CODE, (found, before: string) => before + ' '.repeat(found.length - before.length))
}

const BEHIND_CODE = /([;{}),\s])\/\/[^\n]{0,500}/g

/** `if (req.headers['x-staff-key'] !== process.env.STAFF_KEY)`: a caller is known by what the request holds, whatever follows from it. */
function asksRequest({ test }: Guard): boolean {
  const asked = findPart(test, (part) =>
    accessesOf(part).some(({ root, steps: [first = ''] }) => isContextRoot(root) && HELD_BY_REQUEST.has(first)),
  )
  return asked !== undefined
}

/** Facts: Express 5, "Request"; Koa 3, "Request". */
const HELD_BY_REQUEST: ReadonlySet<string> = new Set([
  'headers',
  'header',
  'get',
  'query',
  'params',
  'cookies',
  'signedCookies',
  'ip',
])

/** `req.keeper = found`: something else than parsers write. */
function isKept({ target }: Assignment): boolean {
  return accessesOf(target).some(({ root, steps: [first = ''] }) => isContextRoot(root) && !OWN_STEPS.has(first))
}

/** `router.post('/register', (req, res) => …)`, with nothing in front. */
function isSignUp({ callee, args: [path, ...handlers] }: CallValue): boolean {
  if (callee.kind !== 'member' || !VERBS.has(callee.name ?? '') || handlers.length !== 1) return false
  const written = stringConstantOf(path)
  return written !== undefined && SIGN_UP.test(written)
}

const SIGN_UP = /^\/(?:[\w-]{1,40}\/){0,5}(?:sign-?up|register|registration)\/?$/i

/** The function with `next` that a call is in, or in a callback of. */
function middlewareAround(around: FunctionFact): FunctionFact | undefined {
  for (let here: FunctionFact | undefined = around; here !== undefined; here = here.parent)
    if (here.parameters.some((parameter) => /^_?next$/.test(parameter?.name ?? ''))) return here
  return undefined
}

/** Whether what a token holds is read: the result is given back, taken apart, or named again behind its declaration. */
function isRead(call: CallValue, middleware: FunctionFact, text: string, names: ReadonlyMap<string, number>): boolean {
  const last = call.args.at(-1)
  const callback = last === undefined ? undefined : functionOf(last)
  if (callback !== undefined) {
    const [, payload] = callback.parameters
    return callback.parameters.length > 1 && (payload === undefined || isNamedTwice(payload.name, names))
  }
  const [, name] = STORED_IN.exec(text.slice(Math.max(middleware.start, call.start - LONGEST), call.start)) ?? []
  if (name !== undefined) return isNamedTwice(name, names)
  // a statement of its own
  return !/[;{}\n]\s{0,100}(?:await\s{1,10})?$/.test(text.slice(Math.max(middleware.start, call.start - LONGEST), call.start))
}

const STORED_IN = /(?:\b(?:const|let|var)\s{1,10})?\b([A-Za-z_$][\w$]{0,60})\s{0,10}=\s{0,10}(?:await\s{1,10})?$/
const LONGEST = 200

function isNamedTwice(name: string, names: ReadonlyMap<string, number>): boolean {
  return (names.get(name) ?? 0) > 1
}

/** How often each name stands in a function; counted once, however many calls it holds. */
function createNameCounter(text: string, step: (count?: number) => void): (fact: FunctionFact) => ReadonlyMap<string, number> {
  const known = new Map<FunctionFact, ReadonlyMap<string, number>>()
  return (fact) => {
    const before = known.get(fact)
    if (before !== undefined) return before
    const counts = new Map<string, number>()
    for (const [word] of text.slice(fact.start, fact.end).matchAll(/[A-Za-z_$][\w$]*/g)) {
      step()
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
    known.set(fact, counts)
    return counts
  }
}
