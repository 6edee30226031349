import type { ProjectFile } from '../../../files.ts'
import { findEndpoints, type JavaEndpoint } from '../../../model/java/index.ts'
import { artifactName, classPathOf, findMavenModules, type ClassPath } from '../../../model/maven/index.ts'
import { append } from '../../../lists.ts'
import type { DataNode } from '../../../parse/data.ts'
import { closingOf, isWritten, toJavaTokens, type JavaToken } from '../../../parse/java-tokens.ts'
import { elementsOf } from '../../../parse/markup.ts'
import { ownerOf } from '../../../paths.ts'
import type { Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { bringsSecurity, deploymentReader, usesData } from './applications.ts'

/** A class whose methods change data for whoever calls, although its application has a login. */
export interface OpenedResource {
  readonly file: string
  /** The annotation. */
  readonly span: Span
  readonly routes: readonly string[]
  /** The application brings a database. */
  readonly hasDatabase: boolean
}

/**
 * Resources of Jakarta REST and RESTX that an annotation opens. Where Spring Security, a filter of the own, the container or a setting decides first, the annotation opens nothing.
 * Facts: Jakarta Annotations 3.0, `PermitAll`; Quarkus 3, "Authorization of web endpoints" (an annotation on a method goes before that of its class; `quarkus.http.auth.permission` is asked first);
 * RESTX 1.0, "Security" (a resource asks for a login unless `@PermitAll` says otherwise).
 */
export function* openedResources(project: Project): Generator<OpenedResource> {
  const { files, step, reach } = project
  const modules = findMavenModules([...files.values()], files)
  if (modules.length === 0) return
  const byName = new Map(modules.map((module) => [artifactName(module), module]))
  const own = filesOf(new Set(modules.map(({ folder }) => folder)), files)
  const isDeployed = deploymentReader(project)
  for (const module of modules) {
    const around = own.get(module.folder) ?? []
    const opening = around.filter((file) => file.kind.role === 'java' && OPENS.test(textOf(file)))
    if (opening.length === 0 || !isDeployed(module.folder)) continue
    const path = classPathOf(module, byName)
    if (!bringsSecurity(path) || decidesBefore(path) || around.some(asksBefore)) continue
    const hasDatabase = usesData(path)
    for (const file of opening) {
      if (reach.usageOf(file.path) === 'unused') continue
      const tokens = toJavaTokens(textOf(file))
      step(tokens.length)
      const found = openedIn(tokens)
      if (found !== undefined) yield { file: file.path, ...found, hasDatabase }
    }
  }
}

const OPENS = /@(?:[\w.]{1,80}\.)?PermitAll\b/
const OPEN = 'PermitAll'
const CLOSED: ReadonlySet<string> = new Set([
  'RolesAllowed',
  'DenyAll',
  'Authenticated',
  'PermissionsAllowed',
  'Secured',
  'RequiresRoles',
  'RequiresPermissions',
])

/** Descriptors, settings and code of each module. */
function filesOf(
  folders: ReadonlySet<string>,
  files: ReadonlyMap<string, ProjectFile>,
): ReadonlyMap<string, readonly ProjectFile[]> {
  const found = new Map<string, ProjectFile[]>()
  for (const file of files.values()) {
    if (file.kind.test || !READ.has(file.kind.role ?? '')) continue
    const owner = ownerOf(file.path, folders)
    if (owner !== undefined) append(found, owner, file)
  }
  return found
}

const READ: ReadonlySet<string> = new Set(['java', 'web-xml', 'application-yaml', 'application-properties'])

/** Spring Security authenticates requests before any method is looked at, and CAP brings it. */
function decidesBefore({ dependencies }: ClassPath): boolean {
  return dependencies.some(
    ({ groupId, artifactId }) =>
      groupId === 'com.sap.cds' ||
      groupId === 'org.springframework.security' ||
      /spring.{0,40}security|security.{0,40}spring/.test(artifactId),
  )
}

const FILTERS = /ContainerRequestFilter|SecurityFilterChain|WebSecurity|implements\s[^{]{0,200}\bFilter\b/
const SETTINGS = /\bquarkus\.http\.auth\.permission\b/

/** A descriptor with a login, a filter that doesn't look at the annotation, or rules for paths. */
function asksBefore({ kind, content }: ProjectFile): boolean {
  if (content.as === 'markup')
    return [...elementsOf(content.document)].some(({ localName }) => /^(?:security-constraint|login-config)$/.test(localName))
  if (content.as === 'data') return content.roots.some((root) => hasRules(root, ''))
  return kind.role === 'java' && content.as === 'text' && FILTERS.test(content.text ?? '') && !content.text?.includes(OPEN)
}

function hasRules(node: DataNode, path: string): boolean {
  if (node.kind !== 'object') return false
  return node.members.some(({ key, value }) => {
    const own = `${path}.${key}`.slice(-200)
    return SETTINGS.test(own) || hasRules(value, own)
  })
}

function textOf({ content }: ProjectFile): string {
  return content.as === 'text' ? (content.text ?? '') : ''
}

function openedIn(tokens: readonly JavaToken[]): Pick<OpenedResource, 'span' | 'routes'> | undefined {
  const classes = classesOf(tokens)
  const open = [...findEndpoints(tokens)].flatMap((endpoint) => {
    const span = isChange(endpoint) ? openedBy(tokens, endpoint.at, classes) : undefined
    return span === undefined ? [] : { span, route: endpoint.route }
  })
  // that of the class stands before those of its methods
  const [first] = open.toSorted((one, other) => one.span.start - other.span.start)
  return first && { span: first.span, routes: open.map(({ route }) => route) }
}

/** `findEndpoints` calls all that is not of Spring a servlet. */
function isChange({ framework, changes, isHarmless }: JavaEndpoint): boolean {
  return framework === 'servlet' && changes && !isHarmless
}

/** What opens a method: its own annotation, else that of its class. */
function openedBy(tokens: readonly JavaToken[], method: number, classes: readonly JavaClass[]): Span | undefined {
  const own = accessBefore(tokens, method)
  if (own !== undefined) return own === 'closed' ? undefined : own
  const around = classes.findLast(({ at, close }) => at < method && close > method)
  const ofClass = around && accessBefore(tokens, around.at)
  return ofClass === 'closed' ? undefined : ofClass
}

/** What the annotations in front of a declaration say. */
function accessBefore(tokens: readonly JavaToken[], declared: number): Span | 'closed' | undefined {
  let depth = 0
  for (let at = declared - 1; at >= Math.max(0, declared - MAX_HEAD); at--) {
    const { kind, text = '', start = 0, end = 0 } = tokens[at] ?? {}
    if (kind === 'symbol' && text === ')') depth++
    else if (kind === 'symbol' && text === '(') depth--
    else if (depth === 0 && kind === 'symbol' && /^[;{}]$/.test(text)) return undefined
    else if (depth === 0 && kind === 'word' && isAnnotated(tokens, at)) {
      if (text === OPEN) return { start, end }
      if (CLOSED.has(text)) return 'closed'
    }
  }
  return undefined
}

const MAX_HEAD = 300

/** `@PermitAll`, `@jakarta.annotation.security.PermitAll` */
function isAnnotated(tokens: readonly JavaToken[], name: number): boolean {
  let at = name
  while (isWritten(tokens, at - 1, '.')) at -= 2
  return isWritten(tokens, at - 1, '@')
}

interface JavaClass {
  readonly at: number
  readonly close: number
}

/** In the order of the text: of two around a place the inner one is the later. */
function classesOf(tokens: readonly JavaToken[]): readonly JavaClass[] {
  return tokens.flatMap((_, at) => {
    if (!isWritten(tokens, at, 'class') || isWritten(tokens, at - 1, '.')) return []
    const length = tokens.slice(at, at + MAX_HEAD).findIndex(({ text, kind }) => kind === 'symbol' && text === '{')
    return length === -1 ? [] : { at, close: closingOf(tokens, at + length) }
  })
}
