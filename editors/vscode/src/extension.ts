import * as vscode from 'vscode'
import { ExecuteCommandRequest, LanguageClient, TransportKind, type Middleware } from 'vscode-languageclient/node'

const SECTION = 'parapet'
/** Commands of the server (adapters/editor/code-actions.ts). */
const EXPLAIN = 'parapet.explain'
const SUPPRESS = 'parapet.suppress'
const SUPPRESS_WITH = 'parapet.suppressWith'

let client: LanguageClient | undefined

/** Starts the server that the extension brings, with the editor's own Node.js. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const texts = new Map<string, string>()
  const module = context.asAbsolutePath('server/cli.js')
  client = new LanguageClient(
    SECTION,
    'Parapet',
    { module, args: ['lsp'], transport: TransportKind.stdio, options: { env: readEnvironment() } },
    {
      documentSelector: [{ scheme: 'file' }],
      initializationOptions: readSettings(),
      middleware: { executeCommand: explainIn(texts), workspace: {} },
    },
  )
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider('parapet-rule', {
      provideTextDocumentContent: ({ path }) => texts.get(path) ?? '',
    }),
    vscode.commands.registerCommand(SUPPRESS, suppress),
    vscode.commands.registerCommand('parapet.restart', () => client?.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION))
        void client?.sendNotification('workspace/didChangeConfiguration', { settings: { [SECTION]: readSettings() } })
    }),
  )
  await client.start()
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop()
}

function readSettings(): object {
  const settings = vscode.workspace.getConfiguration(SECTION)
  const locale = settings.get<string>('locale')
  const rulesUrl = settings.get<string>('rulesUrl')
  return {
    locale: locale === 'auto' ? (vscode.env.language.startsWith('fr') ? 'fr' : 'en') : locale,
    severity: settings.get<string>('severity'),
    ...(rulesUrl !== '' && { rulesUrl }),
    asksForReason: true,
  }
}

function readEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, ...vscode.workspace.getConfiguration(SECTION).get<Record<string, string>>('environment') }
}

/** Shows the text that the server gives for a rule. */
function explainIn(texts: Map<string, string>): NonNullable<Middleware['executeCommand']> {
  return async (command, args, next) => {
    const result: unknown = await next(command, args)
    if (command !== EXPLAIN || typeof result !== 'string') return result
    const uri = vscode.Uri.from({ scheme: 'parapet-rule', path: `/${String(args[0]).replaceAll('/', ' ')}.md` })
    texts.set(uri.path, result)
    await vscode.commands.executeCommand('markdown.showPreview', uri)
    return result
  }
}

/** A suppression without a reason hides nothing, so the reason is asked for first. */
async function suppress(uri: string, line: number, id: string): Promise<void> {
  const reason = await vscode.window.showInputBox({
    title: 'Parapet',
    prompt: vscode.env.language.startsWith('fr') ? 'Pourquoi est-ce sans danger ici ?' : 'Why is it no danger here?',
    validateInput: (text) => (text.trim() === '' ? ' ' : undefined),
  })
  if (reason === undefined || reason.trim() === '') return
  await client?.sendRequest(ExecuteCommandRequest.type, { command: SUPPRESS_WITH, arguments: [uri, line, id, reason] })
}
