import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isWithin } from '../node/directory-policy.ts'
import { openStoredResults, readFingerprint, realFolder, userCacheFolder, type KeptResults } from '../node/kept-results/index.ts'
import type { Arguments } from './arguments.ts'
import { tell } from './tell.ts'
import { UsageFault } from './usage.ts'
import { say } from './words.ts'

/**
 * How results of files are kept for the next scan: in the folder that was asked for, else in the user's own for caches, if he has one. Never within the project: whoever
 * writes it could bring results that say that nothing was found. A folder that was asked for is refused then, with a UsageFault; one that the environment names is left
 * alone, and that is told.
 */
export function keptOpener(
  { cache, cacheDir, locale, quiet }: Pick<Arguments, 'cache' | 'cacheDir' | 'locale' | 'quiet'>,
  environment: Readonly<Record<string, string | undefined>>,
): (project: string) => KeptResults | undefined {
  if (cacheDir === '') throw new UsageFault({ en: '--cache-dir takes a folder', fr: '--cache-dir attend un dossier' })
  const folder = cacheDir ?? userCacheFolder(environment)
  const fingerprint = readFingerprint()
  return (project) => {
    if (!cache || folder === undefined) return undefined
    if (isWithin(checkoutOf(project), realFolder(folder))) {
      const text = `${say(locale, cacheDir === undefined ? 'cacheIgnored' : 'cacheRefused', { folder })} (cache-folder-in-project)`
      if (cacheDir !== undefined) throw new UsageFault(text)
      if (!quiet) tell(text)
      return undefined
    }
    return fingerprint === undefined ? undefined : openStoredResults({ folder, project, fingerprint })
  }
}

/** The checkout that a folder is a part of, since its other parts come from the same hands; itself where it is none. A home that is one is the user's own. */
function checkoutOf(project: string): string {
  for (let folder = project; folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder === realFolder(homedir()) ? project : folder
  return project
}
