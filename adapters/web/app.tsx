import type { JSX } from 'preact'
import { Empty } from './parts/message.tsx'
import { Shell } from './parts/shell.tsx'
import { useTitle } from './parts/title.ts'
import { CompareScreen } from './screens/compare.tsx'
import { HistoryScreen } from './screens/history.tsx'
import { LimitsScreen } from './screens/limits.tsx'
import { ReportScreen } from './screens/report.tsx'
import { RuleScreen } from './screens/rule.tsx'
import { RulesScreen } from './screens/rules.tsx'
import { StartScreen } from './screens/start.tsx'
import { href, route } from './state/router.ts'
import { say } from './words/index.ts'

export function App(): JSX.Element {
  return (
    <Shell>
      <Screen />
    </Shell>
  )
}

function Screen(): JSX.Element {
  const shown = route.value
  switch (shown.screen) {
    case 'start':
      return <StartScreen />
    case 'history':
      return <HistoryScreen />
    case 'rules':
      return <RulesScreen />
    case 'limits':
      return <LimitsScreen />
    case 'report':
      return <ReportScreen key={shown.scanId} scanId={shown.scanId} />
    case 'rule':
      return <RuleScreen key={shown.ruleId} ruleId={shown.ruleId} />
    case 'compare':
      return <CompareScreen key={`${shown.before}/${shown.after}`} before={shown.before} after={shown.after} />
    case 'unknown':
      return <UnknownScreen />
  }
}

function UnknownScreen(): JSX.Element {
  useTitle(say('notFoundTitle'))
  return (
    <Empty title={say('notFoundTitle')} screen>
      <p>{say('notFoundDetail')}</p>
      <a class="fd-button fd-button--emphasized" href={href('.')}>
        {say('toStart')}
      </a>
    </Empty>
  )
}
