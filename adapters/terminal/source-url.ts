import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describeSource } from '../../core/index.ts'

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
