import type { ScanStatuses } from '../core/index.ts'

/** Where a finding begins in a report: no text holds an unescaped quote, so this is no text. */
const FINDING = /\{"id":"([\w-]{1,100})",(?:"formerIds":\[[^\]]{0,100000}\],)?"ruleId":"([\w/-]{1,100})",/g

/**
 * Puts into the report what its project tells of each finding. The text is not parsed: a report of ten thousand findings has 20 MB, and everybody else waits meanwhile.
 */
export function annotateReport(bytes: Uint8Array, statuses: ScanStatuses): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(bytes)
  const start = text.indexOf('"results":{')
  if (start === -1) return new Uint8Array(bytes)
  const results = text.slice(start).replace(FINDING, (head: string, id: string, ruleId: string) => {
    const status = statuses.of(id, ruleId)
    return status === undefined ? head : `${head}${JSON.stringify(status).slice(1, -1)},`
  })
  return new TextEncoder().encode(`${text.slice(0, start)}"decided":${statuses.decided},${results}`)
}

/** Puts beside the report whether it passes a gate. */
export function tellGate(bytes: Uint8Array, found: number): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`{"gate":${JSON.stringify({ passed: found === 0, new: found })},`)
  const whole = new Uint8Array(head.length + bytes.length - 1)
  whole.set(head)
  // behind its own brace
  whole.set(bytes.subarray(1), head.length)
  return whole
}
