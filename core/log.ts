/** One line of the log as plain data; whoever prints it escapes it. `id` is that of the request, where there is one. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly id?: string
  readonly [detail: string]: unknown
}

export type Log = (entry: LogEntry) => void

/** The default: what went wrong must show somewhere, also in a host that gave no log. The rest is not said. */
export const logFaults: Log = (entry: LogEntry): void => {
  if (entry.level === 'info') return
  // oxlint-disable-next-line no-console
  console.error('[parapet]', entry)
}
