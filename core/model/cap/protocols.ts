import type { CdsValue } from '../../parse/cds/types.ts'
import { stringOf } from '../../parse/data.ts'
import type { Place } from '../../types.ts'
import { wordOf } from './access.ts'
import type { CapAnnotation, CapEndpoint, Configuration } from './types.ts'
import { lastName } from '../../paths.ts'

const ODATA_PATH = '/odata/v4'

/**
 * Built-in protocols, then those of plugins.
 * Facts: @sap/cds 10.1.1, lib/srv/protocols/index.js; @cap-js/graphql 0.10.1, @cap-js-community/websocket 1.10.5, @cap-js/mcp 1.1.0 (cds-plugin.js).
 */
const PROTOCOLS: ReadonlyMap<string, string> = new Map([
  ['odata', ODATA_PATH],
  ['odata-v4', ODATA_PATH],
  ['odata-v2', '/odata/v2'],
  ['rest', '/rest'],
  ['hcql', '/hcql'],
  ['graphql', '/graphql'],
  ['mcp', '/mcp'],
  ['ws', '/ws'],
  ['websocket', '/ws'],
])

export interface ProtocolContext {
  readonly runtime: 'node' | 'java'
  /** In production. */
  readonly configuration: Configuration
}

type Annotations = ReadonlyMap<string, CapAnnotation>

/** Where a service is served: as `@protocol` says, else `@rest` and its like; with neither of them by OData, named at `fallback`. */
export function endpointsOf(name: string, annotations: Annotations, context: ProtocolContext, fallback: Place): CapEndpoint[] {
  const named = [...namedProtocols(annotations, context.configuration)]
  const kinds = named.length > 0 ? named : [{ kind: 'odata', path: undefined, place: fallback }]
  return kinds.map(({ kind, path, place }) => ({ kind, path: pathOf(name, kind, path, annotations, context), place }))
}

interface Named {
  readonly kind: string
  readonly path: string | undefined
  readonly place: Place
}

/** `@protocol` switches the short forms off, as far as it says anything. */
function* namedProtocols(annotations: Annotations, configuration: Configuration): Generator<Named> {
  const protocol = annotations.get('protocol')
  if (protocol !== undefined && isSet(protocol.value)) {
    const { value, place } = protocol
    if (value.kind !== 'array') yield* toNamed(value, place)
    else for (const item of value.items) yield* toNamed(item, { file: place.file, span: { start: item.start, end: item.end } })
    return
  }
  for (const kind of new Set([...PROTOCOLS.keys(), ...configuration.keys('protocols')])) {
    const annotation = [kind, `protocol.${kind}`].map((key) => annotations.get(key)).find((found) => found && isSet(found.value))
    if (annotation === undefined) continue
    yield { kind, path: annotation.value.kind === 'string' ? wordOf(annotation.value) : undefined, place: annotation.place }
  }
}

function* toNamed(value: CdsValue, place: Place): Generator<Named> {
  const memberOf = (key: string): string | undefined =>
    value.kind === 'object' ? wordOf(value.members.findLast((member) => member.key === key)?.value) : undefined
  const kind = memberOf('kind') ?? wordOf(value)
  if (kind !== undefined && kind !== '') yield { kind, path: memberOf('path'), place }
}

/** What the runtime takes for said: `null`, `false` and an empty text are not. */
function isSet(value: CdsValue): boolean {
  if (value.kind === 'string' || value.kind === 'boolean' || value.kind === 'number') return Boolean(value.value)
  return value.kind !== 'null'
}

function pathOf(name: string, kind: string, own: string | undefined, annotations: Annotations, context: ProtocolContext): string {
  const { runtime, configuration } = context
  const path = own ?? wordOf(annotations.get('path')?.value)
  const configured = configuration.value('protocols', kind)?.node
  const prefix =
    stringOf(configuration.value('protocols', kind, 'path')?.node) ?? stringOf(configured) ?? PROTOCOLS.get(kind) ?? ODATA_PATH
  // one address for all services
  if (kind === 'graphql') return prefix
  if (runtime === 'java') return `${prefix}/${(path ?? name).replace(/^\//, '')}`
  if (path?.startsWith('/') === true) return path
  return `${prefix}/${path ?? slugOf(name)}`
}

/** `my.very.CatalogService` is served as `catalog`. */
function slugOf(name: string): string {
  return lastName(name)
    .replace(/Service$/, '')
    .replaceAll('_', '-')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
}
