import { accessesOf, calleeOf, type Binding, type ClassFact, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { namedParameter, type HandlerFunction } from '../../model/cap/index.ts'
import { eventOf } from '../servers/handlers.ts'
import { ANY_FIELD, COPY, READ, type Origin } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { writtenPath } from '../calls/callees.ts'
import { addParameter } from '../sources/requests.ts'

/** What a framework fills the parameters of methods with by their decorators. */
interface ParameterDecorators {
  readonly package: string
  /** By the decorator's name. */
  readonly origins: Readonly<Record<string, Origin>>
  /** What is read of the request of a handler of CAP, by the decorator's name; what that is given is the last step. */
  readonly parts?: Readonly<Record<string, readonly string[]>>
  /** Classes given beside the name that refuse what has another form than theirs: `@Param('id', ParseIntPipe)`. */
  readonly checks?: ReadonlySet<string>
}

const PARTS = { Param: 'request', Query: 'request', Body: 'request', Headers: 'request', HostParam: 'request' } as const

/**
 * Facts: NestJS 11, "Controllers" (request object) and "Pipes"; routing-controllers 0.11 (README, "Injecting …"); tsoa 6, "Getting started"; inversify-express-utils 6
 * (README, "Decorators"); cds-routing-handlers 3 (README; CAP itself checks what it is sent), @dxfrontier/cds-ts-dispatcher 5 (README). None of them looks at a declared type by itself: `quantity: number` is a text all the same.
 */
const PARAMETER_DECORATORS: readonly ParameterDecorators[] = [
  {
    package: '@nestjs/common',
    origins: {
      ...PARTS,
      RawBody: 'request',
      Session: 'stored',
      Req: 'http-request',
      Request: 'http-request',
      Res: 'response',
      Response: 'response',
      UploadedFile: 'upload',
      UploadedFiles: 'upload',
    },
    checks: new Set(['ParseIntPipe', 'ParseFloatPipe', 'ParseBoolPipe', 'ParseUUIDPipe', 'ParseEnumPipe', 'ParseDatePipe']),
  },
  {
    package: 'routing-controllers',
    origins: {
      Param: 'request',
      Params: 'request',
      QueryParam: 'request',
      QueryParams: 'request',
      HeaderParam: 'request',
      HeaderParams: 'request',
      CookieParam: 'request',
      CookieParams: 'request',
      Body: 'request',
      BodyParam: 'request',
      Req: 'http-request',
      Res: 'response',
      UploadedFile: 'upload',
      UploadedFiles: 'upload',
    },
  },
  {
    package: 'tsoa',
    origins: {
      Path: 'request',
      Query: 'request',
      Queries: 'request',
      Header: 'request',
      Body: 'request',
      BodyProp: 'request',
      FormField: 'request',
      Request: 'http-request',
      UploadedFile: 'upload',
      UploadedFiles: 'upload',
    },
  },
  {
    package: 'inversify-express-utils',
    origins: {
      request: 'http-request',
      response: 'response',
      requestParam: 'request',
      queryParam: 'request',
      requestBody: 'request',
      requestHeaders: 'request',
      cookies: 'request',
    },
  },
  {
    package: 'cds-routing-handlers',
    origins: { Req: 'cap-request', Data: 'request', Param: 'request', ParamObj: 'request' },
    parts: { Data: ['data'], Param: ['data'], ParamObj: ['data'] },
  },
  { package: '@dxfrontier/cds-ts-dispatcher', origins: { Req: 'cap-request' } },
]

/** Adds what frameworks hand to the methods and constructors of classes with decorators: parts of requests, and objects of other classes. */
export function addDecoratedParameters(handlers: readonly HandlerFunction[], draft: FlowDraft): void {
  const { facts } = draft
  const handled = new Map(handlers.map((handler) => [handler.fact, handler]))
  for (const fact of facts.functions)
    for (const [index, decorators] of fact.decorated ?? []) {
      const handler = handled.get(fact)
      // the request itself was added with the handler
      if (handler?.parameter === index) continue
      const part = handler && decorators.map(partOf).find((one) => one !== undefined)
      if (handler !== undefined && part !== undefined) {
        addPart(handler, fact, index, part, draft)
        continue
      }
      const filled = decorators.map(filledBy).find((one) => one !== undefined)
      if (filled !== undefined && filled !== 'piped') addParameter(fact, index, filled, draft)
    }
  for (const owner of facts.classes) if (owner.decorators !== undefined) addInjected(owner, draft)
}

/** `@Param('name')` is `req.data.name`; undefined: something else. */
function partOf(decorator: Value): readonly string[] | undefined {
  if (!('callee' in decorator)) return undefined
  const paths = new Set(accessesOf(decorator.callee).map(writtenPath))
  for (const { package: name, parts = {} } of PARAMETER_DECORATORS) {
    const found = Object.keys(parts).find((one) => paths.has(`module:${name} ${one}`))
    const [given] = decorator.args
    if (found !== undefined)
      return [...(parts[found] ?? []), ...(given === undefined ? [] : [namedParameter(given) ?? ANY_FIELD])]
  }
  return undefined
}

/** A parameter that is a part of the request of a handler: the model says of it what it says of that. */
function addPart(handler: HandlerFunction, fact: FunctionFact, index: number, path: readonly string[], draft: FlowDraft): void {
  const { graph, ends, parameters } = draft
  const node = parameters.nodeOf(fact, index)
  const place = fact.parameters[index]
  if (node === undefined || place === undefined) return
  const request = graph.add(place)
  ends.sources.push({ node: request, weak: false, ...eventOf(handler) })
  let here = request
  for (const name of path) here = graph.derive(here, place, READ, name)
  graph.connect(here, node, COPY)
  draft.show(here, place.name)
}

/** `@Query('name')`; undefined: nothing of the request. */
function filledBy(decorator: Value): Origin | 'piped' | undefined {
  const [called, args] = 'callee' in decorator ? [decorator.callee, decorator.args] : [decorator, []]
  const paths = new Set(accessesOf(called).map(writtenPath))
  for (const { package: name, origins, checks } of PARAMETER_DECORATORS) {
    const found = Object.keys(origins).find((one) => paths.has(`module:${name} ${one}`))
    if (found === undefined) continue
    return args.some((given) => checks?.has(middlewareName(given)) === true) ? 'piped' : origins[found]
  }
  return undefined
}

/** `ParseIntPipe`, `new ParseIntPipe({ optional: true })`, `requireLogin()`: what stands in front of a handler, by its name. */
export function middlewareName(given: Value): string {
  return lastNameOf(calleeOf(given)) ?? ''
}

/** A parameter that a pipe of the framework leaves no text but its own, or that is a part of a request: it is known. */
export function isPiped({ decorated }: FunctionFact, index: number): boolean {
  return decorated?.get(index)?.some((decorator) => filledBy(decorator) === 'piped' || partOf(decorator) !== undefined) === true
}

/**
 * `constructor(private readonly products: ProductService)` of a class that a container makes: it hands over an object of the class that the parameter is declared as.
 * Facts: NestJS 11, "Custom providers"; TypeDI, InversifyJS (constructor injection by emitted types).
 */
function addInjected({ members }: ClassFact, { facts, server: { callables }, graph, use, parameters }: FlowDraft): void {
  const constructing = functionOf(members.find(({ name }) => name === 'constructor')?.value)
  for (const [index, parameter] of constructing?.parameters.entries() ?? []) {
    const type = parameter && facts.types.get(parameter)
    const binding = type === undefined ? undefined : facts.bindings.find((one) => one.name === type && isClass(one))
    const node = constructing && parameters.nodeOf(constructing, index)
    if (parameter === undefined || binding === undefined || node === undefined) continue
    const { start, end } = parameter
    const made = graph.add(parameter)
    const called = use({ kind: 'reference', start, end, name: binding.name, binding })
    callables.calls.push({ called, how: 'new', args: [], result: made, handed: [] })
    graph.connect(made, node, COPY)
  }
}

const CLASS_KINDS: ReadonlySet<Binding['kind']> = new Set<Binding['kind']>(['import', 'class'])

function isClass({ kind, function: { kind: within } }: Binding): boolean {
  return within === 'file' && CLASS_KINDS.has(kind)
}
