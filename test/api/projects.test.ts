import { expect, test } from 'vitest'
import { createStorage, prefixStorage } from 'unstorage'
import { createHistory } from '../../core/history.ts'
import type { Project, ProjectRow } from '../../core/projects/types.ts'
import type { Report } from '../../core/report/types.ts'
import type { HistoryEntry } from '../../core/types.ts'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { createScanIds } from '../../handlers/_scan-id.ts'
import { describeMatrix } from './matrix.ts'
import { createOverTime } from './over-time.ts'
import { createOutcome } from './sample.ts'

const statusesOf = ({ results }: Report): Record<string, string> =>
  Object.fromEntries(results.secrets.findings.map(({ id, status, firstSeen }) => [id, `${status} ${firstSeen?.scanId}`]))

const json = (body: unknown): { headers: Record<string, string>; body: string } => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describeMatrix('projects', (send) => {
  test('scans of one name belong together: the list tells the last one and what came and went', async () => {
    const { scan, get } = createOverTime(send)
    await scan({ ids: ['a', 'b'] })
    const last = await scan({ ids: ['b', 'c', 'd'] }, { branch: 'main', commit: 'abcdef1' })
    await scan({ ids: ['x'] }, { projectName: 'Other' })
    const rows = SCHEMAS.Projects.parse(await get<ProjectRow[]>('/api/projects'))
    expect(rows.map(({ name }) => name)).toEqual(['Other', 'shop'])
    expect(rows[1]).toMatchObject({
      lastScan: { scanId: last, branch: 'main', commit: 'abcdef1', complete: true, kept: true },
      counts: { high: 3, total: 3 },
      new: 2,
      fixed: 1,
      decided: 0,
      scans: 2,
      tags: [],
    })
    expect(rows[0]).toMatchObject({ new: 1, fixed: 0 })
    expect((await get<ProjectRow[]>('/api/projects?q=OTH')).map(({ name }) => name)).toEqual(['Other'])
    expect((await get<ProjectRow[]>('/api/projects?limit=1&offset=1')).map(({ name }) => name)).toEqual(['shop'])
    expect(await get<ProjectRow[]>('/api/projects?tag=none')).toEqual([])
  })

  test('a finding tells since when it is there, in both languages, and the report says so with another tag', async () => {
    const { app, scan, get } = createOverTime(send)
    const first = await scan({ ids: ['a', 'b'] })
    const second = await scan({ ids: ['b', 'c'] })
    const third = await scan({ ids: ['a', 'b', 'c'] })
    expect(statusesOf(await get<Report>(`/api/scan/${first}`))).toEqual({ a: `new ${first}`, b: `new ${first}` })
    expect(statusesOf(await get<Report>(`/api/scan/${second}?lang=fr`))).toEqual({ b: `open ${first}`, c: `new ${second}` })
    // fixed and back again is new
    expect(statusesOf(await get<Report>(`/api/scan/${third}`))).toEqual({
      a: `new ${third}`,
      b: `open ${first}`,
      c: `open ${second}`,
    })
    const project = SCHEMAS.Project.parse(await get<Project>('/api/projects/shop'))
    expect(project.history.map(({ scanId, new: found, fixed }) => [scanId, found, fixed])).toEqual([
      [third, 1, 0],
      [second, 1, 1],
      [first, 2, 0],
    ])
    expect(project.open.map(({ id, firstSeen }) => [id, firstSeen.scanId])).toEqual([
      ['a', third],
      ['b', first],
      ['c', second],
    ])
    const read = await send(app, `/api/scan/${third}`)
    const tag = read.headers.get('etag') ?? ''
    expect((await send(app, `/api/scan/${third}`, { headers: { 'if-none-match': tag } })).status).toBe(304)
    // what was told of it is told no more
    expect((await send(app, `/api/scan/${first}`, { method: 'DELETE' })).status).toBe(204)
    expect((await send(app, `/api/scan/${third}`, { headers: { 'if-none-match': tag } })).status).toBe(200)
    expect(statusesOf(await get<Report>(`/api/scan/${third}`))).toEqual({
      a: `new ${third}`,
      b: `open ${second}`,
      c: `open ${second}`,
    })
    expect((await get<Project>('/api/projects/shop')).scans).toBe(2)
  })

  test('a scan that is not complete fixes nothing, and what it did not see is not new afterwards', async () => {
    const { scan, get } = createOverTime(send)
    const first = await scan({ ids: ['a', 'b'] })
    await scan({ ids: ['b', 'c'], complete: false })
    expect((await get<ProjectRow[]>('/api/projects'))[0]).toMatchObject({ new: 1, fixed: 0, counts: { total: 2 } })
    const third = await scan({ ids: ['a', 'b'] })
    expect((await get<ProjectRow[]>('/api/projects'))[0]).toMatchObject({ new: 0, fixed: 1 })
    expect(statusesOf(await get<Report>(`/api/scan/${third}`))).toEqual({ a: `open ${first}`, b: `open ${first}` })
  })

  test('a branch is compared with itself, a new one with the main branch', async () => {
    const { scan, get } = createOverTime(send)
    const old = await scan({ ids: ['a', 'z'] })
    const main = await scan({ ids: ['a', 'b'] }, { branch: 'main' })
    const branched = await scan({ ids: ['a', 'b', 'c'] }, { branch: 'feature' })
    const later = await scan({ ids: ['a'] }, { branch: 'main' })
    const feature = await scan({ ids: ['a', 'b', 'c', 'd'] }, { branch: 'feature' })
    expect(statusesOf(await get<Report>(`/api/scan/${feature}`))).toEqual({
      a: `open ${old}`,
      b: `open ${main}`,
      c: `open ${branched}`,
      d: `new ${feature}`,
    })
    const [row] = await get<ProjectRow[]>('/api/projects')
    expect(row).toMatchObject({ lastScan: { scanId: later, before: main }, new: 0, fixed: 1, scans: 5 })
    const { history } = await get<Project>('/api/projects/shop')
    expect(history.map(({ before }) => before)).toEqual([branched, main, main, old, undefined])
  })

  test('a finding that is known by a former id is not new, one of another version says so', async () => {
    const { scan, get } = createOverTime(send)
    const first = await scan({ ids: ['a', 'b'], version: '0.0.1' })
    const second = await scan({ ids: ['a2', 'b', 'c'], formerIds: { a2: ['a'] }, version: '0.2.0' })
    const { findings } = (await get<Report>(`/api/scan/${second}`)).results.secrets
    expect(findings.map(({ id, status, newBecause, firstSeen }) => [id, status, newBecause, firstSeen?.scanId])).toEqual([
      ['a2', 'open', undefined, first],
      ['b', 'open', undefined, first],
      // its rule came with 0.1.0
      ['c', 'new', 'rules', second],
    ])
    await scan({ ids: ['b', 'c', 'd'], version: '0.3.0' })
    expect((await get<ProjectRow[]>('/api/projects'))[0]).toMatchObject({ new: 1, fixed: 1 })
    const third = await scan({ ids: ['e'], version: '0.4.0' })
    expect((await get<Report>(`/api/scan/${third}`)).results.secrets.findings[0]).toMatchObject({ newBecause: 'scanner' })
  })

  test('title and tags can be changed, and a project deleted with all its scans', async () => {
    const { app, scan, get } = createOverTime(send)
    const scanId = await scan({ ids: ['a'] })
    await scan({ ids: [] }, { projectName: 'other' })
    const patch = (body: unknown): Promise<Response> => send(app, '/api/projects/shop', { method: 'PATCH', ...json(body) })
    expect((await patch({ title: 'Web shop', tags: ['retail', 'é'] })).status).toBe(200)
    expect(await (await patch({ tags: ['x'] })).json()).toMatchObject({ title: 'Web shop', tags: ['x'] })
    expect((await get<ProjectRow[]>('/api/projects?q=web'))[0]).toMatchObject({ name: 'shop', title: 'Web shop', tags: ['x'] })
    for (const [body, path] of [
      [{ title: '' }, 'title'],
      [{ tags: ['a\nb'] }, 'tags.0'],
      [{ tags: 'x' }, 'tags'],
      [{ title: 'x'.repeat(201) }, 'title'],
    ] as const) {
      const answer = await patch(body)
      expect([answer.status, (await answer.json()).errors?.[0]?.path]).toEqual([400, path])
    }
    expect((await send(app, '/api/projects/shop', { method: 'PATCH', body: '{}' })).status).toBe(415)
    expect((await send(app, '/api/projects/shop', { method: 'DELETE' })).status).toBe(204)
    expect((await send(app, '/api/projects/shop', { method: 'DELETE' })).status).toBe(404)
    expect((await send(app, `/api/scan/${scanId}`)).status).toBe(404)
    expect((await get<ProjectRow[]>('/api/projects')).map(({ name }) => name)).toEqual(['other'])
    await scan({ ids: ['a'] })
    expect(await get<Project>('/api/projects/shop')).toMatchObject({ tags: [], scans: 1, new: 1 })
  })

  test.each(['a/b', 'a%2fb', '%', '%2e%2e', 'né ü 日本 🛡', 'a?b#c', 'a\\b', 'key:x', 'q"<b>', 'x'.repeat(200), ' a '])(
    'a project may be called %j',
    async (projectName) => {
      const { app, scan, get } = createOverTime(send)
      await scan({ ids: ['a'] }, { projectName })
      await scan({ ids: ['b'] }, { projectName: 'another' })
      const path = `/api/projects/${encodeURIComponent(projectName)}`
      expect(await get<Project>(path)).toMatchObject({ name: projectName, scans: 1 })
      expect((await send(app, path, { method: 'DELETE' })).status).toBe(204)
      expect(await get<ProjectRow[]>('/api/projects')).toMatchObject([{ name: 'another' }])
    },
  )

  test.each(['..', '.', '../scan'])('one that no address can hold, %j, goes by its key', async (projectName) => {
    const { scan, get } = createOverTime(send)
    await scan({ ids: ['a'] }, { projectName })
    const [row] = await get<ProjectRow[]>('/api/projects')
    expect(await get<Project>(`/api/projects/key:${row?.key}`)).toMatchObject({ name: projectName })
  })

  test('names that nobody has are 404, whatever they hold', async () => {
    const { app, scan } = createOverTime(send)
    await scan({ ids: ['a'] })
    for (const name of [
      'x'.repeat(300),
      '日'.repeat(300),
      'shop%2f..',
      'Shop',
      '__proto__',
      'key:',
      `key:${'0'.repeat(32)}`,
      '%00',
    ])
      for (const method of ['GET', 'DELETE', 'PATCH']) {
        const init = method === 'PATCH' ? { method, ...json({ tags: [] }) } : { method }
        const answer = await send(app, `/api/projects/${name.includes('%') ? name : encodeURIComponent(name)}`, init)
        expect([name, (await answer.json()).code]).toEqual([name, 'project-not-found'])
      }
    expect((await send(app, '/api/projects/shop', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD, PATCH, DELETE')
  })

  test('name spaces see their own projects alone', async () => {
    const tokens = { red: 'r'.repeat(20), blue: 'b'.repeat(20) }
    const { app } = createOverTime(send, { tokens, storage: createStorage() })
    const as = (token: string): Record<string, string> => ({
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    })
    const body = JSON.stringify({ dirPath: '/srv/shop', projectName: 'shop' })
    await send(app, '/api/scan/directory', { method: 'POST', headers: as(tokens.red), body })
    expect(await (await send(app, '/api/projects', { headers: as(tokens.red) })).json()).toHaveLength(1)
    expect(await (await send(app, '/api/projects', { headers: as(tokens.blue) })).json()).toEqual([])
    for (const method of ['GET', 'DELETE'])
      expect((await send(app, '/api/projects/shop', { method, headers: as(tokens.blue) })).status).toBe(404)
    expect((await send(app, '/api/projects')).status).toBe(401)
  })
})

describeMatrix('what an earlier version stored', (send) => {
  test('its scans belong to the project of their name, and later ones are compared with them', async () => {
    const storage = createStorage()
    // as that version wrote them: no line beside the summary
    const createId = createScanIds(() => new Date('2026-11-01T00:00:00.000Z'))
    const history = createHistory(storage, { log: () => undefined })
    const ids: string[] = []
    for (let count = 0; count < 3; count++) {
      const scanId = createId()
      await history.save(createOutcome({ scanId, scannedAt: '2026-11-01T00:00:00.000Z', projectName: 'shop' }))
      ids.push(scanId)
    }
    await prefixStorage(storage, 'lines').clear()
    const { scan, get } = createOverTime(send, { storage })
    expect(await get<ProjectRow[]>('/api/projects')).toMatchObject([
      { name: 'shop', scans: 3, new: 0, lastScan: { scanId: ids[2] } },
    ])
    const own = await scan({ ids: ['f1', 'f2'] })
    expect(statusesOf(await get<Report>(`/api/scan/${own}`))).toEqual({ f1: `open ${ids[0]}`, f2: `new ${own}` })
    expect(statusesOf(await get<Report>(`/api/scan/${ids[1]}`))).toEqual({ f1: `open ${ids[0]}` })
  })

  test('what is left of a scan when its report has gone: its counts, and since when findings are there', async () => {
    const { app, scan, get } = createOverTime(send, { retention: { limit: 1 } })
    const first = await scan({ ids: ['a'] })
    const second = await scan({ ids: ['a', 'b'] })
    expect((await send(app, `/api/scan/${first}`)).status).toBe(404)
    expect(await get<HistoryEntry[]>('/api/scan/history')).toHaveLength(1)
    expect(statusesOf(await get<Report>(`/api/scan/${second}`))).toEqual({ a: `open ${first}`, b: `new ${second}` })
    const { history } = await get<Project>('/api/projects/shop')
    expect(history.map(({ kept }) => kept)).toEqual([true, false])
    for (let count = 0; count < 12; count++) await scan({ ids: ['a'] })
    expect((await get<Project>('/api/projects/shop')).scans).toBe(10)
  })
})

describeMatrix('what a process keeps of projects for the next one', (send) => {
  test('is never told where a scan came or went, is damaged or gone', async () => {
    const storage = createStorage()
    const first = createOverTime(send, { storage })
    const gone = await first.scan({ ids: ['a', 'b'] })
    await first.scan({ ids: ['b', 'c'] })
    await first.scan({ ids: ['x'] }, { projectName: 'other' })
    const told = await first.get<ProjectRow[]>('/api/projects')
    await expect.poll(() => storage.getKeys('rows:')).toHaveLength(2)
    const list = (): Promise<ProjectRow[]> => createOverTime(send, { storage }).get('/api/projects')
    expect(await list()).toEqual(told)
    await send(first.app, `/api/scan/${gone}`, { method: 'DELETE' })
    expect((await list())[1]).toMatchObject({ scans: 1, new: 2, fixed: 0 })
    expect((await first.get<ProjectRow[]>('/api/projects'))[1]).toMatchObject({ scans: 1, new: 2 })
    for (const key of await storage.getKeys('rows:')) await storage.setItem(key, { of: 'damaged' })
    expect((await list())[1]).toMatchObject({ scans: 1, new: 2 })
    await send(first.app, '/api/projects/other', { method: 'DELETE' })
    expect(await list()).toHaveLength(1)
  })
})
