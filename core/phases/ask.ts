import { findApprouters } from '../model/approuter/index.ts'
import { findCapRoots } from '../model/cap/index.ts'
import { readDeployment, type Deployment } from '../model/deployment/index.ts'
import { findUi5Apps } from '../model/ui5/index.ts'
import { findNpmProject, type NpmProject } from '../model/npm/index.ts'
import type { LockedPackages } from '../parse/lock/index.ts'
import type { AdvisoryPort, PackageVersion } from '../advisories/types.ts'
import type { CataloguePort } from '../catalogue/types.ts'
import type { BuiltSources, ProjectFile } from '../files.ts'
import type { Project } from '../rules/subjects.ts'
import type { Findings } from './findings.ts'

/** The two services outside that a scan asks; they live on the main side and never reject. */
export interface ScanPorts {
  readonly advisories: AdvisoryPort
  readonly catalogue: CataloguePort
}

const NO_DEPLOYMENT: Deployment = {
  mtas: [],
  applications: [],
  services: [],
  destinations: [],
  databases: [],
  placeOf: () => ({ file: '' }),
}
const NO_PACKAGES: NpmProject = { packages: [], settings: [], locked: [], named: [] }

/** Files to the project that rules see: its models, and the answers from outside as part of it. A model that fails is a notice, its rules are silent. */
export async function askOutside(
  files: ReadonlyMap<string, ProjectFile>,
  builtSources: readonly BuiltSources[],
  date: string,
  ports: ScanPorts,
  findings: Findings,
  signal: AbortSignal | undefined,
): Promise<Project> {
  const model = <Thing>(part: string, find: (all: ReadonlyMap<string, ProjectFile>) => readonly Thing[]): readonly Thing[] => {
    try {
      return find(files)
    } catch {
      findings.notice({ code: 'rule-failed', reason: 'model', args: { part }, partial: true })
      return []
    }
  }
  const ui5Apps = model('ui5', findUi5Apps)
  const capRoots = model('cap', findCapRoots)
  const npm = model('npm', (all) => [findNpmProject(all)])[0] ?? NO_PACKAGES
  const deployment = model('deployment', (all) => [readDeployment(all)])[0] ?? NO_DEPLOYMENT
  const approuters = model('approuter', (all) => findApprouters(all, deployment))
  const packages = npm.locked
  const named = npm.named.map(({ name, version, isPrivate = false }) => ({ name, version, isPrivate }))
  const [advisories, catalogue] = await Promise.all([
    ports.advisories.query(distinctVersions(packages, [...findLibraries(files), ...named]), signal),
    ports.catalogue.overview(
      ui5Apps.some(({ isLoose }) => !isLoose),
      signal,
    ),
  ])
  if (!advisories.complete) findings.notice({ code: 'advisories-unavailable', reason: 'unreachable', partial: false })
  if (!catalogue.complete) findings.notice({ code: 'catalogue-unavailable', reason: 'unreachable', partial: false })
  return { files, builtSources, date, ui5Apps, capRoots, approuters, npm, packages, deployment, advisories, catalogue }
}

/** A private package is told as such: the port answers for it from its snapshot, and not even its name leaves the machine. */
function distinctVersions(locks: readonly LockedPackages[], libraries: readonly PackageVersion[]): PackageVersion[] {
  const seen = new Map(libraries.map((it) => [`${it.name}@${it.version}`, it]))
  for (const { packages } of locks) {
    for (const { name, version, isPrivate } of packages) {
      const known = seen.get(`${name}@${version}`)
      if (known === undefined || isPrivate) seen.set(`${name}@${version}`, { name, version, isPrivate })
    }
  }
  return [...seen.values()]
}

/** Libraries that were copied into the project. */
function findLibraries(files: ReadonlyMap<string, ProjectFile>): PackageVersion[] {
  return [...files.values()].flatMap(({ library }) =>
    library === undefined ? [] : [{ name: library.package, version: library.version }],
  )
}
