import { createStorage } from 'unstorage'
import { expect, test } from 'vitest'
import type { DecidedFinding } from '../../core/projects/decision-types.ts'
import type { Project, ProjectRow } from '../../core/projects/types.ts'
import type { Report } from '../../core/report/types.ts'
import { describeMatrix, type Init } from './matrix.ts'
import { createOverTime } from './over-time.ts'

const PATH = '/api/projects/shop/decisions'

const put = (body: unknown, headers: Record<string, string> = {}): Init => ({
  method: 'PUT',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const FIRST = { 'if-none-match': '*' }
const accepted = { state: 'accepted', reason: 'Public data alone.' }

const decisionsOf = ({ results }: Report): Record<string, string | undefined> =>
  Object.fromEntries(results.secrets.findings.map(({ id, decision }) => [id, decision?.state]))

describeMatrix('decisions', (send) => {
  test('a decision holds for later scans, is counted apart and keeps its history', async () => {
    const { app, scan, get } = createOverTime(send)
    const first = await scan({ ids: ['a', 'b'] })
    const created = await send(app, `${PATH}/a`, put({ ...accepted, by: 'Ada', owner: 'Team 1' }, FIRST))
    expect(created.status).toBe(201)
    const told: DecidedFinding = await created.json()
    expect(created.headers.get('etag')).toBe(`"${told.decision?.etag}"`)
    const second = await scan({ ids: ['a', 'c'] })
    const report = await get<Report>(`/api/scan/${second}`)
    expect([report.decided, report.summary.total, decisionsOf(report)]).toEqual([1, 2, { a: 'accepted', c: undefined }])
    expect((await get<Report>(`/api/scan/${first}`)).decided).toBe(1)
    expect((await get<ProjectRow[]>('/api/projects'))[0]).toMatchObject({ decided: 1, expiring: 0, new: 1, fixed: 1 })
    const changed = await send(
      app,
      `${PATH}/a`,
      put({ state: 'will-repair', reason: 'In May.' }, { 'if-match': created.headers.get('etag') ?? '' }),
    )
    expect(changed.status).toBe(200)
    const [decided] = await get<DecidedFinding[]>(PATH)
    expect(decided).toMatchObject({
      findingId: 'a',
      decision: { state: 'will-repair', reason: 'In May.', expired: false },
      history: [{ state: 'accepted', by: 'Ada', owner: 'Team 1' }],
    })
    expect((await get<Project>('/api/projects/shop')).open[0]).toMatchObject({ id: 'a', decision: { state: 'will-repair' } })
  })

  test('nobody decides unseen: without a tag 428, with an old one 412 and what holds now', async () => {
    const { app, scan, get } = createOverTime(send)
    await scan({ ids: ['a'] })
    expect((await send(app, `${PATH}/a`, put(accepted))).status).toBe(428)
    expect((await send(app, `${PATH}/a`, put(accepted, { 'if-match': '"1-x"' }))).status).toBe(412)
    expect((await send(app, `${PATH}/a`, put(accepted, FIRST))).status).toBe(201)
    const late = await send(app, `${PATH}/a`, put({ ...accepted, reason: 'Mine.' }, FIRST))
    const problem = await late.json()
    expect([late.status, problem.code]).toEqual([412, 'decision-changed'])
    expect(problem.findings).toMatchObject([{ findingId: 'a', decision: { reason: 'Public data alone.' } }])
    const { etag } = problem.findings[0].decision
    expect((await send(app, `${PATH}/a`, { method: 'DELETE' })).status).toBe(428)
    expect((await send(app, `${PATH}/a`, { method: 'DELETE', headers: FIRST })).status).toBe(412)
    const removed = await send(app, `${PATH}/a?by=Ada`, { method: 'DELETE', headers: { 'if-match': `"${etag}"` } })
    expect(removed.status).toBe(204)
    const [told] = await get<DecidedFinding[]>(PATH)
    expect(told?.decision).toBeUndefined()
    expect(told?.history.map(({ state, by }) => [state, by])).toEqual([
      ['withdrawn', 'Ada'],
      ['accepted', undefined],
    ])
    expect((await get<ProjectRow[]>('/api/projects'))[0]?.decided).toBe(0)
    expect((await send(app, `${PATH}/a`, put(accepted, FIRST))).status).toBe(201)
  })

  test('several are decided at once, or none of them', async () => {
    const { app, scan, get } = createOverTime(send)
    const ids = Array.from({ length: 500 }, (_, index) => `finding-${index}`)
    await scan({ ids })
    await send(app, `${PATH}/finding-3`, put(accepted, FIRST))
    const body = { ...accepted, state: 'false-positive', findings: ids.map((id) => ({ id })) }
    const refused = await send(app, PATH, put(body))
    expect(refused.status).toBe(412)
    expect((await refused.json()).findings).toHaveLength(1)
    expect(await get<DecidedFinding[]>(PATH)).toHaveLength(1)
    expect((await send(app, PATH, put({ ...body, findings: body.findings.filter(({ id }) => id !== 'finding-3') }))).status).toBe(
      200,
    )
    expect(await get<DecidedFinding[]>(PATH)).toHaveLength(500)
    expect((await get<ProjectRow[]>('/api/projects'))[0]?.decided).toBe(500)
  })

  test('one that has expired is told as such, and holds no more', async () => {
    const { app, scan, get, at } = createOverTime(send)
    const scanId = await scan({ ids: ['a'] })
    await send(app, `${PATH}/a`, put({ ...accepted, until: '2026-11-21' }, FIRST))
    const tag = (await send(app, `/api/scan/${scanId}`)).headers.get('etag')
    expect((await get<ProjectRow[]>('/api/projects'))[0]).toMatchObject({ decided: 1, expiring: 1 })
    at('2026-11-21T23:59:00.000Z')
    expect((await get<Report>(`/api/scan/${scanId}`)).decided).toBe(1)
    at('2026-11-22T00:01:00.000Z')
    const report = await send(app, `/api/scan/${scanId}`, { headers: { 'if-none-match': tag ?? '' } })
    expect(report.status).toBe(200)
    expect(await report.json()).toMatchObject({
      decided: 0,
      results: { secrets: { findings: [{ decision: { state: 'accepted', expired: true } }] } },
    })
    expect((await get<ProjectRow[]>('/api/projects'))[0]).toMatchObject({ decided: 0, expiring: 1 })
    expect(await get<unknown>(`${PATH}/config`)).toEqual({ suppress: [] })
  })

  test('a finding that is known by a former id keeps its decision', async () => {
    const { app, scan, get } = createOverTime(send)
    await scan({ ids: ['a'] })
    await send(app, `${PATH}/a`, put(accepted, FIRST))
    const second = await scan({ ids: ['a2'], formerIds: { a2: ['a'] } })
    expect(decisionsOf(await get<Report>(`/api/scan/${second}`))).toEqual({ a2: 'accepted' })
  })

  test('as entries of the configuration: what is not to be repaired', async () => {
    const { app, scan, get } = createOverTime(send)
    await scan({ ids: ['a', 'b', 'c'] })
    await send(app, `${PATH}/a`, put({ ...accepted, until: '2027-03-31' }, FIRST))
    await send(app, `${PATH}/b`, put({ state: 'will-repair', reason: 'In May.' }, FIRST))
    await send(app, `${PATH}/c`, put({ state: 'false-positive', reason: 'A test.' }, FIRST))
    expect(await get<unknown>(`${PATH}/config`)).toEqual({
      suppress: [
        { id: 'a', reason: accepted.reason, until: '2027-03-31' },
        { id: 'c', reason: 'A test.' },
      ],
    })
  })

  test('SARIF tells a decision as a suppression from outside; what has none has none', async () => {
    const { app, scan, get } = createOverTime(send)
    const scanId = await scan({ ids: ['a', 'b', 'c'] })
    await send(app, `${PATH}/a`, put(accepted, FIRST))
    await send(app, `${PATH}/b`, put({ state: 'will-repair', reason: 'In May.' }, FIRST))
    const sarif = await get<{ runs: { results: { suppressions?: unknown }[] }[] }>(`/api/scan/${scanId}/sarif`)
    expect(sarif.runs[0]?.results.map(({ suppressions }) => suppressions)).toEqual([
      [{ kind: 'external', status: 'accepted', justification: `accepted: ${accepted.reason}` }],
      [{ kind: 'external', status: 'underReview', justification: 'will-repair: In May.' }],
      undefined,
    ])
  })

  test.each([
    [{ state: 'gone', reason: 'x' }, 'state'],
    [{ state: 'accepted' }, 'reason'],
    [{ state: 'accepted', reason: '  ' }, 'reason'],
    [{ state: 'accepted', reason: 'a\nb' }, 'reason'],
    [{ state: 'accepted', reason: 'x'.repeat(1001) }, 'reason'],
    [{ ...accepted, until: '2027-13-01' }, 'until'],
    [{ ...accepted, until: 'tomorrow' }, 'until'],
    [{ ...accepted, owner: 'x'.repeat(101) }, 'owner'],
    [{ ...accepted, by: 7 }, 'by'],
    [[], ''],
  ])('%j is refused with its field', async (body, path) => {
    const { app, scan } = createOverTime(send)
    await scan({ ids: ['a'] })
    const answer = await send(app, `${PATH}/a`, put(body, FIRST))
    const problem = await answer.json()
    expect([answer.status, problem.errors?.[0]?.path]).toEqual([400, path])
  })

  test('what nobody knows is 404: projects, findings, those of other name spaces', async () => {
    const tokens = { red: 'r'.repeat(20), blue: 'b'.repeat(20) }
    const { app } = createOverTime(send, { tokens, storage: createStorage() })
    const as = (token: string, more: Record<string, string> = {}): Record<string, string> => ({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...more,
    })
    const body = JSON.stringify({ dirPath: '/srv/shop', projectName: 'shop' })
    await send(app, '/api/scan/directory', { method: 'POST', headers: as(tokens.red), body })
    const code = async (path: string, init: Init): Promise<string> => (await (await send(app, path, init)).json()).code
    const text = JSON.stringify(accepted)
    expect(await code(`${PATH}/a`, { method: 'PUT', headers: as(tokens.red, FIRST), body: text })).toBe('finding-not-found')
    expect(await code(`${PATH}/a`, { method: 'PUT', headers: as(tokens.blue, FIRST), body: text })).toBe('project-not-found')
    for (const path of [PATH, `${PATH}/config`, '/api/projects/shop/vex'])
      expect(await code(path, { headers: as(tokens.blue) })).toBe('project-not-found')
    expect(await code(`${PATH}/a%2f..`, { method: 'PUT', headers: as(tokens.red, FIRST), body: text })).toBe('invalid-request')
    expect(await code(`${PATH}/${'x'.repeat(300)}`, { method: 'PUT', headers: as(tokens.red, FIRST), body: text })).toBe(
      'invalid-request',
    )
  })

  test('a project that is deleted takes its decisions along; one begun again knows none', async () => {
    const { app, scan, get } = createOverTime(send)
    await scan({ ids: ['a'] })
    const created = await send(app, `${PATH}/a`, put(accepted, FIRST))
    await send(app, '/api/projects/shop', { method: 'DELETE' })
    await scan({ ids: ['a'] })
    expect(await get<DecidedFinding[]>(PATH)).toEqual([])
    const old = { 'if-match': created.headers.get('etag') ?? '' }
    expect((await send(app, `${PATH}/a`, put(accepted, old))).status).toBe(412)
  })

  test('a gate answers by what is new and undecided', async () => {
    const { app, scan, get, next } = createOverTime(send)
    const ask = async (ids: readonly string[], gate: string): Promise<Record<string, unknown>> => {
      next({ ids })
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ dirPath: '/srv/shop', projectName: 'shop' })
      return (await send(app, `/api/scan/directory?gate=${gate}`, { method: 'POST', headers, body })).json()
    }
    await scan({ ids: ['a', 'b'] })
    await send(app, `${PATH}/b`, put(accepted, FIRST))
    expect(await ask(['a'], 'new-high')).toMatchObject({ gate: { passed: true, new: 0 } })
    // one that was decided comes back: it is new, and decided
    const told = await ask(['a', 'b', 'c', 'd'], 'new-high')
    expect(told).toMatchObject({ gate: { passed: false, new: 2 }, decided: 1 })
    expect(await get<Report>(`/api/scan/${told['scanId']}`)).not.toHaveProperty('gate')
    expect(await ask(['a', 'x'], 'new-critical')).toMatchObject({ gate: { passed: true, new: 0 } })
    expect(await ask([], 'new-urgent')).toMatchObject({ status: 400, errors: [{ path: 'gate' }] })
  })
})
