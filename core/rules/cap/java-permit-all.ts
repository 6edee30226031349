import { javaSetting, type CapRoot } from '../../model/cap/index.ts'
import {
  decidingRule,
  isDevelopment,
  isFallback,
  type SecurityChain,
  type SecurityRule,
  type SpringModule,
  type SpringSecurity,
} from '../../model/java/index.ts'
import { listNames } from '../../arguments.ts'
import type { Match, Span } from '../../types.ts'
import { openedResources } from './_java/opened-resources.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

const SPRING = 'https://docs.spring.io/spring-security/reference/servlet/authorization/authorize-http-requests.html'

/**
 * A configuration of Spring Security that lets every request through, for all paths or for paths that are not public by nature: a chain, or `web.ignoring()`.
 * Facts: capire, "Custom Spring Security configuration" (a chain of one's own takes its requests away from that of CAP; without a matcher, all of them);
 * Spring Security, HttpSecurity.securityMatcher (any request, where none is set), authorizeRequests (what no rule matches is open), WebSecurity.ignoring; Spring Boot,
 * "Profiles" (`default` is active where no other is).
 * Beside it a resource of Jakarta REST or RESTX whose annotation opens methods that change data, in an application that has a login.
 * Impact: unauthenticated callers reach what no role protects, which is not examined; what is opened by its path is meant to be public. A configuration for no profile is
 * active where somebody starts the application without one, which nothing in the project does.
 */
