import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'

/** A login in front of all routes of an app, and those behind it that change something. */
export interface GuardedWrites {
  readonly at: Span
  readonly routes: readonly string[]
  /** The script has a database: what a path says is done there. */
  readonly hasDatabase: boolean
}

/** Packages of databases, by which a middleware or a handler changes rows. */
const DATABASE = /(?:^|[/-])(?:hdbext|hdb|hana-client|pg|mysql2?|mongodb|mongoose|sequelize)$/
const WRITES = /^(?:post|put|patch|delete)$/
/** What a path says of a route that is asked with GET. */
const CHANGES = /^\/(?:create|change|update|delete|remove|add|save|insert|edit)(?=[A-Z_/-])/

/** `app.use(passport.authenticate("JWT", { session: false }))`: a valid token is all that it asks for. Facts: passport 0.7, `authenticate`; @sap/xssec, `JWTStrategy`. */
export const guardedWrites: Extract<GuardedWrites> = defineExtract({
  name: 'cap-jwt-guarded-writes',
  keywords: ['passport'],
  prefilter: (text) => /authenticate\s?\(\s?["']jwt/i.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts: { calls, imports }, step }) {
    step(calls.length)
    const guard = calls.find(({ callee, args }) => lastNameOf(callee) === 'use' && args.some(isLogin) && !startsWithPath(args))
    // app.post('/orders', passport.authenticate('JWT'), create)
    const login = calls.flatMap((call) => (writtenBy(call).length > 0 ? (call.args.find(isLogin) ?? []) : []))[0]
    const at = guard ?? login
    if (at === undefined) return
    const routes = calls.flatMap((call) =>
      (guard === undefined ? call.args.some(isLogin) : call.start > guard.end) ? writtenBy(call) : [],
    )
    const hasDatabase = imports.some(({ source }) => DATABASE.test(source))
    if (routes.length > 0) yield { at: { start: at.start, end: at.end }, routes: [...new Set(routes)], hasDatabase }
  },
})

function isLogin(given: Value): boolean {
  const made = resolveValue(given)
  const [strategy] = made.kind === 'call' && lastNameOf(made.callee) === 'authenticate' ? made.args : []
  return strategy !== undefined && String(constantOf(strategy)).toLowerCase() === 'jwt'
}

function startsWithPath([first]: readonly Value[]): boolean {
  return first !== undefined && typeof constantOf(first) === 'string'
}

function writtenBy({ callee, args: [path, handler] }: CallValue): readonly string[] {
  const name = lastNameOf(callee) ?? ''
  const text = path && constantOf(path)
  if (callee.kind !== 'member' || typeof text !== 'string' || !text.startsWith('/')) return []
  const isWrite = handler !== undefined && (WRITES.test(name) || (name === 'get' && CHANGES.test(text)))
  return isWrite || (name === 'route' && CHANGES.test(text)) ? [text] : []
}
