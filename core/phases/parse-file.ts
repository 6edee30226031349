import { StopSignal, type Budget } from '../budget.ts'
import { collectFacts, type RelativeName } from '../facts/index.ts'
import type { ScriptFacts } from '../facts/types.ts'
import type { FileContent, FileKind, OpenContent } from '../files.ts'
import type { KeywordHits } from '../keywords/index.ts'
import { readLock } from '../parse/lock/index.ts'
import { parseCds } from '../parse/cds/index.ts'
import type { DataNode } from '../parse/data.ts'
import { ParseFailure } from '../parse/failure.ts'
import { collectSqlFacts } from '../facts/sqlscript.ts'
import { parseCsv } from '../parse/csv.ts'
import { parseHtml } from '../parse/html.ts'
import { isJudgedJava } from '../parse/java-tokens.ts'
import { parseScript } from '../parse/javascript.ts'
import { parseJson } from '../parse/json.ts'
import { elementsOf, attributeOf, type MarkupDocument } from '../parse/markup.ts'
import { parseModuleLiteral } from '../parse/module-literal.ts'
import { toTemplateMarkup } from '../parse/page-template.ts'
import type { Notice } from '../types.ts'
import { parseProperties } from '../parse/properties.ts'
import { PASSWORD_PROPERTY } from '../parse/odata-metadata.ts'
import { isPhp } from '../parse/php/index.ts'
import { isJudgedPython } from '../parse/python-text.ts'
import { parseSqlScript } from '../parse/sqlscript/index.ts'
import { parseXml } from '../parse/xml.ts'
import { parseYaml } from '../parse/yaml.ts'
import { languageByText, mayKeepAddresses, roleByContent } from '../project/kind-by-text.ts'

/** Where an app of Flutter says which certificates it accepts, and where it says so for all of its requests. Fact: Dart 3, dart:io (`HttpClient`, `HttpOverrides`). */
const JUDGED_DART = /badCertificateCallback|HttpOverrides\.global/
/** Procedures that are given passwords, and triggers on them. */
const HOLDS_PROCEDURE = /\b(?:procedure|trigger)\b[^;]{0,400}(?:passw|pwd)/i

/** SQL that no rule looks at, whatever its size: data above all. */
export function isDump({ role }: FileKind, text: string): boolean {
  return role === 'sql' && !HOLDS_PROCEDURE.test(text)
}

/** Whether text of this kind is parsed at all; JSON and YAML without a role in UI5, CAP or BTP are read by the rules on secrets alone. */
export function isParsed(kind: FileKind): boolean {
  if (kind.language === 'json' || kind.language === 'yaml' || kind.language === 'properties' || kind.language === 'xml')
    return kind.role !== undefined
  return kind.language !== 'text' || kind.role !== undefined
}

/** The facts of a script. Throws a ParseFailure, or a StopSignal when the steps are used up. */
export function readFacts(text: string, path: string, budget?: Budget, relativeName?: RelativeName): ScriptFacts {
  return collectFacts(parseScript(text, path), text, budget, relativeName)
}

interface ParseOptions {
  /** False: a script is parsed, nothing more. */
  readonly facts: boolean
  /**
   * Of many scripts half are asked nothing: that one of them can't be parsed costs no finding, but parsing all of them a seventh of the scan. They are not
   * parsed, and a notice on the project says so.
   */
  readonly isLarge: boolean
  readonly budget: Budget
  readonly relativeName: RelativeName | undefined
}

