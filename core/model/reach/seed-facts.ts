import type { Scripts } from '../../extracts/scripts.ts'
import type { ProjectFile } from '../../files.ts'
import { capRootOf } from '../authorization/index.ts'
import type { CapRoot } from '../cap/index.ts'
import type { Application } from '../deployment/index.ts'
import type { NpmProject } from '../npm/index.ts'
import { createNearness, type Owners } from './near-root.ts'
import { deployingFiles, livingScripts, scriptsWith, type SeedFacts } from './seed-only.ts'

/** What lies around a CAP root, or in it, and tells whether its rows may be more than those of its files. */
export type SeedsOfRoot = Omit<SeedFacts, 'packages' | 'javaDemo'>

/** Where nothing is known of what is around it. */
export const LIVELY: SeedsOfRoot = {
  isDeployedSomehow: () => true,
  keepsRows: () => false,
  opensHost: () => true,
  isLiving: () => true,
  knowsPasswords: () => true,
  connects: () => true,
  getsDestinations: () => true,
}

interface SeedSources {
  readonly files: ReadonlyMap<string, ProjectFile>
  readonly scripts: Scripts
  readonly npm: Pick<NpmProject, 'byFolder'>
  readonly capRoots: readonly CapRoot[]
  readonly applications: readonly Application[]
}

interface SeedReader {
  readonly isDeployedSomehow: () => boolean
  readonly of: (root: CapRoot) => SeedsOfRoot
}

export function createSeedReader({ files, scripts, npm, capRoots, applications }: SeedSources): SeedReader {
  const { ownersOf, concerns } = createNearness(capRoots)
  const once = (find: () => Iterable<string>): (() => Owners) => {
    let owners: Owners | undefined
    return () => (owners ??= ownersOf(find()))
  }
  const living = (kind: 'living' | 'passwords'): (() => Owners) =>
    once(() => scripts.get(livingScripts).flatMap(({ file, value }) => (value === kind ? file : [])))
  const owners = {
    isDeployedSomehow: once(() => deployingFiles(files)),
    keepsRows: once(() => scriptsWith('rows', scripts, npm, capRoots)),
    opensHost: once(() => scriptsWith('host', scripts, npm, capRoots)),
    connects: once(() => scriptsWith('connects', scripts, npm, capRoots)),
    isLiving: living('living'),
    knowsPasswords: living('passwords'),
  }
  return {
    isDeployedSomehow: () => owners.isDeployedSomehow().size > 0,
    of: (root) => ({
      isDeployedSomehow: () => concerns(root, owners.isDeployedSomehow()),
      keepsRows: () => concerns(root, owners.keepsRows()),
      opensHost: () => concerns(root, owners.opensHost()),
      connects: () => concerns(root, owners.connects()),
      isLiving: () => concerns(root, owners.isLiving()),
      knowsPasswords: () => concerns(root, owners.knowsPasswords()),
      getsDestinations: () => getsDestinations(root, applications),
    }),
  }
}

/** Without a descriptor nobody knows, nor what stands behind an instance that has only a name; `destinations` is the variable of developers and of approuters. */
function getsDestinations(root: CapRoot, applications: readonly Application[]): boolean {
  const own = applications.filter((application) => capRootOf(application, [root]) !== undefined)
  return (
    own.length === 0 ||
    own.some(
      ({ bindings, variables }) =>
        bindings.some(({ service }) => service === undefined || service === 'destination') ||
        variables.some(({ name }) => name === 'destinations' || name === 'VCAP_SERVICES'),
    )
  )
}
