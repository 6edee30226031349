import { listNames } from '../../arguments.ts'
import type { ProjectFile } from '../../files.ts'
import {
  decidingRule,
  isDevelopment,
  overlaps,
  shadowedRules,
  soleChain,
  type JavaEndpoint,
  type SecurityChain,
  type SecurityRule,
  type SpringModule,
} from '../../model/java/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import type { Project } from '../subjects.ts'

/**
 * Rules of Spring Security that ask for roles at paths which no controller has, while those that there are need a login at most; or behind a rule that matches their paths first.
 * Facts: Spring Security 6.4, "Authorize HttpServletRequests" (paths within the application, without its context path; the first rule that matches decides); Spring
 * Framework, "Mapping Requests".
 * Impact: who has no role, or no login, reads and changes what the roles were meant to protect. Where methods ask for roles themselves, they still refuse.
 */
export const javaSecurityRuleUnmatched: Rule = defineRule({
  id: 'cap/java-security-rule-unmatched',
  impact: 'data',
  reach: 'user',
  grades: { open: { reach: 'anyone' }, 'shadowed-open': { reach: 'anyone' } },
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://docs.spring.io/spring-security/reference/servlet/authorization/authorize-http-requests.html',
  on: 'project',

  *check(project) {
    for (const module of project.springModules()) {
      yield* shadowedIn(module, project)
      const only = soleChain(module)
      if (only === undefined || !module.isWhole || module.asksInMethods) continue
      const roles = only.chain.rules.filter((rule) => rule.access === 'roles' && !rule.isRest && !isOfFramework(rule))
      if (roles.length === 0 || !roles.every((rule) => matchesNothing(rule, module, project))) continue
      const left = module.endpoints.flatMap((endpoint) => leftBy(only.chain, endpoint) ?? [])
      const worst = left.find(({ isOpen }) => isOpen) ?? left[0]
      if (worst === undefined) continue
      const routes = listNames(left.filter(({ isOpen }) => isOpen === worst.isOpen).map(({ endpoint }) => endpoint.route))
      for (const { start, end, patterns = [] } of roles)
        yield {
          at: { file: only.file, span: { start, end } },
          args: { patterns: listNames([...patterns]), routes },
          groupKey: only.file,
          ...(worst.isOpen && { variant: 'open' }),
        }
    }
  },

  text: () => ({
    en: {
      title: 'Spring Security role rules match no endpoint',
      message:
        'This rule requires a role for {patterns:and}, but no controller has such a path; for {routes:and}, a login suffices.',
      why: 'The roles are never checked: any authenticated user can call {routes:and}, whatever roles an administrator has assigned.',
      fix: 'Write the paths of the controllers into the rules, without the context path of the application, for example requestMatchers(HttpMethod.POST, "/orders/**").hasAuthority("write"), and end with anyRequest().denyAll().',
      variants: {
        open: {
          message:
            'This rule requires a role for {patterns:and}, but no controller has such a path; {routes:and} need no login at all.',
          why: 'The roles are never checked: an unauthenticated attacker can call {routes:and}.',
        },
        shadowed: {
          title: 'Spring Security role rule behind a broader one',
          message:
            'This rule requires a role for {patterns:and}, but {first} stands before it, matches the same requests and requires a login alone.',
          why: 'The first rule that matches decides: any authenticated user passes, whatever roles an administrator has assigned.',
          fix: 'Move this rule before {first}: rules for single paths come first, broad ones last.',
        },
        'shadowed-open': {
          title: 'Spring Security role rule behind a broader one',
          message:
            'This rule requires a role for {patterns:and}, but {first} stands before it, matches the same requests and lets everyone pass.',
          why: 'The first rule that matches decides: an unauthenticated attacker passes, and the role is never checked.',
          fix: 'Move this rule before {first}: rules for single paths come first, broad ones last.',
        },
      },
    },
    fr: {
      title: 'Règles de rôle Spring Security sans point de terminaison',
      message:
        'Cette règle exige un rôle pour {patterns:et}, mais aucun contrôleur n’a un tel chemin ; pour {routes:et}, une connexion suffit.',
      why: 'Les rôles ne sont jamais vérifiés : tout utilisateur authentifié peut appeler {routes:et}, quels que soient les rôles attribués par un administrateur.',
      fix: 'Écrivez dans les règles les chemins des contrôleurs, sans le chemin de contexte de l’application, par exemple requestMatchers(HttpMethod.POST, "/orders/**").hasAuthority("write"), et terminez par anyRequest().denyAll().',
      variants: {
        open: {
          message:
            'Cette règle exige un rôle pour {patterns:et}, mais aucun contrôleur n’a un tel chemin ; {routes:et} n’exigent aucune connexion.',
          why: 'Les rôles ne sont jamais vérifiés : un attaquant non authentifié peut appeler {routes:et}.',
        },
        shadowed: {
          title: 'Règle de rôle Spring Security après une règle plus large',
          message:
            'Cette règle exige un rôle pour {patterns:et}, mais {first}, placée avant elle, couvre les mêmes requêtes et n’exige qu’une connexion.',
          why: 'La première règle qui correspond décide : tout utilisateur authentifié passe, quels que soient les rôles attribués par un administrateur.',
          fix: 'Placez cette règle avant {first} : les règles de chemins précis d’abord, les plus larges à la fin.',
        },
        'shadowed-open': {
          title: 'Règle de rôle Spring Security après une règle plus large',
          message:
            'Cette règle exige un rôle pour {patterns:et}, mais {first}, placée avant elle, couvre les mêmes requêtes et laisse passer tout le monde.',
          why: 'La première règle qui correspond décide : un attaquant non authentifié passe, et le rôle n’est jamais vérifié.',
          fix: 'Placez cette règle avant {first} : les règles de chemins précis d’abord, les plus larges à la fin.',
        },
      },
    },
  }),
})

