import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import {
  accessesOf,
  constantOf,
  stringConstantOf,
  findPart,
  resolveValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAround } from '../../facts/span-index.ts'
import { calleeOf, isNothing } from '../../facts/values.ts'
import type { Route } from '../../model/approuter/index.ts'
import type { CapRoot } from '../../model/cap/index.ts'
import { isContextRoot, isDeveloperFile, isOfUi5App } from '../../model/script/index.ts'
import { isBelow } from '../../paths.ts'
import { prefixOf, servicesReached } from './_json-services.ts'

/** What a script registers that may answer a POST. */
interface PostedRoute {
  /** Undefined: any. */
  readonly path: string | undefined
  /** It refuses what comes without a body that a parser for JSON has read. */
  readonly needsJson: boolean
}

/** What reads bodies that pages of other sites send without a preflight, or may do so. */
const READS_FORMS =
  /urlencoded|\b(?:express|bodyParser|parser)\s{0,4}\.\s{0,4}(?:text|raw)\s{0,4}\(|bodyParser\s{0,4}\(|multer|busboy|formidable|multiparty|fileupload|raw-body|get-stream|\b(?:req|oReq)(?:uest)?\s{0,4}\.\s{0,4}(?:on|once)\s{0,4}\(\s{0,4}["'`](?:data|readable)|\b(?:req|oReq)(?:uest)?\s{0,4}\.\s{0,4}pipe\s{0,4}\(|\.json\s{0,4}\(\s{0,20}\{[^{}]{0,300}\btype\b/
const READS_JSON = /\b(?:express|bodyParser|parser)\s{0,4}\.\s{0,4}json\s{0,4}\(/

/**
 * Facts: Express 4 and 5, `express.json` (reads `application/json` alone, any other body leaves `req.body` empty); Fetch standard, "CORS-safelisted request-header": another site
 * sends forms and plain texts without a preflight.
 */
export const postedRoutes: Extract<PostedRoute> = defineExtract({
  name: 'approuter-posted-routes',
  keywords: ['.post(', '.all(', '.use(', '.route('],
  isFor: (path) => !isDeveloperFile(path) && !isOfUi5App(path),
  *collect({ facts, text, step }) {
    const readsJson = READS_JSON.test(text)
    // one app may have parsers of several scripts
    if (READS_FORMS.test(text)) yield { path: undefined, needsJson: false }
    step(facts.calls.length)
    for (const call of facts.calls) {
      const { callee, args } = call
      if (callee.kind !== 'member') continue
      const [first] = args
      const path = stringConstantOf(first)
      if (/^(?:post|all)$/.test(callee.name ?? '')) {
        const fact = functionOf(args.at(-1))
        step(facts.guards.length)
        if (path?.startsWith('/') === true || (path === undefined && fact !== undefined && args.length > 1))
          yield { path, needsJson: readsJson && fact !== undefined && refusesWithoutBody(fact, facts) }
      } else if (callee.name === 'route' || callee.name === 'use') {
        step(facts.calls.length)
        if (callee.name === 'route' || !args.every((given) => isPassing(given, facts))) yield { path, needsJson: false }
      }
    }
  },
})

/** A path, a middleware of a package, or a function that lets requests on or does nothing but answer. */
function isPassing(given: Value, facts: ScriptFacts): boolean {
  if (constantOf(given) !== undefined) return true
  const fact = functionOf(given)
  if (fact !== undefined) return fact.parameters.length > 2 || answersAlone(fact, facts)
  const made = resolveValue(given.kind === 'spread' ? given.value : given)
  const name = lastNameOf(calleeOf(made))
  if (name === undefined || /router|proxy|server/i.test(name)) return false
  return accessesOf(calleeOf(made)).every(({ root }) => /^(?:module:(?!\.)|global:cds$)/.test(root))
}

/** `(req, res) => res.status(503).json({ error })` */
function answersAlone(fact: FunctionFact, { calls }: ScriptFacts): boolean {
  return calls
    .filter((call) => isAround(fact, call.start))
    .every(({ callee }) => accessesOf(callee).every(({ binding }) => binding?.kind === 'parameter' && binding.function === fact))
}

/** `if (!req.body.id) return res.sendStatus(400)`, through names. */
function refusesWithoutBody(fact: FunctionFact, { guards }: ScriptFacts): boolean {
  return guards.some(({ function: around, exits, test }) => around === fact && exits && findPart(test, isMissing) !== undefined)
}

function isMissing(part: Value): boolean {
  if (part.kind !== 'operation' || !/^(?:!|===?)$/.test(part.operator)) return false
  return (part.operator === '!' || part.operands.some(isNothing)) && part.operands.some(isOfBody)
}

function isOfBody(value: Value): boolean {
  return accessesOf(value).some(({ root, steps }) => isContextRoot(root) && steps[0] === 'body')
}

/** Whether all that takes a POST behind a route needs JSON: the project registers it, and no service of CAP lies there. Needs the extract `postedRoutes`. */
export function routesTakeJson(route: Route, roots: readonly CapRoot[], scripts: Scripts): boolean {
  const prefix = prefixOf(route)
  if (prefix === undefined || roots.length === 0) return false
  return roots.every((root) => {
    if (servicesReached(route, root).length > 0) return false
    const own = scripts
      .get(postedRoutes)
      .filter(({ file, value: { path } }) => isBelow(file, root.root) && mayLieBelow(path, prefix))
    return own.length > 0 && own.every(({ value }) => value.needsJson)
  })
}

/** `/api/chat`, `/api` and any path that varies lie below `/api/`, or hold it. */
function mayLieBelow(path: string | undefined, prefix: string): boolean {
  return path === undefined || /[:*$(+?]/.test(path) || path.startsWith(prefix) || prefix.startsWith(path.replace(/\/?$/, '/'))
}
