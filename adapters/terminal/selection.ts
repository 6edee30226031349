import type { Locale, Report, ReportFinding, SelectionWords } from '../../core/index.ts'
import { say } from './words.ts'

/** Of a report that tells only some findings of its project: how many the project has, and why the others are left out. */
export interface Selection {
  readonly total: number
  /** Not what --area, --rule and --min-severity ask for. */
  readonly notAskedFor?: number
  readonly inBaseline?: number
  readonly onUnchangedLines?: number
  /** Of a comparison: in both reports. */
  readonly inEarlier?: number
  /** Of a comparison: findings of the earlier report alone. */
  readonly fixed?: readonly ReportFinding[]
}

const REASONS = ['inEarlier', 'inBaseline', 'onUnchangedLines', 'notAskedFor'] as const

/** What readers are told of it: a report with few findings must not pass for that of a good project. */
export function wordSelection(selection: Selection, shown: number, locale: Locale): SelectionWords {
  const { total, fixed } = selection
  const reasons = wordLeftOut(selection, locale)
  const isNew = isOfNew(selection)
  const remark = say(locale, isNew ? 'onlyNew' : 'onlySome', {
    shown,
    total,
    reasons: reasons.join(', ') || say(locale, 'noneLeftOut'),
  })
  return {
    remark: `${remark} ${say(locale, 'wholeRisk')}`,
    none: say(locale, isNew ? 'nothingNew' : 'none'),
    ...(fixed !== undefined && { fixed: { head: say(locale, 'fixed', { n: fixed.length }), findings: fixed } }),
  }
}

/** How many findings are left out, for each reason. */
export function wordLeftOut(selection: Selection, locale: Locale): readonly string[] {
  return REASONS.flatMap((reason) => {
    const n = selection[reason] ?? 0
    return n === 0 ? [] : say(locale, reason, { n })
  })
}

/** Whether nothing but new findings is told. */
export const isOfNew = ({ inBaseline = 0, inEarlier }: Selection): boolean => inBaseline > 0 || inEarlier !== undefined

/** The report for programs: the same facts as members. */
export function addSelection(report: Report, { fixed, ...counts }: Selection): object {
  return { ...report, selection: counts, ...(fixed !== undefined && { fixed }) }
}