/** Rules of each chain that another one stands before, if an endpoint may have such a path. */
function* shadowedIn(module: SpringModule, project: Project): Generator<Match> {
  for (const { file, security } of module.security) {
    if (project.reach.usageOf(file) === 'unused') continue
    for (const chain of security.chains) {
      if (isDevelopment(chain.profiles)) continue
      for (const { rule, by } of shadowedRules(chain)) {
        if (module.isWhole && matchesNothing(rule, module, project)) continue
        const { start, end, patterns = [] } = rule
        yield {
          at: { file, span: { start, end } },
          variant: by.access === 'open' ? 'shadowed-open' : 'shadowed',
          args: { patterns: listNames([...patterns]), first: quoteRule(by) },
          groupKey: `${file} ${by.start}`,
          ...(module.asksInMethods && { impact: 'defence' as const }),
        }
      }
    }
  }
}

function quoteRule({ isRest, method, patterns = [] }: SecurityRule): string {
  if (isRest) return 'anyRequest()'
  return `requestMatchers(${[...(method === undefined ? [] : [`HttpMethod.${method}`]), ...patterns.map((one) => `"${one}"`)].join(', ')})`
}

/** Paths that libraries serve: Actuator, CAP, the console of H2, descriptions of interfaces. */
const OF_FRAMEWORK =
  /^\/?(?:actuator|management|mt|messaging|odata|rest|hcql|h2.{0,10}|swagger.{0,20}|v[23]\/api-docs|api-docs|error|login|logout|oauth2?|admin|console|metrics|health)(?:[/.*]|$)/i

function isOfFramework({ patterns }: SecurityRule): boolean {
  return patterns?.some((pattern) => OF_FRAMEWORK.test(pattern)) === true
}

/** No controller, no service of CAP and no static file has a path that it matches. */
function matchesNothing({ patterns }: SecurityRule, { endpoints }: SpringModule, { files, capRoots }: Project): boolean {
  const served = capRoots.flatMap(({ services }) =>
    services.flatMap((service) => service.endpoints.map(({ path }) => `${path}/**`)),
  )
  const paths = [...endpoints.flatMap(({ path }) => path ?? []), ...served]
  return patterns?.some((pattern) => paths.some((path) => overlaps(pattern, path)) || servesFile(pattern, files)) === false
}

/** Fact: Spring Boot, "Static Content" (folders of the class path). */
function servesFile(pattern: string, files: ReadonlyMap<string, ProjectFile>): boolean {
  const first = pattern.split('/').find((segment) => segment !== '')
  if (first === undefined || /[*{]/.test(first)) return false
  return [...files.keys()].some((path) => STATIC.exec(path)?.[1] === first)
}

const STATIC = /\/resources\/(?:static|public|resources|META-INF\/resources)\/([^/]{1,100})/

interface Left {
  readonly endpoint: JavaEndpoint
  readonly isOpen: boolean
}

/** What does something, and for which a login suffices, or nothing is needed. */
function leftBy(chain: SecurityChain, endpoint: JavaEndpoint): Left | undefined {
  if (endpoint.path === undefined || endpoint.isHarmless) return undefined
  const rule = decidingRule(chain, endpoint.path, endpoint.verb)
  if (rule?.access === 'open' || (rule === undefined && chain.lenient !== undefined)) return { endpoint, isOpen: true }
  return rule?.access === 'login' ? { endpoint, isOpen: false } : undefined
}
