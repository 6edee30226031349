import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { accessesOf, constantOf, type Assignment, type CallValue, type FunctionFact } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { OWN_STEPS, VERBS } from '../../../flow/tables/routes.ts'
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
  /\b(?:req|request|ctx|context)\s{0,4}\??\.\s{0,4}(?:user|auth|account|session|state|decoded|token|principal|identity|caller|payload|claims|current)|\blocals\b|\bpassport\b|-session\b|\bAsyncLocalStorage\b|\bcls-hooked\b|\bx-api-key\b|\bdecode(?:Jwt|Token)?\(|\bjwt_?decode\b|\b(?:is|require|check|has|only)_?(?:Admin|Role|Scope|Permission)|express-(?:jwt|oauth)|express-basic-auth|@sap\/xssec/i

/** Whether any code of a project can know who calls: middlewares that only let a valid token pass, and what is known beside them. */
export const bareLogins: Extract<BareLogin> = defineExtract({
  name: 'cap-bare-logins',
  keywords: ['verify', 'req', 'ctx', 'locals', 'passport', 'session', 'decode', 'Admin', 'cls-hooked', 'AsyncLocalStorage'],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts: { calls, assignments }, text, step }) {
    step(calls.length + assignments.length)
    const known = KNOWS_CALLER.exec(text)
    if (known !== null) yield { kind: 'keeps', name: '', start: known.index, end: known.index + known[0].length }
    for (const assignment of assignments) {
      const { start, end } = assignment
      if (isKept(assignment)) yield { kind: 'keeps', name: '', start, end }
    }
    for (const call of calls) {
      const { start, end, callee } = call
      if (isSignUp(call)) yield { kind: 'signup', name: '', start, end }
      if (!accessesOf(callee).some(({ root, steps }) => VERIFIES.test([root, ...steps].join(' ')))) continue
      const middleware = middlewareAround(call)
      const isBare = middleware !== undefined && !isRead(call, middleware, text)
      yield { kind: isBare ? 'bare' : 'keeps', name: middleware?.name ?? '', start: callee.start, end: callee.end }
    }
  },
})

/** `req.keeper = found`: something else than parsers write. */
function isKept({ target }: Assignment): boolean {
  return accessesOf(target).some(({ root, steps: [first = ''] }) => isContextRoot(root) && !OWN_STEPS.has(first))
}

/** `router.post('/register', (req, res) => …)`, with nothing in front. */
function isSignUp({ callee, args: [path, ...handlers] }: CallValue): boolean {
  if (callee.kind !== 'member' || !VERBS.has(callee.name ?? '') || handlers.length !== 1) return false
  const written = path && constantOf(path)
  return typeof written === 'string' && SIGN_UP.test(written)
}

const SIGN_UP = /^\/(?:[\w-]{1,40}\/){0,5}(?:sign-?up|register|registration)\/?$/i

/** The function with `next` that a call is in, or in a callback of. */
function middlewareAround({ function: around }: CallValue): FunctionFact | undefined {
  for (let here: FunctionFact | undefined = around; here !== undefined; here = here.parent)
    if (here.parameters.some((parameter) => /^_?next$/.test(parameter?.name ?? ''))) return here
  return undefined
}

/** Whether what a token holds is read: the result is given back, taken apart, or named again behind its declaration. */
function isRead(call: CallValue, middleware: FunctionFact, text: string): boolean {
  const last = call.args.at(-1)
  const callback = last === undefined ? undefined : functionOf(last)
  const written = text.slice(middleware.start, middleware.end)
  if (callback !== undefined) {
    const [, payload] = callback.parameters
    return callback.parameters.length > 1 && (payload === undefined || isNamedTwice(payload.name, written))
  }
  const [, name] = STORED_IN.exec(text.slice(Math.max(middleware.start, call.start - LONGEST), call.start)) ?? []
  if (name !== undefined) return isNamedTwice(name, written)
  // a statement of its own
  return !/[;{}\n]\s{0,100}(?:await\s{1,10})?$/.test(text.slice(Math.max(middleware.start, call.start - LONGEST), call.start))
}

const STORED_IN = /(?:\b(?:const|let|var)\s{1,10})?\b([A-Za-z_$][\w$]{0,60})\s{0,10}=\s{0,10}(?:await\s{1,10})?$/
const LONGEST = 200

function isNamedTwice(name: string, written: string): boolean {
  return [...written.matchAll(/[A-Za-z_$][\w$]*/g)].filter(([word]) => word === name).length > 1
}
