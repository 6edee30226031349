import { createBudget, StopSignal, type Budget } from '../budget.ts'
import type { Engine } from '../engine.ts'
import { chooseExtracts, collectExtracts, isJson, type ExtractChooser } from '../extracts/collect.ts'
import { needsScriptFacts } from '../extracts/extract.ts'
import { toFunctionTable, type ScriptFacts } from '../facts/index.ts'
import { identifyLibrary } from '../facts/vendored.ts'
import { flowRealmsOf, type FileFlow, type FlowExtent, type FlowSettings, type Realm } from '../flow/index.ts'
import type { FileContent, FileKind, FileResult, MaskedValue, OpenContent, OpenFile } from '../files.ts'
import { hitsInCode, type KeywordHits } from '../keywords/index.ts'
import { isPhpLibrary } from '../model/php/index.ts'
import { isDeveloperFile, runsInBrowser } from '../model/script/index.ts'
import { toTemplateScript } from '../parse/page-template.ts'
import { createLineTable, type LineTable } from '../parse/position.ts'
import type { DecodedText } from '../project/decode.ts'
import { MAX_PARSE_DENSE, MAX_PARSE_PHP } from '../limits.ts'
import { BOILERPLATE_KEYWORDS, boilerplateOf, previewPageOf } from '../project/boilerplate.ts'
import { isDense, isMinified, isUi5Source } from '../project/kinds.ts'
import { sizes, type PlannedFile } from '../project/open.ts'
import { isOfPages, isOfServer, relativeNames, type OwnModules } from '../project/own-modules.ts'
import { createMatchCollector, type MatchCollector } from '../report/collect-matches.ts'
import { findMarkers, MARKER_KEYWORDS } from '../report/markers.ts'
import type { Rule } from '../rules/rule.ts'
import type { FileSubjects } from '../rules/subjects.ts'
import { pendingClaim, severityByPath } from './grading.ts'
import { checkCredentials, createRuleReader, isOfScript, runOn, scriptSubjectsAt, type RuledFile } from './run-file-rules.ts'
import { createCredentialFile } from '../secrets/index.ts'
import type { Interruption, Marker, Notice, PendingMatch, ScanLimits } from '../types.ts'
import { inlineScript, isDump, isParsed, parseFile, parseUnnamed, readFacts, unparsed } from './parse-file.ts'
import { readFlow } from './read-flow.ts'

/** What the result of a file depends on beside the file. */
export interface FileContext {
  readonly engine: Engine
  readonly limits: ScanLimits
  readonly suppressions: boolean
  /** What the project tells of its own functions. */
  readonly settings?: FlowSettings
  /** Names of modules that are files of the project. */
  readonly modules?: OwnModules
  /** Told of each module that the file names and the project was asked about, with the relative name that it has there. */
  readonly onModule?: (name: string, is: string | undefined) => void
  /** Told where the result was kept, so that nothing was read. */
  readonly onKnown?: () => void
  /** Day of the scan, ISO 8601. */
  readonly date: string
  readonly flowExtent: FlowExtent
  readonly interruption: (() => Interruption | undefined) | undefined
  /** The time of the whole scan was up while this file was read: its result is not whole. */
  readonly onTimeUp: () => void
  /** What was thrown, for the log. */
  readonly onFault: (error: unknown, ruleId?: string) => void
}

/** Makes the result of a file. One that keeps results gives those that it has. */
export interface FileReader {
  (planned: PlannedFile, decoded: DecodedText, context: FileContext): FileResult
  /** The same for who has files read elsewhere: without it nothing is kept. */
  readonly keptFile?: (planned: PlannedFile, decoded: DecodedText, context: FileContext) => KeptFile
}

/** A result, and what the project answered while its file was read: it holds for as long as it would answer the same. */
export interface KeptResult {
  readonly result: FileResult
  /** Modules that the file names, with the file of the project that each is. */
  readonly modules: readonly (readonly [name: string, is: string | undefined])[]
  /** The day of the scan, where it was asked for. */
  readonly day?: string
}

/** Where the result of one file is kept. */
export interface KeptFile {
  /** Undefined: it has to be read. */
  find(): KeptResult | undefined
  keep(kept: KeptResult): void
}

