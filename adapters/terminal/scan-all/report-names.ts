import { createHash } from 'node:crypto'
import type { Format } from '../arguments.ts'

/** Letters of a name before what makes it distinct: with that and the longest ending it fits into every file system. */
const MOST_LETTERS = 80
const HASH_LETTERS = 16

/** What each format is called by those that read it. */
const ENDINGS: Readonly<Record<Format, string>> = {
  text: '.txt',
  json: '.json',
  sarif: '.sarif',
  sbom: '.cdx.json',
  html: '.html',
  markdown: '.md',
  junit: '.junit.xml',
  gitlab: '.gitlab.json',
}

/** Names that mean something else: devices of Windows, files of ours, and those that with one ending are another name with another ending. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)|^summary$|\.(?:cdx|junit|gitlab)$|-[\da-f]{16}$/i

/** A project, by its name and the real path that tells it from others of this name. */
export interface NamedProject {
  readonly name: string
  readonly path: string
}

/**
 * Names of report files without their endings, by path: ASCII letters, digits, `.`, `_` and `-`. A name that had to be changed, that means something else or that two
 * projects share has a hash of the path behind it, so that no two are alike, also where upper and lower case are one.
 */
export function nameReports(projects: readonly NamedProject[]): ReadonlyMap<string, string> {
  const users = new Map<string, number>()
  for (const { name } of projects) {
    const key = toSafe(name).toLowerCase()
    users.set(key, (users.get(key) ?? 0) + 1)
  }
  return new Map(
    projects.map(({ name, path }) => {
      const safe = toSafe(name)
      const isPlain = safe === name && !RESERVED.test(safe) && users.get(safe.toLowerCase()) === 1
      return [path, isPlain ? safe : `${safe}-${hashOf(path)}`]
    }),
  )
}

/** The file of a report, within the output folder. */
export function reportFile(stem: string, format: Format): string {
  return `${stem}${ENDINGS[format]}`
}

function toSafe(name: string): string {
  const safe = name
    .replaceAll(/[^\w.-]/g, '_')
    .slice(0, MOST_LETTERS)
    // hidden files, options of commands, and what Windows cuts off
    .replaceAll(/^[.-]{1,80}|\.{1,80}$/g, '')
  return safe === '' ? 'project' : safe
}

function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, HASH_LETTERS)
}
