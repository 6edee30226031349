import type { ProjectFile } from '../files.ts'
import { createLineTable, type LineTable } from '../parse/position.ts'
import { decodeText } from '../project/decode.ts'
import type { PlannedFile } from '../project/open.ts'

/** Lines of all files whose tables are kept until the report: 16 MB of them, those of a project of 4 million lines. */
const MOST_LINES = 4_000_000

/** Tables of lines tell where a finding is. A file of line breaks has four bytes of table for each byte, so beyond a limit they are made again where one is asked for. */
export interface LineTables {
  keep(file: ProjectFile, planned: PlannedFile): ProjectFile
}

export function createLineTables(most: number = MOST_LINES): LineTables {
  let room = most
  // who asks for one place of a file asks for others
  let last: { readonly path: string; readonly lines: LineTable } | undefined
  const read = (planned: PlannedFile): LineTable => {
    if (last?.path !== planned.path) {
      const raw = planned.entry.read()
      last = { path: planned.path, lines: createLineTable((raw && decodeText(raw)?.text) ?? '') }
    }
    return last.lines
  }
  return {
    keep(file, planned) {
      if (file.lines.length <= room) {
        room -= file.lines.length
        return file
      }
      return {
        ...file,
        get lines() {
          return read(planned)
        },
      }
    },
  }
}
