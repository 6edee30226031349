import { expect, test } from 'vitest'
import type { ScanStatuses } from '../../core/index.ts'
import { annotateReport } from '../../handlers/_annotate.ts'

const SINCE = { scanId: 'é→😀', scannedAt: '2026-11-20T08:00:00.000Z' }
const statuses: ScanStatuses = {
  tag: 'x',
  decided: 2,
  countNew: () => 0,
  of: (id) => (id.endsWith('3') ? undefined : { status: 'open', firstSeen: SINCE }),
}

interface Told {
  readonly id: string
  readonly status?: string
}

/** A report of some megabytes, so that findings stand at the ends of whatever is read at once. `shift`: by so many bytes. */
function createReport(shift: number): { readonly bytes: Uint8Array; readonly findings: readonly object[] } {
  const findings = Array.from({ length: 3000 }, (_, index) => ({
    id: `id-${index}`,
    ...(index % 5 === 0 && { formerIds: Array.from({ length: index % 200 }, (__, former) => `former-${former}`) }),
    ruleId: 'cap/cql-injection',
    message: `“é→” {"id":"x","ruleId":"y", ${'m'.repeat(index % 1500)}`,
  }))
  const report = { name: '"results":{'.repeat(3), pad: 'p'.repeat(shift), results: { ui5: { findings: [] }, cap: { findings } } }
  return { bytes: new TextEncoder().encode(JSON.stringify(report)), findings }
}

test.each([0, 1, 7, 501, 1_048_000, 1_100_001])('each finding of a report gets what is known of it, %i bytes behind', (shift) => {
  const { bytes, findings } = createReport(shift)
  const { results } = JSON.parse(new TextDecoder().decode(annotateReport(bytes, statuses)))
  const told: Told[] = results.cap.findings
  expect(results.ui5).toEqual({ findings: [] })
  expect(told.map(({ status }) => status ?? '')).toEqual(told.map(({ id }) => (id.endsWith('3') ? '' : 'open')))
  expect(told.map(({ ...finding }) => ({ ...finding, status: undefined, firstSeen: undefined }))).toEqual(
    findings.map((finding) => ({ ...finding, status: undefined, firstSeen: undefined })),
  )
})

test('bytes that are no report stay as they are', () => {
  const bytes = new TextEncoder().encode('{"id":"x","ruleId":"y",')
  expect(annotateReport(bytes, statuses)).toEqual(bytes)
})
