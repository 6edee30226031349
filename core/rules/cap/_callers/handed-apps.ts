import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { bindingOf, receiverOf } from '../../../facts/asked-values.ts'
import { exportedFunctions } from '../../../facts/callbacks.ts'
import {
  constantOf,
  stringConstantOf,
  importedNames,
  resolveValue,
  type Binding,
  type CallValue,
  type ImportedName,
  type ScriptFacts,
  type Value,
} from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { groupBy } from '../../../lists.ts'
import { resolveModule } from '../../../flow/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'

/** An app or a router that a script gives to a module: `require('./orders')(app)`, `setup.initialize(app)`, `app.use('/orders', require('./orders'))`. */
interface HandedApp {
  /** The exported function that has got it itself; '' where the script makes it, `default` for a router that is the module. */
  readonly within: string
  readonly source: string
  /** The exported function that gets it. */
  readonly name: string
  /** Where it is mounted. */
  readonly path: string
  /** What all its routes ask for by then: a token. */
  readonly login: Span | undefined
}

/** Facts: Express 5, "Using middleware" (what `app.use` was given runs in front of the routes that are registered later), "express.Router". */
export const handedApps: Extract<HandedApp> = defineExtract({
  name: 'cap-handed-apps',
  keywords: ['passport'],
  withFlow: true,
  prefilter: (text) => /\brequire\s?\(|\bimport\b/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    const handed = facts.calls.flatMap((call) => handedBy(call))
    if (handed.length === 0) return
    const names = namesOfApps(facts)
    const logins = facts.calls.flatMap((call) => {
      const below = loginPath(call)
      return below === undefined ? [] : [{ call, below }]
    })
    step(facts.calls.length + handed.length * (1 + logins.length))
    for (const { call, app, source, name, path } of handed) {
      const login = logins.find(
        (one) => one.call.end < call.start && appOf(one.call) === app && isPathBelow(path, one.below),
      )?.call
      const within = names.get(app) ?? ''
      yield { within, source, name, path, login: login && { start: login.start, end: login.end } }
    }
  },
})

/** `app.use(passport.authenticate("JWT", { session: false }))`: a valid token is all that it asks for. Facts: passport 0.7, `authenticate`; @sap/xssec, `JWTStrategy`. */
export function isLoginOfAll(call: CallValue): boolean {
  return loginPath(call) === ''
}

/** Below which path a login stands in front of all routes, `app.use('/api', passport.authenticate('JWT'))`; '' for all of the app. */
function loginPath({ callee, args }: CallValue): string | undefined {
  if (lastNameOf(callee) !== 'use' || !args.some(isLogin)) return undefined
  const path = stringConstantOf(args[0])
  return path !== undefined ? path.replace(/\/$/, '') : ''
}

function isPathBelow(path: string, above: string): boolean {
  return above === '' || path === above || path.startsWith(`${above}/`)
}

export function isLogin(given: Value): boolean {
  const made = resolveValue(given)
  const [strategy] = made.kind === 'call' && lastNameOf(made.callee) === 'authenticate' ? made.args : []
  return strategy !== undefined && String(constantOf(strategy)).toLowerCase() === 'jwt'
}

/** The apps and routers of a script that others give to it or get from it, by the name of the export. */
export function namesOfApps(facts: ScriptFacts): ReadonlyMap<Binding, string> {
  const names = new Map<Binding, string>()
  for (const [name, { parameters, returns }] of exportedFunctions(facts))
    // what it makes is what its caller mounts: `function createRouter() { const router = Router(); return router }`
    for (const binding of [...parameters, ...returns.map(bindingOf)])
      if (binding !== undefined && !names.has(binding)) names.set(binding, name)
  const exported = facts.exports.find(({ name }) => name === 'default')?.value
  if (exported?.kind === 'reference' && exported.binding !== undefined) names.set(exported.binding, 'default')
  return names
}

/** `app` of `app.use(…)`. */
export function appOf(call: CallValue): Binding | undefined {
  const receiver = receiverOf(call)
  return receiver && bindingOf(receiver)
}

interface Handing {
  readonly call: CallValue
  readonly app: Binding
  readonly source: string
  readonly name: string
  readonly path: string
}

function handedBy(call: CallValue): readonly Handing[] {
  const app = appOf(call)
  if (app !== undefined && lastNameOf(call.callee) === 'use') {
    const [first] = call.args
    const written = stringConstantOf(first)
    const path = written ?? ''
    return call.args.flatMap((given) => {
      const made = resolveValue(given)
      const target = moduleOf(given) ?? (made.kind === 'call' ? moduleOf(made.callee) : undefined)
      return target === undefined ? [] : [{ call, app, path, ...target }]
    })
  }
  const target = call.args.length > 0 ? moduleOf(call.callee) : undefined
  if (target === undefined) return []
  return call.args.flatMap((given) => {
    const binding = bindingOf(given)
    return binding === undefined ? [] : [{ call, app: binding, path: '', ...target }]
  })
}

/** What a file of the project exports, and not what a call of it gives. */
export function moduleOf(value: Value): ImportedName | undefined {
  return importedNames(value).find(({ name }) => !name.includes('()'))
}

/** A module whose routes stand behind the login of a script that hands it an app. */
export interface ModuleBehindLogin {
  readonly file: string
  /** The exported function that gets the app. */
  readonly name: string
  readonly path: string
  /** The script with the login, and where it stands. */
  readonly by: string
  readonly login: Span
}

/** The modules that get an app behind a login, and those that get it from them. Needs the extract `handedApps`. */
export function modulesBehindLogin({
  scripts,
  files,
  step,
}: Pick<Project, 'scripts' | 'files' | 'step'>): readonly ModuleBehindLogin[] {
  const found = new Map<string, ModuleBehindLogin>()
  const add = (from: string, { source, name, path }: HandedApp, by: string, login: Span, above: string): void => {
    step()
    const file = resolveModule(from, source, files)?.path
    const key = `${by} ${login.start} ${file} ${name}`
    if (file !== undefined && !found.has(key)) found.set(key, { file, name, path: joined(above, path), by, login })
  }
  for (const { file, value } of scripts.get(handedApps)) if (value.login !== undefined) add(file, value, file, value.login, '')
  const handed = new Map<string, ReadonlyMap<string, readonly HandedApp[]>>()
  // what is added while it runs, is visited too
  for (const { file, name, path, by, login } of found.values()) {
    let within = handed.get(file)
    if (within === undefined) {
      const all = scripts.of(file, handedApps)
      step(all.length)
      handed.set(file, (within = groupBy(all, (one) => one.within)))
    }
    for (const one of within.get(name) ?? []) add(file, one, by, login, path)
  }
  return [...found.values()]
}

/** `/orders` and `/:id` are `/orders/:id`. */
export function joined(above: string, path: string): string {
  return `${above.replace(/\/$/, '')}${path === '/' && above !== '' ? '' : path}`
}
