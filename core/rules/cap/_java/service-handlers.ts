import type { CapRoot, CapService } from '../../../model/cap/index.ts'
import { lastName } from '../../../paths.ts'
import { javaTexts } from './sources.ts'

/** Code that gets hold of the caller. Facts: CAP Java, "Security" (`UserInfo`); Spring Security (`SecurityContextHolder`, `Authentication`, annotations of methods). */
const CALLER =
  /UserInfo|SecurityContext|Principal\b|PreAuthorize|PostAuthorize|RolesAllowed|@Secured|Jwt|AuthToken|AccessToken|\bAuthentication\b|hasRole|getRemoteUser|getHeader|RequestHeader|Interceptor|Filter\b/
/** Handlers, also those of a base class of another package, and what registers some. Fact: CAP Java, "Event Handlers", "CdsRuntimeConfiguration" (`eventHandlers`). */
const HANDLES = /\bEventHandler\b|@ServiceName\b|CdsRuntimeConfig/
/** Other languages of the JVM, which are not read. */
const OTHER_LANGUAGE = /\.(?:kt|groovy|scala)$/
/** Where a handler, or one of its methods, names its service. Fact: CAP Java, "Event Handlers" (`@ServiceName`, attribute `service` of `@Before`, `@On` and `@After`). */
const NAMES = /@ServiceName\s{0,5}\(([^)]{0,300})\)|\bservice\s{0,5}=([^,)]{0,200})/g
/** `"Loans"`, `Loans_.CDS_NAME`, both in a list, too. */
const IS_NAME = /^\s{0,20}(?:value\s{0,5}=)?[\s{]{0,20}(?:"([\w.]{1,200})"|([\w.]{1,200})_\.CDS_NAME)[\s}]{0,20}$/

/** Whether Java code of a project gets hold of the caller anywhere. */
export function getsCaller({ files, step }: Pick<CapRoot, 'files' | 'step'>): boolean {
  if (files.some(({ path }) => OTHER_LANGUAGE.test(path))) return true
  for (const { text } of javaTexts(files)) {
    step()
    if (CALLER.test(text)) return true
  }
  return false
}

/** Tells whether Java code may limit who reads or writes what a service has: it gets hold of the caller, or handles events of this service. */
export function createJavaLimits(root: Pick<CapRoot, 'files' | 'step'>): (service: CapService) => boolean {
  let handled: ReadonlySet<string> | 'any' | undefined
  return ({ name }) => {
    handled ??= handledServices(root)
    return handled === 'any' || handled.has(lastName(name))
  }
}

/** Last parts of the names of services whose events Java code handles; `any`: it may handle those of all, or gets hold of the caller. */
function handledServices({ files, step }: Pick<CapRoot, 'files' | 'step'>): ReadonlySet<string> | 'any' {
  const services = new Set<string>()
  if (files.some(({ path }) => OTHER_LANGUAGE.test(path))) return 'any'
  for (const { text } of javaTexts(files)) {
    step()
    if (CALLER.test(text)) return 'any'
    if (!HANDLES.test(text)) continue
    const named = [...text.matchAll(NAMES)].map(([, listed, single]) => IS_NAME.exec(listed ?? single ?? ''))
    // without a name that is written here it may be the one of any service
    if (named.length === 0) return 'any'
    for (const found of named) {
      if (found === null) return 'any'
      services.add(lastName(found[1] ?? found[2] ?? ''))
    }
  }
  return services
}
