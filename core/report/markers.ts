import { cutText } from '../cut-text.ts'
import { isReasonGiven } from '../given-reason.ts'
import type { LineTable } from '../parse/position.ts'
import { positionAt } from '../parse/position.ts'
import type { Marker, Notice } from '../types.ts'
import type { NamedRule } from './unknown-rules.ts'

/** Keywords that tell that a file may hold inline suppressions. */
export const MARKER_KEYWORDS: readonly string[] = [
  'parapet-disable',
  'gitleaks:allow',
  'trufflehog:ignore',
  'pragma: allowlist',
  'secretlint-disable',
]

// the dashes of `-->` introduce no reason: a marker without one must not pass for one with it
const OURS =
  /parapet-disable-next-line[ \t]{0,8}([a-z0-9/, -]{0,300}?)(?:[ \t]{0,8}--(?!>)[ \t]{0,8}([^\r\n]+))?(?=[\r\n]|$|\*\/|-->)/g

// where the comment ends and code begins; a star and a slash within a word belong to a glob
const COMMENT_END = /\*\/(?=\s|$)|-->|(?:--)?%>/
const MAX_REASON = 300

const FOREIGN: readonly (readonly [RegExp, number])[] = [
  [/gitleaks:allow/g, 0],
  [/trufflehog:ignore/g, 0],
  [/pragma: allowlist secret/g, 0],
  [/pragma: allowlist nextline secret/g, 1],
  [/secretlint-disable-line/g, 0],
  [/secretlint-disable-next-line/g, 1],
]

/** Finds the inline suppressions of a text (docs/configuration.md, "Suppressions"). Ours without a reason hide nothing and give a notice. */
export function findMarkers(file: string, text: string, lines: LineTable): { markers: Marker[]; notices: Notice[] } {
  const markers: Marker[] = []
  const notices: Notice[] = []
  for (const match of text.matchAll(OURS)) {
    const [, names = '', tail = ''] = match
    const line = positionAt(lines, match.index).line
    const reason = cutReason(tail)
    const rules = names.split(/[ ,]+/).filter((name) => name !== '')
    if (!isReasonGiven(reason) || rules.length === 0) notices.push(ignoredMarker('marker-no-reason', file, line))
    else markers.push({ line: line + 1, rules, reason, foreign: false })
  }
  for (const [pattern, below] of FOREIGN) {
    for (const match of text.matchAll(pattern)) {
      const line = positionAt(lines, match.index).line + below
      markers.push({ line, rules: ['secrets/*'], reason: match[0], foreign: true })
    }
  }
  return { markers, notices }
}

function cutReason(tail: string): string {
  const reason = tail.slice(0, COMMENT_END.exec(tail)?.index).trim()
  return cutText(reason, MAX_REASON)
}

/** The marker that hides a finding of a rule, by any of its ids, on this line. */
export function hiddenBy(markers: readonly Marker[], ruleIds: readonly string[], line: number): Marker | undefined {
  const isMeant = (name: string): boolean =>
    ruleIds.some((ruleId) => name === ruleId || (name === 'secrets/*' && ruleId.startsWith('secrets/')))
  return markers.find((marker) => marker.line === line && marker.rules.some(isMeant))
}

/** A comment that hides nothing: there may be no rule that it names. */
export function unusedMarker({ line, rules }: Marker, file: string, ruleOf: (name: string) => NamedRule): Notice {
  const notice = ignoredMarker('marker-unused', file, line - 1)
  for (const name of rules) {
    const { exists, meant } = ruleOf(name)
    if (exists) continue
    const args = { ...notice.args, name }
    if (meant === undefined) return { ...notice, reason: 'marker-unknown-rule', args }
    return { ...notice, reason: 'marker-misspelt', args: { ...args, meant } }
  }
  return notice
}

export function ignoredMarker(reason: string, file: string, line: number): Notice {
  return { code: 'suppressions-ignored', reason, file, args: { line: String(line) }, partial: false }
}
