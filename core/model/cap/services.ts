import type { CdsDefinition, CdsValue } from '../../parse/cds/types.ts'
import { stringOf } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { serviceAccess, wordOf, wordsOf } from './access.ts'
import type { Configuration } from './configuration.ts'
import { toAnnotation, type CapDocument } from './documents.ts'
import type { CapAccess, CapAnnotation, CapService } from './types.ts'

/** What the services of a root have in common. */
export interface ServiceContext {
  readonly root: string
  readonly runtime: 'node' | 'java'
  /** In production. */
  readonly configuration: Configuration
  readonly byTarget: ReadonlyMap<string, readonly (CapAnnotation & { name: string })[]>
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
  const path = exposure === 'served' ? pathOf(name, annotations, context) : undefined
  return { name, place, definition, exposure, ...(path !== undefined && { path }), access, elements: [], links: [], annotations }
}

const REMOTE_KINDS: ReadonlySet<string> = new Set(['odata', 'odata-v2', 'odata-v4', 'rest', 'hcql', 'graphql'])

function exposureOf(
  file: string,
  name: string,
  annotations: ReadonlyMap<string, CapAnnotation>,
  { root, configuration }: ServiceContext,
): CapService['exposure'] {
  const inside = root === '' ? file : file.slice(root.length + 1)
  const remote = stringOf(configuration.value('requires', name, 'kind')?.node)
  const isRemote = remote !== undefined && REMOTE_KINDS.has(remote)
  if (/^(?:srv\/)?external\//.test(inside) || isTrue(annotations.get('cds.external')?.value) || isRemote) return 'external'
  const protocol = annotations.get('protocol')?.value
  const isNone = wordOf(protocol) === 'none' || (protocol?.kind === 'array' && protocol.items.length === 0)
  return isNone || isTrue(annotations.get('cds.serve.ignore')?.value) ? 'internal' : 'served'
}

function isTrue(value: CdsValue | undefined): boolean {
  return value?.kind === 'boolean' && value.value === true
}

const ODATA_PATH = '/odata/v4'

/** Facts: @sap/cds 9.9.3, lib/srv/protocols/index.js. */
const PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ['odata', ODATA_PATH],
  ['odata-v4', ODATA_PATH],
  ['odata-v2', '/odata/v2'],
  ['rest', '/rest'],
  ['hcql', '/hcql'],
  ['graphql', '/graphql'],
])

function pathOf(name: string, annotations: ReadonlyMap<string, CapAnnotation>, context: ServiceContext): string {
  const { kind, path = wordOf(annotations.get('path')?.value) } = protocolOf(annotations)
  const prefix = stringOf(context.configuration.value('protocols', kind, 'path')?.node) ?? PROTOCOLS.get(kind) ?? ODATA_PATH
  if (context.runtime === 'java') return `${prefix}/${(path ?? name).replace(/^\//, '')}`
  if (path?.startsWith('/') === true) return path
  return `${prefix}/${path ?? slugOf(name)}`
}

/** The first protocol that the service names; `@protocol` counts before `@rest` and its like. */
function protocolOf(annotations: ReadonlyMap<string, CapAnnotation>): { kind: string; path?: string } {
  const value = annotations.get('protocol')?.value
  const first = value?.kind === 'array' ? value.items[0] : value
  if (first?.kind === 'object') {
    const member = (key: string): string | undefined => wordOf(first.members.find((member) => member.key === key)?.value)
    return { kind: member('kind') ?? 'odata', path: member('path') }
  }
  const [word] = wordsOf(first)
  if (word !== undefined) return { kind: word }
  for (const kind of PROTOCOLS.keys()) {
    const annotation = annotations.get(kind) ?? annotations.get(`protocol.${kind}`)
    if (annotation === undefined) continue
    return { kind, path: annotation.value.kind === 'string' ? wordOf(annotation.value) : undefined }
  }
  return { kind: 'odata' }
}

/** `my.very.CatalogService` is served as `catalog`. */
function slugOf(name: string): string {
  return name
    .slice(name.lastIndexOf('.') + 1)
    .replace(/Service$/, '')
    .replaceAll('_', '-')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
}
