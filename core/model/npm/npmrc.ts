import type { ProjectFile } from '../../files.ts'
import { at, booleanOf, itemsOf, membersOf, stringOf } from '../../parse/data.ts'
import type { NpmSetting } from './types.ts'
import type { LockedPackage } from '../../parse/lock/index.ts'

/** No file of settings has more lines than that which say something. */
const MAX_SETTINGS = 2000

/** What .npmrc, .yarnrc and .yarnrc.yml of the project say, in npm's names. */
export function readSettings(files: ReadonlyMap<string, ProjectFile>): NpmSetting[] {
  const settings: NpmSetting[] = []
  for (const file of files.values()) {
    const { kind, content } = file
    if (kind.role !== 'npmrc' && kind.role !== 'yarnrc') continue
    if (content.as === 'text') settings.push(...readLines(file.path, content.text ?? '', kind.role === 'npmrc'))
    else if (content.as === 'data') settings.push(...readYarnYaml(file))
  }
  return settings
}

/** `key = value` of npm's ini form, `key value` of yarn 1. */
function readLines(file: string, text: string, isIni: boolean): NpmSetting[] {
  const settings: NpmSetting[] = []
  const line = isIni
    ? /^[ \t]*([^\s=;#[][^\r\n=]{0,300})(?:=([^\r\n]{0,2000}))?$/gm
    : /^[ \t]*"?([^\s"#]{1,300})"?[ \t]+([^\r\n]{1,2000})$/gm
  for (const { 0: whole, 1: key = '', 2: value = 'true', index } of text.matchAll(line)) {
    if (settings.length === MAX_SETTINGS) break
    const start = index + whole.length - whole.trimStart().length
    const place = { file, span: { start, end: start + whole.trim().length } }
    settings.push({ key: key.trim().toLowerCase(), value: withoutQuotes(value.trim()), place })
  }
  return settings
}

function withoutQuotes(text: string): string {
  return /^(["']).*\1$/.test(text) && text.length > 1 ? text.slice(1, -1) : text
}

/** The settings of yarn 2 and later that have a twin in npm (yarn documentation, "Settings (.yarnrc.yml)"). */
function readYarnYaml({ path: file, content }: ProjectFile): NpmSetting[] {
  if (content.as !== 'data') return []
  const [root] = content.roots
  const settings: NpmSetting[] = []
  const add = (key: string, value: string | undefined, span: { start: number; end: number } | undefined): void => {
    if (value !== undefined && span !== undefined)
      settings.push({ key, value, place: { file, span: { start: span.start, end: span.end } } })
  }
  for (const { key, keySpan, value } of membersOf(root).slice(0, MAX_SETTINGS)) {
    const whole = { start: keySpan.start, end: Math.max(keySpan.end, value.end) }
    if (key === 'enableStrictSsl' && booleanOf(value) !== undefined) add('strict-ssl', String(booleanOf(value)), whole)
    if (key === 'npmRegistryServer') add('registry', stringOf(value), whole)
    if (key === 'enableScripts' && booleanOf(value) === false) add('ignore-scripts', 'true', whole)
    if (key === 'unsafeHttpWhitelist') for (const item of itemsOf(value)) add('unsafe-http', stringOf(item), item)
    if (key === 'npmScopes')
      for (const scope of membersOf(value)) {
        const server = at(scope.value, 'npmRegistryServer')
        add(`@${scope.key.toLowerCase()}:registry`, stringOf(server), server)
      }
  }
  return settings
}

/** Scopes (`@corp`) that the project maps to a registry of their own: nothing about their packages leaves the machine. */
export function findPrivateScopes(settings: readonly NpmSetting[]): ReadonlySet<string> {
  const scopes = new Set<string>()
  for (const { key } of settings)
    if (key.startsWith('@') && key.endsWith(':registry')) scopes.add(key.slice(0, -':registry'.length))
  return scopes
}

/** Packages as they are, those of private scopes marked as private. */
export function markPrivate(packages: readonly LockedPackage[], scopes: ReadonlySet<string>): readonly LockedPackage[] {
  if (scopes.size === 0) return packages
  const marked: LockedPackage[] = []
  for (const found of packages) {
    const { name } = found
    const scope = name.startsWith('@') ? name.slice(0, name.indexOf('/')).toLowerCase() : ''
    marked.push(scopes.has(scope) ? { ...found, isPrivate: true } : found)
  }
  return marked
}