/** A file on its way to its result; each step fills in what it finds out. */
interface FileBuilder {
  readonly path: string
  readonly text: string
  readonly size: number
  readonly hits: KeywordHits
  readonly lines: LineTable
  readonly budget: Budget
  readonly context: FileContext
  readonly matches: MatchCollector
  readonly notices: Notice[]
  kind: FileKind
  scope: 'all' | 'secrets'
  setAside: FileResult['setAside']
  content: OpenContent
  /** Rules on scripts and extracts that have something to ask of this one. */
  scriptRules: readonly Rule[]
  readonly rulesOn: RuledFile['rulesOn']
  readonly chosen: ExtractChooser | undefined
  masked: readonly MaskedValue[]
  /** Its data flow is collected where it runs in one of these. */
  flows: readonly Realm[]
  /** Of the script, or of the inline scripts of a page. */
  facts: ScriptFacts | undefined
}

const NO_LINES: LineTable = Uint32Array.of(0)
const DROPPED: FileContent = { as: 'text' }

/** A file costs about a second per MB, two at least; a step is some 100 ns. */
const FILE_STEPS = 4_000_000
const STEPS_PER_BYTE = 20

/**
 * Text to result: keywords, tree, facts, its own rules, its extracts; the tree and the facts go. Throws a StopSignal when the scan is cancelled. A fault in the
 * file, or of ours that it brings out, is a notice: it must not cost the other files their findings.
 */
export function toFileResult(planned: PlannedFile, decoded: DecodedText, context: FileContext): FileResult {
  const file = startFile(planned, decoded, context)
  limitScope(file)
  parse(file)
  guard(file, () => check(file))
  const { matches, notices } = file.matches.take()
  file.notices.push(...notices)
  return close(file, matches, collect(file, matches))
}

function startFile({ path, kind, scope }: PlannedFile, { text, bytes }: DecodedText, context: FileContext): FileBuilder {
  const { engine, interruption, modules } = context
  const hits = engine.keywords.find(bytes)
  const isScript = kind.language === 'script' || kind.language === 'html'
  const code = kind.language === 'script' ? hitsInCode(hits, bytes, text) : hits
  const rulesOn = createRuleReader(engine, kind, text, (name) => (isOfScript(name) ? code : hits))
  return {
    path,
    text,
    size: bytes.length,
    hits,
    lines: createLineTable(text),
    budget: createBudget(FILE_STEPS + STEPS_PER_BYTE * bytes.length, interruption),
    context,
    matches: createMatchCollector(
      (pending) => severityByPath(pendingClaim(engine, pending), pending.match.at),
      () => kind.language === 'lock',
    ),
    notices: [],
    kind,
    scope,
    setAside: undefined,
    content: DROPPED,
    masked: [],
    scriptRules: isScript ? scriptSubjectsAt(path).flatMap(rulesOn) : [],
    rulesOn,
    chosen:
      isScript || kind.language === 'csv' || isJson(kind, path)
        ? chooseExtracts({ worded: engine.extractsOn(hits, code), wordless: engine.wordless }, { path, kind, text, hits, code })
        : undefined,
    flows: flowRealmsOf(path, kind, code, text, context.flowExtent, isOfServer(path, modules)),
    facts: undefined,
  }
}

/** What a tool wrote, what is UI5 itself, and what is too long to be parsed, is left to the rules on credentials. */
function limitScope(file: FileBuilder): void {
  const { kind, text, lines, path, size } = file
  if (file.scope === 'all') {
    if (isMinified(kind, text, lines)) file.setAside = 'minified'
    else if (isUi5Source(kind, text) || isLibrary(file)) file.setAside = 'vendored'
    if (file.setAside !== undefined) file.scope = 'secrets'
  }
  // of tables the head alone is read
  const isLimited = isParsed(kind) && kind.language !== 'lock' && kind.language !== 'csv'
  const most = parseLimitOf(file)
  if (file.scope !== 'all' || !isLimited || size <= most || isDump(kind, text)) return
  file.scope = 'secrets'
  file.notices.push({ code: 'file-too-large', reason: 'not-parsed', file: path, args: sizes(size, most), partial: true })
}

/** A copy of a published library by its banner: what is wrong in it depends on its version alone. */
function isLibrary({ path, kind, text }: FileBuilder): boolean {
  if (kind.role === 'php') return isPhpLibrary(path, text)
  return kind.language === 'script' && identifyLibrary(path, text)?.span !== undefined
}

