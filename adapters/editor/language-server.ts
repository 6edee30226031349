import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CodeActionKind,
  DidChangeWatchedFilesNotification,
  MarkupKind,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type Connection,
  type InitializeParams,
  type InitializeResult,
  type Position,
  type Range,
} from 'vscode-languageserver/node'
import { TextDocument } from 'vscode-languageserver-textdocument'
import * as z from 'zod'
import {
  LOCALES,
  SEVERITIES,
  VERSION,
  type Locale,
  type ReportFinding,
  type ScanProgress,
  type Severity,
} from '../../core/index.ts'
import type { KeptResults } from '../node/kept-results/index.ts'
import type { Settings } from '../node/settings.ts'
import { CONFIG_FILE } from '../terminal/config-file.ts'
import { actionsFor, EXPLAIN, suppress, SUPPRESS_WITH, type SuppressionPlace } from './code-actions.ts'
import { toDiagnostic } from './diagnostics.ts'
import { pathOf, uriWithin } from './open-documents.ts'
import { describeFinding, describeFindingPlainly, describeRule } from './rule-texts.ts'
import { createScanProgress } from './scan-progress.ts'
import { sayInEditor } from './words.ts'
import { createWorkspace, type Workspace } from './workspace.ts'

export interface ServerOptions {
  readonly settings: Settings
  readonly openStored: (project: string) => KeptResults | undefined
}

const settingsShape = z
  .looseObject({
    locale: z.enum(LOCALES).optional().catch(undefined),
    severity: z.enum(SEVERITIES).optional().catch(undefined),
    rulesUrl: z.string().max(300).optional().catch(undefined),
    /** The client asks for the reason of a suppression itself. */
    asksForReason: z.boolean().optional().catch(undefined),
  })
  .catch({})
type EditorSettings = z.infer<typeof settingsShape>

const suppressShape = z.tuple([z.string(), z.number().int().nonnegative(), z.string(), z.string().max(500)])
const dataShape = z.looseObject({ id: z.string() })

/** What of a client's abilities counts here. */
interface Client {
  readonly related: boolean
  readonly link: boolean
  readonly markdown: boolean
  readonly watches: boolean
  /** It tells which folders come and go. */
  readonly moves: boolean
  readonly creates: boolean
  readonly shows: boolean
  readonly progress: boolean
}

/**
 * Findings in an editor: of the texts that are open, whether saved or not. Pushes diagnostics of whole projects, since most findings join files.
 * Facts: Language Server Protocol 3.17.
 */
