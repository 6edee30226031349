import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { AREAS, SEVERITIES } from '../../../core/scales.ts'
import { DataTable } from '../parts/data-table.tsx'
import { Choice, toOption } from '../parts/filter-bar.tsx'
import { Pending } from '../parts/message.tsx'
import { SeverityBadge, severityWord } from '../parts/severity.tsx'
import { useTitle } from '../parts/title.ts'
import { rules } from '../state/load.ts'
import { address, href, setQuery } from '../state/router.ts'
import { say, sayOf } from '../words/index.ts'

export function RulesScreen(): JSX.Element {
  useTitle(say('rulesTitle'))
  useEffect(() => {
    if (rules.state.peek().value === undefined) void rules.load()
  }, [])
  const { value, fault } = rules.state.value
  if (value === undefined) return <Pending fault={fault} retry={() => void rules.load()} />
  const query = address.value.searchParams
  const [text, area, severity] = ['q', 'area', 'sev'].map((name) => query.get(name) ?? '')
  const words = (text ?? '').toLowerCase().split(/\s+/)
  const shown = value.filter(
    (rule) =>
      (area === '' || rule.area === area) &&
      (severity === '' || rule.severity.toLowerCase() === severity) &&
      words.every((word) => `${rule.id} ${rule.title} ${rule.cwe.join(' ')}`.toLowerCase().includes(word)),
  )
  return (
    <>
      <header class="screen-head">
        <h1 class="fd-title fd-title--h2">{say('rulesTitle')}</h1>
        <p class="lead">{say('rulesLead', { n: value.length })}</p>
      </header>
      <form class="filters" role="search" aria-label={say('rulesFilter')} onSubmit={(event) => event.preventDefault()}>
        <label class="filter-search">
          <span class="fd-form-label">{say('search')}</span>
          <input
            class="fd-input"
            type="search"
            value={text}
            onInput={({ currentTarget }) => setQuery({ q: currentTarget.value })}
          />
        </label>
        <Choice
          label={say('severity')}
          value={severity ?? ''}
          all={say('allSeverities')}
          options={SEVERITIES.map((name) => toOption(name.toLowerCase(), severityWord(name)))}
          onChoose={(sev) => setQuery({ sev })}
        />
        <Choice
          label={say('area')}
          value={area ?? ''}
          all={say('allAreas')}
          options={AREAS.map((name) => toOption(name, sayOf('area', name)))}
          onChoose={(name) => setQuery({ area: name })}
        />
        <output class="shown" aria-live="polite">
          {say('rulesShown', { n: shown.length, total: value.length })}
        </output>
      </form>
      <section class="card">
        <DataTable
          caption={say('rulesTitle')}
          rows={shown}
          keyOf={({ id }) => id}
          columns={[
            {
              title: say('rule'),
              cell: ({ id }) => (
                <a class="fd-link" href={href(`rules/${id}`)}>
                  {id}
                </a>
              ),
            },
            { title: say('title'), cell: ({ title }) => title },
            { title: say('severity'), cell: ({ severity }) => <SeverityBadge severity={severity} /> },
            { title: 'CWE', cell: ({ cwe }) => cwe.join(', ') },
          ]}
        />
      </section>
    </>
  )
}
