import {
  accessesOf,
  findPart,
  pathOf,
  pathsOf,
  resolveValue,
  valuesOf,
  type Binding,
  type CallValue,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isAt, type FlowSettings } from '../project-tables.ts'
import { REQUEST_NAME, RESPONSE_NAME } from '../tables/requests.ts'
import { AUTHENTICATES, CALLER_FIELDS, CALLER_HEADERS, DATA_CALLS, LINK_FIELDS, PARSERS } from '../tables/routes.ts'
import type { RouteFunction } from '../types.ts'
import { callerChecks, isRequest } from './caller-checks.ts'

/** What the functions of a file that may answer requests do. */
export function routeFunctions(
  facts: ScriptFacts,
  isHandler: (fact: FunctionFact) => boolean,
): ReadonlyMap<FunctionFact, RouteFunction> {
  const own = facts.functions.filter(
    (fact) =>
      fact.kind !== 'file' &&
      (isHandler(fact) || fact.parameters.some((binding) => binding !== undefined && RESPONSE_NAME.test(binding.name))),
  )
  if (own.length === 0) return new Map()
  const asking: number[] = []
  const looking: number[] = []
  for (const { value } of valuesOf(facts)) {
    if (asksForCaller(value)) asking.push(value.start)
    if (value.kind === 'await' || (value.kind === 'reference' && isRequest(value.binding))) looking.push(value.start)
  }
  // const { 'x-signature': received } = req.headers
  for (const { definitions } of facts.bindings)
    for (const { path, start, value } of definitions)
      if (path.some((name) => CALLER_FIELDS.test(name) || CALLER_HEADERS.test(name)) || isLinkField(value, path[0]))
        asking.push(start)
  asking.push(...callerChecks(facts))
  const filled = filledByRequests(facts)
  const isFilled = (part: Value): boolean => part.kind === 'reference' && part.binding !== undefined && filled.has(part.binding)
  const calls = facts.calls.map((call) => ({
    start: call.start,
    // res.json(Object.fromEntries(counters))
    tellsFilled: filled.size > 0 && call.args.some((given) => findPart(given, isFilled) !== undefined),
    name: lastNameOf(call.callee) ?? '',
    isOfResponse: accessesOf(call.callee).some(({ root }) => ANSWERED.test(root)),
    hasArgs: call.args.length > 0,
    called: functionOf(call.callee),
    usesData:
      !isOfOwnFile(call) &&
      accessesOf(call.callee).some(({ root, steps }) =>
        DATA_CALLS.test([root.replace(/^(?:global|module|parameter|const|let):(?:@sap\/)?/, ''), ...steps].join(' ')),
      ),
  }))
  const within = ({ start, end }: FunctionFact): typeof calls => calls.filter((call) => start <= call.start && call.start < end)
  // res.json(await levelsOf(category)): what it asks a function of the file for. Each function is looked at once
  const readers = new Map<FunctionFact, boolean>()
  const isReader = (fact: FunctionFact, depth: number): boolean => {
    const known = readers.get(fact)
    if (known !== undefined) return known
    readers.set(fact, false)
    const reads = readsData(within(fact), depth)
    readers.set(fact, reads)
    return reads
  }
  const readsData = (inside: typeof calls, depth = 0): boolean =>
    inside.some(({ usesData, tellsFilled, isOfResponse }) => usesData || (tellsFilled && isOfResponse)) ||
    (depth < MAX_DEPTH && inside.some(({ called }) => called !== undefined && isReader(called, depth + 1)))
  return new Map(
    own.map((fact) => {
      const inside = within(fact)
      return [
        fact,
        {
          asks: asking.some((start) => fact.start <= start && start < fact.end),
          refuses: inside.some(({ name, hasArgs }) => REFUSING.test(name) || (name === 'next' && hasArgs)),
          usesData: readsData(inside),
          isFixed:
            inside.every(({ isOfResponse }) => isOfResponse) && !looking.some((start) => fact.start <= start && start < fact.end),
          leadsOn: !inside.some((call) => call.usesData || DELEGATING.test(call.name)) && redirectsOnly(inside),
        },
      ]
    }),
  )
}

/** Collections of the module that keep what requests tell: `counters.set(req.tenant, count)`. */
function filledByRequests({ calls, assignments }: ScriptFacts): ReadonlySet<Binding> {
  const found = new Set<Binding>()
  const add = (collection: Value, kept: readonly Value[]): void => {
    const binding = collection.kind === 'reference' ? collection.binding : undefined
    if (binding?.function.kind === 'file' && kept.some((value) => findPart(value, isOfRequest) !== undefined)) found.add(binding)
  }
  for (const { callee, args } of calls)
    if (callee.kind === 'member' && /^(?:set|add|push|unshift)$/.test(callee.name ?? '')) add(callee.object, args)
  for (const { target, value } of assignments) if (target.property !== undefined) add(target.object, [target.property, value])
  return found
}

