import type { FileFlow, FlowSource, LinkedFile } from '../flow/index.ts'
import { exposedEntities, type CapAnnotation, type CapRoot, type PayloadType } from '../model/cap/index.ts'

/** Gives the requests of handlers the types of the CDS model, and leaves out those that no client can send. */
export function withModel(file: LinkedFile, root: CapRoot | undefined): LinkedFile {
  // who writes rows, only a model tells
  if (root === undefined || root.services.length === 0)
    return { ...file, flow: { ...file.flow, sources: file.flow.sources.filter(({ entity }) => entity === undefined) } }
  const sources = file.flow.sources.flatMap((source) => typedSource(source, file.path, root) ?? [])
  const flow: FileFlow = { ...file.flow, sources }
  return { ...file, flow, typed: (source) => typedSource(source, file.path, root) }
}

function typedSource(source: FlowSource, file: string, root: CapRoot): FlowSource | undefined {
  const { handled, entity, asked } = source
  if (source.origin === 'personal') {
    const data = personalRows(root).get(entity ?? '')
    return data && { ...source, payload: { data, params: undefined } }
  }
  if (entity !== undefined) {
    if (!writtenEntities(root).has(entity)) return undefined
    const { data } = root.eventOf({ file, service: undefined, isConnected: false, events: ['CREATE'], entities: [entity] })
    return { ...source, payload: { data, params: undefined } }
  }
  if (asked !== undefined)
    return root.services.some(({ name, exposure }) => exposure !== 'external' && (name === asked || name.endsWith(`.${asked}`)))
      ? undefined
      : source
  if (handled === undefined) return source
  const { services, isCertain, isEmitted, data, params } = root.eventOf({ ...handled, file })
  // a service that the project does not define is a broker, or somebody else's: what is asked of it, the project asks itself
  if (handled.isConnected && (!isCertain || services.every(({ exposure }) => exposure === 'external')))
    return source.origin === 'message' ? source : undefined
  // only the project itself calls or emits it, so its data comes by these calls
  if (isEmitted || (isCertain && services.every(({ exposure }) => exposure === 'internal'))) return undefined
  if (handled.isConnected && source.origin === 'message' && data === undefined) return undefined
  return { ...source, origin: source.origin === 'message' ? 'cap-request' : source.origin, payload: { data, params } }
}

const written = new WeakMap<CapRoot, ReadonlySet<string>>()

/** Entities that clients put rows into, by the last parts of their names. */
function writtenEntities(root: CapRoot): ReadonlySet<string> {
  const known = written.get(root)
  if (known !== undefined) return known
  const names = new Set<string>()
  for (const { entity, source, isWritten } of exposedEntities(root))
    if (isWritten) for (const name of [entity.name, source.name]) names.add(name.slice(name.lastIndexOf('.') + 1))
  written.set(root, names)
  return names
}

const personal = new WeakMap<CapRoot, ReadonlyMap<string, PayloadType>>()

/** By the last part of an entity's name: which of its elements the model annotates as personal. Fact: capire, "Data Privacy" (IsPotentiallyPersonal, IsPotentiallySensitive). */
function personalRows(root: CapRoot): ReadonlyMap<string, PayloadType> {
  const known = personal.get(root)
  if (known !== undefined) return known
  const rows = new Map<string, PayloadType>()
  for (const service of root.services)
    for (const { kind, name, qualified, source } of service.elements) {
      if (kind !== 'entity') continue
      const fields = new Map<string, PayloadType>()
      for (const of of [qualified, ...root.projected(qualified)])
        for (const { name: element, annotations } of root.membersOf(of).values()) {
          const isText = PERSONAL.some((mark) => isSet(annotations.get(mark)))
          if (isText || !fields.has(element)) fields.set(element, { isText, fields: undefined })
        }
      if (![...fields.values()].some(({ isText }) => isText)) continue
      const type = { isText: false, fields }
      for (const own of [name, source?.name ?? name]) rows.set(own.slice(own.lastIndexOf('.') + 1), type)
    }
  personal.set(root, rows)
  return rows
}

const PERSONAL = ['PersonalData.IsPotentiallySensitive', 'PersonalData.IsPotentiallyPersonal']

function isSet(annotation: CapAnnotation | undefined): boolean {
  return annotation !== undefined && !(annotation.value.kind === 'boolean' && !annotation.value.value)
}
