import { readFileSync } from 'node:fs'
import { parse } from '@babel/parser'
import { inflateSync } from 'fflate'
import { Parser } from 'htmlparser2'
import { parseTree } from 'jsonc-parser'
import { SaxesParser } from 'saxes'
import { parseAllDocuments } from 'yaml'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { isParsed } from '../../core/phases/parse-file.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { peakMemory } from './peak.ts'

/**
 * The floor: inflate each entry, decode it, parse once what the scanner parses, with the bare libraries: no check, no facts, no rule. One entry at a
 * time. Our own parsers (CDS, properties) have no library to be compared with and count for the scanner alone.
 */
const bytes = new Uint8Array(readFileSync(process.argv[2] ?? ''))
const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const end = bytes.length - 22
let at = view.getUint32(end + 16, true)
let nodes = 0
for (let index = view.getUint16(end + 10, true); index > 0; index--) {
  const nameLength = view.getUint16(at + 28, true)
  const path = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
  const local = view.getUint32(at + 42, true)
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
  const data = bytes.subarray(start, start + view.getUint32(at + 20, true))
  const raw =
    view.getUint16(at + 10, true) === 0 ? data : inflateSync(data, { out: new Uint8Array(view.getUint32(at + 24, true)) })
  at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  const text = new TextDecoder().decode(raw)
  const found = classifyPath(path)
  if (found.class === 'all' && isParsed(found.kind) && raw.length <= DEFAULT_LIMITS.parse)
    nodes += parseOnce(path, found.kind.language, text)
}
process.stdout.write(`${JSON.stringify({ cpu: process.cpuUsage(), rss: peakMemory(), nodes })}\n`)

function parseOnce(path: string, language: string, text: string): number {
  if (language === 'script') return parseScript(path, text)
  if (language === 'json') return parseTree(text)?.length ?? 0
  if (language === 'yaml') return parseAllDocuments(text, { uniqueKeys: false }).length
  if (language === 'html') {
    let tags = 0
    new Parser({ onopentag: () => void tags++ }).end(text)
    return tags
  }
  if (language !== 'xml') return 0
  let tags = 0
  const parser = new SaxesParser({ xmlns: false })
  parser.on('opentag', () => void tags++)
  parser.on('error', () => {})
  parser.write(text).close()
  return tags
}

function parseScript(path: string, text: string): number {
  const options = {
    errorRecovery: true,
    attachComment: false,
    tokens: false,
    createParenthesizedExpressions: false,
    allowReturnOutsideFunction: true,
    allowImportExportEverywhere: true,
    allowAwaitOutsideFunction: true,
    allowUndeclaredExports: true,
    plugins: path.endsWith('.ts') ? (['typescript', 'decorators'] as const).slice() : (['jsx', 'decorators'] as const).slice(),
  }
  try {
    return parse(text, { ...options, sourceType: /^\s*(?:import|export)\b/m.test(text) ? 'module' : 'script' }).program.body
      .length
  } catch {
    return 0
  }
}