function isOfRequest(part: Value): boolean {
  return part.kind === 'member' && accessesOf(part).some(({ root }) => /^parameter:_?req(?:uest)?$/.test(root))
}

/** The response, what makes texts, and a file of the program: `require('../package.json')`. */
const ANSWERED = /^(?:parameter:_?res(?:ponse)?|global:(?:JSON|String|Object|Date|require))$/

/** `readFile(path.join(__dirname, 'VERSION'))`: a file of the program. */
function isOfOwnFile({ args: [file] }: CallValue): boolean {
  return (
    file !== undefined &&
    findPart(file, (part) => part.kind === 'reference' && (part.name === '__dirname' || part.name === '__filename')) !==
      undefined &&
    findPart(file, (part) => part.kind === 'reference' && part.binding?.kind === 'parameter') === undefined
  )
}

/** It leads elsewhere, and no more; where that is chosen by the request, it is a fault of its own. */
function redirectsOnly(calls: readonly { readonly name: string }[]): boolean {
  const answers = calls.filter(({ name }) => ANSWERING.test(name))
  return answers.length > 0 && answers.every(({ name }) => name === 'redirect')
}

const ANSWERING = /^(?:redirect|send|json|jsonp|end|write|render|sendFile|download|pipe)$/
/** Others go on with the request. */
const DELEGATING = /^(?:next|handle|emit|send(?:Request)?Async|spawn|publish)$/

const REFUSING = /^(?:sendStatus|status|writeHead|end|send|json|redirect|reject|error)$/

function asksForCaller(value: Value): boolean {
  if (value.kind === 'member')
    return CALLER_FIELDS.test(value.name ?? '') || CALLER_HEADERS.test(value.name ?? '') || isLinkField(value.object, value.name)
  if (value.kind === 'literal') return typeof value.value === 'string' && CALLER_HEADERS.test(value.value)
  if (value.kind !== 'call') return false
  const name = lastNameOf(value.callee) ?? ''
  return (
    AUTHENTICATES.test(name) || (BOT_ADAPTERS.test(name) && value.args.length >= 3 && value.args.slice(0, 2).every(isOfExchange))
  )
}

/** Bot Framework: its adapters verify the token of the caller before they hand an activity on. Fact: botbuilder 4, `CloudAdapter.process`, `BotFrameworkAdapter.processActivity`. */
const BOT_ADAPTERS = /^process(?:Activity)?$/

function isOfExchange(value: Value): boolean {
  const name = lastNameOf(value) ?? ''
  return REQUEST_NAME.test(name) || RESPONSE_NAME.test(name)
}

/** `req.params.token`: whoever has the link may call it. */
function isLinkField(object: Value | undefined, name = ''): boolean {
  return object?.kind === 'member' && (object.name === 'params' || object.name === 'query') && LINK_FIELDS.test(name)
}

/** Whether a middleware authenticates by all that its own file tells: its name, its body, what the project says. */
export function createAuthenticationReader(
  functions: ReadonlyMap<FunctionFact, RouteFunction>,
  settings: FlowSettings | undefined,
  file: string,
): (argument: Value) => boolean {
  const isOwn = (paths: readonly string[]): boolean => settings?.authenticates.some(({ at }) => isAt(at, paths, file)) === true
  const asksAndRefuses = (fact: FunctionFact | undefined): boolean => {
    const known = fact && functions.get(fact)
    return known !== undefined && known.asks && known.refuses && fact?.parameters.length !== 2
  }
  const authenticates = (argument: Value, depth = 0): boolean => {
    const value = argument.kind === 'spread' ? argument.value : argument
    if (depth > MAX_DEPTH || value.kind === 'literal') return false
    const listed = resolveValue(value)
    if (listed.kind === 'array') return listed.items.some((item) => authenticates(item, depth + 1))
    if (asksAndRefuses(functionOf(value))) return true
    if (value.kind === 'function') return false
    // `requireRole('Admin')` of the file: what it makes is the middleware
    if (value.kind === 'call' && functionOf(value.callee)?.returns.some((made) => asksAndRefuses(functionOf(made)))) return true
    const read = value.kind === 'call' ? value.callee : value
    if (isOwn(pathsOf(read).map((path) => path.join(' ')))) return true
    // it only prepares: passport.initialize()
    if (lastNameOf(read) === 'initialize') return false
    const names = [pathOf(read)?.join(' ') ?? '', lastNameOf(read) ?? '', value.kind === 'reference' ? value.name : '']
    return names.some((name) => AUTHENTICATES.test(name.replace(/^module:/, '')))
  }
  return (argument) => authenticates(argument)
}

const MAX_DEPTH = 3

/** It reads a body or writes headers, and asks nobody. */
export function isParser(argument: Value): boolean {
  return accessesOf(argument).some(({ root, steps }) => PARSERS.test([root, ...steps].join(' ')))
}
