import type { FileKind } from '../files.ts'
import { findFirst } from '../lists.ts'

/**
 * How values are written in a file. `line`: one name and value a line (.env, properties); `yaml`; `shell`: words; `quoted`: only what is quoted is a value;
 * `prose`: quoted in text, bare in its code blocks; `headers`: requests as .http files hold them; `comments`: quoted in comments alone, since elsewhere names are
 * those of elements; `none`: names of credentials mean no credential there.
 */
export type Dialect = 'line' | 'yaml' | 'shell' | 'quoted' | 'prose' | 'headers' | 'comments' | 'none'

const BY_ENDING: ReadonlyMap<string, Dialect> = new Map([
  ...'properties prop env ini cfg conf toml credentials npmrc yarnrc netrc pgpass editorconfig txt mf jcodestination jcoserver'
    .split(' ')
    .map((ending): [string, Dialect] => [ending, 'line']),
  ...'yaml yml mtaext'.split(' ').map((ending): [string, Dialect] => [ending, 'yaml']),
  ...'sh bash zsh ps1 bat cmd ksh fish dockerfile mk'.split(' ').map((ending): [string, Dialect] => [ending, 'shell']),
  ...'md mdx markdown rst adoc feature docx docm xlsx xlsm pptx pptm'
    .split(' ')
    .map((ending): [string, Dialect] => [ending, 'prose']),
  ...'http rest bru'.split(' ').map((ending): [string, Dialect] => [ending, 'headers']),
  ['cds', 'comments'],
  ...'edmx xsd wsdl css less svg csv lock hdbview hdbtable hdbcalculationview'
    .split(' ')
    .map((ending): [string, Dialect] => [ending, 'none']),
])

/** Whether comments of a file begin with a hash alone, so that `/*` is a pattern of paths or a schedule: YAML, scripts of shells, settings of one line each. */
export function hasHashNotes(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dialect = SETTINGS_NAME.test(name) ? 'line' : BY_ENDING.get(name.slice(name.lastIndexOf('.') + 1))
  return dialect === 'yaml' || dialect === 'shell' || (dialect === 'line' && !name.endsWith('.txt'))
}

const SETTINGS_NAME = /^\.?env(?:\.|$)|\.env(?:\.|$)|^\.(?:npmrc|yarnrc|netrc|pgpass|pypirc)$|^_netrc$/

/** By its name; views and data hold no credentials under names, only tokens that their shape gives away. */
export function dialectOf(path: string, kind: FileKind, text: string): Dialect {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (kind.language === 'lock' || kind.role === 'view' || kind.role === 'fragment' || kind.role === 'ignore-file') return 'none'
  const ending = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : ''
  // a script called `env`
  if (name === `env.${ending}` && BY_ENDING.has(ending)) return BY_ENDING.get(ending) ?? 'line'
  if (SETTINGS_NAME.test(name)) return 'line'
  if (/^(?:dockerfile|containerfile|makefile|procfile|crontab|jenkinsfile)|\.(?:cron|crontab)$/.test(name))
    return name.startsWith('jenkins') ? 'quoted' : 'shell'
  if (/(?:^|[-_.])(?:edmx|metadata)\.xml$|\.(?:view|fragment)\.(?:xml|json|js|ts|html)$/.test(name)) return 'none'
  if (ending === '' || kind.role === 'destination') return dialectOfText(text)
  return BY_ENDING.get(ending) ?? 'quoted'
}

const HEAD = 2000
const MOST_LINES = 20

/** Of a file without an ending, by how its first lines are written: `.kube/config`, a destination as the cockpit exports it. */
function dialectOfText(text: string): Dialect {
  if (text.startsWith('#!')) return 'shell'
  const lines = text
    .slice(0, HEAD)
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    .slice(0, MOST_LINES)
  const share = (form: RegExp): number => lines.filter((line) => form.test(line)).length / lines.length
  if (share(/^[\w.-]{1,100}[ \t]{0,8}=/) > 0.6) return 'line'
  return share(/^\s{0,40}(?:- ?)?[\w."-]{1,100}:(?:\s|$)/) > 0.6 ? 'yaml' : 'quoted'
}

const CODE: ReadonlySet<string> = new Set(
  'js mjs cjs javascript jsx ts typescript tsx cds java kotlin groovy abap abap-cds python py go cs csharp json json5 jsonc xml html css sql'.split(
    ' ',
  ),
)
const LINES: ReadonlySet<string> = new Set('properties ini env dotenv toml conf'.split(' '))

/** How a fenced code block of Markdown is written, by the language behind its fence; others are commands and output. */
function dialectOfFence(language: string): Dialect {
  if (CODE.has(language)) return 'quoted'
  if (LINES.has(language)) return 'line'
  return language === 'yaml' || language === 'yml' ? 'yaml' : 'shell'
}

/** Tells how the fenced code block is written that an offset of a text with Markdown stands in; undefined: in none. */
export function createFenceReader(text: string): (offset: number) => Dialect | undefined {
  const fences = [...text.matchAll(/^[ \t]{0,3}(?:```|~~~)[`~]{0,8}[ \t]{0,4}([\w-]{0,20})/gm)]
  return (offset) => {
    const behind = findFirst(fences.length, (index) => (fences[index]?.index ?? 0) >= offset)
    return behind % 2 === 1 ? dialectOfFence((fences[behind - 1]?.[1] ?? '').toLowerCase()) : undefined
  }
}
