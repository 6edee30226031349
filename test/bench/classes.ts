import { readFileSync } from 'node:fs'
import { isParsed } from '../../core/phases/parse-file.ts'
import { openArchive } from '../../core/project/archive.ts'
import { decodeText } from '../../core/project/decode.ts'
import { classifyPath, isMinified, isUi5Source } from '../../core/project/kinds.ts'
import { createLineTable } from '../../core/parse/position.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'

/** How many bytes of an archive are read, and how many of those belong to files that all rules look at. */
export function measureClasses(path: string): { files: number; bytes: number; all: number } {
  let [files, bytes, all] = [0, 0, 0]
  for (const entry of openArchive(new Uint8Array(readFileSync(path)), DEFAULT_LIMITS).entries) {
    const found = classifyPath(entry.path)
    const raw = found.class === 'out' ? undefined : entry.read()
    const text = raw && decodeText(raw)?.text
    if (found.class === 'out' || raw === undefined || text === undefined) continue
    files++
    bytes += raw.length
    const tooLarge = isParsed(found.kind) && raw.length > DEFAULT_LIMITS.parse
    const isSetAside = isMinified(found.kind, text, createLineTable(text)) || isUi5Source(found.kind, text)
    if (found.class === 'all' && !tooLarge && !isSetAside) all += raw.length
  }
  return { files, bytes, all }
}
