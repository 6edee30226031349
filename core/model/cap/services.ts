import type { CdsDefinition } from '../../parse/cds/types.ts'
import { stringOf } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { isTrue, serviceAccess, wordOf } from './access.ts'
import type { CapAccess, CapAnnotation, CapService, Configuration } from './types.ts'
import { toAnnotation, type CapDocument } from './documents.ts'
import { endpointsOf } from './protocols.ts'

/** What the services of a root have in common. */
export interface ServiceContext {
  readonly root: string
  readonly runtime: 'node' | 'java'
  /** In production. */
  readonly configuration: Configuration
  readonly byTarget: ReadonlyMap<string, readonly (CapAnnotation & { name: string })[]>
  /** Models that nothing loads: nobody serves what they define. */
  readonly idle: ReadonlySet<string>
  /** What holds where a service says nothing. */
  readonly fallback: 'default-authenticated' | 'default-public' | 'default-unknown'
}

/** Adds the services that a file defines, those in an `extend` included. */
export function addServices(services: CapService[], { file, document, names }: CapDocument, context: ServiceContext): void {
  for (const definition of document.definitions) {
    if (definition.kind === 'service') services.push(toService(file, definition.name, definition, context))
  }
  for (const { target, scope, definitions } of document.extends) {
    for (const definition of definitions) {
      if (definition.kind !== 'service') continue
      services.push(toService(file, `${names.resolve(target.path, scope)}.${definition.name}`, definition, context))
    }
  }
}

function toService(file: string, name: string, definition: CdsDefinition, context: ServiceContext): CapService {
  const annotations = new Map<string, CapAnnotation>()
  for (const annotation of definition.annotations) annotations.set(annotation.name, toAnnotation(file, annotation))
  for (const annotation of context.byTarget.get(name) ?? []) annotations.set(annotation.name, annotation)
  const place: Place = { file, span: definition.nameSpan }
  const exposure = exposureOf(file, name, annotations, context)
  const access: CapAccess =
    exposure === 'served'
      ? (serviceAccess(annotations, context.runtime) ?? { kind: context.fallback, roles: [], place })
      : { kind: 'none', roles: [], place }
  const endpoints = exposure === 'served' ? endpointsOf(name, annotations, context, place) : []
  const path = endpoints[0]?.path
  const parts = { elements: [], links: (): [] => [], autoexposed: (): [] => [] }
  return { name, place, definition, exposure, endpoints, ...(path !== undefined && { path }), access, annotations, ...parts }
}

const REMOTE_KINDS: ReadonlySet<string> = new Set(['odata', 'odata-v2', 'odata-v4', 'rest', 'hcql', 'graphql'])

function exposureOf(
  file: string,
  name: string,
  annotations: ReadonlyMap<string, CapAnnotation>,
  { root, configuration, idle }: ServiceContext,
): CapService['exposure'] {
  const inside = root === '' ? file : file.slice(root.length + 1)
  const remote = stringOf(configuration.value('requires', name, 'kind')?.node)
  const isRemote = remote !== undefined && REMOTE_KINDS.has(remote)
  if (/^(?:srv\/)?external\//.test(inside) || isTrue(annotations.get('cds.external')?.value) || isRemote) return 'external'
  const protocol = annotations.get('protocol')?.value
  const isNone = wordOf(protocol) === 'none' || (protocol?.kind === 'array' && protocol.items.length === 0)
  return isNone || idle.has(file) || isTrue(annotations.get('cds.serve.ignore')?.value) ? 'internal' : 'served'
}
