import type { UnresolvedElements } from './unresolved-elements.ts'
import { groupBy } from '../../lists.ts'
import type { CdsMember, CdsType, CdsValue } from '../../parse/cds/types.ts'
import type { CapDefinition, CapDefinitions } from './definitions.ts'
import { createPlacedServices } from './implementations.ts'
import type { CapMembers } from './members.ts'
import { isTrue, wordOf } from './access.ts'
import type { CapMember, CapRoot, CapService, MemberMap } from './types.ts'
import { hasFormat, isOfFormat, isRanged, isTakenOut } from './validated.ts'
import { lastName } from '../../paths.ts'

/** What the model says of a value that a client sends. Lists are what their items are. */
export interface PayloadType {
  /** Some text of the client's choosing may be in it. */
  readonly isText: boolean
  /** By the names of its elements; undefined: nobody can tell. */
  readonly fields: ReadonlyMap<string, PayloadType> | undefined
  /** Nothing else comes from a client: the parameters of an operation. */
  readonly isClosed?: true
  /** Of an association: the last part of the name of the entity that it leads to, whose rows are not written with the one that leads there. */
  readonly target?: string
  /** Of the rows that an association leads to: all users write them, or those with a role alone. */
  readonly writers?: 'users' | 'roles'
  /** Members that the model doesn't declare come through with any value: `@open`, `Map`. */
  readonly isOpen?: true
  /** A number that the runtime keeps in a range, or that has no sign. */
  readonly isBounded?: true
  /** A text of a few characters, `String(20)`: the runtime refuses longer ones before a handler runs. Fact: @sap/cds 9.9.3, lib/req/validate.js (`type_check` of strings). */
  readonly isShort?: true
  /** Of a parameter of an operation: the runtime refuses requests without it. */
  readonly isRequired?: true
  /** The same by `not null`, as far as the version says. */
  readonly isNotNull?: true
  /** A list of such values. */
  readonly isList?: true
}

/** The event that a script handles, by the names that stand there. */
export interface HandledEvent {
  readonly file: string
  /** Of the class, or as `cds.serve` or `cds.connect.to` name it. */
  readonly service: string | undefined
  /** By `cds.connect.to`: where the script lies says nothing of it. */
  readonly isConnected: boolean
  /** Empty: nobody can tell. */
  readonly events: readonly string[]
  /** Undefined: all, or nobody can tell. */
  readonly entities: readonly string[] | undefined
}

/** What the model knows of an event. */
export interface EventFacts {
  /** Services that it may be of, where something tells; else all. */
  readonly services: readonly CapService[]
  /** Something in the script or its place tells which. */
  readonly isCertain: boolean
  /** Each name is an `event` of the model, which clients can't send. */
  readonly isEmitted: boolean
  /** It is known of which service, whose model has no operation of such a name. */
  readonly isUndeclared: boolean
  /** Of `req.data` and of an item of `req.params`; undefined: the model doesn't say. */
  readonly data: PayloadType | undefined
  readonly params: PayloadType | undefined
  /** Of what an operation returns, as far as the model says; worked out for who asks. */
  readonly answer: () => PayloadType | undefined
}

/**
 * Built-in types whose values hold no text of the client's choosing: they are checked before a handler runs. A UUID is checked in addresses alone, an enum where it
 * has `@assert.range` or `@assert.enum`.
 * Facts: @sap/cds 7.9.5, 8.9.10 and 9.9.3, run with each type (docs/cap-input-checks.md).
 */
const PLAIN = new Set(
  'Boolean Integer Int16 Int32 Int64 UInt8 Integer64 Decimal DecimalFloat Double Date Time DateTime Timestamp'.split(' '),
)
const TEXT: PayloadType = { isText: true, fields: undefined }
const SHORT_TEXT: PayloadType = { isText: true, fields: undefined, isShort: true }
const NO_TEXT: PayloadType = { isText: false, fields: undefined }
const BOUNDED: PayloadType = { isText: false, fields: undefined, isBounded: true }
/** Facts: @sap/cds 7.9.5 (libx/common/assert/index.js), 8.9.4 and 9.6.3 (lib/req/validate.js): what an `@open` type doesn't declare is not looked at; capire, "Core / Built-in Types" (`Map`). */
const OPEN: PayloadType = { isText: true, fields: undefined, isOpen: true }
const UNSIGNED = 'UInt8'
const OPEN_TYPE = /^(?:cds\.)?Map$/
/** Events that CAP makes of a protocol's own: what a client asks for by them is no name of the project. */
export const CRUD_EVENT: RegExp = /^(?:READ|CREATE|UPDATE|DELETE|UPSERT|INSERT|WRITE|NEW|PATCH|EDIT|SAVE|CANCEL|DISCARD|each|\*)$/
const MAX_DEPTH = 6
/** What clients send to an operation of a service, both by their names; undefined: the model doesn't say. */
export function operationData(
  { eventOf }: Pick<CapRoot, 'eventOf'>,
  service: string,
  operation: string,
): PayloadType | undefined {
  return eventOf({ file: '', service, isConnected: true, events: [operation], entities: undefined }).data
}

