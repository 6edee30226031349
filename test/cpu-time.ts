/**
 * Milliseconds of CPU that this process has used. What a test computes is measured by it, never by the clock: on a busy machine most of the time between two
 * looks at a clock is spent waiting for a processor.
 */
export function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
