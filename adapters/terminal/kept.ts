import { openStoredResults, readFingerprint, userCacheFolder, type KeptResults } from '../node/kept-results/index.ts'
import type { Arguments } from './arguments.ts'
import { UsageFault } from './usage.ts'

/** How results of files are kept for the next scan: in the folder that was asked for, else in the user's own for caches, if he has one. */
export function keptOpener(
  { cache, cacheDir }: Pick<Arguments, 'cache' | 'cacheDir'>,
  environment: Readonly<Record<string, string | undefined>>,
): (project: string) => KeptResults | undefined {
  if (cacheDir === '') throw new UsageFault('--cache-dir takes a folder')
  const folder = cacheDir ?? userCacheFolder(environment)
  const fingerprint = readFingerprint()
  return (project) =>
    !cache || folder === undefined || fingerprint === undefined ? undefined : openStoredResults({ folder, project, fingerprint })
}