export const javaPermitAll: Rule = defineRule({
  id: 'cap/java-permit-all',
  impact: 'data',
  reach: 'anyone',
  evidence: 'assumed',
  grades: { paths: { evidence: 'shown', circumstance: 'visible' }, fallback: { reach: 'user' } },
  confidence: 'medium',
  cwe: [306],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/java/security#custom-spring-security-config',
  docsByVariant: {
    spring: SPRING,
    norest: SPRING,
    resource: 'https://jakarta.ee/specifications/annotations/3.0/annotations-spec-3.0#jakarta-annotation-security-permitall',
  },
  on: 'project',

  *check(project) {
    yield* openedByAnnotation(project)
    for (const module of project.springModules())
      for (const { file, security } of module.security) {
        const root = project.capRoots.find(({ files }) => files.some(({ path }) => path === file))
        if (root?.test === true) continue
        for (const { span, call, paths, profiles, chain, rest } of openings(security)) {
          if (isDevelopment(profiles) || (isFallback(profiles) && !mayHaveNoProfile(root))) continue
          if (chain !== undefined && !leavesOpen(chain, rest, module, root)) continue
          if (root === undefined && (module.asksInMethods || chain === undefined)) continue
          const isAll = paths.length === 0 || paths.some((path) => ALL.test(path))
          if (!isAll && paths.every((path) => PUBLIC_BY_NATURE.test(path))) continue
          const at = { file, span }
          const args = { call, paths: isAll ? '/**' : listNames(paths) }
          yield {
            at,
            args,
            ...(isAll
              ? variantOf(profiles, rest === undefined && chain !== undefined, root, file, project)
              : { variant: 'paths' }),
          }
        }
      }
  },

  text: () => ({
    en: {
      title: 'Spring Security filter chain without authentication',
      message: '{call} lets every request to {paths:and} through without authentication.',
      why: 'These requests bypass the authentication of CAP: an unauthenticated attacker can call all controllers, and all services without @requires or @restrict.',
      fix: 'Restrict it to the paths that must be public, in a chain with @Order(1) and http.securityMatcher("/public/**"), or remove it. CAP then authenticates all other requests, except those that cds.security.authentication.mode leaves public.',
      variants: {
        paths: {
          why: 'An unauthenticated attacker can call the controllers below {paths:and}, and the services there without @requires or @restrict.',
          fix: 'Remove it, so that CAP authenticates these requests, or limit it to the paths that must be public, such as those of webhooks that verify a signature.',
        },
        fallback: {
          message:
            '{call} lets every request to {paths:and} through without authentication, and is active wherever no profile is set.',
          why: 'If the application is started without spring.profiles.active, anyone who reaches its port can call all controllers, and all services without @requires or @restrict.',
          fix: 'Rename the profile in @Profile to one that developers set themselves, such as @Profile("local"), so that nothing is open when no profile is set.',
        },
        spring: {
          why: 'An unauthenticated attacker who knows the URL of the application can call all controllers that no other rule protects, and read or change their data.',
          fix: 'Write anyRequest().authenticated(), and permitAll() for the paths that must be public alone: requestMatchers("/public/**").permitAll().',
        },
        resource: {
          title: 'Data changed without authentication through @PermitAll',
          message: '{call} opens {paths:and} to callers without a login.',
          why: 'An unauthenticated attacker can call these methods and change or delete the data of the application.',
          fix: 'Remove @PermitAll and name the roles that may change data: @RolesAllowed("editor"). Keep @PermitAll for methods that read public data.',
        },
        norest: {
          message: 'No rule after {call} matches all other requests: they pass without authentication.',
          why: 'An unauthenticated attacker can call all controllers and services that no rule and no annotation protects: authorizeRequests() denies only what a rule matches.',
          fix: 'Add .anyRequest().authenticated() as the last rule after authorizeRequests().',
        },
      },
    },
    fr: {
      title: 'Chaîne de filtres Spring Security sans authentification',
      message: '{call} laisse passer sans authentification toute requête vers {paths:et}.',
      why: 'Ces requêtes contournent l’authentification de CAP : un attaquant non authentifié peut appeler tous les contrôleurs, et tous les services sans @requires ni @restrict.',
      fix: 'Limitez-la aux chemins qui doivent être publics, dans une chaîne avec @Order(1) et http.securityMatcher("/public/**"), ou supprimez-la. CAP authentifie alors toutes les autres requêtes, sauf celles que cds.security.authentication.mode laisse publiques.',
      variants: {
        paths: {
          why: 'Un attaquant non authentifié peut appeler les contrôleurs sous {paths:et}, et les services sans @requires ni @restrict qui y sont exposés.',
          fix: 'Supprimez cette règle, pour que CAP authentifie ces requêtes, ou limitez-la aux chemins qui doivent être publics, par exemple ceux de webhooks qui vérifient une signature.',
        },
        fallback: {
          message:
            '{call} laisse passer sans authentification toute requête vers {paths:et}, et est actif dès qu’aucun profil n’est défini.',
          why: 'Si l’application est démarrée sans spring.profiles.active, quiconque atteint son port peut appeler tous les contrôleurs, et tous les services sans @requires ni @restrict.',
          fix: 'Renommez le profil de @Profile en un profil que les développeurs activent eux-mêmes, par exemple @Profile("local"), pour que rien ne soit ouvert sans profil.',
        },
        spring: {
          why: 'Un attaquant non authentifié qui connaît l’URL de l’application peut appeler tous les contrôleurs qu’aucune autre règle ne protège, et en lire ou modifier les données.',
          fix: 'Écrivez anyRequest().authenticated(), et permitAll() pour les seuls chemins qui doivent être publics : requestMatchers("/public/**").permitAll().',
        },
        resource: {
          title: 'Données modifiables sans authentification par @PermitAll',
          message: '{call} ouvre {paths:et} aux appelants sans connexion.',
          why: 'Un attaquant non authentifié peut appeler ces méthodes et modifier ou supprimer les données de l’application.',
          fix: 'Supprimez @PermitAll et nommez les rôles autorisés à modifier les données : @RolesAllowed("editor"). Réservez @PermitAll aux méthodes qui lisent des données publiques.',
        },
        norest: {
          message: 'Aucune règle après {call} ne couvre les autres requêtes : elles passent sans authentification.',
          why: 'Un attaquant non authentifié peut appeler tous les contrôleurs et services qu’aucune règle ni annotation ne protège : authorizeRequests() ne refuse que ce qu’une règle couvre.',
          fix: 'Ajoutez .anyRequest().authenticated() comme dernière règle après authorizeRequests().',
        },
      },
    },
  }),
})

