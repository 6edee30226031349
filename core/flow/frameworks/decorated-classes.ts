import { accessesOf, calleeOf, type Binding, type ClassFact, type FunctionFact, type Value } from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { COPY, type Origin } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { writtenPath } from '../calls/callees.ts'
import { addParameter } from '../sources/requests.ts'

/** What a framework fills the parameters of methods with by their decorators. */
interface ParameterDecorators {
  readonly package: string
  /** By the decorator's name. */
  readonly origins: Readonly<Record<string, Origin>>
  /** Classes given beside the name that refuse what has another form than theirs: `@Param('id', ParseIntPipe)`. */
  readonly checks?: ReadonlySet<string>
}

const PARTS = { Param: 'request', Query: 'request', Body: 'request', Headers: 'request', HostParam: 'request' } as const

/**
 * Facts: NestJS 11, "Controllers" (request object) and "Pipes"; routing-controllers 0.11 (README, "Injecting …"); tsoa 6, "Getting started"; inversify-express-utils 6
 * (README, "Decorators"); cds-routing-handlers 3 (README). None of them looks at a declared type by itself: `quantity: number` is a text all the same.
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
  },
]

/** Adds what frameworks hand to the methods and constructors of classes with decorators: parts of requests, and objects of other classes. */
export function addDecoratedParameters(draft: FlowDraft): void {
  const { facts } = draft
  for (const fact of facts.functions)
    for (const [index, decorators] of fact.decorated ?? []) {
      const filled = decorators.map(filledBy).find((one) => one !== undefined)
      if (filled !== undefined && filled !== 'piped') addParameter(fact, index, filled, draft)
    }
  for (const owner of facts.classes) if (owner.decorators !== undefined) addInjected(owner, draft)
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

/** A parameter that a pipe of the framework leaves no text but its own: it is known, and nobody's. */
export function isPiped({ decorated }: FunctionFact, index: number): boolean {
  return decorated?.get(index)?.some((decorator) => filledBy(decorator) === 'piped') === true
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
