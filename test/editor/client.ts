import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
  type CodeAction,
  type Diagnostic,
  type Hover,
  type InitializeParams,
  type LogMessageParams,
  MessageType,
  type PublishDiagnosticsParams,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import * as z from 'zod'
import { bundleCli } from '../bundle.ts'

export interface ClientOptions {
  readonly folders: readonly string[]
  readonly locale?: string
  readonly settings?: object
  /** The client tells of changes on the disk; without it the server looks for itself. */
  readonly watches?: boolean
  /** The client can nothing beyond the protocol's least. */
  readonly bare?: boolean
  readonly command?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
}

/** An editor as far as the protocol goes: it opens, edits and saves, and holds what it is told. */
export interface EditorClient {
  readonly process: ChildProcess
  /** Of each address, what was told last. */
  readonly told: ReadonlyMap<string, PublishDiagnosticsParams>
  /** All that was told, in the order in which it came. */
  readonly tellings: readonly PublishDiagnosticsParams[]
  readonly progress: readonly unknown[]
  readonly edits: readonly WorkspaceEdit[]
  /** Errors of the server's log. */
  readonly faults: readonly string[]
  open(path: string, text: string): void
  /** Replaces a range, or everything. */
  edit(path: string, text: string, range?: Diagnostic['range']): void
  close(path: string): void
  changedOnDisk(...paths: readonly string[]): void
  folders(added: readonly string[], removed: readonly string[]): void
  configure(settings: object): void
  hover(path: string, line: number, character: number): Promise<string>
  actions(path: string, diagnostics: readonly Diagnostic[]): Promise<readonly CodeAction[]>
  execute(command: string, args: readonly unknown[]): Promise<unknown>
  diagnostics(path: string): readonly Diagnostic[]
  /** Resolves once it is so; rejects, with what is told instead, where it is not for long. */
  until(what: () => boolean, ms?: number): Promise<void>
  stop(): Promise<number | null>
}

export const uriOf = (path: string): string => pathToFileURL(path).href

/** Starts the real server, over its standard input and output, as an editor does. */
export async function startClient(options: ClientOptions): Promise<EditorClient> {
  const { folders, locale = 'en', settings = {}, watches = true, bare = false, environment = {} } = options
  const [program = process.execPath, ...args] = options.command ?? [process.execPath, bundleCli(), 'lsp']
  const child = spawn(program, args, {
    env: {
      PATH: process.env['PATH'] ?? '',
      PARAPET_ADVISORIES: 'bundled',
      PARAPET_CATALOGUE_URL: 'http://127.0.0.1:9',
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const connection = createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))
  const told = new Map<string, PublishDiagnosticsParams>()
  const tellings: PublishDiagnosticsParams[] = []
  const progress: unknown[] = []
  const edits: WorkspaceEdit[] = []
  const faults: string[] = []
  const versions = new Map<string, number>()
  let wake = (): void => undefined
  connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
    told.set(params.uri, params)
    tellings.push(params)
    wake()
  })
  connection.onNotification('$/progress', (params: unknown) => void progress.push(params))
  connection.onNotification('window/logMessage', ({ type, message }: LogMessageParams) => {
    if (type === MessageType.Error) faults.push(message)
  })
  connection.onRequest('client/registerCapability', () => null)
  connection.onRequest('window/workDoneProgress/create', () => null)
  connection.onRequest('workspace/applyEdit', ({ edit }: { edit: WorkspaceEdit }) => {
    edits.push(edit)
    return { applied: true }
  })
  connection.listen()
  const params: InitializeParams = {
    processId: process.pid,
    rootUri: null,
    locale,
    initializationOptions: settings,
    workspaceFolders: folders.map((path) => ({ uri: uriOf(path), name: path })),
    capabilities: bare
      ? {}
      : {
          workspace: {
            workspaceFolders: true,
            workspaceEdit: { documentChanges: true, resourceOperations: ['create'] },
            ...(watches && { didChangeWatchedFiles: { dynamicRegistration: true } }),
          },
          textDocument: {
            publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, versionSupport: true },
            hover: { contentFormat: ['markdown', 'plaintext'] },
          },
          window: { workDoneProgress: true },
        },
  }
  await connection.sendRequest('initialize', params)
  await connection.sendNotification('initialized', {})
  const notify = (method: string, params: object): void => void connection.sendNotification(method, params).catch(() => undefined)

  return {
    process: child,
    told,
    tellings,
    progress,
    edits,
    faults,
    open(path, text) {
      versions.set(path, 1)
      notify('textDocument/didOpen', { textDocument: { uri: uriOf(path), languageId: 'plaintext', version: 1, text } })
    },
    edit(path, text, range) {
      const version = (versions.get(path) ?? 0) + 1
      versions.set(path, version)
      const change = range === undefined ? { text } : { range, text }
      notify('textDocument/didChange', { textDocument: { uri: uriOf(path), version }, contentChanges: [change] })
    },
    close: (path) => notify('textDocument/didClose', { textDocument: { uri: uriOf(path) } }),
    changedOnDisk: (...paths) =>
      notify('workspace/didChangeWatchedFiles', { changes: paths.map((path) => ({ uri: uriOf(path), type: 2 })) }),
    folders: (added, removed) =>
      notify('workspace/didChangeWorkspaceFolders', {
        event: {
          added: added.map((path) => ({ uri: uriOf(path), name: path })),
          removed: removed.map((path) => ({ uri: uriOf(path), name: path })),
        },
      }),
    configure: (parapet) => notify('workspace/didChangeConfiguration', { settings: { parapet } }),
    async hover(path, line, character) {
      const hover: Hover | null = await connection.sendRequest('textDocument/hover', {
        textDocument: { uri: uriOf(path) },
        position: { line, character },
      })
      const contents = z.object({ value: z.string() }).safeParse(hover?.contents)
      return contents.data?.value ?? ''
    },
    actions: (path, diagnostics) =>
      connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri: uriOf(path) },
        range: diagnostics[0]?.range,
        context: { diagnostics },
      }),
    execute: (command, args) => connection.sendRequest('workspace/executeCommand', { command, arguments: args }),
    diagnostics: (path) => told.get(uriOf(path))?.diagnostics ?? [],
    async until(what, ms = 40_000) {
      const ends = performance.now() + ms
      while (!what()) {
        const left = ends - performance.now()
        if (left <= 0) throw new Error(`not so after ${ms} ms: ${JSON.stringify([...told.values()]).slice(0, 3000)}`)
        await new Promise<void>((resolve) => {
          wake = resolve
          setTimeout(resolve, Math.min(left, 200))
        })
      }
    },
    async stop() {
      if (child.exitCode !== null) return child.exitCode
      const gone = once(child, 'exit')
      await connection.sendRequest('shutdown')
      await connection.sendNotification('exit')
      await gone
      connection.dispose()
      return child.exitCode
    },
  }
}