/** Services as they are asked what an event carries. */
interface AskedServices {
  /** Those in which something is defined. */
  readonly own: readonly CapService[]
  /** Each once. */
  readonly names: readonly string[]
}

/** Payloads hold rows of composed entities, and rows of these. */
const MAX_LINKS = 2

export function createPayloads(
  root: string,
  services: readonly CapService[],
  definitions: CapDefinitions,
  members: CapMembers,
  unresolvedOf: (name: string) => UnresolvedElements,
): (handled: HandledEvent) => EventFacts {
  const byName = groupBy(services, ({ name }) => lastName(name))
  const placedAt = createPlacedServices(services, root)
  const known = new Map<string, Pick<EventFacts, 'data' | 'params'>>()
  const entities = new Map<string, PayloadType>()
  const ofEntity = (name: string, depth: number): PayloadType => {
    const key = `${depth} ${name}`
    const found = entities.get(key) ?? withCommon(ofMembers(members.of(name), depth), unresolvedOf(name))
    entities.set(key, found)
    return found
  }

  const ofMembers = (all: MemberMap, depth: number): PayloadType => {
    const fields = new Map<string, PayloadType>()
    if (depth > MAX_DEPTH) return TEXT
    for (const [name, member] of all) if (!name.includes('.')) addMember(fields, name, member, all, depth)
    return toStruct(fields)
  }
  const addMember = (fields: Map<string, PayloadType>, name: string, member: CapMember, all: MemberMap, depth: number): void => {
    const { type, target } = member
    if (type === 'struct') {
      const inner = new Map(
        [...all].flatMap(([path, one]) => (path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), one]] : [])),
      )
      fields.set(name, ofMembers(inner, depth + 1))
    } else if (target !== undefined) {
      const keys = [...members.of(target)].filter(([, { key }]) => key)
      for (const [key, one] of keys) fields.set(`${name}_${key}`, isPlain(one, false) ? NO_TEXT : TEXT)
      const rows = depth < MAX_LINKS ? ofEntity(target, depth + 1) : TEXT
      fields.set(name, type === 'Association' ? { ...rows, target: lastName(target) } : rows)
    } else if (isRanged([...member.annotations].map(([key, { value }]) => ({ name: key, value }))) || member.type === UNSIGNED)
      fields.set(name, BOUNDED)
    else fields.set(name, isPlain(member) || isTakenOut(member) ? NO_TEXT : textOf(member))
  }
  const ofType = (type: CdsType | undefined, from: CapDefinition, depth: number): PayloadType => {
    if (type === undefined || depth > MAX_DEPTH) return TEXT
    if (type.kind === 'many') return { ...ofType(type.items, from, depth + 1), isList: true }
    if (type.kind === 'struct') return ofParameters(type.elements, from, depth + 1)
    const { reference } = type
    if (type.kind !== 'reference' || reference === undefined) return TEXT
    const definition = definitions.resolve(from, reference)
    if (definition === undefined || definition.name === from.name) {
      if (OPEN_TYPE.test(reference.path)) return OPEN
      const name = reference.path.replace(/^cds\./, '')
      return name === UNSIGNED ? BOUNDED : PLAIN.has(name) ? NO_TEXT : textOf(type)
    }
    if (reference.element !== undefined) return memberType(members.of(definition.name).get(reference.element))
    const { type: inner, annotations } = definition.definition
    if (hasFormat(annotations)) return isRanged(annotations) ? BOUNDED : NO_TEXT
    const found = inner === undefined ? ofEntity(definition.name, depth + 1) : ofType(inner, definition, depth + 1)
    return isTrue(definitions.annotationsOf(definition.name).get('open')?.value) ? { ...found, isOpen: true } : found
  }
  const ofParameters = (params: readonly CdsMember[], from: CapDefinition, depth: number): PayloadType =>
    toStruct(
      new Map(
        params.map((param) => {
          const { name, type, annotations } = param
          const found = hasFormat(annotations) ? (isRanged(annotations) ? BOUNDED : NO_TEXT) : ofType(type, from, depth)
          const isOpen = annotations.some((one) => one.name === 'open' && isTrue(one.value))
          return [name, { ...found, ...(isOpen && { isOpen }), ...presenceOf(param) }]
        }),
      ),
    )

  const ofOperation = (service: CapService, event: string): PayloadType[] =>
    service.elements.flatMap(({ kind, name, qualified }) => {
      if (kind === 'entity' || (name !== event && !name.endsWith(`.${event}`))) return []
      const from = definitions.get(qualified.split('/', 1)[0] ?? '')
      const params = definitions.paramsOf(qualified)
      return from === undefined || params === undefined
        ? []
        : [{ ...ofParameters(params, from, 0), ...(params.length > 0 && { isClosed: true as const }) }]
    })
  const ofAnswer = (service: CapService, event: string): PayloadType[] =>
    service.elements.flatMap(({ kind, name, qualified }) => {
      if (kind === 'entity' || (name !== event && !name.endsWith(`.${event}`))) return []
      const [owner = '', bound] = qualified.split('/')
      const from = definitions.get(owner)
      const action = bound === undefined ? undefined : definitions.actionsOf(owner).find((one) => one.action.name === bound)
      const returns = bound === undefined ? from?.definition.returns : action?.action.returns
      return from === undefined || returns === undefined ? [] : [ofType(returns, from, 0)]
    })
  const ofEntities = (service: CapService, entities: readonly string[] | undefined): PayloadType[] =>
    service.elements.flatMap(({ kind, name, qualified }) =>
      kind === 'entity' && entities?.includes(lastName(name)) === true ? [ofEntity(qualified, 0)] : [],
    )
  const keyTypes = new Map<string, readonly PayloadType[]>()
  /** Of the entities that are handled, or that the actions belong to; else of all. */
  const keysOf = (
    service: CapService,
    { entities, events }: Pick<HandledEvent, 'entities' | 'events'>,
  ): readonly PayloadType[] => {
    const owners = entities ?? ownersOf(service, events)
    const cached = `${service.name} ${owners?.join(' ')}`
    const found = keyTypes.get(cached) ?? findKeys(service, owners)
    keyTypes.set(cached, found)
    return found
  }
  const ownersOf = (service: CapService, events: readonly string[]): readonly string[] | undefined => {
    const found = events.flatMap((event) =>
      service.elements.flatMap(({ kind, qualified }) => {
        const [owner = '', bound] = qualified.split('/')
        return kind !== 'entity' && bound === event ? [lastName(owner)] : []
      }),
    )
    return found.length === 0 ? undefined : found
  }
  const findKeys = (service: CapService, owners: readonly string[] | undefined): PayloadType[] =>
    service.elements.flatMap(({ kind, qualified }) => {
      const isOther = owners !== undefined && !owners.includes(lastName(qualified))
      const keys = kind === 'entity' && !isOther ? [...members.of(qualified)].filter(([, { key }]) => key) : []
      const unresolved = kind === 'entity' && !isOther && unresolvedOf(qualified)
      const types = new Map(keys.map(([name, member]) => [name, isPlain(member) ? NO_TEXT : TEXT]))
      if (typeof unresolved === 'object' && unresolved.has('ID') && !types.has('ID')) types.set('ID', NO_TEXT)
      return types.size === 0 ? [] : [toStruct(types)]
    })

  // services that are defined again have nothing of their own: thousands of one name are asked as one
  const asked = new WeakMap<readonly CapService[], AskedServices>()
  const askedOf = (all: readonly CapService[]): AskedServices => {
    const before = asked.get(all)
    if (before !== undefined) return before
    const own = all.filter(({ elements }) => elements.length > 0)
    const made = { own, names: [...new Set(all.map(({ name }) => name))] }
    asked.set(all, made)
    return made
  }

  return ({ file, service, isConnected, events, entities }) => {
    const named = service === undefined ? [] : (byName.get(lastName(service)) ?? [])
    const placed = named.length > 0 || isConnected ? named : placedAt(file)
    const isCertain = placed.length > 0
    const candidates = isCertain ? placed : isConnected ? [] : services
    const { own, names } = askedOf(candidates)
    const data = (): PayloadType | undefined => {
      const found = events.map((event) =>
        CRUD_EVENT.test(event) ? own.flatMap((one) => ofEntities(one, entities)) : own.flatMap((one) => ofOperation(one, event)),
      )
      return found.length === 0 || found.some((types) => types.length === 0) ? undefined : found.flat().reduce(mergeTypes)
    }
    const params = (): PayloadType | undefined => {
      const found = own.flatMap((one) => keysOf(one, { entities, events }))
      return found.length === 0 ? undefined : found.reduce(mergeTypes)
    }
    const key = [names, events, entities].join(' ')
    // the same for each handler of an event that nothing places
    const sent = known.get(key) ?? { data: data(), params: params() }
    known.set(key, sent)
    return {
      services: candidates,
      isCertain,
      isEmitted:
        events.length > 0 &&
        events.every((event) => names.some((name) => definitions.get(`${name}.${event}`)?.definition.kind === 'event')),
      isUndeclared:
        isCertain &&
        events.length > 0 &&
        events.every(
          (event) => !CRUD_EVENT.test(event) && own.every(({ elements }) => elements.every(({ name }) => !isNamed(name, event))),
        ),
      ...sent,
      answer: () => {
        const found = events.map((event) => own.flatMap((one) => ofAnswer(one, event)))
        return found.length === 0 || found.some((types) => types.length === 0) ? undefined : found.flat().reduce(mergeTypes)
      },
    }
  }

  function memberType(member: CapMember | undefined): PayloadType {
    return member !== undefined && isPlain(member) ? NO_TEXT : TEXT
  }
}

