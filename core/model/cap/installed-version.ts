import subset from 'semver/ranges/subset.js'
import validRange from 'semver/ranges/valid.js'
import type { ProjectFile } from '../../files.ts'
import { at, stringOf } from '../../parse/data.ts'
import { joinPath } from '../../paths.ts'
import { artifactName, findMavenModules } from '../maven/index.ts'
import type { CapRoot } from './types.ts'
import { productivePath, type ConfiguredRoot } from './sources.ts'

const CDS = '@sap/cds'
const MAX_RANGE = 200

/** Every version of @sap/cds that a root may run with is older than a major one; false where nothing tells. */
export function isCdsBelow(
  major: number,
  files: ReadonlyMap<string, ProjectFile>,
  root: Pick<ConfiguredRoot, 'root' | 'deployments'>,
): boolean {
  return isCdsWithin(`<${major}.0.0-0`, files, root)
}

/**
 * Whether the runtime of a root may know `@flow.status`.
 * Facts: capire, "Status-Transition Flows" (@sap/cds 9.5; CAP Java by the dependency `com.sap.cds:cds-feature-flow` alone).
 */
export function mayKnowFlows(
  root: Pick<CapRoot, 'root' | 'deployments' | 'runtime' | 'files'>,
  files: ReadonlyMap<string, ProjectFile>,
): boolean {
  if (root.runtime === 'node') return !isCdsWithin('<9.5.0-0', files, root)
  return findMavenModules(root.files, files).some(({ dependencies }) =>
    dependencies.some((one) => artifactName(one) === 'com.sap.cds:cds-feature-flow'),
  )
}

function isCdsWithin(
  versions: string,
  files: ReadonlyMap<string, ProjectFile>,
  root: Pick<ConfiguredRoot, 'root' | 'deployments'>,
): boolean {
  const content = files.get(productivePath(files, root, 'package.json'))?.content
  const manifest = content?.as === 'data' ? content.roots[0] : undefined
  const range = stringOf(at(manifest, 'dependencies', CDS)) ?? ''
  const version = lockedVersion(files.get(joinPath(root.root, 'package-lock.json'))) ?? range
  return version !== '' && liesWithin(version, versions)
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
