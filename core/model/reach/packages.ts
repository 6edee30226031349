import type { ProjectFile } from '../../files.ts'
import { at, textsBelow } from '../../parse/data.ts'
import { foldersAround } from '../../paths.ts'
import type { CapRoot } from '../cap/index.ts'
import type { NpmPackage, NpmProject } from '../npm/index.ts'

/** What a package is made for, as far as its own files tell. */
export interface PackageUse {
  readonly folder: string
  /**
   * `plugin`: other projects load it (`cds-plugin.js`), `library`: they call its functions, `tool`: somebody runs it on a machine of their own, `server`: it runs as it is.
   */
  readonly kind: 'plugin' | 'library' | 'tool' | 'server'
}

/** The package that a file belongs to, with what that is made for. */
export type PackageUses = (file: string) => PackageUse | undefined

/** Reads each package of the project once. */
export function createPackageUses(
  files: ReadonlyMap<string, ProjectFile>,
  { byFolder }: Pick<NpmProject, 'byFolder'>,
  roots: readonly CapRoot[],
): PackageUses {
  const uses = new Map<string, PackageUse>()
  const serving = new Set(
    roots.flatMap(({ root, services }) => (services.some(({ exposure }) => exposure === 'served') ? root : [])),
  )
  for (const [folder, one] of byFolder) uses.set(folder, { folder, kind: kindOf(folder, one, files, serving.has(folder)) })
  return (file) => {
    for (const folder of foldersAround(file)) {
      const known = uses.get(folder)
      if (known !== undefined) return known
    }
    return undefined
  }
}

const STARTS = /^(?:start|serve|watch)(?::|$)/
/** What a package of a library names that others load. */
const ENTRIES = ['main', 'exports', 'module', 'types']

function kindOf(
  folder: string,
  one: NpmPackage,
  files: ReadonlyMap<string, ProjectFile>,
  isServing: boolean,
): PackageUse['kind'] {
  const has = (name: string): boolean => files.has(folder === '' ? name : `${folder}/${name}`)
  if (['cds-plugin.js', 'cds-plugin.ts', 'cds-plugin.mjs'].some(has)) return 'plugin'
  if (isServing || one.deployedBy.length > 0) return 'server'
  const file = files.get(one.file)
  const root = file?.content.as === 'data' ? file.content.roots[0] : undefined
  if (root === undefined) return 'server'
  if (at(root, 'bin') !== undefined) return 'tool'
  const starts = one.scripts.some(
    ({ name, command }) => STARTS.test(name) && !/\b(?:ui5|fiori|karma|http-server)\b/.test(command),
  )
  const isNamed = ENTRIES.some((key) => at(root, key) !== undefined)
  const isApp = has('webapp/manifest.json') || has('Dockerfile') || has('manifest.yml') || has('server.js') || has('xs-app.json')
  return !starts && !isApp && isNamed && !one.isPrivate && one.dependencies.length > 0 ? 'library' : 'server'
}

/** Whether a descriptor of the project names a script by its path or file, `./srv/jobs`, `jobs.js`: a start command, `impl`, a task. */
export function createNameReader(files: ReadonlyMap<string, ProjectFile>): (name: string) => boolean {
  let texts: string | undefined
  return (name) => {
    const all = (texts ??= [...files.values()].flatMap(textsOf).join('\n'))
    return all.includes(`/${name}`) || ['.js', '.ts', '.mjs', '.cjs'].some((ending) => all.includes(`${name}${ending}`))
  }
}

const DESCRIPTORS: ReadonlySet<string> = new Set(['package', 'cdsrc', 'mta', 'mtaext', 'cf-manifest', 'kubernetes', 'compose'])

/** Texts that name no scripts. */
const SOURCES: ReadonlySet<string> = new Set(['java', 'python', 'php', 'odata-metadata'])

function textsOf({ kind, content }: ProjectFile): string[] {
  if (content.as === 'cds')
    return content.document.definitions.flatMap(({ annotations }) =>
      annotations.flatMap(({ name, value }) => (name === 'impl' && value.kind === 'string' ? String(value.value) : [])),
    )
  if (content.as === 'data' && DESCRIPTORS.has(kind.role ?? ''))
    return content.roots.flatMap((root) => textsBelow(root).map(({ text }) => text))
  return content.as === 'text' && content.text !== undefined && !SOURCES.has(kind.role ?? '') ? [content.text] : []
}
