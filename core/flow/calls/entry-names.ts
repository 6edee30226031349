import type { Definition, ScriptFacts, Value } from '../../facts/index.ts'
import { ENTRY_NAMES, ENTRY_NAMES_OF, UNPACKERS } from '../tables/archives.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** What scripts call an entry of an archive. */
const OF_ENTRY = /^(?:e|f|it|entry|file|header|item|member|record|\w{1,30}(?:Entry|File))$/i

/** `entry.entryName` in a script that unpacks archives: whoever made the archive chose it. */
export function isEntryName({ name, object }: Value & { readonly kind: 'member' }, { facts }: FlowDraft): boolean {
  if (name === undefined || object.kind !== 'reference' || !facts.imports.some(({ source }) => UNPACKERS.has(source)))
    return false
  return isNamed(name, facts) || (name === 'path' || name === 'name' ? OF_ENTRY.test(object.name) : false)
}

/** `({ entryName }) => …`, `const { path: name } = entry`, `zip.forEach((relativePath) => …)`. */
export function isEntryPattern({ path, value, parameter }: Definition, { facts }: FlowDraft): boolean {
  const name = path.at(-1)
  if (name === undefined || !facts.imports.some(({ source }) => UNPACKERS.has(source))) return false
  if (isNamed(name, facts)) return true
  if ((name !== 'path' && name !== 'name') || path.length > 2) return false
  return parameter === undefined ? value?.kind === 'reference' && OF_ENTRY.test(value.name) : path.length === 1
}

function isNamed(name: string, { imports }: ScriptFacts): boolean {
  const only = ENTRY_NAMES_OF.get(name)
  return ENTRY_NAMES.has(name) || (only !== undefined && imports.some(({ source }) => source === only))
}
