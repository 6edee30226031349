import { accepts, type CapElement, type CapRoot, type CapService, type WriteEvent } from '../../../model/cap/index.ts'
import { methodBehind } from '../../../model/java/index.ts'
import { closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'
import { lastName } from '../../../paths.ts'
import type { Place } from '../../../types.ts'
import { javaSources, javaTexts } from '../_java/sources.ts'

/** A handler of Java for an entity of the database, in a class for a service that has one of its own of it. */
export interface JavaTarget {
  readonly at: Place
  /** Of the database. */
  readonly name: string
  readonly service: CapService
  readonly element: CapElement
}

/** What handlers name, and what clients send for it. */
export const WRITE_EVENTS: ReadonlyMap<string, WriteEvent> = new Map([
  ['CREATE', 'CREATE'],
  ['UPDATE', 'UPDATE'],
  ['UPSERT', 'UPDATE'],
  ['DELETE', 'DELETE'],
])
/** What refuses a request or changes its data. */
const HAS_EFFECT = /^(?:throw|ServiceException|error|throwIfError|set[A-Z]\w{0,60}|put|putAll|remove)$/

/**
 * Facts: capire, CAP Java, "Event Handlers" (`@ServiceName`, `entity`: compared with the name of the entity that a request to the service is for); "Building CAP Java
 * Applications", `cds:generate` (a package for each namespace and service, in lower case).
 */
export function* databaseHandlersOfJava(root: CapRoot): Generator<JavaTarget> {
  if (root.runtime !== 'java') return
  const known = new Map<string, boolean>()
  const isKnown = (service: CapService, accessor: string): boolean => {
    const path = `.${lastName(service.name)}.${accessor}`.toLowerCase()
    const found = known.get(path) ?? isRepeated(root, path)
    known.set(path, found)
    return found
  }
  for (const { file, tokens } of javaSources(root, /@ServiceName\b/)) {
    root.step(tokens.length)
    const service = serviceOfClass(tokens, root)
    if (service === undefined) continue
    const imports = importsOf(tokens)
    for (const [at, { text, kind }] of tokens.entries()) {
      if (kind !== 'word' || (text !== 'Before' && text !== 'On') || !isWritten(tokens, at - 1, '@')) continue
      const close = closingOf(tokens, at + 1)
      const given = tokens.slice(at + 2, close)
      const accessor = accessorOf(given)
      const element = elementOf(service, imports.get(accessor ?? '') ?? '')
      const body = element && methodBehind(tokens, close)
      if (accessor === undefined || element?.source === undefined || body === undefined || !isSent(element, given)) continue
      const inside = tokens.slice(body.open, closingOf(tokens, body.open))
      if (!inside.some((one) => one.kind === 'word' && HAS_EFFECT.test(one.text)) || isKnown(service, accessor)) continue
      const [start, end] = [tokens[at - 1]?.start ?? 0, tokens[close]?.end ?? 0]
      yield { at: { file, span: { start, end } }, name: element.source.name, service, element }
    }
  }
}

/** The only service that the class is for. */
export function serviceOfClass(tokens: readonly JavaToken[], { services }: CapRoot): CapService | undefined {
  const named = tokens.flatMap(({ text }, at) => (text === 'ServiceName' && isWritten(tokens, at - 1, '@') ? at : []))
  const [at] = named
  if (at === undefined || named.length > 1) return undefined
  const [first, ...others] = tokens.slice(at + 2, closingOf(tokens, at + 1))
  const isConstant = others.length === 2 && isWritten(others, 0, '.', 'CDS_NAME')
  if (first === undefined || (others.length > 0 && !isConstant)) return undefined
  const name = first.kind === 'string' ? lastName(first.text) : first.text.replace(/_$/, '')
  const found = services.filter((service) => service.exposure === 'served' && lastName(service.name) === name)
  return found.length === 1 ? found[0] : undefined
}

/** Tokens of the path of a class. */
const MAX_PATH = 60

/** `import cds.gen.yard.Berths_;` by its last part. */
function importsOf(tokens: readonly JavaToken[]): ReadonlyMap<string, string> {
  const imports = new Map<string, string>()
  for (const [at, { text }] of tokens.entries()) {
    if (text !== 'import') continue
    let end = at
    while (end < at + MAX_PATH && !isWritten(tokens, end, ';')) end++
    const path = tokens.slice(at + 1, end).map((one) => one.text)
    imports.set(path.at(-1) ?? '', path.join(''))
  }
  return imports
}

/** `entity = Berths_.CDS_NAME`, one alone: the name of its class. */
function accessorOf(given: readonly JavaToken[]): string | undefined {
  const at = given.findIndex(({ text }, index) => text === 'entity' && isWritten(given, index + 1, '='))
  const isAlone = at !== -1 && isWritten(given, at + 3, '.', 'CDS_NAME')
  return isAlone ? given[at + 2]?.text : undefined
}

/** What the service has of the entity of the database that such a class stands for. */
function elementOf({ name, elements }: CapService, imported: string): CapElement | undefined {
  const path = imported.toLowerCase()
  return elements.find(({ kind, source, qualified }) => {
    if (kind !== 'entity' || source === undefined || source.name === qualified || !source.name.includes('.')) return false
    const isOfService = path.endsWith(`.${lastName(name).toLowerCase()}.${lastName(source.name).toLowerCase()}_`)
    return path.endsWith(`.${source.name.toLowerCase()}_`) && !isOfService
  })
}

function isSent(element: CapElement, given: readonly JavaToken[]): boolean {
  // a service of its own, such as that of the database
  if (given.some(({ text }, at) => /^service(?:Type)?$/.test(text) && isWritten(given, at + 1, '='))) return false
  const events = given.flatMap(({ text }) => WRITE_EVENTS.get(text.replace(/^EVENT_/, '')) ?? [])
  if (events.length === 0) return !given.some(({ text }) => text === 'event') && element.writable
  return events.some((event) => accepts(element, event))
}

/** Other code has the class of the service: its handler may do the same. */
function isRepeated({ files, step }: CapRoot, path: string): boolean {
  for (const { text } of javaTexts(files)) {
    step(1 + text.length / 1000)
    if (text.toLowerCase().includes(path)) return true
  }
  return false
}
