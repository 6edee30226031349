import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { later } from './parts/later.tsx'
import { Empty, Pending } from './parts/message.tsx'
import { Shell } from './parts/shell.tsx'
import { useTitle } from './parts/title.ts'
import { CompareScreen } from './screens/compare.tsx'
import { HistoryScreen } from './screens/history.tsx'
import { LimitsScreen } from './screens/limits.tsx'
import { ReportScreen } from './screens/report.tsx'
import { RuleScreen } from './screens/rule.tsx'
import { RulesScreen } from './screens/rules.tsx'
import { StartScreen } from './screens/start.tsx'
import { shownScreen } from './state/first.ts'
import { recentScans } from './state/load.ts'
import { href, route } from './state/router.ts'
import { say } from './words/index.ts'

const ProjectsScreen = later(async () => (await import('./screens/over-time.ts')).ProjectsScreen)
const ProjectScreen = later(async () => (await import('./screens/over-time.ts')).ProjectScreen)

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
      return <FirstScreen />
    case 'scan':
      return <StartScreen />
    case 'projects':
      return <ProjectsScreen />
    case 'project':
      return <ProjectScreen key={shown.name} name={shown.name} />
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

/** Where projects are to be compared they come first; before that, and while one is scanned, what is scanned next. */
function FirstScreen(): JSX.Element {
  useEffect(() => {
    if (recentScans.state.peek().value === undefined) void recentScans.load()
  }, [])
  const shown = shownScreen.value
  if (shown === 'start') return <Pending retry={() => void recentScans.load()} />
  return shown === 'projects' ? <ProjectsScreen /> : <StartScreen />
}

function UnknownScreen(): JSX.Element {
  useTitle(say('notFoundTitle'))
  return (
    <Empty title={say('notFoundTitle')} screen>
      <p>{say('notFoundDetail')}</p>
      <a class="fd-button fd-button--emphasized" href={href('scan')}>
        {say('toStart')}
      </a>
    </Empty>
  )
}
