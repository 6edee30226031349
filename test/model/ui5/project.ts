import { createBudget } from '../../../core/budget.ts'
import { collectFacts } from '../../../core/facts/index.ts'
import type { FileContent, FileKind, ProjectFile } from '../../../core/files.ts'
import { parseHtml } from '../../../core/parse/html.ts'
import { parseScript } from '../../../core/parse/javascript.ts'
import { parseJson } from '../../../core/parse/json.ts'
import { createLineTable } from '../../../core/parse/position.ts'
import { parseXml } from '../../../core/parse/xml.ts'
import { parseYaml } from '../../../core/parse/yaml.ts'
import { classifyPath } from '../../../core/project/kinds.ts'

/** A project of texts by path, read as a scan reads it. */
export function toFiles(texts: Readonly<Record<string, string>>): Map<string, ProjectFile> {
  const files = new Map<string, ProjectFile>()
  for (const [path, text] of Object.entries(texts)) {
    const found = classifyPath(path)
    if (found.class === 'out') continue
    const content = found.class === 'all' ? toContent(path, found.kind, text) : ({ as: 'text' } as const)
    files.set(path, { path, kind: found.kind, scope: found.class, content, lines: createLineTable(text) })
  }
  return files
}

function toContent(path: string, kind: FileKind, text: string): FileContent {
  if (kind.language === 'json') return { as: 'data', roots: [parseJson(text)] }
  if (kind.language === 'yaml') return { as: 'data', roots: parseYaml(text) }
  if (kind.language === 'xml') return { as: 'markup', document: parseXml(text) }
  if (kind.language === 'html') return { as: 'markup', document: parseHtml(text) }
  if (kind.language !== 'script') return { as: 'text' }
  return { as: 'script', facts: collectFacts(parseScript(text, path), text, createBudget(10_000_000)) }
}
