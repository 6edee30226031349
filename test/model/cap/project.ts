import { createBudget } from '../../../core/budget.ts'
import type { ProjectFile } from '../../../core/files.ts'
import { parseFile } from '../../../core/phases/parse-file.ts'
import { createLineTable } from '../../../core/parse/position.ts'
import { classifyPath } from '../../../core/project/kinds.ts'

/** Texts by path as the phase *read* leaves them. */
export function readProject(texts: Readonly<Record<string, string>>): Map<string, ProjectFile> {
  const files = new Map<string, ProjectFile>()
  for (const [path, text] of Object.entries(texts)) {
    const found = classifyPath(path)
    if (found.class === 'out') continue
    const content = parseFile(path, found.kind, text, true, createBudget(1_000_000))
    files.set(path, { path, kind: found.kind, scope: found.class, content, lines: createLineTable(text) })
  }
  return files
}

export const PACKAGE: string = JSON.stringify({ dependencies: { '@sap/cds': '^9' } })
