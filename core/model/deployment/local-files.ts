import type { ProjectFile } from '../../files.ts'
import { membersOf, stringOf, type DataNode } from '../../parse/data.ts'
import { fileNameOf } from '../../paths.ts'

/** A file of somebody's own machine that belongs into no repository, image or upload. */
export interface LocalFile {
  readonly path: string
  /** What it holds: credentials; bindings without them (references of `cds bind`, addresses); nothing of either. */
  readonly holds: 'credentials' | 'bindings' | 'settings'
}

const SAMPLE = /(?:^|[.\-_])(?:example|sample|template|dist|defaults?|tmpl|tpl)(?:[.\-_]|$)/i
const SAMPLE_FOLDER = /(?:^|\/)(?:docs?|documentation|examples?|samples?|templates?)\//i
/** Names that a value needs to be a credential. */
const CREDENTIAL =
  /(?:^|[._-])(?:client_?secret|password|passwd|pwd|secret|private_?key|access_?key|api_?key|token|credentials?)$|^(?:hanakey|clientsecret)$/i
const PLACEHOLDER = /^(?:\s*|<[^>]*>|\$[{(<].*|\{\{.*\}\}|x{3,}|\*{3,}|\.{3}|your[-_ ].*|changeme|todo)$/i
/** Words of which nobody makes a credential: `my-secret`, `dummy_key`, `replace-me`. */
const INVENTED = new Set(
  'my the some a me replace change secret password passwd pwd token key value dummy fake mock placeholder none null undefined localhost'.split(
    ' ',
  ),
)
const BINDING = /^(?:VCAP_SERVICES|destinations|binding|credentials|instance_name|SERVICE_REPLACEMENTS)$/
/** Users that CAP makes up for runs on one's own machine. Fact: capire, "Authentication", mock users. */
const MOCKED = /^mock(?:ed)?$/
const MAX_NODES = 20_000

/** Local files by their role (default-env.json, service keys, .cdsrc-private.json, .env) and what they hold; samples and tests are left out. */
export function findLocalFiles(files: ReadonlyMap<string, ProjectFile>): LocalFile[] {
  const found: LocalFile[] = []
  for (const { path, kind, content } of files.values()) {
    const name = fileNameOf(path)
    const isLocal = kind.role === 'default-env' || kind.role === 'env' || (kind.role === 'cdsrc' && name.includes('-private'))
    if (!isLocal || kind.test || content.as !== 'data' || SAMPLE.test(name.replace(/^default-/, ''))) continue
    if (SAMPLE_FOLDER.test(path)) continue
    found.push({ path, holds: judge(content.roots) })
  }
  return found
}

function judge(roots: readonly DataNode[]): LocalFile['holds'] {
  let holds: LocalFile['holds'] = 'settings'
  // what is still to be filled in shows others what to write
  let isTemplate = false
  let hasLocalPassword = false
  const open: DataNode[] = [...roots]
  let left = MAX_NODES
  for (let node = open.pop(); node !== undefined && left > 0; node = open.pop()) {
    if (node.kind === 'array') for (const item of node.items) open.push(item)
    const local = localPrefixes(node)
    for (const { key, value } of membersOf(node)) {
      left--
      const text = stringOf(value)
      if (text === undefined) {
        if (!MOCKED.test(key)) open.push(value)
      } else if (isCredential(key, text)) {
        // a password of a server on the machine itself opens nothing elsewhere
        if (!PASSWORD.test(key) || !local.has(prefixOf(key, PASSWORD))) return 'credentials'
        hasLocalPassword = true
      } else if (CREDENTIAL.test(key) && text.trim() !== '' && isPlaceholder(text)) isTemplate = true
      if (BINDING.test(key)) holds = 'bindings'
    }
  }
  return isTemplate || hasLocalPassword ? 'settings' : holds
}

/** What names of an object begin with for which all hosts are the machine itself: `DB_` of `DB_HOST=localhost`; '' of a plain `host`. */
function localPrefixes(node: DataNode): ReadonlySet<string> {
  const local = new Set<string>()
  const remote = new Set<string>()
  for (const { key, value } of membersOf(node)) {
    const text = stringOf(value)
    if (text !== undefined && HOST.test(key)) (LOCAL.test(text) ? local : remote).add(prefixOf(key, HOST))
  }
  return new Set([...local].filter((prefix) => !remote.has(prefix)))
}

function prefixOf(key: string, name: RegExp): string {
  return key.replace(name, '').toLowerCase()
}

const PASSWORD = /(?:^|[._-])(?:password|passwd|pwd)$/i
const HOST = /(?:^|[._-])(?:host(?:name)?|server|ur[il]|endpoint|domain|address|system)$/i
const LOCAL =
  /^(?:[a-z][a-z0-9+.-]{1,20}:\/\/)?(?:[^@/]{0,80}@)?(?:localhost|127\.0\.0\.1|\[?::1\]?|host\.docker\.internal)(?::\d{1,5})?(?![\w.:@,;-])/i

/** Also in JSON on one line of .env: VCAP_SERVICES, destinations of the approuter. */
function isCredential(key: string, text: string): boolean {
  if (/^\s{0,20}[[{]/.test(text)) {
    const secrets = /"(?:clientsecret|password|private_?key|secret_access_key|key)"\s{0,5}:\s{0,5}"([^"]{4,200})/gi
    return [...text.slice(0, 100_000).matchAll(secrets)].some(([, value = '']) => !isPlaceholder(value))
  }
  // a certificate's key; the key of a reference is a name
  if (key === 'key') return text.startsWith('-----BEGIN')
  return CREDENTIAL.test(key) && text.length >= 4 && text.length < 20_000 && !isPlaceholder(text)
}

function isPlaceholder(text: string): boolean {
  const value = text.slice(0, 200)
  return (
    PLACEHOLDER.test(value) ||
    value
      .toLowerCase()
      .split(/[-_ ]/)
      .every((word) => INVENTED.has(word))
  )
}
