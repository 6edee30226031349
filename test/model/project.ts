import { createEngine } from '../../core/engine.ts'
import { createScripts, type Scripts } from '../../core/extracts/scripts.ts'
import type { FileResult, ProjectFile } from '../../core/files.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { findApprouters, type Approuter } from '../../core/model/approuter/index.ts'
import { findCapRoots, type CapRoot } from '../../core/model/cap/index.ts'
import { findUi5Apps, type Ui5App } from '../../core/model/ui5/index.ts'
import { toFileResult } from '../../core/phases/read-file.ts'
import { decodeText } from '../../core/project/decode.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { RULES } from '../../core/rules/index.ts'

const ENGINE = createEngine(RULES)
const DECLARED = new Set(ENGINE.extracts)

/** Texts by path as the phase *read* leaves them. A text that can't be parsed fails the test. */
export function readProject(texts: Readonly<Record<string, string>>): Map<string, ProjectFile> {
  const files = new Map<string, ProjectFile>()
  for (const [path, text] of Object.entries(texts)) {
    const result = readText(path, text)
    if (result === undefined) continue
    const [notice] = result.notices
    if (notice?.code === 'file-unreadable') throw new Error(`${path}: ${notice.reason}`)
    files.set(path, result)
  }
  return files
}

/** One text as the phase *read* sees it, notices and all; undefined: a scan leaves such a file out. */
export function readText(path: string, text: string): FileResult | undefined {
  const found = classifyPath(path)
  const bytes = new TextEncoder().encode(text)
  const decoded = decodeText(bytes)
  if (found.class === 'out' || decoded === undefined) return undefined
  const entry = { path, size: bytes.length, read: (): Uint8Array => bytes }
  return toFileResult({ path, kind: found.kind, scope: found.class, entry }, decoded, {
    engine: ENGINE,
    limits: DEFAULT_LIMITS,
    suppressions: true,
    date: '2026-11-20T12:00:00.000Z',
    flowExtent: 'sinks',
    interruption: undefined,
    onTimeUp: () => undefined,
    onFault: (error) => {
      throw error
    },
  })
}

export function scriptsOf(files: ReadonlyMap<string, ProjectFile>): Scripts {
  return createScripts(files.values(), DECLARED)
}

export function capRootsOf(files: ReadonlyMap<string, ProjectFile>): CapRoot[] {
  return findCapRoots(files, scriptsOf(files))
}

export function ui5AppsOf(files: ReadonlyMap<string, ProjectFile>): Ui5App[] {
  return findUi5Apps(files, scriptsOf(files))
}

export function approutersOf(files: ReadonlyMap<string, ProjectFile>): readonly Approuter[] {
  return findApprouters(files, scriptsOf(files))
}

export const PACKAGE: string = JSON.stringify({ dependencies: { '@sap/cds': '^9' } })
