import type { JSX } from 'preact'
import { wordAssumed } from '../../../core/report/assumed-words.ts'
import { SEVERITIES } from '../../../core/scales.ts'
import type { Report, Severity } from '../../../core/index.ts'
import { readFilter } from '../state/filter.ts'
import { locale } from '../state/settings.ts'
import { address, setQuery } from '../state/router.ts'
import { formatNumber, say, sayOf } from '../words/index.ts'
import { Menu } from './menu.tsx'
import { SeverityBar } from './severity-bar.tsx'
import { SeverityIcon } from './icons.tsx'
import { countedWord, countOf } from './severity.tsx'

/** The counts, each a switch of the filter, and the risk. Counts come first: a score alone says little. */
export function Summary({ report }: { report: Report }): JSX.Element {
  const { summary, riskScore, riskLevel } = report
  const assumed = wordAssumed(report, locale.value)
  const chosen = readFilter(address.value.searchParams).severities
  const toggle = (severity: Severity): void => {
    const next = chosen.includes(severity) ? chosen.filter((other) => other !== severity) : [...chosen, severity]
    setQuery({ sev: next.join(',').toLowerCase(), view: '' })
  }
  return (
    <section class="summary" aria-label={say('severityBar')}>
      <div class="tiles">
        {SEVERITIES.map((severity) => (
          <button
            key={severity}
            type="button"
            class={`tile ${severity.toLowerCase()}`}
            aria-pressed={chosen.includes(severity)}
            disabled={countOf(summary, severity) === 0}
            onClick={() => toggle(severity)}
          >
            <span class="tile-count">{formatNumber(countOf(summary, severity))}</span>
            <span class="tile-word">
              <SeverityIcon severity={severity} />
              {countedWord(severity, countOf(summary, severity))}
            </span>
          </button>
        ))}
        <Menu
          class="tile risk"
          label={
            <>
              <span class="tile-count">{riskScore}</span>
              <span class="tile-word">{say('riskTitle', { level: sayOf('level', riskLevel) })}</span>
            </>
          }
        >
          <div class="risk-how">
            <p class="message-title">{say('riskHow')}</p>
            <p>{say('riskHowDetail')}</p>
          </div>
        </Menu>
      </div>
      {assumed !== '' && <p>{assumed}</p>}
      <SeverityBar counts={summary} />
    </section>
  )
}