/** Text to content. Throws a ParseFailure, or a StopSignal when the file's steps are used up. */
export function parseFile(
  path: string,
  kind: FileKind,
  text: string,
  { facts, isLarge, budget, relativeName }: ParseOptions,
): OpenContent {
  switch (kind.language) {
    case 'script':
      if (facts) return { as: 'script', facts: readFacts(text, path, budget, relativeName) }
      if (!isLarge) parseScript(text, path)
      return { as: 'text' }
    case 'json':
      if (kind.role === 'hdbrole' && !/^\s*\{/.test(text)) return { as: 'text' } // a role of XS classic has a syntax of its own
      return { as: 'data', roots: [parseJson(text)] }
    case 'script-data':
      return { as: 'data', roots: [parseModuleLiteral(text, path)] }
    case 'yaml':
      return { as: 'data', roots: parseYaml(text) }
    case 'properties':
      return { as: 'data', roots: [(kind.role === 'env' ? environmentOfJson(text) : undefined) ?? parseProperties(text)] }
    case 'xml':
      return { as: 'markup', document: parseXml(text) }
    case 'html':
      return { as: 'markup', document: parseHtml(kind.role === 'page-template' ? toTemplateMarkup(path, text) : text) }
    case 'cds':
      return { as: 'cds', document: parseCds(text) }
    case 'sqlscript':
      return { as: 'sqlscript', facts: collectSqlFacts(parseSqlScript(text), budget) }
    case 'csv':
      return { as: 'csv', table: parseCsv(text) }
    case 'lock':
      return { as: 'lock', lock: readLock(path, kind, text) }
    case 'text':
      if (kind.role === 'java' && !isJudgedJava(text)) return { as: 'text' }
      if (isDump(kind, text)) return { as: 'text' }
      if (kind.role === 'python' && !isJudgedPython(text)) return { as: 'text' }
      if (kind.role === 'php' && !isPhp(text)) return { as: 'text' }
      if (kind.role === 'dart' && !JUDGED_DART.test(text)) return { as: 'text' }
      if (kind.role === 'odata-metadata' && !PASSWORD_PROPERTY.test(text)) return { as: 'text' }
      if (kind.role === 'account-table' && !/passw|pwd/i.test(text.slice(0, TABLE_HEAD))) return { as: 'text' }
      if (kind.role === 'cordova-config' && !text.includes('<allow-navigation')) return { as: 'text' }
      if (kind.role === 'page-template' && !text.includes('/resources/sap-ui-')) return { as: 'text' }
      if (kind.role === 'apple-info' && !text.includes('NSAllowsArbitraryLoads')) return { as: 'text' }
      if (kind.role === 'changelog' && !text.includes('github.com/')) return { as: 'text' }
      return kind.role === undefined ? { as: 'text' } : { as: 'text', text }
  }
}

const READERS: Readonly<Record<'json' | 'yaml' | 'properties', (text: string) => readonly DataNode[]>> = {
  json: (text) => [parseJson(text)],
  yaml: parseYaml,
  properties: (text) => [parseProperties(text)],
}

/** A JSON, YAML or properties file of no telling name that is a descriptor by what stands in it, with its kind; undefined: none, or nothing that can be read. */
export function parseUnnamed(
  path: string,
  kind: FileKind,
  text: string,
  hits: KeywordHits,
): { readonly kind: FileKind; readonly content: FileContent } | undefined {
  const language = languageByText(path, kind, hits.has)
  // read as text, as the reader of credentials knows it
  if (language === undefined)
    return mayKeepAddresses(path, kind, hits.has)
      ? { kind: { ...kind, role: 'address-bundle' }, content: { as: 'text', text } }
      : undefined
  try {
    const roots = READERS[language](text)
    const role = roleByContent(roots)
    return role === undefined ? undefined : { kind: { language, role, test: kind.test }, content: { as: 'data', roots } }
  } catch (error) {
    // nobody has said that it is one
    if (error instanceof ParseFailure) return undefined
    throw error
  }
}

/** CAP reads an .env file that is an object in JSON as such. */
function environmentOfJson(text: string): DataNode | undefined {
  if (!/^\s{0,1000}\{/.test(text)) return undefined
  try {
    return parseJson(text)
  } catch (error) {
    if (error instanceof ParseFailure) return undefined
    throw error
  }
}

const SCRIPT_TYPES: ReadonlySet<string> = new Set(['', 'text/javascript', 'application/javascript', 'module'])

/** The inline scripts of a page as one script of the same length: all else is blank, so offsets are those of the page. Undefined: none. */
export function inlineScript(text: string, document: MarkupDocument): string | undefined {
  let blanked = ''
  for (const element of elementsOf(document)) {
    if (element.name !== 'script' || attributeOf(element, 'src') !== undefined) continue
    if (!SCRIPT_TYPES.has(attributeOf(element, 'type')?.value.trim().toLowerCase() ?? '')) continue
    for (const { start, end } of element.texts) {
      // the end tag before this script leaves room for the semicolon
      if (blanked.length > 0) blanked += ';'
      blanked += ' '.repeat(Math.max(0, start - blanked.length)) + text.slice(start, end)
    }
  }
  return blanked === '' ? undefined : blanked
}

/** What a fault in the parsing of a file is told as. Throws a StopSignal again that ends the scan. */
export function unparsed(error: unknown, file: string): Notice {
  if (error instanceof ParseFailure) return { code: 'file-unreadable', reason: error.reason, file, partial: true }
  if (error instanceof StopSignal && error.reason === 'steps') return { code: 'time-limit', reason: 'file', file, partial: true }
  // the stack's end, in a parser that recurses: as deep as it gets
  if (error instanceof RangeError) return { code: 'file-unreadable', reason: 'too-deep', file, partial: true }
  if (error instanceof StopSignal) throw error
  return { code: 'file-unreadable', reason: 'fault', file, partial: true }
}

/** Where the names of the columns stand. */
const TABLE_HEAD = 2000
