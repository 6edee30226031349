import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describeSource } from '../../core/index.ts'
import { completeSourceUrl } from '../../handlers/_source-url.ts'
import type { Arguments } from './arguments.ts'
import { UsageFault } from './usage.ts'

const run = promisify(execFile)

/** Where the source of a folder is shown, as its Git checkout says; undefined where it is none. */
export async function findSource(folder: string): Promise<string | undefined> {
  const git = async (...args: string[]): Promise<string> =>
    (await run('git', ['-C', folder, ...args], { timeout: 10_000 })).stdout.trim()
  try {
    const [remote, commit, prefix] = await Promise.all([
      git('remote', 'get-url', 'origin'),
      git('rev-parse', 'HEAD'),
      git('rev-parse', '--show-prefix'),
    ])
    return describeSource(remote, commit, prefix)
  } catch {
    // no Git, no checkout, no remote, no commit: there is nothing to lead to
    return undefined
  }
}

/** What the service takes too. */
const WRONG_ADDRESS = {
  en: '--source-url takes an https address with {path} (and {line}, {commit}), that of a folder as its host shows it, or of a repository on a known host',
  fr: '--source-url attend une adresse https avec {path} (et {line}, {commit}), celle d’un dossier telle que son hôte la montre, ou celle d’un dépôt sur un hôte connu',
}

const NO_COMMIT = {
  en: '--source-url needs a commit for this address, and the project is no Git checkout: give one with {path} and without {commit}',
  fr: '--source-url a besoin d’un commit pour cette adresse, et le projet n’est pas un dépôt Git : donnez-en une avec {path} et sans {commit}',
}

const SOME_COMMIT = '0'.repeat(40)

/** An address that is one for some commit. Throws a UsageFault. */
export function readSourceUrl(text: string | undefined): string | undefined {
  if (text !== undefined && completeSourceUrl(text, SOME_COMMIT) === undefined) throw new UsageFault(WRONG_ADDRESS)
  return text
}

/** An address of the command line with the commit filled in. Throws a UsageFault where it needs one. */
export function fillSourceUrl(given: string | undefined, commit: string | undefined): string | undefined {
  if (given === undefined) return undefined
  const whole = completeSourceUrl(given, commit)
  if (whole === undefined) throw new UsageFault(NO_COMMIT)
  return whole
}

/** Where exports lead to: what the command line says, else what the Git checkout of a folder does. Throws a UsageFault. */
export async function sourceOf({ sourceUrl, outputs }: SourceArguments, folder: string | undefined): Promise<string | undefined> {
  // to ask Git takes three processes
  if (outputs.every(({ format }) => format === 'text' || format === 'json')) return undefined
  if (sourceUrl === undefined) return folder === undefined ? undefined : findSource(folder)
  return fillSourceUrl(sourceUrl, folder === undefined ? undefined : (await findRevision(folder)).commit)
}

type SourceArguments = Pick<Arguments, 'sourceUrl' | 'outputs'>

/** What Git says of a folder: of a commit that is checked out by itself, as pipelines do, there is no branch. */
export interface Revision {
  readonly branch?: string
  readonly commit?: string
  /** The tag that stands on the commit. */
  readonly release?: string
}

/** The branch, the commit and its tag of a folder; nothing where it is no checkout. */
export async function findRevision(folder: string): Promise<Revision> {
  const git = async (...args: string[]): Promise<string | undefined> => {
    try {
      return (await run('git', ['-C', folder, ...args], { timeout: 10_000 })).stdout.trim() || undefined
    } catch {
      return undefined
    }
  }
  const [branch, commit, release] = await Promise.all([
    git('symbolic-ref', '--short', '-q', 'HEAD'),
    git('rev-parse', '-q', '--verify', 'HEAD'),
    git('describe', '--tags', '--exact-match', 'HEAD'),
  ])
  return {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit }),
    // a service takes no longer name
    ...(release !== undefined && release.length <= 100 && { release }),
  }
}
