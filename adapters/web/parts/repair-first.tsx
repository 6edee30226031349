import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ReportFinding } from '../../../core/index.ts'
import { listFirstRepairs } from '../../../core/report/repair-first.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { say } from '../words/index.ts'
import { findingAnchor } from './finding.tsx'
import { SeverityBadge } from './severity.tsx'
import { Path, Prose } from './text.tsx'

/** Where to begin, as the terminal says it: the worst findings, each with its fix and what that ends. */
export function RepairFirst({ findings }: { findings: readonly ReportFinding[] }): JSX.Element | null {
  const first = useMemo(() => listFirstRepairs(findings), [findings])
  if (first.length === 0) return null
  return (
    <section class="card repair-first">
      <h3 class="fd-title fd-title--h5">{say('repairFirst')}</h3>
      <ol>
        {first.map(({ finding: { id, severity, title, file, line, column, fix }, alike }) => (
          <li key={id}>
            <p class="repair-head">
              <SeverityBadge severity={severity} />
              <a class="fd-link" href={`#${findingAnchor(id)}`}>
                {toVisible(title)}
              </a>
              <Path file={file} line={line} column={column} />
            </p>
            <p>
              <Prose text={fix} />
            </p>
            {alike > 1 && <p class="quiet">{say('repairsAlike', { n: alike })}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}
