import type { AdvisoryPort, PackageVersion } from '../advisories/types.ts'
import type { CataloguePort } from '../catalogue/types.ts'
import { createOnce } from '../once.ts'
import type { Project, ProjectModels } from '../rules/subjects.ts'
import type { ScanContext } from './scan-context.ts'

/** The two services outside that a scan asks; they live on the main side and never reject. */
export interface ScanPorts {
  readonly advisories: AdvisoryPort
  readonly catalogue: CataloguePort
}

/** Fetches the advisories of the project's packages and the UI5 catalogue; with them the models become the project that rules see. */
export async function fetchExternalData(
  models: ProjectModels,
  ports: ScanPorts,
  { findings, control }: ScanContext,
): Promise<Project> {
  const { ui5Apps, npm } = models
  const named = npm.named.map(({ name, version, isPrivate = false }) => ({ name, version, isPrivate }))
  const all = distinctVersions([...npm.locked.flatMap(({ packages }) => packages), ...named, ...findLibraries(models)])
  const asked = boundVersions(all)
  const [advisories, catalogue] = await Promise.all([
    ports.advisories.query(asked, control.signal),
    ports.catalogue.overview(
      ui5Apps.some(({ isUndeclared }) => !isUndeclared),
      control.signal,
    ),
  ])
  const { lookedUp = asked.length } = advisories
  if (lookedUp < all.length) {
    const args = { count: String(lookedUp), all: String(all.length) }
    findings.notice({ code: 'advisories-unavailable', reason: 'too-many', args, partial: true })
  }
  if (!advisories.complete) findings.notice({ code: 'advisories-unavailable', reason: 'unreachable', partial: false })
  if (!catalogue.complete) findings.notice({ code: 'catalogue-unavailable', reason: 'unreachable', partial: false })
  const project: Project = { ...models, advisories, catalogue, once: createOnce(() => project) }
  return project
}

/**
 * Each once, in this order: what pages name, as often as they like, comes after what is installed, and can't take its place in the bounds below.
 * A private package is marked as such: the port answers for it from its snapshot, and not even its name leaves the machine.
 */
function distinctVersions(packages: Iterable<PackageVersion>): PackageVersion[] {
  const seen = new Map<string, PackageVersion>()
  for (const { name, version, isPrivate = false } of packages) {
    const known = seen.get(`${name}@${version}`)
    if (known === undefined || isPrivate) seen.set(`${name}@${version}`, { name, version, isPrivate })
  }
  return [...seen.values()]
}

/** Of one package and in all; a large monorepo has 20 versions of a package, and 10,000 packages. */
const MAX_VERSIONS = 100
const MAX_PACKAGES = 30_000

function boundVersions(packages: readonly PackageVersion[]): PackageVersion[] {
  const counts = new Map<string, number>()
  const asked: PackageVersion[] = []
  for (const it of packages) {
    const count = counts.get(it.name) ?? 0
    counts.set(it.name, count + 1)
    if (count < MAX_VERSIONS && asked.length < MAX_PACKAGES) asked.push(it)
  }
  return asked
}

/** Libraries that were copied into the project, and those that its pages load from a network. */
function findLibraries({ files, networkLibraries }: ProjectModels): PackageVersion[] {
  const copied = [...files.values()].flatMap(({ library }) => library ?? [])
  return [...copied, ...networkLibraries].map(({ package: name, version }) => ({ name, version }))
}
