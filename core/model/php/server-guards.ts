import type { ProjectFile } from '../../files.ts'
import { fileNameOf, folderOf, foldersAround, joinPath } from '../../paths.ts'

/** Who a folder lets in: by its own settings, and by those of its files alone. Undefined: the settings say nothing. */
interface FolderAccess {
  readonly all: boolean | undefined
  readonly files: readonly { readonly pattern: NamePattern; readonly isOpen: boolean }[]
}

/** `<FilesMatch "^admin">`, `<Files ~ "\.inc$">` */
const BLOCK = /^<(\/?)(\w{1,20})\s{0,20}([^>]{0,200})>?/
/** Facts: Apache HTTP Server 2.4, `Require` (mod_authz_core), `Deny` (mod_access_compat). */
const OPENS = /^(?:require\s{1,9}all\s{1,9}granted|(?:allow\s{1,9}from\s{1,9}all|satisfy\s{1,9}any))\b/i
const CLOSES = /^(?:require\s{1,9}(?!all\s{1,9}granted)\S|deny\s{1,9}from\s{1,9}all)/i

/** Tells whether the web server asks for a login, or lets nobody in, before a script runs: what the `.htaccess` of the nearest folder says counts. Fact: Apache HTTP Server 2.4, "Configuration Sections". */
export function createServerGuards(files: ReadonlyMap<string, ProjectFile>): (path: string) => boolean {
  const known = new Map<string, FolderAccess | undefined>()
  const accessOf = (folder: string): FolderAccess | undefined => {
    const path = joinPath(folder, '.htaccess')
    if (!known.has(path)) {
      const content = files.get(path)?.content
      known.set(path, content?.as === 'text' && content.text !== undefined ? readAccess(content.text) : undefined)
    }
    return known.get(path)
  }
  return (path) => {
    for (const folder of [folderOf(path), ...foldersAround(path)]) {
      const access = accessOf(folder)
      const own = access?.files.find(({ pattern }) => isNamed(fileNameOf(path), pattern))
      const isOpen = own?.isOpen ?? access?.all
      if (isOpen !== undefined) return !isOpen
    }
    return false
  }
}

/** Lines of settings that somebody wrote. */
const MOST_LINES = 2000

function readAccess(text: string): FolderAccess {
  let all: boolean | undefined
  const found: { pattern: NamePattern; isOpen: boolean }[] = []
  const blocks: string[] = []
  for (const line of text.split('\n', MOST_LINES)) {
    const written = line.trim()
    const [, end, name = '', given = ''] = BLOCK.exec(written) ?? []
    if (end === '/') blocks.pop()
    else if (end === '') blocks.push(`${name.toLowerCase()} ${given}`)
    const isOpen = OPENS.test(written) ? true : CLOSES.test(written) ? false : undefined
    if (isOpen === undefined) continue
    const [inner, ...others] = blocks.filter((block) => !/^(?:ifmodule|ifdefine|ifversion|requireall|requireany)\b/.test(block))
    if (inner === undefined) all = isOpen
    const pattern = inner?.startsWith('files') === true && others.length === 0 ? patternOf(inner) : undefined
    if (pattern !== undefined) found.push({ pattern, isOpen })
  }
  return { all, files: found }
}

/** A name as settings write it: what it holds in this order, and whether it begins or ends with the first or last of that. */
interface NamePattern {
  readonly parts: readonly string[]
  readonly begins: boolean
  readonly ends: boolean
}

/** Of a pattern nothing but its plain parts is compared: text, `*` and ends; what says more is understood as no file. */
function patternOf(block: string): NamePattern | undefined {
  const isExpression = block.startsWith('filesmatch') || block.includes('~')
  const written = block.replace(/^files(?:match)?\s{0,20}~?\s{0,20}/, '').replaceAll(/["']/g, '')
  if (!isExpression) return { parts: written.split('*'), begins: true, ends: true }
  const plain = written.replace(/^\^/, '').replace(/\$$/, '')
  if (/[()|[\]+?{}]/.test(plain)) return undefined
  return { parts: plain.replaceAll(/\\(.)/g, '$1').split(/\.\*/), begins: written.startsWith('^'), ends: written.endsWith('$') }
}

function isNamed(name: string, { parts, begins, ends }: NamePattern): boolean {
  const lower = name.toLowerCase()
  let at = 0
  for (const [index, part] of parts.entries()) {
    const found = lower.indexOf(part.toLowerCase(), at)
    if (found === -1 || (index === 0 && begins && found > 0)) return false
    at = found + part.length
  }
  return !ends || lower.endsWith(parts.at(-1)?.toLowerCase() ?? '')
}
