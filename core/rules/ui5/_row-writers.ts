import type { FlowHit } from '../../flow/index.ts'
import { doUsersWrite, exposedEntities, isGuarded, type CapService, type ExposedEntity } from '../../model/cap/index.ts'
import { manifestModelsOf } from '../../model/ui5/index.ts'
import { ownerOf, withoutSlashesBehind } from '../../paths.ts'
import type { Project } from '../subjects.ts'

type Asked = Pick<Project, 'ui5Apps' | 'capRoots'>

/** As a flow names what it read of a row: `{orders>Text}`, `context.getProperty("file")`. */
const FIELD = /^\{[^{}]{0,200}?([\w.]{1,100})\}$|\.getProperty\((?:"|')[^"']{0,200}?(\w{1,100})(?:"|')\)$/
/** The whole row. */
const ROW = /\.(?:getObject|requestObject)\(\)$/
/** What a script asks for: `fetch('/odata/v4/shop/Orders')`. */
const REQUEST = /\((?:"|'|`)([^"'`?(]{1,300})/
/** What CAP puts before the path of a service. */
const PROTOCOL = /^\/(?:odata\/v[24]|rest)\//
/** Types of elements that may hold markup. */
const TEXT_TYPES: ReadonlySet<string | undefined> = new Set(['String', 'LargeString', 'LargeBinary', undefined])

/**
 * Whether the model of a CAP service in the project lets all users write what a page of the app shows. So that the writers are told: every entity of the services that the app
 * asks, and that has a field of this name, or texts where the whole row is read, takes it from them.
 */
export function doUsersFill({ origin, part, at }: FlowHit, { ui5Apps, capRoots }: Asked): boolean {
  if (origin !== 'backend') return false
  const [, bound, read] = FIELD.exec(part) ?? []
  const field = bound ?? read
  const [, request] = field === undefined ? (REQUEST.exec(part) ?? []) : []
  if (field === undefined && request === undefined && !ROW.test(part)) return false
  const app = appAround(at.file, ui5Apps)
  const addresses = request === undefined ? (app ? manifestModelsOf(app) : []).flatMap(({ uri }) => uri ?? []) : [request]
  const shown = capRoots.flatMap((root) =>
    [...exposedEntities(root)].filter(
      (entity) =>
        isAsked(entity.service, addresses) &&
        (request === undefined || lastName(request) === entity.entity.name) &&
        holdsText(entity, field),
    ),
  )
  const sources = new Set(shown.map(({ source }) => source.name))
  for (const { source, entity, service, isWritten } of shown)
    if (isWritten && doUsersWrite(entity, service)) sources.delete(source.name)
  return shown.length > 0 && sources.size === 0
}

/** The app that a file is of: of apps in one another the innermost. */
export function appAround(file: string, apps: Asked['ui5Apps']): Asked['ui5Apps'][number] | undefined {
  const owner = ownerOf(file, new Set(apps.map(({ root }) => root)))
  return apps.find(({ root }) => root === owner)
}

/** Its own part of the path stands in one of the addresses, whatever an approuter puts before it, and whichever version of OData it is asked by. */
function isAsked({ endpoints }: CapService, addresses: readonly string[]): boolean {
  return endpoints.some(({ path }) => {
    const own = `${withoutSlashesBehind(path.replace(PROTOCOL, '/'))}/`
    return own.length > 2 && addresses.some((address) => `/${address}/`.includes(own))
  })
}

function holdsText({ entity }: ExposedEntity, field: string | undefined): boolean {
  return entity
    .members()
    .some(
      (member) =>
        (field === undefined || member.name === field) && TEXT_TYPES.has(member.type) && !member.isEnum && !isGuarded(member),
    )
}

function lastName(address: string): string {
  return withoutSlashesBehind(address).split('/').at(-1) ?? ''
}
