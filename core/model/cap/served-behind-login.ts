import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { accessesOf, resolveValue, type Binding, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isOfUi5App } from '../script/index.ts'

/**
 * One item for each script that serves CAP's services in an app of its own, behind a login of that app: `app.use(passport.authenticate('JWT'))`, then `cds.serve('all').in(app)`.
 * Facts: @sap/cds 3.18 and 9.9.3, lib/srv/srv-api (`cds.serve … in`: the services are mounted on the given app, behind what that uses already); passport 0.7, `authenticate`.
 */
export const servedBehindLogin: Extract<true> = defineExtract({
  name: 'cap-served-behind-login',
  keywords: ['.serve('],
  prefilter: (text) => /\.in\s{0,4}\(/.test(text) && text.includes('authenticate'),
  isFor: (path) => !isOfUi5App(path),
  *collect({ facts, step }) {
    for (const call of facts.calls) {
      const app = servingApp(call)
      if (app === undefined) continue
      step(facts.calls.length)
      if (isBehindLogin(app, call.start, facts)) yield true
    }
  },
})

/** The app of `cds.serve(…).at(…).in(app)`. */
function servingApp({ callee, args: [app] }: CallValue): Binding | undefined {
  if (lastNameOf(callee) !== 'in' || app === undefined || !('binding' in app)) return undefined
  const isServed = accessesOf(callee).some(
    ({ root, steps }) => (root === 'module:@sap/cds' || root === 'global:cds') && steps[0] === 'serve',
  )
  return isServed ? app.binding : undefined
}

function isBehindLogin(app: Binding, start: number, { calls }: ScriptFacts): boolean {
  return calls.some(
    ({ callee, args, start: at }) =>
      at < start &&
      lastNameOf(callee) === 'use' &&
      'object' in callee &&
      'binding' in callee.object &&
      callee.object.binding === app &&
      args.some(isLogin),
  )
}

/** `passport.authenticate('JWT', { session: false })`. */
function isLogin(given: Value): boolean {
  const made = resolveValue(given)
  return 'callee' in made && lastNameOf(made.callee) === 'authenticate'
}
