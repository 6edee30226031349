import {
  CodeActionKind,
  type CodeAction,
  type Command,
  type Diagnostic,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver/node'
import type { Locale, ReportFinding } from '../../core/index.ts'
import { addSuppression } from '../terminal/config-file.ts'
import { suppressionComment } from '../terminal/suppression-line.ts'
import { sayInEditor } from './words.ts'

export const EXPLAIN = 'parapet.explain'
/** Asks for the reason, in an editor that can, and sends it with `SUPPRESS_WITH`. */
export const SUPPRESS = 'parapet.suppress'
export const SUPPRESS_WITH = 'parapet.suppressWith'

/** What a suppression needs to know of the folder. */
export interface SuppressionPlace {
  readonly uri: string
  /** Text of the file as it is open, by lines; undefined where it is not. */
  readonly lineAt: (line: number) => string | undefined
  readonly configUri: string
  /** Undefined: there is no such file. */
  readonly configText: () => string | undefined
  /** The client makes files. */
  readonly canCreate: boolean
}

export interface ActionOptions {
  readonly locale: Locale
  /** The client asks for the reason itself. */
  readonly asks: boolean
}

/** What an editor offers for a finding. */
export function actionsFor(
  finding: ReportFinding,
  diagnostic: Diagnostic,
  place: SuppressionPlace,
  { locale, asks }: ActionOptions,
): CodeAction[] {
  const { ruleId, id } = finding
  const { line } = diagnostic.range.start
  const explain: Command = { title: sayInEditor(locale, 'explain', { rule: ruleId }), command: EXPLAIN, arguments: [ruleId] }
  const title = sayInEditor(locale, 'suppress', { rule: ruleId })
  const edit = asks ? undefined : suppress(finding, line, '', place)
  const actions: CodeAction[] = []
  if (asks)
    actions.push({
      title,
      kind: CodeActionKind.QuickFix,
      diagnostics: [diagnostic],
      command: { title, command: SUPPRESS, arguments: [place.uri, line, id] },
    })
  else if (edit !== undefined) actions.push({ title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], edit })
  actions.push({ title: explain.title, kind: CodeActionKind.QuickFix, diagnostics: [diagnostic], command: explain })
  return actions
}

/**
 * The edit that hides a finding: a comment above its line, or an entry of parapet.config.json where its file has no comments. Without a reason it hides nothing: the
 * report says so until somebody has written one. Undefined where the configuration can't be read or made.
 */
export function suppress(
  finding: ReportFinding,
  line: number,
  reason: string,
  { uri, lineAt, configUri, configText, canCreate }: SuppressionPlace,
): WorkspaceEdit | undefined {
  const oneLine = reason.replaceAll(/\s+/g, ' ').trim()
  const comment = suppressionComment(finding, oneLine)
  const below = lineAt(line)
  if (comment !== undefined && below !== undefined) {
    const indent = /^[ \t]*/.exec(below)?.[0] ?? ''
    const at = { line, character: 0 }
    return { documentChanges: [edit(uri, { start: at, end: at }, `${indent}${comment}\n`)] }
  }
  const text = configText()
  if (text === undefined && !canCreate) return undefined
  const changed = addSuppression(text, { id: finding.id, reason: oneLine })
  if (changed === undefined) return undefined
  const whole = { start: { line: 0, character: 0 }, end: { line: (text ?? '').split(/\r\n|\r|\n/).length, character: 0 } }
  const write = edit(configUri, whole, changed)
  return { documentChanges: text === undefined ? [{ kind: 'create', uri: configUri }, write] : [write] }
}

function edit(uri: string, range: Diagnostic['range'], newText: string): TextDocumentEdit {
  return { textDocument: { uri, version: null }, edits: [{ range, newText }] }
}
