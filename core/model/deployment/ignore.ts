import type { ProjectFile } from '../../files.ts'
import { groupBy } from '../../lists.ts'
import { folderOf } from '../../paths.ts'
import { fitsSegment, matchSequence } from '../wildcards.ts'

/** One pattern of an ignore file. */
interface IgnoreRule {
  /** As it is written. */
  readonly pattern: string
  readonly negated: boolean
  readonly foldersOnly: boolean
  /** Segments below the folder of the ignore file; `**` is any number of them. */
  readonly segments: readonly string[]
}

/** One ignore file and where it holds. */
interface IgnoreFile {
  readonly path: string
  readonly folder: string
  readonly rules: readonly IgnoreRule[]
}

export interface IgnoreFiles {
  /** Paths of the ignore files, those nearest to the project's top first. */
  readonly paths: readonly string[]
  /** Whether the patterns cover a path (of a file, relative to the project). */
  covers(path: string): boolean
}

/** Ignore files that also tell which line covers a path. */
export interface GitIgnores extends IgnoreFiles {
  findPattern(path: string): { readonly file: string; readonly pattern: string } | undefined
}

const MAX_LINES = 2000
const MAX_PATTERN = 300
/** Characters compared for one set of files; patterns and paths come from the scanned project. Beyond, everything counts as covered: no finding. */
const MAX_STEPS = 20_000_000

/** All .gitignore files of a project (gitignore documentation of Git 2.x): deeper ones count more, later lines count more, what lies in an ignored folder can't come back. */
export function findGitIgnores(files: ReadonlyMap<string, ProjectFile>): GitIgnores {
  return readIgnores(files, /(?:^|\/)\.gitignore$/i)
}

/** The .cfignore of a folder that is pushed, with Git's rules (Cloud Foundry documentation, "Prepare to push"). */
export function findCfIgnores(files: ReadonlyMap<string, ProjectFile>): IgnoreFiles {
  return readIgnores(files, /(?:^|\/)\.cfignore$/i)
}

/** Patterns of `build-parameters.ignore` of an MTA module, relative to its folder (SAP documentation, "Cloud MTA Build Tool"). */
export function createIgnores(patterns: readonly string[], folder: string): IgnoreFiles {
  const lines = patterns.filter((pattern) => pattern.length <= MAX_PATTERN).slice(0, MAX_LINES)
  return toIgnoreFiles([{ path: '', folder, rules: lines.flatMap(toGitRule) }])
}

function readIgnores(files: ReadonlyMap<string, ProjectFile>, name: RegExp): GitIgnores {
  const found: IgnoreFile[] = []
  for (const { path, content } of files.values()) {
    if (!name.test(path) || content.as !== 'text') continue
    found.push({ path, folder: folderOf(path), rules: readLines(content.text ?? '').flatMap(toGitRule) })
  }
  return toIgnoreFiles(found.sort((a, b) => a.path.split('/').length - b.path.split('/').length))
}

/** Compares a segment with a pattern, for so many steps; then nothing fits any more. */
function createFit(): { readonly fits: (pattern: string, segment: string) => boolean; readonly isUsedUp: () => boolean } {
  let left = MAX_STEPS
  const fits = (pattern: string, segment: string): boolean => {
    left -= pattern.includes('*') ? pattern.length * segment.length : 1
    return left >= 0 && fitsSegment(pattern, segment)
  }
  return { fits, isUsedUp: () => left < 0 }
}

function toIgnoreFiles(found: readonly IgnoreFile[]): GitIgnores {
  const { fits, isUsedUp } = createFit()
  // a path is asked about by the files of the folders above it, however many there are elsewhere
  const byFolder = groupBy(found, ({ folder }) => folder)
  const findRule = (segments: readonly string[], isFolder: boolean): { file: string; pattern: string } | undefined => {
    let ignoredBy: { file: string; pattern: string } | undefined
    for (let depth = 0; depth < segments.length; depth++) {
      for (const { path, rules } of byFolder.get(segments.slice(0, depth).join('/')) ?? []) {
        const inside = segments.slice(depth)
        for (const rule of rules) {
          if (rule.negated !== (ignoredBy !== undefined) || (rule.foldersOnly && !isFolder)) continue
          if (matchSequence(rule.segments, inside, fits))
            ignoredBy = rule.negated ? undefined : { file: path, pattern: rule.pattern }
        }
      }
    }
    return ignoredBy
  }
  const findPattern: GitIgnores['findPattern'] = (path) => {
    const segments = path.split('/')
    for (let length = 1; length < segments.length; length++) {
      const rule = findRule(segments.slice(0, length), true)
      if (rule !== undefined) return rule
    }
    return findRule(segments, false)
  }
  return {
    paths: found.map(({ path }) => path),
    covers: (path) => findPattern(path) !== undefined || isUsedUp(),
    findPattern,
  }
}

/** The .dockerignore of a Dockerfile: `<name>.dockerignore` beside it, else that of the build's folder (Dockerfile reference, ".dockerignore file"). */
export function readDockerIgnore(dockerfile: string, context: string, files: ReadonlyMap<string, ProjectFile>): IgnoreFiles {
  const file = files.get(`${dockerfile}.dockerignore`) ?? files.get(context === '' ? '.dockerignore' : `${context}/.dockerignore`)
  const rules = file?.content.as === 'text' ? readLines(file.content.text ?? '').flatMap(toDockerRule) : []
  const { fits, isUsedUp } = createFit()
  return {
    paths: file === undefined ? [] : [file.path],
    covers(path) {
      const inside = (context === '' ? path : path.slice(context.length + 1)).split('/')
      let ignored = false
      // the last pattern that fits counts, also below a folder that another one names
      for (const { negated, segments } of rules)
        if (negated === ignored && matchSequence([...segments, '**'], inside, fits)) ignored = !negated
      return ignored || isUsedUp()
    },
  }
}

function readLines(text: string): string[] {
  return text
    .split('\n', MAX_LINES)
    .map((line) => line.replace(/\r$/, '').replace(/(?<![\\ ]) {1,300}$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#') && line.length <= MAX_PATTERN)
}

function toGitRule(line: string): IgnoreRule[] {
  const negated = line.startsWith('!')
  const pattern = negated ? line.slice(1) : line
  const foldersOnly = pattern.endsWith('/')
  const body = foldersOnly ? pattern.slice(0, -1) : pattern
  const segments = body.split('/')
  // a slash before the end binds a pattern to the folder of its file
  if (segments[0] === '') segments.shift()
  else if (segments.length === 1) segments.unshift('**')
  if (segments.every((segment) => segment === '')) return []
  // `a/**` is what lies in a, not a itself
  if (segments.at(-1) === '**' && segments.length > 1) segments.push('*')
  return [{ pattern: line, negated, foldersOnly, segments }]
}

/** Every pattern is bound to the build's folder. */
function toDockerRule(line: string): IgnoreRule[] {
  const negated = line.startsWith('!')
  const segments = (negated ? line.slice(1) : line)
    .trim()
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
  return segments.length === 0 ? [] : [{ pattern: line, negated, foldersOnly: false, segments }]
}