/** Elements of aspects of `@sap/cds/common` that are no text. Fact: @sap/cds 9.9.3, common.cds (cuid, managed, temporal). */
const COMMON_PLAIN = ['ID', 'createdAt', 'modifiedAt', 'validFrom', 'validTo']

function withCommon(type: PayloadType, unresolved: UnresolvedElements): PayloadType {
  if (typeof unresolved !== 'object' || type.fields === undefined) return type
  const fields = new Map(type.fields)
  for (const name of COMMON_PLAIN) if (unresolved.has(name) && !fields.has(name)) fields.set(name, NO_TEXT)
  return { ...type, fields }
}

/** So few characters take no engine of regular expressions long. */
const FEW = 25

function textOf({ length }: Pick<CapMember, 'length'>): PayloadType {
  return length !== undefined && length <= FEW ? SHORT_TEXT : TEXT
}

/** `isKey`: what stands in an address is checked by its type. */
export function isPlain({ type, isEnum, key, annotations }: CapMember, isKey: boolean = key): boolean {
  const isListed = isEnum && (annotations.has('assert.range') || annotations.has('assert.enum'))
  return isListed || (isKey && type === 'UUID') || PLAIN.has(type ?? '') || isOfFormat(annotations.get('assert.format')?.value)
}

/** Facts: @sap/cds 9.9.3, lib/req/validate.js (`_is_mandatory`; a default is not filled in before handlers run); its changelog, 8.0.2 and 9.0.0 (`not null`). */
function presenceOf({ notNull, default: fallback, annotations }: CdsMember): Pick<PayloadType, 'isRequired' | 'isNotNull'> {
  return {
    ...(annotations.some(({ name, value }) => isMandatory(name, value)) && { isRequired: true }),
    ...(notNull && fallback === undefined && { isNotNull: true }),
  }
}

