import {
  MODEL_CLIENTS,
  MODEL_WRITTEN,
  NO_BODY,
  OWN_TOOL,
  type FileFlow,
  type FlowSource,
  type LinkedFile,
} from '../flow/index.ts'
import {
  doUsersWrite,
  exposedEntities,
  requiredImplementations,
  withoutEnding,
  type CapAnnotation,
  type CapRoot,
  type PayloadType,
} from '../model/cap/index.ts'
import type { NpmProject } from '../model/npm/index.ts'
import { findUnreadBodies } from '../model/reach/index.ts'
import { lastName } from '../paths.ts'
import type { ProjectModels } from '../rules/subjects.ts'

/** What is asked beside the model of a root. */
interface Asked {
  readonly rowsOf: (root: CapRoot) => RootRows
  /** Events that scripts of the app send. */
  readonly sent: ReadonlySet<string>
}

/** The events that scripts send to services, by their last names. */
export function sentEvents(files: readonly LinkedFile[]): ReadonlySet<string> {
  return new Set(
    files.flatMap(({ flow }) =>
      flow.ports.flatMap(({ access, store }) => (access === 'write' && store.startsWith(SENT) ? [store.slice(SENT.length)] : [])),
    ),
  )
}

const SENT = 'service-event '

/** Gives the requests of handlers the types of the CDS model, and leaves out those that no client can send. */
export function withModel(file: LinkedFile, root: CapRoot | undefined, asked: Asked): LinkedFile {
  // who writes rows, only a model tells
  if (root === undefined || root.services.length === 0)
    return { ...file, flow: { ...file.flow, sources: file.flow.sources.filter(({ entity }) => entity === undefined) } }
  const sources = file.flow.sources.flatMap((source) => typedSource(source, file.path, root, asked) ?? [])
  const flow: FileFlow = { ...file.flow, sources }
  return { ...file, flow, typed: (source) => typedSource(source, file.path, root, asked) }
}

/** Of requests of Express the body is nothing where nobody reads it: in the app of CAP, not in another server beside it. */
export function createBodyMarker(
  models: Pick<ProjectModels, 'scripts' | 'npm'>,
): (files: readonly LinkedFile[]) => readonly LinkedFile[] {
  let known: ((file: string) => boolean) | undefined
  const isOfRoute = ({ origin }: FlowSource): boolean => origin === 'http-request'
  const mark = (source: FlowSource): FlowSource =>
    isOfRoute(source) ? { ...source, cleaned: [...(source.cleaned ?? []), NO_BODY] } : source
  return (files) => {
    if (!files.some(({ flow }) => flow.sources.some(isOfRoute))) return files
    const isUnread = (known ??= findUnreadBodies(models))
    return files.map((file) => {
      const { typed } = file
      if (!isUnread(file.path)) return file
      const told = (source: FlowSource): FlowSource | undefined => {
        const own = typed === undefined ? source : typed(source)
        return own && mark(own)
      }
      return { ...file, typed: told, flow: { ...file.flow, sources: file.flow.sources.map(mark) } }
    })
  }
}

/** Leaves out arguments of tools where nothing asks a language model: jobs and commands have a description, a schema and a function too. */
export function withTools(files: readonly LinkedFile[], { packages }: NpmProject): readonly LinkedFile[] {
  const isOfTool = ({ cleaned }: FlowSource): boolean => cleaned?.includes(OWN_TOOL) === true
  const hasTools = files.some(({ flow }) => flow.sources.some(isOfTool))
  if (!hasTools || files.some(({ flow }) => flow.names.includes(MODEL_WRITTEN))) return files
  if (packages.some(({ dependencies }) => dependencies.some(({ name }) => MODEL_CLIENTS.test(name)))) return files
  return files.map((file) => ({
    ...file,
    flow: { ...file.flow, sources: file.flow.sources.filter((source) => !isOfTool(source)) },
  }))
}

