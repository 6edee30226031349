import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { capSecurityOf, definesRoles, isPlatformRole } from '../../../model/authorization/index.ts'
import { isAdministrative, isOrdinary, toWords, type CapRoot } from '../../../model/cap/index.ts'
import { isOfUi5App } from '../../../model/script/index.ts'
import type { ServiceInstance } from '../../../model/deployment/index.ts'
import { at, itemsOf, stringOf } from '../../../parse/data.ts'
import { lastName, ownerOf } from '../../../paths.ts'
import { isServerFramework } from '../../../server-frameworks.ts'
import type { Project } from '../../subjects.ts'
import { ROLE_KEYWORDS, roleTests, TALK } from './role-tests.ts'
import { comesFromTokens, isWholeStory, unusedScopes, type UnusedScope } from './scopes.ts'

/** One item for each script of a server that speaks of roles or permissions in any way. */
export const roleTalk: Extract<true> = defineExtract({
  name: 'cap-role-talk',
  keywords: ROLE_KEYWORDS,
  isFor: (path) => !isOfUi5App(path),
  *collectText(text) {
    if (TALK.test(text)) yield true
  },
})

/** Roles that a descriptor defines for users, of which nothing in the project asks for a single one. */
export interface UnaskedRoles {
  readonly roles: readonly string[]
  /** The file that defines them. */
  readonly descriptor: string
}

/** Needs the extracts `roleTalk` and `askedScopes`. */
export function unaskedRoles(root: CapRoot, project: Project): UnaskedRoles | undefined {
  const descriptors = descriptorsOf(root, project)
  if (descriptors.length === 0) return undefined
  if ([...capSecurityOf(project.capRoots).roles.keys()].some((role) => !isPlatformRole(role)) || isTalkedOf(project))
    return undefined
  return unaskedOf(descriptors, unusedScopes(descriptors, project), project)
}

/**
 * Roles for users of which nothing asks, whatever it asks of others: `User` beside an `Admin` that models ask for. Without them a user of the identity provider is as much
 * as one who was given the role. Needs the extracts `roleTalk` and `askedScopes`.
 */
export function idleRoles(root: CapRoot, project: Project): readonly string[] {
  const descriptors = descriptorsOf(root, project)
  if (descriptors.length === 0) return []
  const given = new Set(descriptors.flatMap(({ config }) => givenScopes(config)))
  const idle = unusedScopes(descriptors, project).map(({ scope }) => scope)
  return [...new Set(idle)].filter((role) => given.has(role) && !TECHNICAL.test(toWords(role)))
}

/** Whether a script that is deployed speaks of roles in any way. */
export function isTalkedOf({ scripts, reach }: Pick<Project, 'scripts' | 'reach'>): boolean {
  return scripts.get(roleTalk).some(({ file }) => reach.usageOf(file) !== 'unused')
}

/** Whether a project whose scripts speak of roles may ask for one: by any test, by a name that descriptors have, or in a way that was not read. */
function areTested(
  descriptors: readonly ServiceInstance[],
  { scripts, reach, npm }: Pick<Project, 'scripts' | 'reach' | 'npm'>,
): boolean {
  const isOfPage = createPageReader(npm)
  const isLeftOut = (file: string): boolean => reach.usageOf(file) === 'unused' || isOfPage(file)
  const talking = scripts.get(roleTalk).filter(({ file }) => !isLeftOut(file))
  if (talking.length === 0) return false
  const tests = scripts.get(roleTests).filter(({ file }) => !isLeftOut(file))
  const read = new Set(tests.map(({ file }) => file))
  const names = new Set(descriptors.flatMap(({ config }) => namesIn(config)))
  return (
    talking.some(({ file }) => !read.has(file)) ||
    tests.some(({ value: { isTest, words } }) => isTest || words.some((word) => names.has(word)))
  )
}

/** Tells sources of packages that a bundler makes into pages: they depend on a framework of pages, and on none of servers. */
function createPageReader({ byFolder }: Project['npm']): (file: string) => boolean {
  return (file) => {
    const folder = ownerOf(file, byFolder)
    const names = (folder === undefined ? undefined : byFolder.get(folder))?.dependencies.map(({ name }) => name) ?? []
    return folder !== undefined && /^\/?src\//.test(file.slice(folder.length)) && names.some(isOfPages) && !names.some(mayServe)
  }
}

const isOfPages = (name: string): boolean => /^(?:react|react-dom|vue|svelte|lit|@angular\/core)$/.test(name)
/** Besides servers, frameworks that run the same sources on both sides. */
const mayServe = (name: string): boolean =>
  isServerFramework(name) || /^(?:next|nuxt|gatsby|astro|@sap\/.*|@remix-run\/.*|@sveltejs\/kit|@angular\/ssr)$/.test(name)

