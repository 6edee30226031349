import type { Report, ScanProgress } from '../../../core/index.ts'
import type { Problem } from '../../../handlers/index.ts'

/** A problem that carries the report where the server could not keep it. */
export type ScanProblem = Problem & { readonly report?: Report }

/** What takes each kind of event. */
interface Takers {
  readonly progress: (progress: ScanProgress) => void
  readonly report: (report: Report) => void
  readonly problem: (problem: ScanProblem) => void
}

/** Reads server-sent events from a text that grows: each call gets all of it, and looks at what is new. */
export function createEventReader(takers: Takers): { read(text: string): void } {
  let seen = 0
  // a large event comes in thousands of pieces: its beginning is not searched again with each
  let searched = 0
  return {
    read(text) {
      for (;;) {
        const end = text.indexOf('\n\n', Math.max(seen, searched - 1))
        searched = text.length
        if (end === -1) return
        const lines = text.slice(seen, end).split('\n')
        seen = end + 2
        searched = seen
        const member = (name: string): string => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
        take(takers, member('event'), member('data'))
      }
    },
  }
}

function take(takers: Takers, event: string, data: string): void {
  if (event === 'progress') takers.progress(JSON.parse(data))
  if (event === 'report') takers.report(JSON.parse(data))
  if (event === 'problem') takers.problem(JSON.parse(data))
}
