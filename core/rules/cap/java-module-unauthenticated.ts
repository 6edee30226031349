import type { ProjectFile } from '../../files.ts'
import { artifactName, classPathOf, findMavenModules, type MavenModule } from '../../model/maven/index.ts'
import { append } from '../../lists.ts'
import { elementsOf } from '../../parse/markup.ts'
import { toJavaTokens } from '../../parse/java-tokens.ts'
import type { Place } from '../../types.ts'
import { bringsSecurity, deploymentReader, usesData } from './_java/applications.ts'
import { createPasswordResetReader } from './_java/password-resets.ts'
import { ownerOf } from '../../paths.ts'
import { findEndpoints, type JavaEndpoint } from '../../model/java/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * A Java application beside CAP that answers requests, reads or changes data, and brings nothing that could check a caller: no dependency, no filter, no code.
 * Facts: Spring Boot, "Spring Security" (endpoints are protected where it is on the class path, and by nothing else); SAP/cloud-security-services-integration-library, README
 * of spring-security and java-security (validation of tokens is the application's); the approuter's check does not protect the address of the application itself.
 * Impact: an unauthenticated caller reads or changes data. That is shown where the project gives the application an address, be it one inside of a cluster alone.
 * One that sets the password of the account that the request names, and asks for no proof, gives that account to anybody.
 */
export const javaModuleUnauthenticated: Rule = defineRule({
  id: 'cap/java-module-unauthenticated',
  impact: 'data',
  evidence: 'assumed',
  // whatever stands in front of it: the endpoint gives an account to whoever calls it
  grades: { takeover: { impact: 'takeover', evidence: 'shown' } },
  confidence: 'medium',
  cwe: [306],
  since: '0.3.0',
  docs: 'https://github.com/SAP/cloud-security-services-integration-library/tree/main/spring-security',
  docsByVariant: {
    servlet: 'https://github.com/SAP/cloud-security-services-integration-library/tree/main/java-security',
    servletInside: 'https://github.com/SAP/cloud-security-services-integration-library/tree/main/java-security',
  },
  on: 'project',

  *check(project) {
    const modules = findMavenModules([...project.files.values()], project.files)
    if (modules.length === 0) return
    const byName = new Map(modules.map((module) => [artifactName(module), module]))
    const sources = sourcesOf(modules, project)
    const isDeployed = deploymentReader(project)
    for (const module of modules) {
      const own = sources.get(module.folder) ?? []
      const path = classPathOf(module, byName)
      if (own.length === 0 || !isDeployed(module.folder) || !path.isComplete || !usesData(path)) continue
      if (bringsSecurity(path) || [...path.modules].some(({ folder }) => (sources.get(folder) ?? []).some(checksCallers)))
        continue
      const open = openEndpoints(uncheckedAmong(own), project)
      // one that opens accounts, else one that changes data, if there is any
      const found = open.find(({ opensAccounts }) => opensAccounts) ?? open.find(({ changes }) => changes) ?? open[0]
      if (found === undefined) continue
      const { file, route, framework, opensAccounts } = found
      const { exposure, isPublished, isBehindLogin } = project.reach.ofServer(file)
      yield {
        at: placeOf(found),
        args: { route, module: module.artifactId || module.folder, pom: module.file },
        exposure,
        ...(open.length > 1 && {
          alsoAt: open
            .filter((one) => one !== found)
            .slice(0, MAX_OTHERS)
            .map(placeOf),
        }),
        ...((isPublished || isBehindLogin === true) && { evidence: 'shown' }),
        ...(isBehindLogin === true
          ? { variant: framework === 'servlet' ? 'servletInside' : 'inside' }
          : opensAccounts
            ? { variant: 'takeover' }
            : framework === 'servlet' && { variant: 'servlet' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Java application without authentication',
      message:
        '{route} has no authentication: {pom} has no security library, and no filter or code of {module} checks the callers.',
      why: 'An unauthenticated attacker who knows the URL of the application can call this and all its other endpoints, and read or change their data. A login in front of it, such as that of an approuter, does not protect that URL.',
      fix: 'Add com.sap.cloud.security:resourceserver-security-spring-boot-starter to {pom}, bind the application to XSUAA or IAS, and require authentication in a SecurityFilterChain: anyRequest().authenticated().',
      variants: {
        takeover: {
          title: 'Password of any account set without authentication',
          message:
            '{route} sets the password of the account that the request names, without authentication, the old password or a token: {pom} has no security library.',
          why: 'An unauthenticated attacker sets a new password for any account whose name or e-mail address they know, and logs in as that user. All other endpoints of {module} are open as well.',
          fix: 'Mail a random single-use token to the owner of the account, store its hash with an expiry, and set the password only for a request with it. Require a login for all other endpoints: anyRequest().authenticated().',
        },
        inside: {
          why: 'Nothing exposes its service outside of the cluster, so an attacker needs another application there, and can then call this and all its other endpoints without the login of the approuter.',
        },
        servlet: {
          fix: 'Add com.sap.cloud.security:java-security to {pom}, bind the application to XSUAA or IAS, and register a servlet filter that calls TokenAuthenticator.validateRequest and responds with 401 unless isAuthenticated().',
        },
        servletInside: {
          why: 'Nothing exposes its service outside of the cluster, so an attacker needs another application there, and can then call this and all its other endpoints without the login of the approuter.',
          fix: 'Add com.sap.cloud.security:java-security to {pom}, bind the application to XSUAA or IAS, and register a servlet filter that calls TokenAuthenticator.validateRequest and responds with 401 unless isAuthenticated().',
        },
      },
    },
    fr: {
      title: 'Application Java sans authentification',
      message:
        '{route} est sans authentification : {pom} ne contient aucune bibliothèque de sécurité, et aucun filtre ni code de {module} ne contrôle les appelants.',
      why: 'Un attaquant non authentifié qui connaît l’URL de l’application peut appeler ce point de terminaison et tous les autres, et en lire ou modifier les données. Une connexion placée devant, comme celle d’un approuter, ne protège pas cette URL.',
      fix: 'Ajoutez com.sap.cloud.security:resourceserver-security-spring-boot-starter à {pom}, liez l’application à XSUAA ou à IAS et exigez l’authentification dans une SecurityFilterChain : anyRequest().authenticated().',
      variants: {
        takeover: {
          title: 'Mot de passe de tout compte modifiable sans authentification',
          message:
            '{route} définit le mot de passe du compte que nomme la requête, sans authentification, ancien mot de passe ni jeton : {pom} ne contient aucune bibliothèque de sécurité.',
          why: 'Un attaquant non authentifié définit un nouveau mot de passe pour tout compte dont il connaît le nom ou l’adresse, puis se connecte à sa place. Tous les autres points de terminaison de {module} sont ouverts aussi.',
          fix: 'Envoyez au propriétaire du compte un jeton aléatoire à usage unique, stockez son empreinte avec une expiration, et ne définissez le mot de passe que s’il est fourni. Exigez une connexion pour le reste : anyRequest().authenticated().',
        },
        inside: {
          why: 'Rien n’expose son service hors du cluster : un attaquant a besoin d’une autre application du cluster, et peut alors appeler ce point de terminaison et tous les autres sans la connexion de l’approuter.',
        },
        servlet: {
          fix: 'Ajoutez com.sap.cloud.security:java-security à {pom}, liez l’application à XSUAA ou à IAS et déclarez un filtre de servlets qui appelle TokenAuthenticator.validateRequest et répond par 401 sauf si isAuthenticated().',
        },
        servletInside: {
          why: 'Rien n’expose son service hors du cluster : un attaquant a besoin d’une autre application du cluster, et peut alors appeler ce point de terminaison et tous les autres sans la connexion de l’approuter.',
          fix: 'Ajoutez com.sap.cloud.security:java-security à {pom}, liez l’application à XSUAA ou à IAS et déclarez un filtre de servlets qui appelle TokenAuthenticator.validateRequest et répond par 401 sauf si isAuthenticated().',
        },
      },
    },
  }),
})

/** What asks who calls: filters and interceptors, annotations and code on users, sessions and tokens of requests. */
const CHECKS =
  /SecurityFilterChain|WebSecurityConfigurer|ServletSecurity|RolesAllowed|PreAuthorize|@Secured|@Aspect|SecurityContext|isUserInRole|Principal\b|getRemoteUser|HttpSession|\.getSession\(|SessionAttributes|CookieValue|getCookies|JwtDecoder|Jwts\b|(?:getHeader|RequestHeader|HeaderParam)\s?\(.{0,60}(?:auth|token|api-?_?key|secret)/i
/** What asks in the method where it stands: the token of the request, and what it allows. */
const OWN_CHECKS = /AuthToken|hasAuthorization|has(?:Local)?Scope|checkScope/
const FILTERS =
  /OncePerRequestFilter|GenericFilterBean|HandlerInterceptor|ContainerRequestFilter|WebFilter|GatewayFilter|implements\s[^{]{0,200}\bFilter\b/
/** A filter that only allows pages of other origins. */
const CORS = /Access-Control-Allow/
const REFUSES = /401|403|UNAUTHORIZED|FORBIDDEN|sendError/

/** A descriptor of servlets with a constraint, a login or a filter counts as a check as well. */
function checksCallers({ content }: ProjectFile): boolean {
  if (content.as === 'markup') {
    for (const { localName } of elementsOf(content.document))
      if (/^(?:security-constraint|login-config|filter)$/.test(localName)) return true
    return false
  }
  if (content.as !== 'text' || content.text === undefined) return false
  return CHECKS.test(content.text) || (FILTERS.test(content.text) && (!CORS.test(content.text) || REFUSES.test(content.text)))
}

/** Without those that look at the token themselves, or by a class that does; none, where half of what there is does so. */
function uncheckedAmong(sources: readonly ProjectFile[]): readonly ProjectFile[] {
  const texts = sources.flatMap((file) =>
    file.content.as === 'text' && file.content.text !== undefined ? [{ file, text: file.content.text }] : [],
  )
  const asking = texts.filter(({ text }) => OWN_CHECKS.test(text))
  const names = asking.slice(0, MAX_NAMES).map(({ file }) => file.path.replace(/^.*\/|\.java$/g, ''))
  const open = texts.filter((one) => !asking.includes(one) && !names.some((name) => one.text.includes(name)))
  const endpoints = (of: typeof texts): number => of.filter(({ text }) => MAPPING.test(text)).length
  return endpoints(open) * 2 > endpoints(texts) ? open.map(({ file }) => file) : []
}

/** Classes that look at tokens. */
const MAX_NAMES = 50
const MAPPING = /@(?:Get|Post|Put|Patch|Delete|Request)Mapping|@Path\b|@WebServlet/

/** Java files and descriptors of servlets, by the folder of the module around them. */
function sourcesOf(modules: readonly MavenModule[], { files, step }: Project): ReadonlyMap<string, readonly ProjectFile[]> {
  const folders = new Set(modules.map(({ folder }) => folder))
  const sources = new Map<string, ProjectFile[]>()
  for (const file of files.values()) {
    const { path, kind } = file
    if ((kind.role !== 'java' && kind.role !== 'web-xml') || kind.test) continue
    step()
    const owner = ownerOf(path, folders)
    if (owner !== undefined) append(sources, owner, file)
  }
  return sources
}

interface OpenEndpoint extends JavaEndpoint {
  readonly file: string
  readonly opensAccounts: boolean
}

/** Further endpoints that a finding names. */
const MAX_OTHERS = 20

function placeOf({ file, start, end }: OpenEndpoint): Place {
  return { file, span: { start, end } }
}

/** What reads or changes data, in the order of the files. */
function openEndpoints(sources: readonly ProjectFile[], { step, reach }: Project): readonly OpenEndpoint[] {
  const setsPassword = createPasswordResetReader(sources, step)
  return sources.flatMap(({ path: file, content }) => {
    if (content.as !== 'text' || content.text === undefined || reach.usageOf(file) === 'unused') return []
    const tokens = toJavaTokens(content.text)
    step(tokens.length)
    return [...findEndpoints(tokens)].flatMap((endpoint) => {
      const opensAccounts = setsPassword(endpoint, tokens)
      return endpoint.isHarmless && !opensAccounts ? [] : { ...endpoint, file, opensAccounts }
    })
  })
}
