import { functionOf } from '../../facts/callbacks.ts'
import { constantOf, stringConstantOf } from '../../facts/constants.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { pathOf } from '../../facts/paths.ts'
import type { CallValue, ClassFact, FunctionFact, ScriptFacts, Value } from '../../facts/types.ts'
import { fieldOf, resolveValue } from '../../facts/values.ts'
import { lastName } from '../../paths.ts'
import type { HandlerFunction, HandlerPhase } from './registrations.ts'
import type { ScriptService } from './script-services.ts'

/** A package whose decorators register the methods of a class as handlers. */
interface HandlerPackage {
  readonly package: string
  /** Of a class; what they are given is the entity. */
  readonly classes: ReadonlySet<string>
  /** Of a class whose method `use` runs in front of all handlers, if it says `global`; else of those of the classes that use it. */
  readonly front?: string
  /** Of a method; what they are given is the name of the operation. */
  readonly operations: ReadonlySet<string>
  /** Of the parameter that is the request. */
  readonly request: string
}

/** Facts: cds-routing-handlers 3.0.7 (README, "Decorator Reference"; lib/CDSHandler.js); @dxfrontier/cds-ts-dispatcher 5.0.1 (README, "Class decorators", "Method decorators"). */
const PACKAGES: readonly HandlerPackage[] = [
  {
    package: 'cds-routing-handlers',
    classes: new Set(['Handler']),
    front: 'Middleware',
    operations: new Set(['Func', 'Action']),
    request: 'Req',
  },
  {
    package: '@dxfrontier/cds-ts-dispatcher',
    classes: new Set(['EntityHandler', 'UnboundActions']),
    operations: new Set(['OnAction', 'OnFunction', 'OnBoundAction', 'OnBoundFunction', 'OnEvent']),
    request: 'Req',
  },
]

/** Words of scripts that have such classes. */
export const HANDLER_PACKAGES: readonly string[] = PACKAGES.map((one) => one.package)

/** Whether a script may register handlers so. */
export function usesHandlerPackage(text: string): boolean {
  return HANDLER_PACKAGES.some((name) => text.includes(name))
}

const OF_ROWS = /^(Before|On|After)(Create|Read|Update|Delete|All)$/
const PHASES: Readonly<Record<string, HandlerPhase>> = { Before: 'before', On: 'on', After: 'after' }
/** Which service it is, only the call tells that registers the classes. */
const SERVICE: ScriptService = { kind: 'named', name: undefined }

/** The methods that decorators register, as `srv.on` would: `@Handler('Books') class BookHandler { @OnRead() read(@Req() req) { … } }`. */
export function decoratedHandlers({ classes }: Pick<ScriptFacts, 'classes'>): HandlerFunction[] {
  return classes.flatMap((owner) => {
    for (const decorator of owner.decorators ?? []) {
      if (decorator.kind !== 'call') continue
      const [root, name = ''] = pathOf(decorator.callee) ?? []
      const known = PACKAGES.find((one) => root === `module:${one.package}`)
      if (known?.classes.has(name) === true) return handlersOf(owner, decorator, known)
      if (known !== undefined && known.front === name && isGlobal(decorator)) return frontOf(owner, decorator, known)
    }
    return []
  })
}

function handlersOf({ members }: ClassFact, { args: [target] }: CallValue, known: HandlerPackage): HandlerFunction[] {
  const isTargeted = target !== undefined
  const entities = target === undefined ? undefined : entitiesIn(target)
  return members.flatMap(({ value, decorators = [] }) =>
    decorators.flatMap((decorator): HandlerFunction[] => {
      const fact = functionOf(value)
      if (decorator.kind !== 'call' || fact === undefined || value === undefined) return []
      const [root, name = ''] = pathOf(decorator.callee) ?? []
      if (root !== `module:${known.package}`) return []
      const [, when = '', event = ''] = OF_ROWS.exec(name) ?? []
      const phase = known.operations.has(name) ? 'on' : PHASES[when]
      // without an entity nothing is registered
      if (phase === undefined || (event !== '' && !isTargeted)) return []
      const events = event === '' ? [operationOf(decorator.args[0])] : [event === 'All' ? '*' : event.toUpperCase()]
      return [toHandler({ call: decorator, phase, events, isTargeted, entities }, value, fact, known)]
    }),
  )
}

function isGlobal({ args: [options] }: CallValue): boolean {
  const given = options && fieldOf(resolveValue(options), 'global')?.value
  return given !== undefined && constantOf(given) === true
}

function frontOf({ members }: ClassFact, call: CallValue, known: HandlerPackage): HandlerFunction[] {
  const value = members.find(({ name }) => name === 'use')?.value
  const fact = functionOf(value)
  if (fact === undefined || value === undefined) return []
  return [toHandler({ call, phase: 'before', events: ['*'], isTargeted: false, entities: undefined }, value, fact, known)]
}

function toHandler(
  registration: Pick<HandlerFunction, 'call' | 'phase' | 'events' | 'isTargeted' | 'entities'>,
  handler: Value,
  fact: FunctionFact,
  { package: name, request }: HandlerPackage,
): HandlerFunction {
  const isRequest = (decorator: Value): boolean =>
    decorator.kind === 'call' && pathOf(decorator.callee)?.join(' ') === `module:${name} ${request}`
  const [parameter = NO_PARAMETER] = [...(fact.decorated ?? [])].flatMap(([index, decorators]) =>
    decorators.some(isRequest) ? index : [],
  )
  return { ...registration, service: SERVICE, handler, callee: handler, fact, parameter }
}

/** It is not given the request. */
const NO_PARAMETER = -1

/** `'Books'`, `Shop.Entity.Books`, `Books`; undefined: all of them, or nobody can tell. */
function entitiesIn(target: Value): readonly string[] | undefined {
  const name = lastName(String(constantOf(target) ?? lastNameOf(target) ?? ''))
  return /^[A-Za-z]\w*$/.test(name) && name !== 'ALL_ENTITIES' ? [name] : undefined
}

/** `'rename'`, `rename` of a generated module, `Harbour.ActionRename.name`. */
function operationOf(given: Value | undefined): string | undefined {
  const text = stringConstantOf(given)
  if (given === undefined || text !== undefined) return text
  const name = lastNameOf(given)
  if (name !== 'name' || !('object' in given)) return name
  return withoutWord(/^(?:Action|Func)(?=[A-Z])/, lastNameOf(given.object))
}

/** The parameter that a decorator names: `'berths'`, `Harbour.ActionRename.paramBerths`; undefined: nobody can tell. Fact: cds2types 3 writes `enum ActionRename { name = 'rename', paramBerths = 'berths' }`. */
export function namedParameter(given: Value): string | undefined {
  return stringConstantOf(given) ?? withoutWord(/^param(?=[A-Z])/, lastNameOf(given))
}

/** `rename` of `ActionRename`. */
function withoutWord(word: RegExp, name: string | undefined): string | undefined {
  if (name === undefined || !word.test(name)) return undefined
  const rest = name.replace(word, '')
  return rest.charAt(0).toLowerCase() + rest.slice(1)
}
