import { decidingRule, soleChain, type SecurityChain, type SecurityRule, type SpringModule } from '../../../model/java/index.ts'
import type { Place } from '../../../types.ts'
import { unaskedServerRoles, type UnaskedRoles } from '../_callers/unasked-roles.ts'
import type { Project } from '../../subjects.ts'
import type { JavaToken } from '../../../parse/java-tokens.ts'
import { javaTokens } from './sources.ts'

/** Endpoints of Spring MVC that change something, for which the chain of Spring Security asks for a login alone, beside roles that a descriptor defines. */
export interface UnaskedAuthorities extends UnaskedRoles {
  /** The rule that decides about them. */
  readonly at: Place
  readonly call: string
  readonly routes: readonly string[]
}

/**
 * What asks for an authority of the caller, or reads the token or its claims to do so: annotations of methods, filters, voters.
 * Facts: Spring Security 6.4, "Method Security"; SAP cloud-security-services-integration-library (`SpringSecurityContext.getToken`, `AccessToken.hasLocalScope`).
 */
const ASKS =
  /^(?:PreAuthorize|PostAuthorize|PreFilter|PostFilter|Secured|RolesAllowed|SecurityContext|SecurityContextHolder|SpringSecurityContext|AuthorizationManager|AccessDecisionVoter|HandlerInterceptor|HandlerInterceptorAdapter|OncePerRequestFilter|GenericFilterBean|AuthenticationPrincipal|Principal|getUserPrincipal|getAuthorities|getScopes)$|^(?:has|is|can|check|require|ensure|assert|verify|validate|needs|Has|Is|Check|Requires?|Needs)\w{0,40}(?:Role|Scope|Authorit|Permission|Privilege)|^getClaim|^claims?$/
/** Whatever gets hold of the caller: without roles, who it is may be all that is compared. */
const CALLER =
  /^(?:Authentication|Jwt|Oidc(?:User|Info)|OAuth2User|UserInfo|CurrentUser|getRemoteUser|getHeader|RequestHeader|CookieValue|Aspect|LoggedInUser|HttpSession)$/
/** Files without any of this are not read as tokens. */
const PREFILTER =
  /Authorize|Filter|Secured|RolesAllowed|Security|Authorization|Interceptor|Principal|Role|Scope|Authorit|Permission|Privilege|Voter|[cC]laim|Authentication|Jwt|UserInfo|O(?:idc|Auth2)User|CurrentUser|LoggedInUser|RemoteUser|getHeader|RequestHeader|CookieValue|Aspect|HttpSession/

/** None beside services of CAP, which check annotations of their own. Needs the extracts `roleTalk` and `askedScopes`. */
export function unaskedAuthorities(project: Project): readonly UnaskedAuthorities[] {
  if (project.capRoots.some(({ services }) => services.length > 0)) return []
  const open = project.springModules().flatMap((module) => loginAlone(module) ?? [])
  const deployed = open.filter(({ at }) => project.reach.usageOf(at.file) !== 'unused')
  if (deployed.length === 0 || isAskedInCode(project)) return []
  const found = unaskedServerRoles(project, 'java')
  return found === undefined ? [] : deployed.map((one) => ({ ...one, ...found }))
}

/** The rule for all other requests, where it needs a login and no rule of the chain needs more. */
function loginAlone(module: SpringModule): Pick<UnaskedAuthorities, 'at' | 'call' | 'routes'> | undefined {
  const only = soleChain(module)
  if (only === undefined || only.chain.hasFilter || module.asksInMethods) return undefined
  const rest = restOf(only.chain)
  if (rest === undefined) return undefined
  const routes = module.endpoints.flatMap(({ path, verb, changes, isHarmless, framework, route }) => {
    const isChange = framework === 'spring' && changes && !isHarmless && path !== undefined
    return isChange && decidingRule(only.chain, path, verb) === rest ? [route] : []
  })
  const call = `${rest.isRest ? 'anyRequest()' : '"/**"'}.authenticated()`
  return routes.length === 0 ? undefined : { at: { file: only.file, span: rest.whole }, call, routes }
}

function restOf({ rules }: SecurityChain): SecurityRule | undefined {
  if (rules.some(({ access, patterns }) => access === 'roles' || access === 'unknown' || patterns === undefined)) return undefined
  const rest = rules.find(
    ({ patterns, method }) => method === undefined && patterns?.some((pattern) => /^\/?\*\*$/.test(pattern)),
  )
  return rest?.access === 'login' ? rest : undefined
}

/** Whether code asks for an authority of the caller; beside a file whose chain was read, which is not looked at, also whether any gets hold of the caller. */
export function isAskedInCode({ files, step }: Pick<Project, 'files' | 'step'>, chainIn?: string): boolean {
  for (const { file, tokens } of javaTokens(files.values(), PREFILTER)) {
    if (file === chainIn) continue
    step(tokens.length)
    const isAsked = ({ kind, text }: JavaToken): boolean =>
      kind === 'word' && (ASKS.test(text) || (chainIn !== undefined && CALLER.test(text)))
    if (tokens.some(isAsked)) return true
  }
  return false
}