export function startLanguageServer(connection: Connection, { settings, openStored }: ServerOptions): void {
  const documents = new TextDocuments(TextDocument)
  let client: Client | undefined
  let editor: EditorSettings = {}
  let language: Locale = 'en'
  let workspace: Workspace | undefined
  const locale = (): Locale => editor.locale ?? language
  const least = (): Severity => editor.severity ?? 'INFO'

  connection.onInitialize((params): InitializeResult => {
    const abilities = readAbilities(params)
    client = abilities
    editor = settingsShape.parse(params.initializationOptions ?? {})
    language = params.locale?.toLowerCase().startsWith('fr') === true ? 'fr' : 'en'
    const progress = createScanProgress(abilities.progress ? () => connection.window.createWorkDoneProgress() : undefined, locale)
    const opened = createWorkspace({
      settings,
      locale,
      least,
      openStored,
      documents: () => documents.all(),
      watches: !abilities.watches,
      publish({ uri, folder, version, findings }) {
        const uriOf = (file: string): string => uriWithin(folder, file)
        const { related: hasRelated, link: hasLink } = abilities
        const diagnostics = findings.map((it) =>
          toDiagnostic(it, { uriOf, locale: locale(), rulesUrl: editor.rulesUrl, hasRelated, hasLink }),
        )
        tellClient(connection.sendDiagnostics({ uri, diagnostics, ...(version !== undefined && { version }) }))
      },
      tell: (text) => connection.console.warn(text),
      onFault(folder, error) {
        connection.console.error(error instanceof Error ? (error.stack ?? error.message) : String(error))
        connection.window.showWarningMessage(sayInEditor(locale(), 'fault', { folder }))
      },
      onProgress: (folder: string, told: ScanProgress | undefined) => progress.tell(folder, told),
    })
    workspace = opened
    const uris = params.workspaceFolders?.map(({ uri }) => uri) ?? (params.rootUri === null ? [] : [params.rootUri])
    connection.onInitialized(() => begin(opened, uris, abilities))
    return {
      serverInfo: { name: 'parapet', version: VERSION },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
        hoverProvider: true,
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        executeCommandProvider: { commands: [EXPLAIN, SUPPRESS_WITH] },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }
  })

  function begin(opened: Workspace, uris: readonly string[], { watches, moves }: Client): void {
    uris.forEach(opened.add)
    if (watches) {
      const options = { watchers: [{ globPattern: '**/*' }] }
      tellClient(connection.client.register(DidChangeWatchedFilesNotification.type, options))
    }
    // asked of one that does not, it would be a fault
    if (!moves) return
    connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
      for (const { uri } of removed) void opened.remove(uri)
      for (const { uri } of added) opened.add(uri)
    })
  }

  // told as a change too, though nothing was changed
  const openedAs = new Map<string, number>()
  documents.onDidOpen(({ document: { uri, version } }) => void openedAs.set(uri, version))
  documents.onDidChangeContent(({ document }) => {
    const isOpening = openedAs.get(document.uri) === document.version
    openedAs.delete(document.uri)
    if (!isOpening || !isOnDisk(document)) workspace?.touch(document.uri)
  })
  documents.onDidClose(({ document }) => {
    if (!isOnDisk(document)) workspace?.touch(document.uri)
  })
  connection.onDidChangeWatchedFiles(({ changes }) => {
    // of what is open the text counts
    for (const { uri } of changes) if (documents.get(uri) === undefined) workspace?.touchOnDisk(uri)
  })
  connection.onDidChangeConfiguration(({ settings: changed }) => {
    const before = locale()
    editor = { ...editor, ...settingsShape.parse(sectionOf(changed)) }
    if (locale() === before) workspace?.publishAll()
    else workspace?.touchAll()
  })

  connection.onHover(({ textDocument, position }) => {
    const found = workspace?.findingsAt(textDocument.uri)?.findings.filter(({ range }) => isAt(range, position)) ?? []
    const [first] = found
    if (first === undefined) return null
    const isMarkdown = client?.markdown === true
    const describe = isMarkdown ? describeFinding : describeFindingPlainly
    const value = found.map(({ finding }) => describe(finding, locale(), editor.rulesUrl)).join('\n\n---\n\n')
    return {
      contents: { kind: isMarkdown ? MarkupKind.Markdown : MarkupKind.PlainText, value },
      range: first.range,
    }
  })

  /** A finding of a document, and how it is suppressed there. */
  const findIn = (
    uri: string,
    id: string | undefined,
  ): { readonly finding: ReportFinding; readonly place: SuppressionPlace } | undefined => {
    const at = workspace?.findingsAt(uri)
    const finding = at?.findings.find(({ finding }) => finding.id === id)?.finding
    if (at === undefined || finding === undefined) return undefined
    const configUri = uriWithin(at.folder, CONFIG_FILE)
    const place = {
      uri,
      lineAt: (line: number) =>
        documents.get(uri)?.getText({ start: { line, character: 0 }, end: { line: line + 1, character: 0 } }),
      configUri,
      configText: () => documents.get(configUri)?.getText() ?? readText(pathOf(configUri)),
      canCreate: client?.creates === true,
    }
    return { finding, place }
  }

  connection.onCodeAction(({ textDocument: { uri }, context: { diagnostics } }): CodeAction[] =>
    diagnostics.flatMap((diagnostic) => {
      const found = findIn(uri, dataShape.safeParse(diagnostic.data).data?.id)
      if (found === undefined) return []
      return actionsFor(found.finding, diagnostic, found.place, { locale: locale(), asks: editor.asksForReason === true })
    }),
  )

  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    if (command === EXPLAIN) return explain(z.tuple([z.string()]).parse(args)[0])
    if (command !== SUPPRESS_WITH) return null
    const [uri, line, id, reason] = suppressShape.parse(args)
    const found = findIn(uri, id)
    const edit = found && suppress(found.finding, line, reason, found.place)
    return edit === undefined ? null : connection.workspace.applyEdit(edit)
  })

  /** The text of a rule; a client that shows documents is asked to show it. */
  async function explain(ruleId: string): Promise<string | null> {
    const text = describeRule(ruleId, locale(), editor.rulesUrl)
    if (text === undefined) return null
    if (client?.shows === true && editor.asksForReason !== true) {
      const file = join(mkdtempSync(join(tmpdir(), 'parapet-')), `${ruleId.replaceAll('/', '-')}.md`)
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 })
      await connection.window.showDocument({ uri: pathToFileURL(file).href, takeFocus: true })
    }
    return text
  }

  connection.onShutdown(async () => workspace?.close())
  documents.listen(connection)
  connection.listen()
}

/** A client that is gone has nothing to be told. */
function tellClient(sent: Promise<unknown>): void {
  sent.catch(() => undefined)
}

function readAbilities({ capabilities: { textDocument, workspace, window } }: InitializeParams): Client {
  return {
    related: textDocument?.publishDiagnostics?.relatedInformation === true,
    link: textDocument?.publishDiagnostics?.codeDescriptionSupport === true,
    markdown: textDocument?.hover?.contentFormat?.includes(MarkupKind.Markdown) === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    moves: workspace?.workspaceFolders === true,
    creates: workspace?.workspaceEdit?.resourceOperations?.includes('create') === true,
    shows: window?.showDocument?.support === true,
    progress: window?.workDoneProgress === true,
  }
}

/** Settings as clients send them: the section alone, or under its name. */
function sectionOf(settings: unknown): unknown {
  const named = z.looseObject({ parapet: z.unknown() }).safeParse(settings).data?.parapet
  return named ?? settings ?? {}
}

function isOnDisk(document: TextDocument): boolean {
  return readText(pathOf(document.uri)) === document.getText()
}

function readText(path: string | undefined): string | undefined {
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function isAt({ start, end }: Range, { line, character }: Position): boolean {
  const isAfter = line > start.line || (line === start.line && character >= start.character)
  return isAfter && (line < end.line || (line === end.line && character <= end.character))
}
