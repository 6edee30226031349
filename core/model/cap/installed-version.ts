import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { joinPath } from '../../paths.ts'
import { productivePath, type ConfiguredRoot } from './sources.ts'

const CDS = '@sap/cds'
const MAX_RANGE = 200

/** Every version of @sap/cds that a root may run with is older than a major one; false where nothing tells. */
export function isCdsBelow(
  major: number,
  files: ReadonlyMap<string, ProjectFile>,
  root: Pick<ConfiguredRoot, 'root' | 'deployments'>,
): boolean {
  const content = files.get(productivePath(files, root, 'package.json'))?.content
  const manifest = content?.as === 'data' ? content.roots[0] : undefined
  const range = stringOf(at(manifest, 'dependencies', CDS)) ?? ''
  const version = lockedVersion(files.get(joinPath(root.root, 'package-lock.json'))) ?? range
  return version !== '' && liesWithin(version, `<${major}.0.0-0`)
}

/** Every version of a range is one of another range. A range that is none, or longer than anybody writes one, is not. */
export function liesWithin(range: string, versions: string): boolean {
  return range.length <= MAX_RANGE && validRange(range) !== null && subset(range, versions, { includePrerelease: true })
}

/** What is installed counts more than what is allowed. */
function lockedVersion(file: ProjectFile | undefined): string | undefined {
  const packages = file?.content.as === 'lock' ? file.content.lock.packages : []
  return packages.find(({ name, direct }) => direct && name === CDS)?.version
}