/** Whether an annotation refuses requests without what it stands at; `@mandatory` may be a condition. */
export function isMandatory(name: string, value: CdsValue): boolean {
  return name === 'mandatory'
    ? isTrue(value) || value.kind === 'string'
    : name === 'Common.FieldControl' && wordOf(value) === 'Mandatory'
}

function toStruct(fields: ReadonlyMap<string, PayloadType>): PayloadType {
  return { isText: fields.size === 0 || [...fields.values()].some(({ isText }) => isText), fields }
}

/** A value that may be of either type: an element is plain only where neither says that it is text. */
function mergeTypes(one: PayloadType, other: PayloadType): PayloadType {
  if (one === other) return one
  const target = one.target !== undefined && one.target === other.target ? { target: one.target } : {}
  if (one.fields === undefined || other.fields === undefined)
    return {
      isText: one.isText || other.isText,
      fields: undefined,
      ...target,
      ...bothOpen(one, other),
      ...(one.isBounded === true && other.isBounded === true && { isBounded: true as const }),
      ...(one.isShort === true && other.isShort === true && { isShort: true as const }),
      ...bothRequired(one, other),
    }
  const fields = new Map(one.fields)
  for (const [name, type] of other.fields) {
    const before = fields.get(name)
    fields.set(name, before === undefined ? type : mergeTypes(before, type))
  }
  const isClosed = one.isClosed === true && other.isClosed === true
  return {
    isText: one.isText || other.isText,
    fields,
    ...target,
    ...bothOpen(one, other),
    ...bothRequired(one, other),
    ...(isClosed && { isClosed }),
  }
}

function bothOpen(one: PayloadType, other: PayloadType): Pick<PayloadType, 'isOpen'> {
  return one.isOpen === true && other.isOpen === true ? { isOpen: true } : {}
}

function bothRequired(one: PayloadType, other: PayloadType): Pick<PayloadType, 'isRequired' | 'isNotNull' | 'isList'> {
  return {
    ...(one.isRequired === true && other.isRequired === true && { isRequired: true }),
    ...(one.isNotNull === true && other.isNotNull === true && { isNotNull: true }),
    ...((one.isList === true || other.isList === true) && { isList: true }),
  }
}

function isNamed(element: string, name: string): boolean {
  return element === name || element.endsWith(`.${lastName(name)}`) || element.endsWith(`/${name}`)
}
