import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import type { Extracted } from '../../../extracts/scripts.ts'
import { stringConstantOf, type CallValue, type ScriptFacts } from '../../../facts/index.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { append, groupBy } from '../../../lists.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { appOf, isLogin, isLoginOfAll, joined, modulesBehindLogin, namesOfApps } from '../_callers/handed-apps.ts'
import { statementIn } from '../_routes/changing-gets.ts'

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
const MAY_REGISTER = /\.(?:all|get|post|put|patch|delete|route)\s?\(/
/** What a path says of a route that is asked with GET. */
const CHANGES = /^\/(?:create|change|update|delete|remove|add|save|insert|edit)(?=[A-Z_/-])/

/** Of a script with the login itself. */
export const guardedWrites: Extract<GuardedWrites> = defineExtract({
  name: 'cap-jwt-guarded-writes',
  keywords: ['passport'],
  prefilter: (text) => /authenticate\s?\(\s?["']jwt/i.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    const { calls } = facts
    step(calls.length)
    const guard = calls.find(isLoginOfAll)
    // app.post('/orders', passport.authenticate('JWT'), create)
    const login = calls.flatMap((call) => (writtenBy(call).length > 0 ? (call.args.find(isLogin) ?? []) : []))[0]
    const at = guard ?? login
    if (at === undefined) return
    const routes = calls.flatMap((call) =>
      (guard === undefined ? call.args.some(isLogin) : call.start > guard.end) ? writtenBy(call) : [],
    )
    const hasDatabase = usesDatabase(facts)
    if (routes.length > 0) yield { at: { start: at.start, end: at.end }, routes: [...new Set(routes)], hasDatabase }
  },
})

/** Routes that change something, of an app that a script gets or of the router that it is. */
interface RegisteredWrites {
  /** The exported function that gets the app; `default` for a router. */
  readonly name: string
  readonly routes: readonly string[]
  readonly hasDatabase: boolean
}

export const registeredWrites: Extract<RegisteredWrites> = defineExtract({
  name: 'cap-registered-writes',
  keywords: ['passport'],
  withFlow: true,
  prefilter: (text) => MAY_REGISTER.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, text, step }) {
    if (!MAY_REGISTER.test(text)) return
    const names = namesOfApps(facts)
    step(facts.calls.length)
    const routes = new Map<string, string[]>()
    for (const call of facts.calls) {
      const app = appOf(call)
      const name = app && names.get(app)
      if (name === undefined) continue
      const written = writtenBy(call)
      for (const path of written.length > 0 ? written : changedByAny(call, facts, step)) append(routes, name, path)
    }
    const hasDatabase = usesDatabase(facts)
    for (const [name, own] of routes) if (own.length > 0) yield { name, routes: [...new Set(own)], hasDatabase }
  },
})

function writtenBy({ callee, args: [path, handler] }: CallValue): readonly string[] {
  const name = lastNameOf(callee) ?? ''
  const text = stringConstantOf(path)
  if (callee.kind !== 'member' || text === undefined || !text.startsWith('/')) return []
  const isWrite = handler !== undefined && (WRITES.test(name) || (name === 'get' && CHANGES.test(text)))
  return isWrite || (name === 'route' && CHANGES.test(text)) ? [text] : []
}

/** `app.all('/orders', handler)`, where a statement of the handler changes rows. */
function changedByAny({ callee, args }: CallValue, facts: ScriptFacts, step: (count?: number) => void): readonly string[] {
  const path = stringConstantOf(args[0])
  if (lastNameOf(callee) !== 'all' || path === undefined || !path.startsWith('/')) return []
  const handler = functionOf(args.at(-1))
  return handler !== undefined && statementIn(handler, facts, step) !== undefined ? [path] : []
}

function usesDatabase({ imports }: ScriptFacts): boolean {
  return imports.some(({ source }) => DATABASE.test(source))
}

/** The logins of a project with the routes behind them, those of modules that get the app among them. Needs the extracts `guardedWrites`, `registeredWrites` and `handedApps`. */
export function allGuardedWrites(project: Pick<Project, 'scripts' | 'files' | 'step'>): readonly Extracted<GuardedWrites>[] {
  const found = new Map<
    string,
    { readonly file: string; readonly at: Span; readonly routes: Set<string>; hasDatabase: boolean }
  >()
  const add = (file: string, { at, routes, hasDatabase }: GuardedWrites): void => {
    project.step(1 + routes.length)
    const key = `${file} ${at.start}`
    const known = found.get(key) ?? { file, at, routes: new Set<string>(), hasDatabase: false }
    found.set(key, known)
    for (const route of routes) known.routes.add(route)
    known.hasDatabase ||= hasDatabase
  }
  for (const { file, value } of project.scripts.get(guardedWrites)) add(file, value)
  const registered = groupBy(project.scripts.get(registeredWrites), ({ file, value }) => `${file} ${value.name}`)
  for (const { file, name, path, by, login } of modulesBehindLogin(project))
    for (const { value: own } of registered.get(`${file} ${name}`) ?? [])
      add(by, { at: login, routes: own.routes.map((route) => joined(path, route)), hasDatabase: own.hasDatabase })
  return [...found.values()].map(({ file, at, routes, hasDatabase }) => ({
    file,
    value: { at, routes: [...routes], hasDatabase },
  }))
}
