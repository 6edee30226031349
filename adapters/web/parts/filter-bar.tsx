import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { SEVERITIES } from '../../../core/scales.ts'
import { DECISION_STATES } from '../../../core/projects/decision-types.ts'
import type { ReportFinding } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { areaOf, countBy, GROUPINGS, isFiltered, type Filter } from '../state/filter.ts'
import { setQuery } from '../state/router.ts'
import { locale } from '../state/settings.ts'
import { formatNumber, say, sayOf } from '../words/index.ts'
import { severityWord } from './severity.tsx'

interface FilterBarProps {
  readonly findings: readonly ReportFinding[]
  readonly filter: Filter
  readonly shown: number
}

const STATUSES = ['new', 'open', 'undecided', 'decided', 'expired'] as const

export const RESET: Readonly<Record<string, string>> = { sev: '', area: '', rule: '', file: '', cwe: '', q: '', status: '' }

/** The filters, each a member of the address. */
export function FilterBar({ findings, filter, shown }: FilterBarProps): JSX.Element {
  // thousands of files may be offered: their options are made once, not with every key
  const offered = useMemo(
    () => ({
      areas: toOptions(
        countBy(findings, (finding) => [areaOf(finding)]),
        (key) => sayOf('area', key),
      ),
      rules: toOptions(countBy(findings, ({ ruleId }) => [ruleId])),
      files: toOptions(
        countBy(findings, ({ file }) => [file]),
        toVisible,
      ),
      cwes: toOptions(countBy(findings, ({ cwe }) => cwe)),
    }),
    [findings, locale.value],
  )
  const [severity = ''] = filter.severities.length === 1 ? filter.severities : []
  return (
    <form class="filters" role="search" aria-label={say('filters')} onSubmit={(event) => event.preventDefault()}>
      <label class="filter-search">
        <span class="fd-form-label">{say('search')}</span>
        <input
          id="search"
          type="search"
          class="fd-input"
          value={filter.text}
          placeholder={say('searchHint')}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setQuery({ q: event.currentTarget.value })}
        />
      </label>
      <Choice
        label={say('severity')}
        value={severity.toLowerCase()}
        all={filter.severities.length > 1 ? filter.severities.map(severityWord).join(', ') : say('allSeverities')}
        options={SEVERITIES.map((name) => toOption(name.toLowerCase(), severityWord(name)))}
        onChoose={(sev) => setQuery({ sev })}
      />
      <Choice
        label={say('area')}
        value={filter.area}
        all={say('allAreas')}
        options={offered.areas}
        onChoose={(area) => setQuery({ area })}
      />
      <Choice
        label={say('rule')}
        value={filter.rule}
        all={say('allRules')}
        options={offered.rules}
        onChoose={(rule) => setQuery({ rule })}
      />
      <Choice
        label={say('file')}
        value={filter.file}
        all={say('allFiles')}
        options={offered.files}
        onChoose={(file) => setQuery({ file })}
      />
      <Choice label="CWE" value={filter.cwe} all={say('allCwes')} options={offered.cwes} onChoose={(cwe) => setQuery({ cwe })} />
      {findings.some(({ status }) => status !== undefined) && (
        <Choice
          label={say('status')}
          value={filter.status}
          all={say('status_all')}
          options={[
            ...STATUSES.map((status) => toOption(status, sayOf('status', status))),
            ...DECISION_STATES.map((state) => toOption(state, sayOf('decision', state))),
          ]}
          onChoose={(status) => setQuery({ status })}
        />
      )}
      <div class="filter-state">
        <output class="shown" aria-live="polite">
          {say('shownOf', { n: shown, total: findings.length })}
        </output>
        {isFiltered(filter) && (
          <button type="button" class="fd-button fd-button--transparent" onClick={() => setQuery(RESET)}>
            {say('reset')}
          </button>
        )}
        <fieldset class="grouping">
          <legend>{say('groupBy')}</legend>
          {GROUPINGS.map((grouping) => (
            <label key={grouping} class={filter.group === grouping ? 'chosen' : undefined}>
              <input
                type="radio"
                name="group"
                checked={filter.group === grouping}
                onChange={() => setQuery({ group: grouping === 'rule' ? '' : grouping })}
              />
              {say(grouping)}
            </label>
          ))}
        </fieldset>
      </div>
    </form>
  )
}

export const toOption = (value: string, text: string): JSX.Element => (
  <option key={value} value={value}>
    {text}
  </option>
)

function toOptions(
  counts: readonly (readonly [string, number])[],
  word: (key: string) => string = (key) => key,
): readonly JSX.Element[] {
  return counts.map(([key, count]) => toOption(key, `${word(key)} (${formatNumber(count)})`))
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly all: string
  readonly options: readonly JSX.Element[]
  readonly onChoose: (value: string) => void
}

export function Choice({ label, value, all, options, onChoose }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <span class="fd-form-label">{label}</span>
      <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
        <option value="">{all}</option>
        {options}
      </select>
    </label>
  )
}
