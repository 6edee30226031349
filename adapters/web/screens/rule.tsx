import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { RuleSample } from '../../../core/report/writers/rule-samples.ts'
import type { RuleAnswer } from '../../../handlers/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { CodeText } from '../parts/code-frame.tsx'
import { Empty, Pending } from '../parts/message.tsx'
import { GradeTable } from '../parts/grade-table.tsx'
import { SeverityBadge } from '../parts/severity.tsx'
import { Prose, WebLink } from '../parts/text.tsx'
import { useTitle } from '../parts/title.ts'
import { fetchAsset } from '../state/api.ts'
import { BUNDLED } from '../state/bundled.ts'
import { rules } from '../state/load.ts'
import { href } from '../state/router.ts'
import { say, sayOf } from '../words/index.ts'

export function RuleScreen({ ruleId }: { ruleId: string }): JSX.Element {
  useTitle(ruleId)
  useEffect(() => {
    if (rules.state.peek().value === undefined) void rules.load()
  }, [])
  const { value, fault } = rules.state.value
  if (value === undefined) return <Pending fault={fault} retry={() => void rules.load()} />
  const rule = value.find(({ id }) => id === ruleId)
  if (rule === undefined) {
    return (
      <Empty title={say('ruleGone')} screen>
        <p>{say('ruleGoneDetail')}</p>
        <a class="fd-button fd-button--emphasized" href={href('rules')}>
          {say('rulesTitle')}
        </a>
      </Empty>
    )
  }
  return <RulePage rule={rule} />
}

function RulePage({ rule }: { rule: RuleAnswer }): JSX.Element {
  const { id, title, message, severity, confidence, cwe, why, fix, docs, since, area, grades } = rule
  const samples = useSamples(id, area)
  const [lead, ...others] = samples === undefined || samples === 'none' ? [] : leadFirst(samples)
  return (
    <article class="rule-page">
      <header class="screen-head">
        <p class="crumbs">
          <a class="fd-link" href={href('rules')}>
            {say('rulesTitle')}
          </a>{' '}
          /{' '}
          <a class="fd-link" href={href(`rules?area=${area}`)}>
            {sayOf('area', area)}
          </a>
        </p>
        <h1 class="fd-title fd-title--h2">{toVisible(title)}</h1>
        <p class="report-facts">
          <SeverityBadge severity={severity} />
          <code translate={false}>{id}</code>
          <span>{say('confidenceIs', { level: sayOf('confidence', confidence) })}</span>
          {cwe.map((name) => (
            <WebLink key={name} url={`https://cwe.mitre.org/data/definitions/${name.replace(/\D/g, '')}.html`} text={name} />
          ))}
          <WebLink url={docs} text={say('docs')} />
          <span class="quiet">{say('since', { version: since })}</span>
        </p>
      </header>
      <section class="card rule-lead">
        <h2 class="fd-title fd-title--h5">{say('ruleExample')}</h2>
        <p>
          <Prose text={message} />
        </p>
        {lead !== undefined && <SampleFiles sample={lead} />}
        <div class="why-fix">
          <section>
            <h2 class="fd-title fd-title--h5">{say('fix')}</h2>
            <p>
              <Prose text={fix} />
            </p>
          </section>
          <section>
            <h2 class="fd-title fd-title--h5">{say('why')}</h2>
            <p>
              <Prose text={why} />
            </p>
          </section>
        </div>
      </section>
      <section class="card">
        <h2 class="fd-title fd-title--h4">{say('whyGrade')}</h2>
        <p class="quiet">{say(grades.length === 0 ? 'gradeAdvisory' : 'gradeLead')}</p>
        {grades.length > 0 && <GradeTable rows={grades} />}
      </section>
      <section class="samples">
        <h2 class="fd-title fd-title--h4">{say('examples')}</h2>
        {samples === undefined && <p class="quiet">{say('loading')}</p>}
        {samples === 'none' && <p class="quiet">{say('noExamples')}</p>}
        {others.map((sample, index) => (
          <Sample key={index} sample={sample} />
        ))}
      </section>
    </article>
  )
}

type AreaSamples = Readonly<Record<string, readonly RuleSample[]>>

/** The projects that the tests of a rule run: what it finds, what it leaves alone, and what it misses. */
function useSamples(ruleId: string, area: string): readonly RuleSample[] | 'none' | undefined {
  const [samples, setSamples] = useState<readonly RuleSample[] | 'none'>()
  useEffect(() => {
    const name = BUNDLED.samples?.[area]
    if (name === undefined) return setSamples('none')
    fetchAsset<AreaSamples>(name).then(
      (all) => setSamples(all[ruleId] ?? 'none'),
      () => setSamples('none'),
    )
  }, [ruleId])
  return samples
}

/** The example that the words of the rule are filled with comes first. */
function leadFirst(samples: readonly RuleSample[]): readonly RuleSample[] {
  const lead = samples.find(({ kind }) => kind === 'vulnerable')
  return lead === undefined ? samples : [lead, ...samples.filter((sample) => sample !== lead)]
}

function Sample({ sample }: { sample: RuleSample }): JSX.Element {
  const { kind, title, notes } = sample
  return (
    <details class={`card sample-project ${kind}`}>
      <summary>
        <span class={`sample-kind ${kind}`}>{sayOf('sample', kind)}</span>
        <span lang="en">{title}</span>
      </summary>
      {notes.map((note) => (
        <p key={note} lang="en">
          {note}
        </p>
      ))}
      <SampleFiles sample={sample} />
    </details>
  )
}

function SampleFiles({ sample }: { sample: RuleSample }): JSX.Element {
  return (
    <>
      {sample.files.map(({ path, text }) => (
        <figure key={path}>
          <figcaption>
            <code translate={false}>{path}</code>
          </figcaption>
          <pre class="code-frame" tabIndex={0} role="group" aria-label={path} translate={false} lang="zxx">
            <CodeText text={toVisible(text)} path={path} />
          </pre>
        </figure>
      ))}
    </>
  )
}
