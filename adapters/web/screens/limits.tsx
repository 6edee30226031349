import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { LimitsAnswer } from '../../../handlers/index.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Pending } from '../parts/message.tsx'
import { useTitle } from '../parts/title.ts'
import { limits } from '../state/load.ts'
import { formatDuration, formatNumber, formatSize, say, type Word } from '../words/index.ts'

type Row = readonly [word: Word, value: string]

function toRows(known: LimitsAnswer): readonly Row[] {
  const size = (bytes: number | undefined): string => (bytes === undefined ? say('none') : formatSize(bytes))
  const count = (value: number | undefined): string => (value === undefined ? say('none') : formatNumber(value))
  return [
    ['limit_upload', size(known.upload)],
    ['limit_entries', count(known.entries)],
    ['limit_inflated', size(known.inflated)],
    ['limit_file', size(known.file)],
    ['limit_parse', size(known.parse)],
    ['limit_lockFile', size(known.lockFile)],
    ['limit_scanTime', formatDuration(known.scanTime)],
    ['limit_held', size(known.held)],
    ['limit_pathBytes', size(known.pathBytes)],
    ['limit_pathSegments', count(known.pathSegments)],
    ['limit_nesting', count(known.nesting)],
    ['limit_findings', count(known.findings)],
    ['limit_findingsPerRuleAndFile', count(known.findingsPerRuleAndFile)],
    ['limit_notices', count(known.notices)],
    ['limit_history', count(known.history.limit)],
    ['limit_historyBytes', size(known.history.bytes)],
    ['limit_historyAge', known.history.age === undefined ? say('none') : formatDuration(known.history.age)],
    ['limit_directory', known.directory ? say('yes') : say('no')],
  ]
}

export function LimitsScreen(): JSX.Element {
  useTitle(say('limitsTitle'))
  useEffect(() => void limits.load(), [])
  const { value, fault } = limits.state.value
  if (value === undefined) return <Pending fault={fault} retry={() => void limits.load()} />
  return (
    <>
      <header class="screen-head">
        <h1 class="fd-title fd-title--h2">{say('limitsTitle')}</h1>
        <p class="lead">{say('limitsLead')}</p>
      </header>
      <section class="card">
        <DataTable
          caption={say('navLimits')}
          rows={toRows(value)}
          keyOf={([word]) => word}
          columns={[
            { title: say('limit'), cell: ([word]) => say(word) },
            { title: say('value'), numeric: true, cell: ([, text]) => text },
          ]}
        />
      </section>
    </>
  )
}
