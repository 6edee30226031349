import type { FileFlow, FlowSource, LinkedFile } from '../flow/index.ts'
import type { CapRoot } from '../model/cap/index.ts'

/** Gives the requests of handlers the types of the CDS model, and leaves out those that no client can send. */
export function withModel(file: LinkedFile, root: CapRoot | undefined): LinkedFile {
  if (root === undefined || root.services.length === 0) return file
  const sources = file.flow.sources.flatMap((source) => typedSource(source, file.path, root) ?? [])
  const flow: FileFlow = { ...file.flow, sources }
  return { ...file, flow, typed: (source) => typedSource(source, file.path, root) }
}

function typedSource(source: FlowSource, file: string, root: CapRoot): FlowSource | undefined {
  const { handled } = source
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