/** Scopes and role templates that not everybody has, in lower case and without their prefix. */
function namesIn(config: ServiceInstance['config']): readonly string[] {
  return ['scopes', 'role-templates'].flatMap((key) =>
    itemsOf(at(config, key)).flatMap((item) => {
      const name = lastName(stringOf(at(item, 'name')) ?? '')
      return isForSome(name) ? name.toLowerCase() : []
    }),
  )
}

/** The descriptors that tell all roles of a project, whose users have them by their tokens. */
function descriptorsOf(root: CapRoot, { securityOf }: Project): readonly ServiceInstance[] {
  const instances = securityOf(root)
  const isTold = !root.test && isWholeStory(instances) && comesFromTokens(root)
  return isTold ? instances.filter(({ service, config }) => service === 'xsuaa' && definesRoles(config)) : []
}

/** The scopes that role templates give to users. */
function givenScopes(config: ServiceInstance['config']): readonly string[] {
  return itemsOf(at(config, 'role-templates')).flatMap((template) =>
    itemsOf(at(template, 'scope-references')).flatMap((scope) => stringOf(scope)?.replace(OWN_NAME, '') ?? []),
  )
}

const OWN_NAME = /^\$XSAPPNAME(?:\([^()]{0,200}\))?\./

/** The same of the one server of a project without services of CAP, whose code the caller has read in this language. Needs the extract `roleTests`, too. */
export function unaskedServerRoles(project: Project, language: 'nodejs' | 'java' = 'nodejs'): UnaskedRoles | undefined {
  const { deployment, files } = project
  const { applications, services } = deployment
  const descriptors = services.filter(({ service, config }) => service === 'xsuaa' && definesRoles(config))
  if (descriptors.length === 0 || !isWholeStory(services) || areTested(descriptors, project)) return undefined
  const servers = applications.filter(({ type, isApprouter }) => !isApprouter && /^(?:nodejs|java|python|go|custom)/.test(type))
  const hasOthers =
    servers.length > 1 ||
    servers.some(({ type }) => !type.startsWith(language)) ||
    [...files.keys()].some((path) => /\.(?:py|go|hdbrole)$/.test(path) || (language !== 'java' && path.endsWith('.java')))
  return unaskedOf(descriptors, unusedScopes(descriptors, project, hasOthers), project)
}

function unaskedOf(
  descriptors: readonly ServiceInstance[],
  scopes: readonly UnusedScope[],
  { deployment }: Pick<Project, 'deployment'>,
): UnaskedRoles | undefined {
  const unused = scopes.filter(({ scope }) => isForSome(scope))
  const roles = [...new Set(unused.map(({ scope }) => scope))]
  const [first] = unused
  const isUnused = (role: string): boolean => roles.includes(role)
  if (first === undefined || !descriptors.flatMap(scopesOf).filter(isForSome).every(isUnused)) return undefined
  if (roles.length === 1 && !roles.some(isDeciding)) return undefined
  const { file } = deployment.placeOf(first.node)
  return { roles, descriptor: file }
}

/** Without those that other applications are granted. */
function scopesOf({ config }: ServiceInstance): readonly string[] {
  return itemsOf(at(config, 'scopes')).flatMap((scope) => {
    const isForOthers = ['grant-as-authority-to-apps', 'granted-apps'].some((key) => at(scope, key) !== undefined)
    const name = isForOthers ? undefined : stringOf(at(scope, 'name'))
    return name === undefined ? [] : name.replace(OWN_NAME, '')
  })
}

const TECHNICAL =
  /callback|job ?scheduler|token|mtx|extend|deployment|subscri|technical|system|foreign|trusted|exchange|webhook|ping/
/** What every user of an app has, or that they may open it. */
const EVERYBODY =
  /(?:^| )(?:users?|access|everyone|everybody|default|basic|global ?role|authenticated|login|start|open|app|employee|member)$/
const DECIDING =
  /(?:^| )(?:admin|admins|administrator|manager|approver|supervisor|director|owner|auditor|controller|hr|finance|delete|write|edit|editor|manage|update|create|approve|maintain)(?: |$)/

function isForSome(role: string): boolean {
  const words = toWords(role)
  return !isOrdinary(role) && !TECHNICAL.test(words) && !EVERYBODY.test(words)
}

function isDeciding(role: string): boolean {
  return isAdministrative(role) || DECIDING.test(toWords(role))
}
