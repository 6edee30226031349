import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { FlowHit } from '../../flow/index.ts'
import {
  doUsersWrite,
  exposedEntities,
  isGuarded,
  operationHandlers,
  type CapService,
  type ExposedEntity,
} from '../../model/cap/index.ts'
import { isOfUi5App } from '../../model/script/index.ts'
import { manifestModelsOf } from '../../model/ui5/index.ts'
import { ownerOf, withoutSlashesBehind } from '../../paths.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'

type Asked = Pick<Project, 'ui5Apps' | 'capRoots' | 'reach'>

/** As a flow names what it read of a row: `{orders>Text}`, `context.getProperty("file")`. */
const FIELD = /^\{[^{}]{0,200}?([\w.]{1,100})\}$|\.getProperty\((?:"|')[^"']{0,200}?(\w{1,100})(?:"|')\)$/
/** The whole row. */
const ROW = /\.(?:getObject|requestObject)\(\)$/
/** What a script asks for: `fetch('/odata/v4/shop/Orders')`. */
const REQUEST = /\((?:"|'|`)([^"'`]{1,300})/
const SET_NAME = /^\w{1,100}$/
/** Rows of one user. */
const OWN_FILTER = /\$filter=[^&]{0,200}(?:created_?by|user|owner|e_?mail|phone|uname|pernr|employee)/i
/** What CAP puts before the path of a service. */
const PROTOCOL = /^\/(?:odata\/v[24]|rest)\//
/** Characters of a script that does more than show itself. */
const SHORTEST_SCRIPT = 25
/** Types of elements that may hold markup. */
const TEXT_TYPES: ReadonlySet<string | undefined> = new Set(['String', 'LargeString', 'LargeBinary', undefined])

/**
 * Whether the model of a CAP service in the project lets all users write what a page of the app shows. So that the writers are told: every entity of the services that the app
 * asks, and that has a field of this name, or texts where the whole row is read, takes it from them.
 */
export function doUsersFill({ origin, part, at }: FlowHit, { ui5Apps, capRoots, reach }: Asked): boolean {
  if (origin !== 'backend') return false
  const [, bound, read] = FIELD.exec(part) ?? []
  const field = bound ?? read
  const [, request] = field === undefined ? (REQUEST.exec(part) ?? []) : []
  const set = request === undefined ? undefined : setAsked(request, true)
  if (field === undefined && set === undefined && !ROW.test(part)) return false
  const addresses = addressesAsked(request, at.file, ui5Apps)
  return doUsersWriteAll(
    { capRoots, reach },
    (entity) =>
      isAsked(entity.service, addresses) && (request === undefined || set === entity.entity.name) && holdsText(entity, field),
  )
}

/** `Orders` of an address with a service before it: `/odata/v4/shop/Orders?$top=50`; one row, and rows behind it, are mostly of the user. */
export function setAsked(address: string, isWhole: boolean): string | undefined {
  const [path = '', query] = address.split('?')
  if ((query === undefined && !isWhole) || OWN_FILTER.test(address)) return undefined
  const parts = path.split('/')
  // a function without parameters
  const name = (parts.at(-1) ?? '').replace(/\(\)$/, '')
  return parts.length > 2 && SET_NAME.test(name) ? name : undefined
}

const QUERY = /^([A-Za-z]\w{0,99})\?(?:[^&]{0,200}&){0,5}\$(?:select|filter|expand|orderby|top|skip|count|search|format)=/

/** `Orders` of what stands behind the address of a service, with a query of OData: `Orders?$top=50`. */
export function setOfQuery(address: string): string | undefined {
  return OWN_FILTER.test(address) ? undefined : QUERY.exec(address)?.[1]
}

/** The same of the rows of an entity set that a script reads by an address or by a model of the app, and whose fields are among these names. */
export function doUsersFillSet(
  file: string,
  { set, address, names }: { readonly set: string; readonly address?: string; readonly names: readonly string[] },
  { ui5Apps, capRoots, reach }: Asked,
): boolean {
  if (capRoots.length === 0) return false
  const addresses = addressesAsked(address, file, ui5Apps)
  return doUsersWriteAll(
    { capRoots, reach },
    (entity) => isAsked(entity.service, addresses) && entity.entity.name === set && names.some((name) => holdsText(entity, name)),
    (entity) => names.some((name) => holdsText(entity, name)),
  )
}

/** `getTides` of `/api/tides/getTides(port=1)`. */
const OPERATION = /\/([A-Za-z_]\w{0,99})\([^()]{0,200}\)$/

/**
 * Whether a page shows what an operation of a CAP service in the project answers, and all of its handlers there answer with what stands in the code: nobody writes that. Needs the extract
 * `operationHandlers`.
 */
export function isAnsweredFromCode({ origin, part }: FlowHit, { capRoots }: Pick<Project, 'capRoots'>): boolean {
  const [, address = ''] = origin === 'backend' ? (REQUEST.exec(part) ?? []) : []
  const [, name] = OPERATION.exec(address) ?? []
  if (name === undefined) return false
  const roots = capRoots.filter(({ services }) =>
    services.some((service) => isAsked(service, [address]) && service.elements.some((one) => one.name === name)),
  )
  const handlers = roots.flatMap(({ scripts }) =>
    scripts.get(operationHandlers).flatMap(({ value }) => (value.event === name || value.event === '*' ? value : [])),
  )
  return handlers.some(({ event }) => event === name) && handlers.every(({ isConstant }) => isConstant)
}

/** The address that a script asks by itself; else those of the models of its app. */
function addressesAsked(address: string | undefined, file: string, ui5Apps: Asked['ui5Apps']): readonly string[] {
  if (address !== undefined) return [address]
  const app = appAround(file, ui5Apps)
  return (app ? manifestModelsOf(app) : []).flatMap(({ uri }) => uri ?? [])
}

/** Each of these entities takes texts from all users, by one service or another: what is shown by itself, or what `isFilled` says of another one with the same rows. */
function doUsersWriteAll(
  { capRoots, reach }: Pick<Asked, 'capRoots' | 'reach'>,
  isShown: (entity: ExposedEntity) => boolean,
  isFilled: (entity: ExposedEntity) => boolean = () => false,
): boolean {
  const entities = capRoots.flatMap((root) => [...exposedEntities(root)])
  const shown = new Set(entities.filter(isShown))
  const sources = new Set([...shown].map(({ source }) => source.name))
  for (const one of entities) {
    if (!one.isWritten || !sources.has(one.source.name)) continue
    if ((shown.has(one) || isFilled(one)) && isOfUsers(one, reach)) sources.delete(one.source.name)
  }
  return shown.size > 0 && sources.size === 0
}

/** Its writers are all users, or have a role that everybody needs to open the app. */
function isOfUsers({ entity, service }: ExposedEntity, reach: Asked['reach']): boolean {
  if (doUsersWrite(entity, service)) return true
  const exposure = reach.ofElement(service, entity, ['CREATE', 'UPDATE'])
  return (exposure.reach === 'user' || exposure.reach === 'anyone') && exposure.evidence === undefined
}

/** A field among the settings that a control is made with: `new Text({ text: order.number })`. */
interface SettingField extends Span {
  readonly name: string
}

/** Of the scripts whose data flow is read alone: it is asked for findings of the flow, and most scripts of a page make some control. */
export const settingFields: Extract<SettingField> = defineExtract({
  name: 'ui5-setting-fields',
  keywords: [],
  withFlow: true,
  isFor: isOfUi5App,
  *collect({ facts }) {
    for (const { args } of facts.calls)
      for (const given of args)
        for (const { value } of 'fields' in given ? given.fields : [])
          if ('object' in value && value.name !== undefined) yield { start: value.start, end: value.end, name: value.name }
  },
})

/** Whether the services of the project that an app asks have elements of the name of what is shown, and none of them takes more characters than `most`. */
export function isShortText(
  { origin, at }: FlowHit,
  { ui5Apps, capRoots, scripts }: Pick<Project, 'ui5Apps' | 'capRoots' | 'scripts'>,
  most: number,
): boolean {
  const app = origin === 'backend' && capRoots.length > 0 ? appAround(at.file, ui5Apps) : undefined
  if (app === undefined) return false
  const shown = scripts.of(at.file, settingFields).find(({ start, end }) => start === at.span?.start && end === at.span.end)
  const addresses = manifestModelsOf(app).flatMap(({ uri }) => uri ?? [])
  const named = capRoots.flatMap((root) =>
    [...exposedEntities(root)].flatMap(({ service, entity }) =>
      isAsked(service, addresses) ? entity.members().filter(({ name }) => name === shown?.name) : [],
    ),
  )
  return named.length > 0 && named.every(({ type, length }) => type === 'String' && length !== undefined && length <= most)
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
        (field === undefined || member.name === field) &&
        TEXT_TYPES.has(member.type) &&
        (member.length === undefined || member.length >= SHORTEST_SCRIPT) &&
        !member.isEnum &&
        !isGuarded(member),
    )
}
