import { listNames } from '../../arguments.ts'
import { effectiveConfiguration, isCredential, isTrue, type CapRoot } from '../../model/cap/index.ts'
import type { Dockerfile, DockerInstruction, IgnoreFiles } from '../../model/deployment/index.ts'
import type { NpmProject } from '../../model/npm/index.ts'
import { stringOf } from '../../parse/data.ts'
import { isBelow, lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'

/** Who keeps tables in SQLite, and credentials in these. */
interface CopiedDatabases {
  /** The match of an instruction that copies such a file. */
  judge(instruction: DockerInstruction, ignore: IgnoreFiles): Omit<Match, 'at'> | undefined
}

/**
 * Files of SQLite that instructions of a Dockerfile name, beside a model whose tables keep credentials: a CAP server that runs where the image is built has filled them. Fact: capire, "SQLite"
 * (`cds deploy` and `cds watch` write the file that `cds.requires.db.credentials.url` names, `db.sqlite` by default). The models are read once, where a file is copied at all.
 */
export function createCopiedDatabases(
  { folder }: Dockerfile,
  roots: readonly CapRoot[],
  { packages }: NpmProject,
): CopiedDatabases {
  const near = roots.filter(({ root, test }) => !test && isAround(root, folder))
  const hasDriver = near.length > 0 && packages.some(({ dependencies }) => dependencies.some(({ name }) => DRIVER.test(name)))
  const files = hasDriver ? new Set(near.flatMap(databasesOf)) : new Set<string>()
  let kept: readonly string[] | undefined
  return {
    judge(instruction, ignore) {
      if (!hasDriver) return undefined
      // without the file the build would fail
      const databases = sourcesOf(instruction, folder).filter(
        (path) => (lastSegment(path) === 'db.sqlite' || files.has(path)) && !ignore.covers(path),
      )
      if (databases.length === 0) return undefined
      kept ??= near.flatMap(storedCredentials)
      if (kept.length === 0) return undefined
      return { args: { files: listNames(databases, 3), elements: listNames(kept, 3) }, variant: 'database' }
    },
  }
}

const DRIVER = /^(?:@cap-js\/sqlite|better-sqlite3|sqlite3|sql\.js)$/

/** The files that the settings of a project name, in development and elsewhere. */
function databasesOf(root: CapRoot): readonly string[] {
  return ['development', 'test', 'hybrid', 'production'].flatMap((profile) => {
    const url = stringOf(effectiveConfiguration(root, [profile]).value('requires', 'db', 'credentials', 'url')?.node)
    if (url === undefined || url.includes(':memory:')) return []
    const path = url.replace(/^(?:sqlite:|file:)?(?:\.?\/)?/, '')
    return root.root === '' ? path : `${root.root}/${path}`
  })
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

const MAX_SOURCES = 50

/** What `COPY` and `ADD` take from the build context, by their paths in the project; patterns and variables tell none. */
export function sourcesOf({ name, arguments: rest }: DockerInstruction, folder: string): readonly string[] {
  if ((name !== 'COPY' && name !== 'ADD') || /--from=|<</.test(rest)) return []
  return rest
    .split(/[\s,[\]"']{1,20}/, MAX_SOURCES)
    .filter((part) => part !== '' && !part.startsWith('--') && !/[*?$]|:\/\//.test(part))
    .slice(0, -1)
    .map((part) => [folder, part.replace(/^\.?\//, '').replace(/\/$/, '')].filter((segment) => segment !== '').join('/'))
}

function isAround(root: string, folder: string): boolean {
  return root === folder || isBelow(root, folder) || isBelow(folder, root)
}

/** Elements of tables alone: services show these, or have no table. */
function storedCredentials(root: CapRoot): readonly string[] {
  const services = root.services.map(({ name }) => `${name}.`)
  const skipped = skippedEntities(root)
  return root.entities.flatMap((entity) => {
    root.step(services.length + 1)
    if (skipped.has(lastName(entity)) || services.some((service) => entity.startsWith(service))) return []
    const members = [...root.membersOf(entity).values()]
    root.step(members.length)
    return members.flatMap((member) => (isCredential(member) && !member.virtual ? `${lastName(entity)}.${member.name}` : []))
  })
}

/** Names of entities that no table holds. Fact: capire, "Databases" (`@cds.persistence.skip`). */
function skippedEntities({ files, step }: CapRoot): ReadonlySet<string> {
  const skipped = new Set<string>()
  for (const { content } of files) {
    if (content.as !== 'cds') continue
    const { definitions, annotates } = content.document
    step(definitions.length + annotates.length)
    // `annotate Drafts with @cds.persistence.skip` says it of an entity as a whole
    const said = annotates.flatMap(({ target, annotations }) =>
      target.element === undefined ? [{ name: target.path, annotations }] : [],
    )
    for (const { name, annotations } of [...definitions, ...said])
      if (annotations.some((one) => one.name === 'cds.persistence.skip' && isTrue(one.value))) skipped.add(lastName(name))
  }
  return skipped
}
