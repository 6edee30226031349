import { decidingRule, soleChain, type SecurityRule, type SpringModule } from '../../model/java/index.ts'
import { append } from '../../lists.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isAskedInCode } from './_java/unasked-authorities.ts'
import { listElements } from './_matches.ts'

/**
 * Endpoints of Spring MVC that change something, for which the one chain of Spring Security wants a login alone, in a project whose code never looks at who calls.
 * Facts: Spring Security 6.4, "Authorize HttpServletRequests" (`authenticated()`), "Method Security".
 * Impact: every user changes what all others keep there. Whether there are users who should not, the project does not tell. Where it defines roles, `cap/roles-never-checked`
 * says so; where rules want a role for some changes, the others are meant for all users.
 */
export const javaLoginOnly: Rule = defineRule({
  id: 'cap/java-login-only',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [862],
  since: '0.3.0',
  docs: 'https://docs.spring.io/spring-security/reference/servlet/authorization/authorize-http-requests.html',
  yieldsTo: ['cap/roles-never-checked'],
  on: 'project',

  *check(project) {
    const { capRoots, approuters, reach } = project
    if (capRoots.some(({ services }) => services.length > 0)) return
    if (approuters.some(({ routes }) => routes.some(({ scopes }) => scopes !== undefined))) return
    for (const module of project.springModules()) {
      const only = soleChain(module)
      if (only === undefined || only.chain.hasFilter || module.asksInMethods || reach.usageOf(only.file) === 'unused') continue
      const open = openChanges(module)
      if (open.size === 0 || isAskedInCode(project, only.file)) continue
      for (const [{ whole, isRest, patterns = [] }, routes] of open)
        yield {
          at: { file: only.file, span: whole },
          args: {
            call: `${isRest ? 'anyRequest()' : patterns.map((pattern) => `"${pattern}"`).join(', ')}.authenticated()`,
            routes: listElements(routes),
          },
        }
    }
  },

  text: () => ({
    en: {
      title: 'Spring endpoints that any user may change data with',
      message:
        'For {routes:and}, {call} requires a login alone, and neither a rule nor the code of the project checks who the caller is.',
      why: 'Every user who can log in can change or delete the data of all others with a direct request: authenticated() says nothing about what a user may do.',
      fix: 'Require a role before {call}, for example .requestMatchers(HttpMethod.PUT, "/**").hasRole("<role>"), or annotate the methods with @PreAuthorize("hasRole(\'<role>\')") under @EnableMethodSecurity. Compare the owner of rows with authentication.getName().',
    },
    fr: {
      title: 'Points de terminaison Spring modifiables par tout utilisateur',
      message:
        'Pour {routes:et}, {call} n’exige qu’une connexion, et ni une règle ni le code du projet ne vérifie qui est l’appelant.',
      why: 'Tout utilisateur qui peut se connecter peut modifier ou supprimer, par une requête directe, les données de tous les autres : authenticated() ne dit rien de ce qu’un utilisateur peut faire.',
      fix: 'Exigez un rôle avant {call}, par exemple .requestMatchers(HttpMethod.PUT, "/**").hasRole("<rôle>"), ou annotez les méthodes avec @PreAuthorize("hasRole(\'<rôle>\')") sous @EnableMethodSecurity. Comparez le propriétaire des lignes à authentication.getName().',
    },
  }),
})

/** The rules that decide about a change and want a login alone, with what they let through; none where a rule wants more for some change. */
function openChanges(module: SpringModule): ReadonlyMap<SecurityRule, readonly string[]> {
  const open = new Map<SecurityRule, string[]>()
  const only = soleChain(module)
  if (only === undefined) return open
  for (const { path, verb, changes, isHarmless, framework, route } of module.endpoints) {
    if (framework !== 'spring' || !changes || isHarmless || path === undefined) continue
    const rule = decidingRule(only.chain, path, verb)
    if (rule?.access === 'login') append(open, rule, route)
    else if (rule?.access !== 'open') return new Map()
  }
  return open
}
