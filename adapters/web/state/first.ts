import { computed } from '@preact/signals'
import { recentScans } from './load.ts'
import { route, type Route } from './router.ts'
import { refused, scan } from './scan.ts'

/** What is shown: the address alone leaves open what comes first; `start` until that is known. */
export const shownScreen = computed<Route['screen']>(() => {
  const { screen } = route.value
  if (screen !== 'start') return screen
  if (scan.value.step !== 'idle' || refused.value !== undefined) return 'scan'
  const { value, fault } = recentScans.state.value
  if (value === undefined) return fault === undefined ? 'start' : 'scan'
  return value.length > 1 ? 'projects' : 'scan'
})
