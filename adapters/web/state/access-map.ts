import { SEVERITIES } from '../../../core/scales.ts'
import type { Report, ReportExposure, ReportFinding, ReportRoute, Severity } from '../../../core/index.ts'
import { REACH_WORDS } from '../../../core/report/words.ts'
import { say } from '../words/index.ts'
import { wordRights } from './rights.ts'
import { locale } from './settings.ts'

export interface MapNode {
  readonly key: string
  readonly name: string
  /** Who may use it, as short as a picture has room for; '' where nothing tells. */
  readonly who: string
  /** The whole sentence. */
  readonly right: string
  /** Who reaches it, all things together, and what says so. */
  readonly exposure?: ReportExposure
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
  const worstAt = (place: Extent): Severity | undefined =>
    SEVERITIES.find((severity) => findings.some((finding) => finding.severity === severity && liesIn(finding, place)))
  const routes = results.approuter.routes.map((route, index): MapNode => {
    const { file, line, source, authentication, exposure } = route
    return {
      key: `route ${index}`,
      name: source,
      who: wordReach(exposure),
      right: authentication,
      exposure,
      file,
      line,
      severity: worstAt(route),
    }
  })
  const services = results.cap.services.map((service, index): MapNode => {
    const { name, file, line, access, exposure } = service
    const who = wordReach(exposure)
    return { key: `service ${index}`, name, who, right: access, exposure, file, line, severity: worstAt(service) }
  })
  const entities: MapNode[] = []
  const holds: (readonly [number, number])[] = []
  for (const [position, { entities: held = [] }] of results.cap.services.entries()) {
    for (const entity of held) {
      const right = wordRights(entity)
      holds.push([position, entities.length])
      const { name, exposure } = entity
      entities.push({ key: `entity ${position} ${name}`, name, who: right, right, exposure })
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

type Extent = Pick<ReportRoute, 'file' | 'line' | 'column' | 'endLine' | 'endColumn'>

/** Several routes may share a line: by columns where the report has them, else by the line alone. */
function liesIn({ file, line = 0, column = 1 }: ReportFinding, place: Extent): boolean {
  const { line: first, column: from, endLine = 0, endColumn = 0 } = place
  if (file !== place.file || first === undefined) return false
  if (from === undefined) return line === first
  const isBehind = line > first || (line === first && column >= from)
  return isBehind && (line < endLine || (line === endLine && column < endColumn))
}

/** Who reaches something: "any user, demonstration data". */
export function wordReach(exposure: ReportExposure | undefined): string {
  if (exposure === undefined) return ''
  const { reach, assumed = false, demo = false } = exposure
  return [REACH_WORDS[locale.value][reach], ...(assumed ? [say('reachAssumed')] : []), ...(demo ? [say('reachDemo')] : [])].join(
    ', ',
  )
}

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
