import type { ScanLine } from './types.ts'

type Branched = Pick<ScanLine, 'branch' | 'entry'>

/** What most projects call the branch that all others come from. */
const MAIN = ['main', 'master']

/** The branch of a project that its row is about: the usual names, else that of the scans without one, else that of its last scan. */
export function mainBranch(lines: readonly Branched[]): string | undefined {
  const named = MAIN.find((name) => lines.some(({ branch }) => branch === name))
  if (named !== undefined || lines.some(({ branch }) => branch === undefined)) return named
  return lines.at(-1)?.branch
}

/**
 * The scan that each is compared with, by its position among the lines of a project, oldest first: the one before it of the same branch; of a branch that is new the last one of the
 * main branch, else of those without a branch, else of any.
 */
export function findPredecessors(lines: readonly Branched[]): readonly (number | undefined)[] {
  const last = new Map<string | undefined, number>()
  return lines.map(({ branch }, position) => {
    const found =
      [branch, ...MAIN, undefined].map((name) => last.get(name)).find((known) => known !== undefined) ??
      (position > 0 ? position - 1 : undefined)
    last.set(branch, position)
    return found
  })
}
