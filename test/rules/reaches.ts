import type { Report, ReportFinding } from '../../core/report/types.ts'
import { allFindings } from '../scan-files.ts'

/** What clients ask an entity for, by the rule that tells of it and by its words. Rules that count users of some roles alone are not among them. */
const EVENTS: ReadonlyMap<string, (message: string) => string> = new Map([
  ['cap/audit-trail-writable', () => 'CREATE UPDATE DELETE'],
  ['cap/author-from-client', () => 'CREATE UPDATE'],
  ['cap/credential-element-exposed', () => 'READ'],
  ['cap/grant-all-to-any', (message) => (/\bCREATE and UPDATE to\b/.test(message) ? 'CREATE UPDATE' : '')],
  ['cap/price-from-client', () => 'CREATE UPDATE'],
  ['cap/write-element-mass-assignment', eventsOfElement],
])

/** Of these alone `anyone` is a fault of its own: all others are graded for users, since what they tell remains behind a login. */
const TELL_OF_LOGIN: ReadonlySet<string> = new Set(['cap/grant-all-to-any', 'cap/credential-element-exposed'])

function eventsOfElement(message: string): string {
  if (message.includes('in create and update requests')) return 'CREATE UPDATE'
  return message.includes('in update requests') ? 'UPDATE' : ''
}

/** Findings of a report that tell of the same entity and event, and name other users. */
export function disagreeingReaches(report: Report): readonly string[] {
  const entities = report.results.cap.services.flatMap(({ name, entities: own = [] }) => own.map((one) => `${name}.${one.name}`))
  const known = new Map<string, ReportFinding>()
  const faults: string[] = []
  for (const finding of allFindings(report)) {
    const events = EVENTS.get(finding.ruleId)?.(finding.message) ?? ''
    const entity = events === '' ? undefined : entities.find((name) => isAbout(finding.message, name))
    if (entity === undefined) continue
    const key = `${events} of ${entity}`
    const other = known.get(key)
    if (other === undefined) known.set(key, finding)
    else if (reachOf(other) !== reachOf(finding))
      faults.push(
        `${key}: ${other.ruleId} says ${other.grade?.reach}, ${finding.ruleId} says ${finding.grade?.reach}: ask the model of reach with the events of the finding`,
      )
    const isUnlikely = finding.message.includes('unauthenticated users') && finding.grade?.reach !== 'anyone'
    if (isUnlikely)
      faults.push(`${finding.ruleId} tells of unauthenticated users and says ${finding.grade?.reach}: ${finding.message}`)
  }
  return faults
}

function reachOf({ ruleId, grade }: ReportFinding): string | undefined {
  return grade?.reach === 'anyone' && TELL_OF_LOGIN.has(ruleId) ? 'user' : grade?.reach
}

function isAbout(message: string, entity: string): boolean {
  const at = message.indexOf(entity)
  return at >= 0 && !/\w/.test(message.charAt(at - 1)) && !/\w/.test(message.charAt(at + entity.length))
}
