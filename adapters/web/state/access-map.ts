import { SEVERITIES } from '../../../core/scales.ts'
import type { Report, ReportFinding, Severity } from '../../../core/index.ts'
import { wordRights } from './rights.ts'

export interface MapNode {
  readonly key: string
  readonly name: string
  /** Who may use it, as the report says: its first words. */
  readonly who: string
  /** The whole sentence. */
  readonly right: string
  readonly file?: string
  readonly line?: number
  /** Of the worst finding at its place. */
  readonly severity?: Severity
}

export interface AccessMap {
  readonly routes: readonly MapNode[]
  /** CAP services, then the other destinations that routes lead to. */
  readonly services: readonly MapNode[]
  /** From a route to a service, by their positions. */
  readonly links: readonly (readonly [route: number, service: number])[]
  /** What stands in the services, with who may read and change it. */
  readonly entities: readonly MapNode[]
  /** From a service to what stands in it. */
  readonly holds: readonly (readonly [service: number, entity: number])[]
}

/** What leads where, as far as the report says it: a route leads to the services whose path it takes, else to its destination. */
export function createAccessMap({ results }: Report, findings: readonly ReportFinding[]): AccessMap {
  const worstAt = (file: string, line: number | undefined): Severity | undefined =>
    SEVERITIES.find((severity) =>
      findings.some(
        (finding) => finding.severity === severity && finding.file === file && line !== undefined && finding.line === line,
      ),
    )
  const routes = results.approuter.routes.map((route, index): MapNode => {
    const { file, line, source, authentication } = route
    return {
      key: `route ${index}`,
      name: source,
      who: toWho(authentication),
      right: authentication,
      file,
      line,
      severity: worstAt(file, line),
    }
  })
  const services = results.cap.services.map((service, index): MapNode => {
    const { name, file, line, access } = service
    return { key: `service ${index}`, name, who: toWho(access), right: access, file, line, severity: worstAt(file, line) }
  })
  const entities: MapNode[] = []
  const holds: (readonly [number, number])[] = []
  for (const [position, { entities: held = [] }] of results.cap.services.entries()) {
    for (const entity of held) {
      const right = wordRights(entity)
      holds.push([position, entities.length])
      entities.push({ key: `entity ${position} ${entity.name}`, name: entity.name, who: right, right })
    }
  }
  const links: (readonly [number, number])[] = []
  for (const [index, { source, target }] of results.approuter.routes.entries()) {
    const prefix = literalPrefix(source)
    const reached = results.cap.services.flatMap(({ path = '' }, position) =>
      path.split(', ').some((one) => prefix !== '' && one !== '' && leadsTo(prefix, one)) ? [position] : [],
    )
    if (reached.length > 0) for (const position of reached) links.push([index, position])
    else if (target !== undefined) {
      const known = services.findIndex(({ key }) => key === `target ${target}`)
      links.push([index, known === -1 ? services.length : known])
      if (known === -1) services.push({ key: `target ${target}`, name: target, who: '', right: '' })
    }
  }
  return { routes, services, links, entities, holds }
}

/** The sentences say who, then why. */
const toWho = (sentence: string): string => sentence.split(/\s?[:.]/, 1)[0] ?? sentence

/** What a route's expression begins with. The expression itself is the project's: it is not run here. */
function literalPrefix(source: string): string {
  const [literal = ''] = /^[\w/-]*/.exec(source.replace(/^\^/, '')) ?? []
  // one that takes everything says nothing about a single service
  return literal === '/' ? '' : literal
}

const withSlash = (path: string): string => (path.startsWith('/') ? path : `/${path}`)

function leadsTo(prefix: string, path: string): boolean {
  const [route, service] = [withSlash(prefix), withSlash(path)]
  return service.startsWith(route) || route.startsWith(service)
}
