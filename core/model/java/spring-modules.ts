import type { ProjectFile } from '../../files.ts'
import { append } from '../../lists.ts'
import { toJavaTokens, type JavaToken } from '../../parse/java-tokens.ts'
import { ownerOf } from '../../paths.ts'
import { findMavenModules } from '../maven/index.ts'
import { findEndpoints, type JavaEndpoint } from './endpoints.ts'
import { findSecurity, isDevelopment, isFallback, type SecurityChain, type SpringSecurity } from './security.ts'

/** The Java code around one pom.xml that configures Spring Security. */
export interface SpringModule {
  readonly folder: string
  readonly security: readonly { readonly file: string; readonly security: SpringSecurity }[]
  readonly endpoints: readonly (JavaEndpoint & { readonly file: string })[]
  /** Nothing but these endpoints answers requests, as far as the code tells. */
  readonly isWhole: boolean
  /** Methods ask for roles themselves: `@PreAuthorize`, the token. */
  readonly asksInMethods: boolean
}

const SECURITY = /SecurityFilterChain|WebSecurity/
const MAPPED = /[a-z]Mapping\b|@(?:Rest)?Controller\b/
const ASKS =
  /@(?:PreAuthorize|PostAuthorize|Secured|RolesAllowed)\b|isUserInRole|AuthToken|hasAuthorization|has(?:Local)?Scope\(|checkScope|getAuthorities/
/** Other ways to routes. */
const OTHER_ROUTES =
  /RouterFunction|RepositoryRestResource|@Path\b|@WebServlet|ServletRegistration|@(?:Query|Mutation|Message|Schema)Mapping|HttpServlet\b/
const OTHER_LIBRARIES = /data-rest|gateway|graphql|jersey|cxf|olingo|websocket|web-services|zuul|hateoas-explorer|vaadin/

/** Facts: Spring Boot 3, "Spring Security" (all chains of an application are beans of one context). */
export function findSpringModules(
  files: ReadonlyMap<string, ProjectFile>,
  step: (count?: number) => void,
): readonly SpringModule[] {
  const sources = [...files.values()].filter(({ kind }) => kind.role === 'java' && !kind.test)
  if (!sources.some(({ content }) => SECURITY.test(textOf(content)))) return []
  const poms = findMavenModules([...files.values()], files)
  const folders = new Set(poms.map(({ folder }) => folder))
  const own = new Map<string, ProjectFile[]>()
  for (const file of sources) append(own, ownerOf(file.path, folders) ?? '', file)
  return [...own].flatMap(([folder, of]) => {
    if (!of.some(({ content }) => SECURITY.test(textOf(content)))) return []
    const pom = poms.find((one) => one.folder === folder)
    return [readModule(folder, of, pom?.dependencies.some(({ artifactId }) => OTHER_LIBRARIES.test(artifactId)) !== true, step)]
  })
}

function readModule(
  folder: string,
  files: readonly ProjectFile[],
  isPlain: boolean,
  step: (count?: number) => void,
): SpringModule {
  const security: { file: string; security: SpringSecurity }[] = []
  const endpoints: (JavaEndpoint & { file: string })[] = []
  let [isWhole, asksInMethods] = [isPlain, false]
  for (const { path: file, content } of files) {
    const text = textOf(content)
    const [isSecurity, isMapped] = [SECURITY.test(text), MAPPED.test(text)]
    isWhole &&= !OTHER_ROUTES.test(text)
    asksInMethods ||= ASKS.test(text)
    if (!isSecurity && !isMapped) continue
    const tokens = toJavaTokens(text)
    step(tokens.length)
    if (isSecurity) security.push({ file, security: findSecurity(tokens) })
    const found = isMapped ? [...findEndpoints(tokens)] : []
    for (const endpoint of found) endpoints.push({ file, ...endpoint })
    // the mappings of an interface that it implements
    if (found.length === 0 && isController(tokens)) isWhole = false
  }
  return { folder, security, endpoints, isWhole: isWhole && endpoints.every(({ path }) => path !== undefined), asksInMethods }
}

/** The one chain that decides about all requests in production; undefined: there are several, whose order decides, or it is for some paths alone. */
export function soleChain({ security }: SpringModule): { readonly file: string; readonly chain: SecurityChain } | undefined {
  const [only, ...others] = security.flatMap(({ file, security: { chains } }) =>
    chains.flatMap((chain) => (isDevelopment(chain.profiles) || isFallback(chain.profiles) ? [] : [{ file, chain }])),
  )
  return others.length === 0 && only?.chain.paths?.length === 0 ? only : undefined
}

function isController(tokens: readonly JavaToken[]): boolean {
  return tokens.some(({ text }, at) => /^(?:Rest)?Controller$/.test(text) && tokens[at - 1]?.text === '@')
}

function textOf(content: ProjectFile['content']): string {
  return content.as === 'text' ? (content.text ?? '') : ''
}
