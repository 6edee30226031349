import { listNames } from '../../arguments.ts'
import { isCredential, type CapRoot } from '../../model/cap/index.ts'
import type { Dockerfile, DockerInstruction, IgnoreFiles } from '../../model/deployment/index.ts'
import { isBelow, lastName } from '../../paths.ts'
import type { Match } from '../../types.ts'

const DATABASE = /\.(?:sqlite3?|db)$/i

/**
 * A file of SQLite that an instruction names, beside a model whose tables keep credentials: a CAP server that runs where the image is built has filled it. Fact: capire, "SQLite"
 * (`cds deploy` and `cds watch` write the file that `cds.requires.db.credentials.url` names, `db.sqlite` by default).
 */
export function judgeDatabase(
  { folder }: Dockerfile,
  instruction: DockerInstruction,
  ignore: IgnoreFiles,
  roots: readonly CapRoot[],
): Omit<Match, 'at'> | undefined {
  // without the file the build would fail
  const databases = sourcesOf(instruction, folder).filter((path) => DATABASE.test(path) && !ignore.covers(path))
  if (databases.length === 0) return undefined
  const kept = roots.filter(({ root, test }) => !test && isAround(root, folder)).flatMap(storedCredentials)
  if (kept.length === 0) return undefined
  return { args: { files: listNames(databases, 3), elements: listNames(kept, 3) }, variant: 'database' }
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
  return root.entities.flatMap((entity) => {
    root.step(services.length + 1)
    if (services.some((service) => entity.startsWith(service))) return []
    const members = [...root.membersOf(entity).values()]
    root.step(members.length)
    return members.flatMap((member) => (isCredential(member) && !member.virtual ? `${lastName(entity)}.${member.name}` : []))
  })
}