/** Sources have lines; a dump on one line has a tree that takes more memory than what people write. */
function parseLimitOf({ kind, text, lines, context }: FileBuilder): number {
  if (kind.role === 'php') return Math.min(context.limits.parse, MAX_PARSE_PHP)
  return isDense(text, lines) ? Math.min(context.limits.parse, MAX_PARSE_DENSE) : context.limits.parse
}

function toldNames(nameOf: ReturnType<typeof relativeNames>, { onModule }: FileContext): typeof nameOf {
  if (nameOf === undefined || onModule === undefined) return nameOf
  return (name) => {
    const is = nameOf(name)
    onModule(name, is)
    return is
  }
}

function needsFacts({ scriptRules, chosen, flows }: FileBuilder): boolean {
  return scriptRules.length > 0 || flows.length > 0 || chosen?.asked.some(needsScriptFacts) === true
}

function parse(file: FileBuilder): void {
  if (file.scope !== 'all') return
  const { path, kind, text, hits, size, context, budget } = file
  const relativeName = toldNames(relativeNames(path, context.modules, budget.step), context)
  try {
    const told = size <= parseLimitOf(file) ? parseUnnamed(path, kind, text, hits) : undefined
    if (told !== undefined) Object.assign(file, told)
    else if (isParsed(kind))
      file.content = parseFile(path, kind, text, {
        facts: needsFacts(file),
        isLarge: context.flowExtent !== 'whole',
        budget,
        relativeName,
      })
  } catch (error) {
    file.scope = 'secrets'
    if (error instanceof StopSignal && error.reason === 'time') context.onTimeUp()
    else file.notices.push(unparsed(error, path))
    return
  }
  const { content } = file
  if (content.as === 'cds' && content.document.errors.length > 0)
    file.notices.push({ code: 'file-unreadable', reason: 'parts', file: path, partial: true })
  if (content.as === 'script') file.facts = content.facts
}

/** Runs the rules on single files; those on credentials first, so that a budget that ends costs others. */
function check(file: FileBuilder): void {
  const { content, kind } = file
  const open = <Content extends OpenContent>(it: Content): OpenFile<Content> => toOpenFile(file, it)
  checkCredentials(file, createCredentialFile(open(content)))
  switch (content.as) {
    case 'script':
      return checkScript(file, content)
    case 'data':
      return runOn(file, 'data', () => open(content))
    case 'cds':
      return runOn(file, 'cds', () => open(content))
    case 'sqlscript':
      return runOn(file, 'sqlscript', () => open(content))
    case 'csv':
      return runOn(file, 'csv', () => open(content))
    case 'markup':
      if (kind.language !== 'html') return runOn(file, 'xml', () => open(content))
      runOn(file, 'html', () => open(content))
      file.facts = inlineFacts(file, content)
      if (file.facts !== undefined) checkScript(file, { as: 'script', facts: file.facts })
  }
}

/** A script is a server's or a browser's; which one is asked only where a rule wants to know. */
function checkScript(file: FileBuilder, content: OpenContent & { as: 'script' }): void {
  const { path } = file
  if (file.scriptRules.length === 0) return
  const open = (): FileSubjects['script'] => toOpenFile(file, content)
  runOn(file, 'script', open)
  if (!file.scriptRules.some(({ checks }) => checks['server-script'] ?? checks['browser-script'])) return
  if (runsInBrowser(path, content.facts, isOfPages(path, file.context.modules))) runOn(file, 'browser-script', open)
  else if (!isDeveloperFile(path)) runOn(file, 'server-script', open)
}

function toOpenFile<Content extends OpenContent>(file: FileBuilder, content: Content): OpenFile<Content> {
  const { path, kind, scope, text, hits, budget, context } = file
  const { settings } = context
  return { path, kind, scope, text, content, hits, budget, ...(settings !== undefined && { settings }) }
}

