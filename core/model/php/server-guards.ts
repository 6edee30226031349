import type { ProjectFile } from '../../files.ts'
import { takesUrl } from '../approuter/index.ts'
import { fileNameOf, folderOf, foldersAround, joinPath } from '../../paths.ts'

/** Whom settings let in: true is everybody. What is undefined they don't say. */
interface Access {
  /** `Require`. */
  user?: boolean
  /** `Allow`, `Deny`. */
  host?: boolean
  /** One of both is enough. */
  isEither?: boolean
}

/** `<FilesMatch "^admin">`, `<Files ~ "\.inc$">` */
const BLOCK = /^<(\/?)(\w{1,20})\s{0,20}([^>]{0,200})>?/
/** Facts: Apache HTTP Server 2.4, `Require` (mod_authz_core), `Deny`, `Satisfy` (mod_access_compat: all of both, unless it says any). */
const REQUIRE = /^require\s{1,9}(?:(all\s{1,9}granted)|\S)/i
const HOST = /^(?:(allow)|deny)\s{1,9}from\s{1,9}all/i
const EITHER = /^satisfy\s{1,9}any\b/i

/** Tells whether the web server asks for a login, or lets nobody in, before a script runs: what the `.htaccess` of the nearest folder says counts. Fact: Apache HTTP Server 2.4, "Configuration Sections". */
export function createServerGuards(
  files: ReadonlyMap<string, ProjectFile>,
  step: (count: number) => void,
): (path: string) => boolean {
  const known = new Map<string, ReadonlyMap<string, Access>>()
  const accessOf = (folder: string): ReadonlyMap<string, Access> => {
    const path = joinPath(folder, '.htaccess')
    const content = files.get(path)?.content
    const access = known.get(path) ?? readAccess(content?.as === 'text' ? content.text : undefined)
    known.set(path, access)
    return access
  }
  return (path) => {
    const name = fileNameOf(path)
    for (const folder of [folderOf(path), ...foldersAround(path)]) {
      const access = accessOf(folder)
      const own = [...access].find(([source]) => {
        step(1 + source.length)
        return source !== ALL && takesUrl({ source, matchCase: false }, name)
      })
      const isOpen = (own && isOpenTo(own[1])) ?? isOpenTo(access.get(ALL) ?? {})
      if (isOpen !== undefined) return !isOpen
    }
    return false
  }
}

function isOpenTo({ user, host, isEither }: Access): boolean | undefined {
  if (user === undefined || host === undefined) return user ?? host
  return isEither === true ? user || host : user && host
}

/** Lines of settings that somebody wrote. */
const MOST_LINES = 2000
const MOST_NAMES = 20
/** The name of all files of a folder among those of some. */
const ALL = ''

/** By the regular expression that names of files match. */
function readAccess(text = ''): ReadonlyMap<string, Access> {
  const found = new Map<string, Access>()
  const blocks: string[] = []
  for (const line of text.split('\n', MOST_LINES)) {
    const written = line.trim()
    const [, end, name = '', given = ''] = BLOCK.exec(written) ?? []
    if (end === '/') blocks.pop()
    else if (end === '') blocks.push(`${name.toLowerCase()} ${given}`)
    const said = accessIn(written)
    const [inner = ALL, ...others] = blocks.filter(
      (block) => !/^(?:ifmodule|ifdefine|ifversion|requireall|requireany)\b/.test(block),
    )
    if (said === undefined || others.length > 0 || !/^(?:files|$)/.test(inner)) continue
    const source = inner === ALL ? ALL : patternOf(inner)
    if (found.size > MOST_NAMES && !found.has(source)) continue
    found.set(source, { ...found.get(source), ...said })
  }
  return found
}

function accessIn(written: string): Access | undefined {
  const user = REQUIRE.exec(written)
  if (user !== null) return { user: user[1] !== undefined }
  const host = HOST.exec(written)
  if (host !== null) return { host: host[1] !== undefined }
  return EITHER.test(written) ? { isEither: true } : undefined
}

/** `files *.inc` and `filesmatch "^(add|clear)\.php$"`. */
function patternOf(block: string): string {
  const written = block.replace(/^files(?:match)?\s{0,20}~?\s{0,20}/, '').replaceAll(/["']/g, '')
  if (block.startsWith('filesmatch') || block.includes('~')) return written
  return `^${written
    .replaceAll(/[\\^$.|+()[\]{}]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')}$`
}