function typedSource(source: FlowSource, file: string, root: CapRoot, { rowsOf, sent }: Asked): FlowSource | undefined {
  const { handled, entity, asked } = source
  if (source.origin === 'personal') {
    const data = rowsOf(root).personal.get(entity ?? '')
    return data && { ...source, payload: { data, params: undefined } }
  }
  if (entity !== undefined) {
    const writers = rowsOf(root).written.get(entity)
    if (writers === undefined) return undefined
    const { data } = root.eventOf({ file, service: undefined, isConnected: false, events: ['CREATE'], entities: [entity] })
    const rows = data && rowsOf(root).withWriters(data)
    return { ...source, payload: { data: rows, params: undefined }, ...(writers === 'users' && { isOfUsers: true }) }
  }
  if (asked !== undefined)
    return root.services.some(({ name, exposure }) => exposure !== 'external' && (name === asked || name.endsWith(`.${asked}`)))
      ? undefined
      : source
  if (handled === undefined) return source
  const { services, isCertain, isEmitted, isUndeclared, data, params } = root.eventOf({ ...handled, file })
  // a service that the project does not define is a broker, or somebody else's: what is asked of it, the project asks itself
  if (handled.isConnected && (!isCertain || services.every(({ exposure }) => exposure === 'external')))
    return source.origin === 'message' ? source : undefined
  if (!isCertain && rowsOf(root).required.has(withoutEnding(file))) return undefined
  // only the project itself calls or emits it, so its data comes by these calls
  const isOwn = isUndeclared && handled.events.every((event) => sent.has(lastName(event)))
  if (isEmitted || isOwn || (isCertain && services.every(({ exposure }) => exposure === 'internal'))) return undefined
  if (handled.isConnected && source.origin === 'message' && data === undefined) return undefined
  return { ...source, origin: source.origin === 'message' ? 'cap-request' : source.origin, payload: { data, params } }
}

/** Entities that clients put rows into, by the last parts of their names: all users, or those with a role alone. */
function writtenEntities(root: CapRoot): RootRows['written'] {
  const writers = new Map<string, 'users' | 'roles'>()
  for (const { service, entity, source, isWritten } of exposedEntities(root)) {
    if (!isWritten) continue
    const isOfUsers = doUsersWrite(entity, service)
    for (const name of [entity.name, source.name].map(lastName))
      if (isOfUsers || !writers.has(name)) writers.set(name, isOfUsers ? 'users' : 'roles')
  }
  return writers
}

/** Says of rows that associations lead to who writes them: an entity that may be written by all says nothing of the rows that it refers to. */
function createWriterMarker(written: RootRows['written']): (type: PayloadType) => PayloadType {
  const known = new Map<PayloadType, PayloadType>()
  const mark = (type: PayloadType): PayloadType => {
    const { target, fields } = type
    const writers = target === undefined ? undefined : written.get(target)
    const found = known.get(type) ?? {
      ...type,
      ...(fields && { fields: new Map([...fields].map(([name, field]) => [name, mark(field)])) }),
      ...(writers && { writers }),
    }
    known.set(type, found)
    return found
  }
  return mark
}

/** By the last part of an entity's name: which of its elements the model annotates as personal. Fact: capire, "Data Privacy" (IsPotentiallyPersonal, IsPotentiallySensitive). */
function personalRows(root: CapRoot): ReadonlyMap<string, PayloadType> {
  const rows = new Map<string, PayloadType>()
  const add = (qualified: string, names: readonly string[]): void => {
    const fields = new Map<string, PayloadType>()
    for (const of of new Set([qualified, ...root.projected(qualified)]))
      for (const { name: element, annotations } of root.membersOf(of).values()) {
        const isText = PERSONAL.some((mark) => isSet(annotations.get(mark)))
        if (isText || !fields.has(element)) fields.set(element, { isText, fields: undefined })
      }
    if (![...fields.values()].some(({ isText }) => isText)) return
    const type = { isText: false, fields }
    for (const own of names) rows.set(lastName(own), type)
  }
  // no service exposes what handlers alone read
  for (const name of root.entities) add(name, [name])
  for (const { elements } of root.services)
    for (const { kind, name, qualified, source } of elements) if (kind === 'entity') add(qualified, [name, source?.name ?? name])
  return rows
}

const PERSONAL = ['PersonalData.IsPotentiallySensitive', 'PersonalData.IsPotentiallyPersonal']

function isSet(annotation: CapAnnotation | undefined): boolean {
  return annotation !== undefined && !(annotation.value.kind === 'boolean' && !annotation.value.value)
}

/** What the model says of the rows of entities, by the last parts of their names. */
export interface RootRows {
  /** Clients put rows into them. */
  readonly written: ReadonlyMap<string, 'users' | 'roles'>
  /** The type of rows, with who writes those that associations lead to. */
  readonly withWriters: (type: PayloadType) => PayloadType
  readonly personal: ReadonlyMap<string, PayloadType>
  /** Scripts of services that no protocol serves, without their endings. */
  readonly required: ReadonlySet<string>
}

/** Asks the model once for each root. */
export function createRowReader(): (root: CapRoot) => RootRows {
  const known = new Map<CapRoot, RootRows>()
  return (root) => {
    const found = known.get(root) ?? readRows(root)
    known.set(root, found)
    return found
  }
}

function readRows(root: CapRoot): RootRows {
  const written = writtenEntities(root)
  return {
    written,
    withWriters: createWriterMarker(written),
    personal: personalRows(root),
    required: requiredImplementations(root),
  }
}
