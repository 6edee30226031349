import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { ReportFinding } from '../../core/index.ts'
import { UsageFault } from './usage.ts'

/** Lines by file that differ from a commit: ranges of first and last line. A file without ranges has only lost lines. */
export type ChangedLines = ReadonlyMap<string, readonly (readonly [number, number])[]>

const WHOLE_FILE = [[1, Number.MAX_SAFE_INTEGER]] as const
const MAX_OUTPUT = 256 * 1024 * 1024

/** Asks Git what changed in a folder since a commit, uncommitted and untracked files included. Throws a UsageFault. */
export async function findChangedLines(folder: string, reference: string): Promise<ChangedLines> {
  if (reference.startsWith('-'))
    throw new UsageFault({
      en: '--changed-since takes a commit, a branch or a tag',
      fr: '--changed-since attend un commit, une branche ou un tag',
    })
  // neither programs that a repository's configuration names, nor a pager
  const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'diff.external=', '-c', 'diff.noprefix=false']
  const options = ['--no-ext-diff', '--no-textconv', '--no-color', '--unified=0', '--no-renames', '--relative']
  const prefixes = ['--src-prefix=a/', '--dst-prefix=b/']
  // before the first commit all is new
  const isFirst = reference === 'HEAD' && !(await hasCommit(folder))
  const diff = isFirst ? '' : await git(folder, [...safe, 'diff', ...options, ...prefixes, reference, '--', '.'])
  const kinds = isFirst ? ['--cached', '--others'] : ['--others']
  const unseen = await git(folder, [...safe, 'ls-files', ...kinds, '--exclude-standard', '-z'])
  const changed = new Map<string, readonly (readonly [number, number])[]>(parseDiff(diff))
  for (const file of unseen.split('\0')) if (file !== '') changed.set(file, WHOLE_FILE)
  return changed
}

async function hasCommit(folder: string): Promise<boolean> {
  return git(folder, ['rev-parse', '--verify', '--quiet', 'HEAD']).then(
    () => true,
    () => false,
  )
}

async function git(folder: string, args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd: folder, maxBuffer: MAX_OUTPUT, encoding: 'utf8' })
    return stdout
  } catch {
    throw new UsageFault({
      en: '--changed-since: Git does not know this commit here, or the folder is not in a Git repository (in a pipeline, check out the full history)',
      fr: '--changed-since : Git ne connaît pas ce commit ici, ou le dossier n’est pas dans un dépôt Git (dans un pipeline, récupérez tout l’historique)',
    })
  }
}

/** Reads a diff without context. */
export function parseDiff(diff: string): Map<string, [number, number][]> {
  const changed = new Map<string, [number, number][]>()
  let ranges: [number, number][] = []
  // lines of a hunk that are still to come: what they hold is no header
  let left = 0
  for (const line of diff.split('\n')) {
    if (left > 0) {
      if (!line.startsWith('\\')) left--
      continue
    }
    const file = /^\+\+\+ (?:"b\/(.*)"|b\/(.*?))\t?$/.exec(line)
    if (file !== null) {
      ranges = []
      changed.set((file[1] === undefined ? file[2] : unquote(file[1])) ?? '', ranges)
    }
    const hunk = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/.exec(line)
    if (hunk === null) continue
    const [removed, first, added] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)]
    left = removed + added
    if (added > 0) ranges.push([first, first + added - 1])
  }
  return changed
}

/** A path as Git writes it where it holds quotes or control characters. */
function unquote(text: string): string {
  const letters: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\u0007', b: '\b', f: '\f', v: '\v' }
  return text.replaceAll(/\\(?:([0-7]{3})|(.))/g, (_, octal: string | undefined, letter: string) =>
    octal === undefined ? (letters[letter] ?? letter) : String.fromCharCode(Number.parseInt(octal, 8)),
  )
}

/** Whether a finding touches changed lines: its own place, a step of its flow, or another place where it repeats. */
export function touchesChange(finding: ReportFinding, changed: ChangedLines): boolean {
  const touches = (file: string, first: number | undefined, last: number | undefined): boolean => {
    const ranges = changed.get(file)
    if (ranges === undefined || first === undefined) return ranges !== undefined
    return ranges.some(([from, to]) => first <= to && (last ?? first) >= from)
  }
  return (
    touches(finding.file, finding.line, finding.endLine) ||
    (finding.flow ?? []).some(({ file, line }) => touches(file, line, line)) ||
    (finding.occurrences ?? []).some(({ file, line }) => touches(file, line, line))
  )
}
