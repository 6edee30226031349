import type { ProjectFile } from '../../files.ts'
import { folderOf } from '../../paths.ts'
import { usageByPath } from './usage.ts'

/** Tells files of folders of samples that have a deployment of their own: these are deployed. */
export function createDeployedSamples(files: ReadonlyMap<string, ProjectFile>): (file: string) => boolean {
  let deployed: ReadonlySet<string> | undefined
  return (file) => {
    const root = SAMPLE.exec(file)?.[0]
    if (root === undefined || usageByPath(file.slice(root.length)) === 'unused') return false
    deployed ??= new Set(
      [...files.values()].flatMap(({ path, kind }) => (DESCRIPTORS.has(kind.role ?? '') ? (SAMPLE.exec(path)?.[0] ?? []) : [])),
    )
    // what deploys a whole folder of samples lies in it directly
    return deployed.has(root) || deployed.has(`${folderOf(root.slice(0, -1))}/`)
  }
}

/** `samples/orders/`; of what lies in a folder of samples directly, that folder. */
const SAMPLE = /^(?:.*\/)?(?:examples?|samples?|sandbox|demos?)\/(?:[^/]+\/)?/i
const DESCRIPTORS: ReadonlySet<string> = new Set(['mta', 'cf-manifest', 'dockerfile', 'kubernetes'])
