import type { JSX } from 'preact'
import { CIRCUMSTANCE_WORDS, IMPACT_WORDS, REACH_WORDS } from '../../../core/report/words.ts'
import { REACHES } from '../../../core/scales.ts'
import type { GradeRow } from '../../../core/index.ts'
import { locale } from '../state/settings.ts'
import { say } from '../words/index.ts'
import { DataTable, type Column } from './data-table.tsx'
import { SeverityBadge } from './severity.tsx'

/** The rows of the table of grades that a rule uses, without the reaches that none of them has. */
export function GradeTable({ rows }: { rows: readonly GradeRow[] }): JSX.Element {
  const language = locale.value
  const reaches = REACHES.filter((reach) => rows.some(({ levels }) => levels[reach] !== undefined))
  const columns: readonly Column<GradeRow>[] = [
    {
      title: say('impact'),
      cell: ({ impact, circumstance }) =>
        IMPACT_WORDS[language][impact] + (circumstance === undefined ? '' : `, ${CIRCUMSTANCE_WORDS[language][circumstance]}`),
    },
    ...reaches.map((reach) => ({
      title: REACH_WORDS[language][reach],
      cell: ({ levels }: GradeRow) => {
        const level = levels[reach]
        return level === undefined ? '–' : <SeverityBadge severity={level} />
      },
    })),
  ]
  return (
    <DataTable
      caption={say('gradeTable')}
      rows={rows}
      keyOf={({ impact, circumstance = '' }) => `${impact} ${circumstance}`}
      columns={columns}
    />
  )
}
