import type { ScanFault } from './types.ts'

/** One line of the log as plain data; whoever prints it escapes it. `id` is that of the request, where there is one. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error'
  readonly event: string
  readonly id?: string
  readonly [detail: string]: unknown
}

export type Log = (entry: LogEntry) => void

/** How deep a detail may be nested that is masked; what lies deeper is left out. */
const DEEPEST = 6

/** The entry with the credentials blotted out that its texts and errors quote. */
export function maskEntry(entry: LogEntry, mask: (text: string) => string): LogEntry {
  const maskDetail = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return mask(value)
    if (typeof value !== 'object' || value === null) return value
    if (depth > DEEPEST) return undefined
    if (value instanceof Error) return maskError(value, depth)
    if (Array.isArray(value)) return value.map((item: unknown) => maskDetail(item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskDetail(inner, depth + 1)]))
  }
  const maskError = (error: Error, depth: number): Error => {
    const cause = error.cause === undefined ? undefined : maskDetail(error.cause, depth + 1)
    const masked = new Error(mask(error.message), cause === undefined ? undefined : { cause })
    masked.name = error.name
    masked.stack = error.stack === undefined ? undefined : mask(error.stack)
    return masked
  }
  const { level, event, ...details } = entry
  return { level, event, ...Object.fromEntries(Object.entries(details).map(([name, value]) => [name, maskDetail(value, 0)])) }
}

/** Frames of a stack that are told. */
const MAX_FRAMES = 12

/** What a rule or a model threw, as a line of the log: where it was thrown, but not the message, which may hold text of the scanned project. */
export function describeFault({ error, ruleId, file }: ScanFault): LogEntry {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const frames = stack.split('\n').filter((line) => /^\s{1,20}at /.test(line))
  return {
    level: 'error',
    event: 'rule-failed',
    ...(ruleId !== undefined && { ruleId }),
    ...(file !== undefined && { file }),
    error: error instanceof Error ? error.name : typeof error,
    frames: frames.slice(0, MAX_FRAMES).map((line) => line.trim()),
  }
}

/** The default: what went wrong must show somewhere, also in a host that gave no log. The rest is not said. */
export const logFaults: Log = (entry: LogEntry): void => {
  if (entry.level === 'info') return
  // oxlint-disable-next-line no-console -- the one place that writes where the host gave no log
  console.error('[parapet]', entry)
}
