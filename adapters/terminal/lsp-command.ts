import { createConnection, ProposedFeatures } from 'vscode-languageserver/node'
import { startLanguageServer } from '../editor/language-server.ts'
import { readSettings } from '../node/settings.ts'
import type { Arguments } from './arguments.ts'
import { keptOpener } from './kept.ts'
import { UsageFault } from './usage.ts'

/** `parapet lsp`: findings in an editor, over standard input and output. Ends when the editor does. */
export async function lspCommand(args: Arguments): Promise<number> {
  if (args.operands.length > 0)
    throw new UsageFault({
      en: 'parapet lsp takes no folder: the editor says which are open',
      fr: 'parapet lsp n’attend aucun dossier : l’éditeur indique ceux qui sont ouverts',
    })
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout)
  startLanguageServer(connection, {
    settings: readSettings(process.env),
    openStored: keptOpener({ ...args, quiet: true }, process.env),
  })
  // the connection ends the process, with 0 after `shutdown` and 1 without
  return new Promise<number>(() => {})
}