function inlineFacts(file: FileBuilder, page: FileContent & { as: 'markup' }): ScriptFacts | undefined {
  const { path, kind, text, budget } = file
  const code = kind.role === 'page-template' ? toTemplateScript(path, text) : text
  const script = needsFacts(file) ? inlineScript(code, page.document) : undefined
  if (script === undefined) return undefined
  budget.nextPiece()
  try {
    return readFacts(script, `${path}.js`, budget)
  } catch (error) {
    if (error instanceof StopSignal) throw error
    file.notices.push({ code: 'file-unreadable', reason: 'inline-script', file: path, partial: true })
    return undefined
  }
}

/** Extracts, and the table of functions where something may point into the script. */
function collect(file: FileBuilder, matches: readonly PendingMatch[]): Pick<FileResult, 'extracts' | 'functions' | 'flow'> {
  const { path, kind, text, hits, facts, chosen, scope, context, budget } = file
  if (scope !== 'all' || chosen === undefined || (facts === undefined && chosen.asked.length === 0)) return {}
  const { settings } = context
  const wanted = chosen.withWordless({ hasFlow: file.flows.length > 0, hasFacts: facts !== undefined })
  const extracts = collectExtracts(wanted, { path, kind, text, hits, facts, step: budget.step }, (collect) => {
    budget.nextPiece()
    guard(file, collect)
  })
  if (facts === undefined) return extracts === undefined ? {} : { extracts }
  let flow: FileFlow | undefined
  if (file.flows.length > 0) {
    const { modules, flowExtent: extent } = context
    budget.nextPiece()
    guard(file, () => {
      const onCut = (): void => addLimit(file)
      flow = readFlow({ path, text, facts, realms: file.flows, extent, modules, settings, budget, onCut })
    })
  }
  const isPointedAt = extracts !== undefined || matches.length > 0 || flow !== undefined
  return {
    ...(extracts !== undefined && { extracts }),
    ...(flow !== undefined && { flow }),
    ...(isPointedAt && { functions: toFunctionTable(facts) }),
  }
}

/** The only `try` around a whole step: what one file brings out ends this step, of this file alone. */
function guard(file: FileBuilder, step: () => void): void {
  const { path, notices, context } = file
  try {
    step()
  } catch (error) {
    if (!(error instanceof StopSignal)) {
      context.onFault(error)
      notices.push({ code: 'rule-failed', reason: 'error', file: path, partial: true })
    } else if (error.reason === 'cancelled') throw error
    else if (error.reason === 'time') context.onTimeUp()
    else addLimit(file)
  }
}

/** Once a file, however many steps its budget did not last for. */
function addLimit({ path, notices }: FileBuilder): void {
  if (notices.some(({ code, reason }) => code === 'time-limit' && reason === 'file')) return
  notices.push({ code: 'time-limit', reason: 'file', file: path, partial: true })
}

function close(file: FileBuilder, matches: readonly PendingMatch[], collected: ReturnType<typeof collect>): FileResult {
  const { path, kind, scope, text, lines, setAside, notices } = file
  const library = kind.language === 'script' && !kind.test ? identifyLibrary(path, text) : undefined
  const isPage = kind.language === 'script' || kind.language === 'html'
  const mayBeWritten = isPage && BOILERPLATE_KEYWORDS.some((keyword) => file.hits.has(keyword))
  const boilerplate = previewPageOf(path, text) ?? (mayBeWritten ? boilerplateOf(text) : undefined)
  const markers = findFileMarkers(file)
  const content = file.content.as === 'script' || file.content.as === 'csv' ? DROPPED : file.content
  const isEmpty = content.as === 'text' && content.text === undefined
  // nothing of a later phase points into a file that left nothing, but to its banner
  const hasLines = !isEmpty || collected.functions !== undefined || matches.length > 0 || library !== undefined
  return {
    path,
    kind,
    scope,
    content,
    lines: hasLines ? lines : NO_LINES,
    ...collected,
    matches,
    masked: file.masked,
    markers,
    notices,
    ...(setAside !== undefined && { setAside }),
    ...(library !== undefined && { library }),
    ...(boilerplate !== undefined && { boilerplate }),
  }
}

function findFileMarkers({ path, text, lines, hits, notices, context }: FileBuilder): readonly Marker[] {
  if (!context.suppressions || !MARKER_KEYWORDS.some((keyword) => hits.has(keyword))) return []
  const found = findMarkers(path, text, lines)
  // one by one: a call has no room for a hundred thousand arguments
  for (const notice of found.notices) notices.push(notice)
  return found.markers
}
