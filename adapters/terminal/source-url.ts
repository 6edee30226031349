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
