import type { ProjectSource, SourceEntry } from '../../core/host.ts'
import { isUnread } from './open-documents.ts'

/** Texts that are open in an editor, by their path in the folder; they count, whatever lies on the disk. */
export type OpenTexts = ReadonlyMap<string, string>

/** A folder as its editor shows it: with what is not saved yet, and with files that are on no disk. */
export function withOpenTexts(source: ProjectSource, texts: OpenTexts): ProjectSource {
  if (texts.size === 0) return source
  const onDisk = new Set<string>()
  const entries = source.entries.map((entry) => {
    onDisk.add(entry.path)
    const text = texts.get(entry.path)
    return text === undefined ? entry : toEntry(entry.path, text)
  })
  for (const [path, text] of texts) if (!onDisk.has(path) && !isUnread(path)) entries.push(toEntry(path, text))
  return { ...source, entries }
}

function toEntry(path: string, text: string): SourceEntry {
  const bytes = new TextEncoder().encode(text)
  return { path, size: bytes.length, read: () => bytes }
}
