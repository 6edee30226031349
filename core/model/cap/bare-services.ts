import { defineExtract, type Extract } from '../../extracts/extract.ts'
import {
  accessesOf,
  createCodeReader,
  type ClassFact,
  type FunctionFact,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import { lastName } from '../../paths.ts'
import type { NpmProject } from '../npm/index.ts'
import type { Place, Span } from '../../types.ts'
import { isOfUi5App } from '../script/index.ts'
import { entityWords, toWords } from './personal-data.ts'
import { findHandlers, type HandlerFunction } from './registrations.ts'
import { cdsWithin } from './packages.ts'
import { openElements, servedServices } from './restrictions.ts'
import type { CapElement, CapRoot, CapService } from './types.ts'

/** A handler that answers events of a service, by the names that it was registered with. */
interface Answer {
  /** `*`: all, or nobody can tell. */
  readonly events: readonly string[]
  /** Undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
  /** The entities are members of `this.entities`: of one that the service does not have, the handler is registered for all. */
  readonly isOfService: boolean
  /** It asks no database, and either no other system, or one that gets nothing of the caller and of which the caller gets nothing. */
  readonly isIdle: boolean
  /** It looks at the caller and refuses or narrows something; undefined: its function is in another file. */
  readonly asksUser: boolean | undefined
}

/** A class that implements a service. */
interface ServiceClass {
  readonly name: string
  /** It leaves its module by a name alone: CAP takes it for the service of that name. */
  readonly isNamed: boolean
  /** The name of its `init` without `super.init()`; undefined: it has none. */
  readonly start: Span | undefined
  /** What it answers itself, where nothing else answers; undefined: it has the generic handlers, or nobody can tell. */
  readonly answers: readonly Answer[] | undefined
}

/**
 * Classes that implement services. Those of an `ApplicationService` register the generic handlers when they start; a class of it whose own `init` never calls `super.init()`, and one of
 * `cds.Service`, have none: what no `on` handler of theirs answers is refused with 501.
 * Facts: @sap/cds 8.9.10, libx/_runtime/common/Service.js (`init`), lib/srv/srv-dispatch.js (501); capire, "Core Services" (`srv.init`).
 */
export const serviceClasses: Extract<ServiceClass> = defineExtract({
  name: 'cap-service-classes',
  keywords: ['extends'],
  prefilter: (text) => /\bextends\s{1,20}(?:cds\s{0,20}\.\s{0,20})?(?:Application)?Service\b/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect({ facts, text, step }) {
    const queries = createCodeReader(text, (code) => QUERIES.test(code))
    const sends = createCodeReader(text, (code) => SENDS.test(code))
    const asks = createCodeReader(text, (code) => USER.test(code) && NARROWS.test(code))
    const isIdle = ({ fact }: HandlerFunction): boolean =>
      fact !== undefined && !queries(fact) && (!sends(fact) || isDeaf(fact, text.slice(fact.start, fact.end)))
    return facts.classes.flatMap((fact): ServiceClass[] => {
      const base = baseOf(fact)
      if (base === undefined) return []
      step(facts.calls.length)
      const { name } = fact
      const isNamed = leavesByName(fact, facts)
      if (!isBare(fact, base, facts)) return [{ name, isNamed, start: undefined, answers: undefined }]
      const own = findHandlers(facts).filter(({ phase, service, call }) => {
        const isOfClass =
          service.kind === 'own' ? service.name === name : service.kind !== 'connected' && isAround(fact, call.start)
        return isOfClass && (phase === 'on' || phase === 'prepend')
      })
      const answers = own.map((one) => ({
        events: one.events.map((event) => event ?? '*'),
        entities: one.entities,
        isOfService: isOfService(one),
        isIdle: isIdle(one),
        asksUser: one.fact && asks(one.fact),
      }))
      return [{ name, isNamed, start: base === 'ApplicationService' ? nameOfInit(fact, text) : undefined, answers }]
    })
  },
})

const QUERIES = /\b(?:SELECT|INSERT|UPDATE|DELETE|UPSERT)\b|\.\s{0,4}(?:run|read|create|update|delete|insert)\s{0,4}\(/
const SENDS = /\b(?:axios|fetch|executeHttpRequest|http|https)\b|\.\s{0,4}(?:send|emit|get|post|put|patch)\s{0,4}\(/

const USER = /\b(?:user|tokenInfo|authInfo)\b/
const NARROWS = /\b(?:reject|throw|error|where|forbidden|unauthorized|40[13])\b/i

/** It gives nothing back, and nothing of the request goes anywhere. */
function isDeaf({ parameters, returns }: FunctionFact, text: string): boolean {
  const code = text.replaceAll(KEYS, '')
  return returns.length === 0 && parameters.every((one) => one !== undefined && code.split(one.name).length === 2)
}

/** `data:` of an object */
const KEYS = /\b\w{1,60}\s{0,4}:/g

function baseOf({ parent }: ClassFact): 'ApplicationService' | 'Service' | undefined {
  for (const { root, steps } of parent === undefined ? [] : accessesOf(parent)) {
    if (root !== 'global:cds' && root !== 'module:@sap/cds') continue
    const [name, ...rest] = steps[0] === 'default' ? steps.slice(1) : steps
    if (rest.length === 0 && (name === 'ApplicationService' || name === 'Service')) return name
  }
  return undefined
}

/** Its own start registers no generic handlers, and gives the service to no function that may register some. */
function isBare(fact: ClassFact, base: 'ApplicationService' | 'Service', { calls }: ScriptFacts): boolean {
  const own = calls.filter(({ start }) => isAround(fact, start))
  const handsOn = own.some(
    ({ callee, args }) =>
      args.some(({ kind }) => kind === 'this') &&
      !(callee.kind === 'member' && /^(?:bind|log|info|debug)$/.test(callee.name ?? '')),
  )
  if (handsOn || base === 'Service') return !handsOn
  const startsAbove = own.some(
    ({ callee }) =>
      callee.kind === 'member' && callee.object.kind === 'super' && (callee.name === undefined || callee.name === 'init'),
  )
  return !startsAbove && fact.members.some(({ name, isStatic }) => name === 'init' && !isStatic)
}

/** `export class Orders`, and nothing else of the module is exported as a whole. */
function leavesByName({ name }: ClassFact, { exports }: ScriptFacts): boolean {
  const isWhole = exports.some((one) => one.name === 'default' || one.name === '*')
  return !isWhole && exports.some((one) => one.name === lastName(name))
}

/** `init` of `async init() { … }`. */
function nameOfInit({ members }: ClassFact, text: string): Span | undefined {
  const init = members.find(({ name, isStatic }) => name === 'init' && !isStatic)
  const start = init === undefined ? -1 : text.indexOf('init', init.start)
  return start === -1 ? undefined : { start, end: start + 4 }
}

/** `Orders` of `const { Orders } = this.entities`, or `this.entities.Orders`. */
function isOfService({ call: { args } }: HandlerFunction): boolean {
  const target = args.length > 2 ? args[1] : undefined
  if (target?.kind === 'member') return isOwnEntities(target.object)
  const [only, another] = target?.kind === 'reference' ? (target.binding?.definitions ?? []) : []
  return only?.value !== undefined && another === undefined && only.path.length === 1 && isOwnEntities(only.value)
}

function isOwnEntities(value: Value): boolean {
  return value.kind === 'member' && value.name === 'entities' && value.object.kind === 'this'
}

const CHANGES = ['CREATE', 'UPDATE', 'DELETE'] as const

/** Events of the same requests. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  CREATE: ['CREATE', 'INSERT', 'NEW', 'WRITE', 'SAVE', 'UPSERT'],
  UPDATE: ['UPDATE', 'PATCH', 'EDIT', 'WRITE', 'SAVE', 'UPSERT'],
  DELETE: ['DELETE', 'CANCEL'],
  READ: ['READ', 'each'],
}

/** A service that an `ApplicationService` without `super.init()` implements: the handlers that would check restrictions and input are missing. */
export interface BareService {
  /** The names of `init`. */
  readonly starts: readonly Place[]
  /** The events of an element that it answers: those of rows, or the name of the operation. */
  eventsOf(element: CapElement): ReadonlySet<string>
  /** What its handlers do for an event of an element. */
  answersTo(element: CapElement, event: string): readonly Pick<Answer, 'isIdle' | 'asksUser'>[]
}

/** What the services of a root answer by themselves. */
export interface Answers {
  /** Those of the elements that anything answers; one that nothing changes is not `writable`. */
  of(service: CapService, elements: readonly CapElement[]): readonly CapElement[]
  /** It answers nothing but what everybody sends to a form, lists of values, and operations that ask no database. */
  isForm(service: CapService): boolean
  /** Undefined: it has the generic handlers, or nobody can tell. */
  bare(service: CapService): BareService | undefined
}

/** Needs the extract `serviceClasses`. `npm` tells what version of CAP runs. */
export function createAnswers(root: CapRoot, npm?: NpmProject): Answers {
  const bare = root.runtime === 'java' ? new Map<CapService, Implemented>() : bareServices(root, npm)
  const eventsOf = (element: CapElement, answers: readonly Answer[]): ReadonlySet<string> => {
    root.step(answers.length)
    const names = element.kind === 'entity' ? Object.keys(SAME) : [lastName(element.name)]
    return new Set(names.filter((event) => answers.some((answer) => isAnsweredBy(answer, element, event))))
  }
  const of: Answers['of'] = (service, elements) => {
    const answers = bare.get(service)?.answers
    if (answers === undefined) return elements
    return elements.flatMap((element) => {
      const events = eventsOf(element, answers)
      if (events.size === 0) return []
      const isFixed = element.kind === 'entity' && element.writable && !CHANGES.some((one) => events.has(one))
      return isFixed ? { ...element, writable: false } : element
    })
  }
  const isHarmless = (element: CapElement, answers: readonly Answer[]): boolean => {
    const events = eventsOf(element, answers)
    if (element.kind !== 'entity') {
      const last = lastName(element.name)
      return answers.every(({ events: names, isIdle }) => isIdle || !names.some((one) => one === '*' || one === last))
    }
    if (events.has('UPDATE') || events.has('DELETE')) return false
    return !events.has('READ') || (!events.has('CREATE') && isValueList(element))
  }
  return {
    of,
    isForm: (service) => {
      const answers = bare.get(service)?.answers
      return answers !== undefined && of(service, openElements(service)).every((element) => isHarmless(element, answers))
    },
    bare: (service) => {
      const { answers, starts } = bare.get(service) ?? { answers: [], starts: [] }
      if (starts.length === 0) return undefined
      return {
        starts,
        eventsOf: (element) => eventsOf(element, answers),
        answersTo: (element, event) => answers.filter((answer) => isAnsweredBy(answer, element, event)),
      }
    },
  }
}

/** A handler answers an event of an element; of rows the event stands for all that are the same. */
function isAnsweredBy({ events, entities }: Answer, element: CapElement, event: string): boolean {
  const isOfRows = element.kind === 'entity'
  const entity = isOfRows ? lastName(element.name) : element.entity && lastName(element.entity)
  if (entities !== undefined && entity !== undefined && !entities.includes(entity)) return false
  const names = isOfRows ? (SAME[event] ?? []) : [event]
  return events.some((one) => one === '*' || names.includes(one))
}

/** Every service of a root answers nothing but forms and lists of values. */
export function areForms(root: CapRoot): boolean {
  const services = servedServices(root)
  const answers = createAnswers(root)
  return services.length > 0 && services.every((service) => answers.isForm(service))
}

interface Implemented {
  readonly answers: Answer[]
  readonly starts: Place[]
}

/** Services that no class with generic handlers implements, and one without them does. */
function bareServices(root: CapRoot, npm: NpmProject | undefined): ReadonlyMap<CapService, Implemented> {
  // it does not start with a handler for `undefined`
  const isStrict = npm !== undefined && cdsWithin(root, npm, '>=8.9.4')
  const found = new Map<CapService, Implemented>()
  const full = new Set<CapService>()
  for (const { file, value } of root.scripts.get(serviceClasses)) {
    const { services, isCertain } = root.eventOf({
      file,
      service: value.name,
      isConnected: false,
      events: [],
      entities: undefined,
    })
    for (const service of services) {
      root.step()
      // fact: @sap/cds 9.9.3, lib/srv/factory.js: the member of the service's name, or the default one, or the generic service
      if (value.isNamed && lastName(service.name) !== lastName(value.name)) continue
      if (value.answers === undefined || !isCertain) full.add(service)
      else {
        const known = found.get(service) ?? { answers: [], starts: [] }
        known.answers.push(
          ...value.answers.map((answer) => ({ ...answer, entities: isStrict ? answer.entities : entitiesIn(service, answer) })),
        )
        if (value.start !== undefined) known.starts.push({ file, span: value.start })
        found.set(service, known)
      }
    }
  }
  for (const service of full) found.delete(service)
  return found
}

/**
 * Undefined: all. Facts: @sap/cds 6.8.1 and 7.9.5, lib/srv/srv-handlers.js: a handler for `undefined` is one for all entities; 8.9.4 and 9.9.3 refuse to start with it.
 */
function entitiesIn(service: CapService, { entities, isOfService: isOwn }: Answer): Answer['entities'] {
  if (!isOwn || entities === undefined) return entities
  // the compiler adds what compositions lead to
  const isKnown = (name: string): boolean =>
    [...service.elements, ...service.autoexposed()].some((one) => lastName(one.name) === name)
  return entities.some(isKnown) ? entities : undefined
}

const LISTS =
  /(?:^| )(?:status|statuses|states?|types?|categor(?:y|ies)|priorit(?:y|ies)|methods?|kinds?|levels?|codes?|countr(?:y|ies)|currenc(?:y|ies)|languages?)$/
const NAMING =
  /^(?:code|id|key|value|name|title|label|text|descr|description|order|sequence|created at|created by|modified at|modified by|is active|active)$/

/** `OrderTypes` of `OrderType` and `OrderName`: a list whose elements are called as it is itself. */
function isValueList(element: CapElement): boolean {
  const own = entityWords(element.name)
  if (!LISTS.test(own)) return false
  const words = own.split(' ')
  const members = element.members()
  return (
    members.length > 0 &&
    members.every(({ name }) => {
      const named = toWords(name).split(' ')
      const shared = named.findIndex((word, at) => !pluralsOf(word).includes(words[at] ?? ''))
      return shared === -1 || NAMING.test(named.slice(shared).join(' '))
    })
  )
}

function pluralsOf(word: string): readonly string[] {
  return [word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies')]
}
