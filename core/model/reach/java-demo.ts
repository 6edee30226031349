import type { ProjectFile } from '../../files.ts'
import { findJavaApplications, type CapRoot } from '../cap/index.ts'
import { findCommands } from '../deployment/index.ts'
import type { DataNode } from '../../parse/data.ts'
import { elementsOf } from '../../parse/markup.ts'
import { TALKS_TO_OTHERS } from '../../parse/java-tokens.ts'
import { folderOf, foldersAround, isBelow } from '../../paths.ts'

/** `memory`: what the CSV files do not hold is gone with the process; `file`: it stays in a SQLite on the machine of the author. */
export type JavaDemo = 'memory' | 'file'

/** What a server of CAP Java on its own needs: no other system, no login. Other drivers find no database where none is configured. */
const OF_ITSELF =
  /^com\.sap\.cds:cds-(?:starter-spring-boot|adapter-[\w-]{1,40}|services-[\w-]{1,40}|framework-spring-boot|feature-jdbc)$|^org\.springframework\.boot:spring-boot-(?:starter(?:-(?:web|test|validation|jdbc|actuator))?|devtools)$|:(?:h2|sqlite-jdbc|postgresql|lombok|liquibase-core|flyway-core)$|^org\.springdoc:|^org\.(?:junit|mockito|assertj)|^junit:/
/** A database that keeps what is written; in commands also one that they name. */
const KEEPS = /jdbc:(?!h2:mem:|sqlite:)|spring[._]datasource/i
/** A SQLite that a file of the server keeps. */
const IN_FILE = /^jdbc:sqlite:(?!:memory:|file::memory:|$)/i
/** Where settings name one, by the path of their key. */
const DATABASE = /(?:datasource|jdbc)[\w.-]{0,60}(?:url|jndi-?name)$/i
/** Plugins of Maven and commands that deploy a server. */
const DEPLOYS =
  /jib-maven|azure-|docker-?(?:file-)?maven|cf-maven|kubernetes-maven|openshift-maven|appengine-maven|beanstalk|spring-boot:build-image|\bjib:|\bscp\s|\brsync\s/
/** Code that has to do with users. */
const KNOWS_USERS = /UserInfo|passw|Principal\b/i

/**
 * Whether its server holds nothing but rows that CSV files fill again at each start: H2 in memory, which Spring Boot makes where no data source is configured, or a SQLite of the author,
 * and nothing in its code or its dependencies that talks to another system.
 * Facts: Spring Boot 3, "Embedded Database Support"; capire, CAP Java, "Persistence Services", "H2", "SQLite".
 */
export function javaDemoOf(root: CapRoot, files: Parameters<typeof findJavaApplications>[1]): JavaDemo | undefined {
  const applications = findJavaApplications(root, files)
  const isAlone = applications.every(({ isComplete, dependencies }) => {
    const needed = dependencies.filter(({ scope }) => scope !== 'test')
    return (
      isComplete &&
      needed.some(({ artifactId }) => artifactId === 'h2' || artifactId === 'sqlite-jdbc') &&
      needed.every(({ groupId, artifactId }) => OF_ITSELF.test(`${groupId}:${artifactId}`))
    )
  })
  if (applications.length === 0 || !isAlone) return undefined
  const around = new Set(foldersAround(`${root.root}/x`))
  const isOfServer = ({ path }: ProjectFile): boolean => isBelow(path, root.root) || around.has(folderOf(path))
  const own = [...files.values()].filter((file) => !file.kind.test && isOfServer(file))
  if (own.some(keepsOrDeploys)) return undefined
  for (const { text } of findCommands(files)) if (KEEPS.test(text) || DEPLOYS.test(text)) return undefined
  const isLiving = own.some(
    ({ kind, content }) =>
      kind.role === 'java' &&
      content.as === 'text' &&
      content.text !== undefined &&
      (TALKS_TO_OTHERS.test(content.text) || KNOWS_USERS.test(content.text)),
  )
  if (isLiving) return undefined
  return own.some((file) => holdsSetting(file, (text) => IN_FILE.test(text))) ? 'file' : 'memory'
}

/** Which profile is set where the server runs is not in the project: what any of them names counts. */
function keepsOrDeploys({ kind, content }: ProjectFile): boolean {
  if (kind.role === 'pom' && content.as === 'markup')
    return [...elementsOf(content.document)].some(
      ({ localName, texts }) => localName === 'artifactId' && texts.some(({ text }) => DEPLOYS.test(text)),
    )
  return holdsSetting({ kind, content }, isKeeping)
}

/** Whether settings of a server hold such a text; `path` is that of its key. */
function holdsSetting(
  { kind: { role }, content }: Pick<ProjectFile, 'kind' | 'content'>,
  isMeant: (text: string, path: string) => boolean,
): boolean {
  if (content.as !== 'data' || !SETTINGS.has(role ?? '')) return false
  return content.roots.some((node) => holdsText(node, '', isMeant))
}

const SETTINGS: ReadonlySet<string> = new Set(['application-yaml', 'application-properties', 'env'])

function holdsText(node: DataNode, path: string, isMeant: (text: string, path: string) => boolean): boolean {
  if (node.kind === 'object')
    return node.members.some(({ key, value }) => holdsText(value, `${path}.${key}`.slice(-200), isMeant))
  if (node.kind === 'array') return node.items.some((item) => holdsText(item, path, isMeant))
  return isMeant(String(node.value), path)
}

function isKeeping(text: string, path: string): boolean {
  return KEEPS.test(text) || (DATABASE.test(path) && !/^jdbc:(?:h2:mem|sqlite):/.test(text))
}