/** One finding for each class. */
function* openedByAnnotation(project: Project): Generator<Match> {
  for (const { file, span, routes, hasDatabase } of openedResources(project)) {
    const { exposure } = project.reach.ofServer(file)
    yield {
      at: { file, span },
      args: { call: '@PermitAll', paths: listNames(routes) },
      variant: 'resource',
      exposure,
      reach: exposure.reach,
      ...(hasDatabase && { evidence: 'shown' }),
    }
  }
}

const ALL = /^\/?\*\*$/
const PUBLIC_BY_NATURE =
  /^\/(?:actuator\/)?(?:public|health|healthz|status|ping|info|live|ready|liveness|readiness|static|assets|css|js|images|webjars|resources|favicon|error|login|logout|swagger|v[23]\/api-docs|h2-console|\.well-known)(?:[/.*-]|$)|\.\w{2,5}$/i

interface Opening {
  readonly span: Span
  readonly call: string
  /** Empty: every request. */
  readonly paths: readonly string[]
  readonly profiles: readonly string[]
  readonly chain?: SecurityChain
  readonly rest?: SecurityRule
}

function* openings({ chains, ignored }: SpringSecurity): Generator<Opening> {
  for (const { patterns, method, isRest, profiles, start, end } of ignored) {
    // requests before those of another origin carry nothing
    if (patterns === undefined || method === 'OPTIONS' || method === 'HEAD') continue
    yield { span: { start, end }, call: 'web.ignoring()', paths: isRest ? [] : patterns, profiles }
  }
  for (const chain of chains) {
    const { rules, paths, profiles, lenient } = chain
    if (paths === undefined || chain.hasFilter) continue
    const rest = rules.find(({ patterns, method }) => method === undefined && patterns?.some((pattern) => ALL.test(pattern)))
    if (rest?.access === 'open')
      yield { span: rest.whole, call: `${rest.isRest ? 'anyRequest()' : '"/**"'}.permitAll()`, paths, profiles, chain, rest }
    else if (rest === undefined && lenient !== undefined)
      yield { span: lenient, call: 'authorizeRequests()', paths, profiles, chain }
  }
}

/** Where other rules stand before it, something has to be left for it; beside CAP, something that does more than to answer. */
function leavesOpen(
  chain: SecurityChain,
  rest: SecurityRule | undefined,
  module: SpringModule,
  root: CapRoot | undefined,
): boolean {
  if (chain.rules.some(({ patterns }) => patterns === undefined)) return false
  const isGuarded = chain.rules.some(({ access }) => access !== 'open')
  if (!isGuarded && root !== undefined) return true
  const served = root?.services.flatMap(({ exposure, endpoints }) =>
    exposure === 'served' ? endpoints.map(({ path }) => path) : [],
  )
  const own = module.endpoints.flatMap(({ path, verb, isHarmless }) => (path === undefined || isHarmless ? [] : [{ path, verb }]))
  return (
    own.some(({ path, verb }) => decidingRule(chain, path, verb) === rest) ||
    served?.some((path) => decidingRule(chain, `${path}/*`) === rest) === true
  )
}

/** Nothing deploys it, and no setting chooses a profile. The buildpacks of Cloud Foundry set `cloud`. */
function mayHaveNoProfile(root: CapRoot | undefined): boolean {
  return root !== undefined && !root.deployed && javaSetting(root, 'spring.profiles.active') === undefined
}

function variantOf(
  profiles: readonly string[],
  isLenient: boolean,
  root: CapRoot | undefined,
  file: string,
  { reach }: Project,
): Partial<Match> {
  if (isFallback(profiles)) return { variant: 'fallback' }
  if (root !== undefined) return isLenient ? { variant: 'norest' } : {}
  const { exposure, isPublished } = reach.ofServer(file)
  return {
    variant: isLenient ? 'norest' : 'spring',
    exposure,
    reach: exposure.reach,
    ...(isPublished && { evidence: 'shown' as const }),
  }
}
