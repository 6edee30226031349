import type { ProjectFile } from '../../files.ts'
import { elementsOf, type MarkupDocument, type MarkupElement } from '../../parse/markup.ts'
import { folderOf, foldersAround } from '../../paths.ts'
import { artifactName, classPathOf, findMavenModules, type ClassPath, type MavenModule } from '../maven/index.ts'
import type { CapRoot } from './types.ts'

/** A module that runs CAP Java, with what reaches its class path as far as the upload tells. */
export interface JavaApplication extends Omit<ClassPath, 'modules'> {
  readonly module: MavenModule
}

/** What starts CAP Java with Spring Boot; starters bring the framework along. */
const RUNTIME = /^cds-(?:starter-spring-boot(?:-odata)?|framework-spring-boot)$/

/** Facts: capire, CAP Java, "Spring Boot Integration" (which dependencies start CAP). */
export function findJavaApplications(root: CapRoot, files: ReadonlyMap<string, ProjectFile>): JavaApplication[] {
  if (root.test || root.runtime !== 'java') return []
  const modules = findMavenModules(root.files, files)
  const byName = new Map(modules.map((module) => [artifactName(module), module]))
  return modules.flatMap((module) => {
    const isRuntime = module.dependencies.some((it) => it.groupId === 'com.sap.cds' && RUNTIME.test(it.artifactId))
    return isRuntime ? [{ module, ...classPathOf(module, byName) }] : []
  })
}

/** Libraries that may validate tokens, by name: those of Spring, of SAP, and of others. */
const SECURITY =
  /^com\.sap\.cds:cds-(?:starter-(?:cloudfoundry|k8s|azure)|feature-(?:identity|xsuaa|ias))|^org\.springframework\.security|^com\.sap\.cloud\.security|security|oauth|auth-|-auth|authenti|login|-sso|sso-|xsuaa|identity|keycloak|okta|jwt|saml|shiro/

export function mayValidateTokens(dependencies: ClassPath['dependencies']): boolean {
  return dependencies.some((it) => SECURITY.test(artifactName(it)))
}

/** The classic runtime, and the one after it. Fact: capire, CAP Java, "Migration" (from CAP Java Classic to CAP Java 1). */
const CLASSIC = 'com.sap.cloud.servicesdk.prov'
const CURRENT = 'com.sap.cds'

/** The CAP Java of the first years, which no upgrade of a version leads to the one of today. */
function isClassicJava(files: readonly ProjectFile[]): boolean {
  const groups = new Set(files.flatMap((file) => (file.kind.role === 'pom' ? [...textsOf(file, 'groupId')] : [])))
  return groups.has(CLASSIC) && !groups.has(CURRENT)
}

/**
 * What the container of a war of the classic runtime asks for before any request reaches a service: a role, or a login alone (`*` and `**` stand for all users, and so does
 * `Everyone`). The current runtime starts a server of its own, which reads no web.xml.
 * Facts: Jakarta Servlet 6, 13.8 "Specifying Security Constraints" (`/*` are all paths; without a method, all methods) and 13.3 (`*`, `**`); SAP BTP, Neo environment,
 * "Authentication" (`Everyone`); Spring Boot 3, "Embedded Servlet Containers".
 */
export function askedByContainer(files: readonly ProjectFile[]): CapRoot['askedByContainer'] {
  if (!isClassicJava(files)) return undefined
  const wars = new Set(files.flatMap((file) => (isClassicWar(file) ? folderOf(file.path) : [])))
  const descriptors = files.filter(
    ({ path, kind }) => kind.role === 'web-xml' && !kind.test && [...foldersAround(path)].some((folder) => wars.has(folder)),
  )
  const asked = descriptors.map(askedBy)
  if (asked.length === 0 || asked.includes(undefined)) return undefined
  return asked.every((one) => one === 'role') ? 'role' : 'login'
}

/** Its applications are known, none has a library that could validate tokens, and no filter of its own refuses anybody: nothing authenticates. */
export function isBareJava(root: CapRoot, files: ReadonlyMap<string, ProjectFile>): boolean {
  const applications = findJavaApplications(root, files)
  return (
    applications.length > 0 &&
    applications.every((it) => it.isComplete && !mayValidateTokens(it.dependencies)) &&
    !root.files.some(refusesCallers)
  )
}

/** What sees all requests: filters, interceptors, handlers of all events. */
const SEES_ALL =
  /OncePerRequestFilter|GenericFilterBean|HandlerInterceptor|WebFilter|implements\s[^{]{0,200}\bFilter\b|@Before\(\s{0,9}(?:event\s{0,9}=\s{0,9})?"\*"/
const NO_LOGIN = /\b401\b|UNAUTHORIZED/

function refusesCallers({ kind, content }: ProjectFile): boolean {
  if (kind.role !== 'java' || kind.test || content.as !== 'text') return false
  const text = content.text ?? ''
  return SEES_ALL.test(text) && NO_LOGIN.test(text)
}

/** Of several modules, the one that answers the requests. */
function isClassicWar(file: ProjectFile): boolean {
  return file.kind.role === 'pom' && textsOf(file, 'packaging').has('war') && textsOf(file, 'groupId').has(CLASSIC)
}

function askedBy({ content }: ProjectFile): CapRoot['askedByContainer'] {
  if (content.as !== 'markup') return undefined
  const constraints = [...elementsOf(content.document)].filter(({ localName }) => localName === 'security-constraint')
  const isWhole = (constraint: MarkupElement): boolean =>
    textsBelow(constraint, 'url-pattern').has('/*') &&
    [...elementsOf(constraint)].every(({ localName }) => !localName.startsWith('http-method'))
  const roles = constraints.map((one) => [...textsBelow(one, 'role-name')])
  // a constraint for fewer paths replaces this one there
  if (!constraints.some(isWhole) || roles.some(({ length }) => length === 0)) return undefined
  return roles.flat().some((role) => FOR_ALL.test(role)) ? 'login' : 'role'
}

const FOR_ALL = /^(?:\*{1,2}|everyone|all)$/i

/** The texts of all elements of a name in a file. */
export function textsOf({ content }: ProjectFile, name: string): ReadonlySet<string> {
  return content.as === 'markup' ? textsBelow(content.document, name) : new Set()
}

function textsBelow(around: MarkupDocument | MarkupElement, name: string): ReadonlySet<string> {
  const found = [...elementsOf(around)].filter(({ localName }) => localName === name)
  return new Set(found.flatMap(({ texts }) => texts.map(({ text }) => text.trim())))
}
