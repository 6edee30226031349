import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { Route } from '../../model/approuter/index.ts'
import type { ProjectFile } from '../../files.ts'
import {
  createReadingReader,
  findJavaApplications,
  isCdsBelow,
  operationData,
  servedServices,
  type CapElement,
  type CapRoot,
  type CapService,
} from '../../model/cap/index.ts'
import { folderOf, isBelow, joinPath, lastName } from '../../paths.ts'
import type { Project } from '../subjects.ts'

/** Where CAP looks for a server of the project's own. Fact: capire, "cds.server", custom server.js. */
const OWN_SERVER = /(?:^|\/)server\.[cm]?[jt]s$/
/** It may take more than GET, itself or in a module that it loads. */
const TAKES_MORE =
  /\.(?:post|put|patch|delete|all|use|route)\s{0,9}\(|\bcds\s{0,9}\.\s{0,9}serve\s{0,9}\(|\brequire\s{0,9}\(\s{0,9}["'`]\.|\bfrom\s{1,9}["']\.|\bimport\s{0,9}(?:\(\s{0,9})?["'`]\./

/**
 * Middleware that answers nothing that changes data, by the names that its packages are given. What allows pages of other sites to send credentials says so by this word.
 * Facts: cors 2.8.5, README (`credentials` is off by default; without it browsers send no request with a cookie that needs a preflight); helmet 8, compression 1.8, morgan 1.10, response-time 2.3.
 */
const PASSES_ON = /\.use\s{0,9}\(\s{0,9}(?:cors|helmet|compression|morgan|responseTime)\s{0,9}\([^()]{0,400}\)\s{0,9},?\s{0,9}\)/g
const WITH_CREDENTIALS = /credentials|origin\s{0,9}:\s{0,9}(?:true|function|\()/i

function takesMore(text: string): boolean {
  return TAKES_MORE.test(WITH_CREDENTIALS.test(text) ? text : text.replace(PASSES_ON, ''))
}

/** The adapter for OData V2, and its use with its own settings. Fact: @sap/cds-odata-v2-adapter-proxy 1.14, README (`path`, by default `v2` or `odata/v2`). */
const ADAPTER_V2 =
  /^[ \t]{0,20}(?:(?:const|let|var)\s{1,9}(\w{1,60})\s{0,9}=\s{0,9}require\s{0,9}\(\s{0,9}|import\s{1,9}(\w{1,60})\s{1,9}from\s{1,9})["'`](?:@sap\/cds-odata-v2-adapter-proxy|@cap-js-community\/odata-v2-adapter)["'`]/m
const USED = /\.use\s{0,9}\(\s{0,9}(\w{1,60})\s{0,9}\(\s{0,9}\)\s{0,9}\)/g

/** `app.use(cov2ap())`, and nothing else that takes more than GET. */
function takesV2Alone(text: string): boolean {
  const [found, required, imported] = ADAPTER_V2.exec(text) ?? []
  const adapter = required ?? imported
  return found !== undefined && !takesMore(text.replace(USED, (used, name: string) => (name === adapter ? '' : used)))
}

/** Servers of CAP projects that register more than reading routes: `cds.on('bootstrap', (app) => app.use(require('./orders')))`. */
export const writingServers: Extract<'v2' | 'more'> = defineExtract({
  name: 'approuter-writing-servers',
  keywords: ['.post(', '.put(', '.patch(', '.delete(', '.all(', '.use(', '.route(', '.serve(', 'require', 'import'],
  prefilter: takesMore,
  isFor: (path) => OWN_SERVER.test(path),
  collectText: (text) => [takesV2Alone(text) ? 'v2' : 'more'],
})

/** Every service of every project that a route reaches only reads, and no server of the project's own lies there. Needs the extract `writingServers`. */
export function servicesOnlyRead(route: Route, roots: readonly CapRoot[], scripts: Scripts): boolean {
  const all = roots.flatMap((root) => servedServices(root).flatMap(({ elements }) => elements))
  if (all.length > 0 && all.every(({ writable }) => !writable)) return true
  const reached = rootsReached(route, roots)
  return (
    reached.length > 0 &&
    reached.every(
      ({ root, services }) =>
        services.every(({ elements }) => elements.length > 0 && elements.every(({ writable }) => !writable)) &&
        !hasWritingServer(root, scripts, route),
    )
  )
}

/**
 * Services of CAP, served by OData alone, where nothing changes by a request that a page of another site may send without a CORS preflight: forms,
 * plain texts and empty bodies. What has no body but a call is an action without parameters; one that the project shows to only read changes nothing, and one that is
 * bound to a row with a UUID needs that. Functions come by GET, which no CSRF token is asked for.
 *
 * Facts: @sap/cds 8.9.10 and 9.9.3, libx/odata/ODataAdapter.js: POST, PUT and PATCH with a body are answered with 415 unless their type is application/json
 * (multipart/mixed, which goes to $batch, is none of the types of forms), a POST with an empty body passes, "allowed by actions"; 6.8.4 and 7.9.5 read by
 * libx/_runtime/cds-services/adapter/odata-v4/okra, which has deserializers for JSON and batches alone. Tried with 6.8.4, 7.9.5, 8.9.10 and 9.9.3: a POST of a form, a text
 * or multipart/form-data is answered with 400 or 415, $batch too (in 6 that was not tried with a login). One with an empty body, whatever its type, runs actions in 8 and 9 (those with parameters without
 * them) and makes an empty row; in 6 and 7 it is answered with 400, since it has no deserializer. Under the paths of V4 nothing else answers where the adapter for V2
 * is there as well.
 * CAP Java answers OData V4 by Apache Olingo: server-core 4.x, ODataDispatcher (`getSupportedContentType`: POST, PUT and PATCH of entities without a type are refused, types but those
 * of JSON and XML too; an action may come without a body).
 * Fetch Standard, "CORS-safelisted request-header" (content types).
 *
 * Needs the extracts `writingServers` and `operationHandlers`.
 */
export function takesJson(
  route: Route,
  roots: readonly CapRoot[],
  { scripts, files }: Pick<Project, 'scripts' | 'files'>,
): boolean {
  const reached = rootsReached(route, roots)
  return (
    reached.length > 0 &&
    reached.every(({ root, services }) => {
      if (root.runtime === 'java' ? !isPlainJava(root, files) : hasWritingServer(root, scripts, route)) return false
      const takesEmpty = root.runtime === 'java' || !isCdsBelow(8, files, root)
      // handlers in Java are not read
      const onlyReads = root.runtime === 'java' ? () => false : createReadingReader(root)
      return services.every(
        ({ endpoints, elements }) =>
          endpoints.every(({ kind }) => kind.startsWith('odata')) &&
          elements.every(
            (element) =>
              !takesEmpty ||
              element.kind !== 'action' ||
              needsBody(element, root) ||
              isBoundToUuid(element, elements) ||
              onlyReads(element),
          ),
      )
    })
  )
}

/** What answers requests beside the services of CAP: controllers, servlets and routes of Spring. */
const JAVA_ROUTES =
  /[a-z]Mapping\b|@(?:Rest)?Controller\b|RouterFunction|RepositoryRestResource|@Path\b|@WebServlet|ServletRegistration|\bHttpServlet\b/
/** Libraries that do so themselves, and the adapter for OData V2, which takes the parameters of an action in the address. */
const JAVA_ADAPTERS = /odata-v2|data-rest|gateway|graphql|jersey|cxf|websocket|web-services|zuul|vaadin/

/** An application of CAP Java that answers by OData V4 alone. */
function isPlainJava(root: CapRoot, files: ReadonlyMap<string, ProjectFile>): boolean {
  const applications = findJavaApplications(root, files)
  return (
    applications.length > 0 &&
    applications.every(({ dependencies }) => !dependencies.some(({ artifactId }) => JAVA_ADAPTERS.test(artifactId))) &&
    root.files.every(
      ({ kind, content }) => kind.role !== 'java' || kind.test || content.as !== 'text' || !JAVA_ROUTES.test(content.text ?? ''),
    )
  )
}

function hasWritingServer({ root }: CapRoot, scripts: Scripts, route: Route): boolean {
  return scripts.get(writingServers).some(({ file, value }) => {
    if (value === 'v2' && !leadsToV2(route)) return false
    const folder = folderOf(file)
    return isBelow(file, root) && (folder === root || folder === joinPath(root, 'srv'))
  })
}

/** What begins with it is forwarded: `^/odata/(.*)$`, and what that becomes: `/odata/v4/$1`. */
const PREFIX = /^\^(\/(?:[\w-]{1,60}\/){1,10})(?=\(?\.[*+])/
const REWRITTEN = /^(\/(?:[\w-]{1,60}\/){1,10})(?=\$\d)/

/** What all paths behind a route begin with: `/odata/v4/`. */
export function prefixOf({ source, rewrite }: Route): string | undefined {
  return (rewrite === undefined ? PREFIX.exec(source) : REWRITTEN.exec(rewrite))?.[1]
}

const V2_PATHS = ['/v2/', '/odata/v2/']

function leadsToV2(route: Route): boolean {
  const prefix = prefixOf(route)
  return prefix === undefined || V2_PATHS.some((path) => path.startsWith(prefix) || prefix.startsWith(path))
}

const CAP_FOLDER = /^\/(?:odata\/(?:v4\/)?|rest\/)$/

/** Where no descriptor says what a destination leads to: the only project of the folder, where the path of the route is that of its services, or the folder that CAP gives all of them. */
export function rootsByPath(route: Route, roots: readonly CapRoot[]): readonly CapRoot[] {
  const [only, other] = roots.filter((root) => !root.test && servedServices(root).length > 0)
  const prefix = prefixOf(route)
  if (only === undefined || other !== undefined || prefix === undefined) return []
  // other systems have an `/api/`, too
  const isOfService = ({ endpoints }: CapService): boolean => endpoints.some(({ path }) => prefix.startsWith(`${path}/`))
  return rootsReached(route, [only]).flatMap(({ root, services }) =>
    CAP_FOLDER.test(prefix) || services.every(isOfService) ? root : [],
  )
}

/** Projects that have services under the path of a route: names of destinations repeat where a repository has several MTAs. */
function rootsReached(
  route: Route,
  roots: readonly CapRoot[],
): readonly { readonly root: CapRoot; readonly services: readonly CapService[] }[] {
  return roots.flatMap((root) => {
    const services = servicesReached(route, root)
    return services.length > 0 ? { root, services } : []
  })
}

/** The services of a project that lie under the path of a route, whatever folder the version of CAP puts before it; all of them where it has no such path. */
export function servicesReached(route: Route, root: CapRoot): readonly CapService[] {
  const prefix = prefixOf(route)
  const services = servedServices(root)
  if (prefix === undefined) return services
  return services.filter(({ endpoints }) =>
    endpoints.some(({ path }) => `${path}/`.includes(prefix) || prefix.startsWith(`${path}/`)),
  )
}

/** An action with parameters comes as JSON. */
function needsBody({ name, qualified }: CapElement, root: CapRoot): boolean {
  const service = qualified.slice(0, Math.max(0, qualified.length - name.length - 1))
  return (operationData(root, service, lastName(name))?.fields?.size ?? 0) > 0
}

/** An action of rows that nobody can guess. */
function isBoundToUuid({ entity }: CapElement, elements: readonly CapElement[]): boolean {
  if (entity === undefined) return false
  const bound = elements.find((one) => one.kind === 'entity' && one.name === entity)
  return bound?.members().some(({ key, type }) => key && type === 'UUID') === true
}
