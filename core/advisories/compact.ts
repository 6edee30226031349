import type { Severity } from '../types.ts'
import type { AdvisoryRecord } from './record.ts'
import type { Interval } from './types.ts'

const LETTERS: Readonly<Record<Severity, string>> = { CRITICAL: 'C', HIGH: 'H', MEDIUM: 'M', LOW: 'L', INFO: 'I' }
const SEVERITIES: ReadonlyMap<string, Severity> = new Map([
  ['C', 'CRITICAL'],
  ['H', 'HIGH'],
  ['M', 'MEDIUM'],
  ['L', 'LOW'],
  ['I', 'INFO'],
])

/**
 * Records as the snapshot holds them: a line `=name` for each package, then a line for each of its advisories, `|` between
 * id and aliases · severity's letter, `!` for malware · CWE numbers · intervals (`0<1.6.0`, `1.0.0<=1.2.3`, `2.2.2`, `3.0.0<`) · title.
 */
export function packRecords(records: readonly AdvisoryRecord[]): string {
  const lines: string[] = []
  let name = ''
  for (const record of records) {
    if (record.package !== name) lines.push(`=${record.package}`)
    name = record.package
    const { id, aliases, severity, malware, cwe, intervals, title } = record
    const cells = [[id, ...aliases].join(' '), LETTERS[severity] + (malware ? '!' : ''), cwe.join(' ')]
    lines.push([...cells, intervals.map(packInterval).join(' '), title.replaceAll(/[|\s]+/g, ' ').trim()].join('|'))
  }
  return lines.join('\n')
}

/** The lines of each package. */
export function divideRecords(packed: string): ReadonlyMap<string, string> {
  const parts = new Map<string, string>()
  for (let start = 0, end = 0; start < packed.length; start = end + 1) {
    const next = packed.indexOf('\n=', start)
    end = next < 0 ? packed.length : next
    const part = packed.slice(start, end)
    parts.set(part.slice(1, part.indexOf('\n')), part)
  }
  return parts
}

/** The reverse of `packRecords`. Throws where the text is none of its own. */
export function unpackRecords(packed: string): AdvisoryRecord[] {
  const records: AdvisoryRecord[] = []
  let name = ''
  for (const line of packed.split('\n')) {
    if (line.startsWith('=')) {
      name = line.slice(1)
      continue
    }
    const [ids = '', mark = '', cwe = '', intervals = '', title = ''] = line.split('|')
    const [id = '', ...aliases] = ids.split(' ')
    const severity = SEVERITIES.get(mark[0] ?? '')
    if (name === '' || id === '' || severity === undefined) throw new Error(`not a line of the snapshot: ${line}`)
    records.push({
      id,
      aliases,
      package: name,
      severity,
      malware: mark[1] === '!',
      cwe: cwe === '' ? [] : cwe.split(' ').map(Number),
      intervals: intervals.split(' ').map(unpackInterval),
      title,
    })
  }
  return records
}

function packInterval({ introduced, fixed, lastAffected }: Interval): string {
  if (introduced === lastAffected) return introduced
  return lastAffected === undefined ? `${introduced}<${fixed ?? ''}` : `${introduced}<=${lastAffected}`
}

function unpackInterval(packed: string): Interval {
  const [introduced = '', end] = packed.split('<')
  if (end === undefined) return { introduced, lastAffected: introduced }
  if (end.startsWith('=')) return { introduced, lastAffected: end.slice(1) }
  return end === '' ? { introduced } : { introduced, fixed: end }
}
