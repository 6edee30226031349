import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Refusal, type Locale } from '../../core/index.ts'
import { describeRefusal } from '../../handlers/index.ts'
import { say } from './words.ts'

/** What a user named on the command line is not there. */
export class PathNotFound extends Refusal {
  readonly path: string

  constructor(path: string) {
    super('directory-not-found')
    this.path = path
  }
}

/** Where a folder or file lies that a user named, here or from `base`. Throws a PathNotFound. */
export async function realPathOf(named: string, base?: string): Promise<string> {
  const path = await realpath(base === undefined ? named : resolve(base, named)).catch(() => undefined)
  if (path === undefined) throw new PathNotFound(named)
  return path
}

/** The detail of a refusal for a terminal: the path that was named is on this machine, not on that of a server. */
export function describeInTerminal(refusal: Refusal, locale: Locale): string {
  if (refusal instanceof PathNotFound) return say(locale, 'pathNotFound', { path: refusal.path })
  return describeRefusal(refusal, locale)
}
