import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { NOTICE_KEYS } from '../../core/report/notice-words.ts'
import { wordNotice } from '../../core/report/notices.ts'
import type { Report, ReportFinding, ReportNotice } from '../../core/report/types.ts'
import type { NoticeCode } from '../../core/types.ts'
import { allFindings } from '../scan-files.ts'

const FINDING = z.strictObject({
  rule: z.string(),
  file: z.string(),
  /** 0 where it is about the whole file. */
  line: z.number(),
  column: z.number(),
  severity: z.string(),
  confidence: z.string(),
  id: z.string(),
  /** The last step of its path, or its title: findings that differ in the same way have it in common. */
  shape: z.string(),
  path: z.array(z.string()),
})
/** Code, reason, file, rule. */
const NOTICE = z.tuple([z.string(), z.string(), z.string(), z.string()])
const PROJECT = z.strictObject({
  name: z.string(),
  /** The code of the refusal, where there is no report. */
  refused: z.string().optional(),
  /** SHA-256 of the reports in both languages: tells texts, snippets and inventories apart. */
  digest: z.string(),
  findings: z.array(FINDING),
  notices: z.array(NOTICE),
})

export type FindingLine = z.infer<typeof FINDING>
export type NoticeLine = z.infer<typeof NOTICE>
/** What a run says of one project: one line of its file. */
export type ProjectLine = z.infer<typeof PROJECT>

/** Reads what a run has written. Throws where a line is none of this version. */
export function readProjectLines(path: string): Map<string, ProjectLine> {
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
  return new Map(lines.map((line) => PROJECT.parse(JSON.parse(line))).map((project) => [project.name, project]))
}

/** @param records the report in both languages, as a scan gives it */
export function toProjectLine(name: string, records: { readonly en: Uint8Array; readonly fr: Uint8Array }): ProjectLine {
  const report: Report = JSON.parse(new TextDecoder().decode(records.en))
  return {
    name,
    digest: createHash('sha256').update(records.en).update(records.fr).digest('hex'),
    findings: allFindings(report).map(toFindingLine).sort(byText),
    notices: report.notices
      .map((notice): NoticeLine => [notice.code, reasonOf(notice), notice.file ?? '', notice.ruleId ?? ''])
      .sort(byText),
  }
}

function toFindingLine(finding: ReportFinding): FindingLine {
  const { ruleId, file, line = 0, column = 0, severity, confidence, id, title, flow = [] } = finding
  return {
    rule: ruleId,
    file,
    line,
    column,
    severity,
    confidence,
    id,
    shape: flow.at(-1)?.message ?? title,
    path: flow.map((step) => `${step.file}:${step.line ?? 0} ${step.message}`),
  }
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [JSON.stringify(a), JSON.stringify(b)]
  return left < right ? -1 : Number(left > right)
}

/** A report words the reason of its notices; the words lead back to it. */
function reasonOf({ code, detail }: ReportNotice): string {
  const key = NOTICE_KEYS.find((key) => key.startsWith(`${code}/`) && patternOf(code, key.slice(code.length + 1)).test(detail))
  return key?.slice(code.length + 1) ?? detail
}

function patternOf(code: NoticeCode, reason: string): RegExp {
  const words = wordNotice({ code, reason, partial: false }, 'en')
  const literals = words.split(/\{\w+\}/).map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`))
  return new RegExp(`^${literals.join('.*')}$`, 's')
}
