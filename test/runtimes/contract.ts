import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { SCHEMAS, type Schemas } from '../../handlers/_schemas.ts'
import { SHOP, slowProject, zipOf } from '../runners/projects.ts'
import { scanFiles } from '../scan-files.ts'
import { sendAgain } from './send-again.ts'

/** What a service is asked, by its address alone; gives how the table of runtimes shows it. */
export interface Check {
  readonly endpoint: string
  run(url: string): Promise<string>
}

const ZIP = zipOf(SHOP)
/** What a scan within this process finds: every runtime must find the same. */
const { summary: SUMMARY } = (await scanFiles(new Map(Object.entries(SHOP)))).en
const NOBODY = '0198c0de-0000-7000-8000-000000000000'

function form(bytes: Uint8Array, name = 'project'): FormData {
  const data = new FormData()
  data.append(name, new Blob([new Uint8Array(bytes)]), 'shop.zip')
  data.append('projectName', 'shop')
  return data
}

const upload = (url: string, body: FormData, headers: Record<string, string> = {}): Promise<Response> =>
  sendAgain(() => fetch(`${url}/api/scan/upload`, { method: 'POST', body, headers }))

/** Its status, and its body by the schema of the interface. */
async function expectJson(answer: Response, status: number, schema: keyof Schemas): Promise<unknown> {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toContain(status < 400 ? 'application/json' : 'application/problem+json')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  const body: unknown = await answer.json()
  SCHEMAS[schema].parse(body)
  return body
}

async function expectProblem(answer: Response, status: number, code: string): Promise<void> {
  expect(await expectJson(answer, status, 'Problem')).toMatchObject({ code, status })
}

/** A stored scan: its path and its text. */
async function scan(url: string): Promise<{ path: string; text: string }> {
  const answer = await upload(url, form(ZIP))
  expect(answer.status).toBe(201)
  return { path: url + (answer.headers.get('location') ?? ''), text: await answer.text() }
}

/** A job that has ended. */
async function untilEnded(address: string): Promise<ReturnType<typeof SCHEMAS.Job.parse>> {
  for (let asked = 0; asked < 600; asked++) {
    const job = SCHEMAS.Job.parse(await (await fetch(address)).json())
    if (job.state !== 'waiting' && job.state !== 'running') return job
    await sleep(50)
  }
  throw new Error(`${address} does not end`)
}

function check(endpoint: string, work: (url: string) => Promise<string | void>): Check {
  return { endpoint, run: async (url) => (await work(url)) ?? 'yes' }
}

export const CONTRACT: readonly Check[] = [
  check('GET /api/health', async (url) => {
    expect(await expectJson(await fetch(`${url}/api/health?lang=fr`), 200, 'Health')).toMatchObject({ status: 'ok', lang: 'fr' })
    expect((await fetch(`${url}/api/health`, { method: 'HEAD' })).status).toBe(200)
  }),
  check('GET /api/ready', async (url) => void (await expectJson(await fetch(`${url}/api/ready`), 200, 'Ready'))),
  check('POST /api/scan/upload', async (url) => {
    const report = await expectJson(await upload(url, form(ZIP)), 201, 'Report')
    expect(report).toMatchObject({
      projectName: 'shop',
      complete: true,
      projectTypes: ['UI5', 'CAP'],
      summary: SUMMARY,
    })
  }),
  check('… with events', async (url) => {
    const answer = await upload(url, form(ZIP), { accept: 'text/event-stream' })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const names = [...(await answer.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name)
    expect(names.at(-1)).toBe('report')
    expect(names.slice(0, -1)).toContain('progress')
  }),
  check('… refusals', async (url) => {
    await expectProblem(await upload(url, form(new TextEncoder().encode('hello'))), 422, 'archive-invalid')
    await expectProblem(await upload(url, form(ZIP, 'file')), 400, 'missing-file')
    const wrong = { method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }
    await expectProblem(await fetch(`${url}/api/scan/upload`, wrong), 415, 'unsupported-media-type')
  }),
  check('… at the limit of its size', async (url) => {
    const { upload: limit } = SCHEMAS.Limits.parse(await (await fetch(`${url}/api/limits`)).json())
    await expectProblem(await upload(url, form(new Uint8Array(limit + 1))), 413, 'upload-too-large')
    // with nothing that says how long it is
    const chunk = new Uint8Array(256 * 1024)
    let left = limit + chunk.length
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (left <= 0) return controller.close()
        left -= chunk.length
        controller.enqueue(chunk)
      },
    })
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, headers, duplex: 'half' }
    await expectProblem(await fetch(`${url}/api/scan/upload`, init), 413, 'upload-too-large')
    expect((await fetch(`${url}/api/health`)).status).toBe(200)
  }),
  check('… with Prefer: respond-async', async (url) => {
    const { jobs } = SCHEMAS.Ready.parse(await (await fetch(`${url}/api/ready`)).json())
    const asynchronous = { prefer: 'respond-async' }
    const answer = await upload(url, form(ZIP), asynchronous)
    if (jobs === 'none') {
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([201, null])
      return 'ignored'
    }
    const { id } = SCHEMAS.Job.parse(await expectJson(answer, 202, 'Job'))
    expect(answer.headers.get('preference-applied')).toBe('respond-async')
    expect(answer.headers.get('location')).toBe(`/api/scan/jobs/${id}`)
    const done = await untilEnded(`${url}/api/scan/jobs/${id}`)
    expect(done).toMatchObject({ state: 'done', scanId: id })
    const report = await expectJson(await fetch(`${url}${done.report ?? ''}`), 200, 'Report')
    expect(report).toMatchObject({ projectName: 'shop', complete: true, summary: SUMMARY })
    await expectProblem(await upload(url, form(new TextEncoder().encode('hello')), asynchronous), 422, 'archive-invalid')
    return `yes, in a ${jobs}`
  }),
  check('GET /api/scan/jobs, /:id', async (url) => {
    const before = SCHEMAS.Jobs.parse(await expectJson(await fetch(`${url}/api/scan/jobs?state=done`), 200, 'Jobs'))
    expect(before.every(({ state }) => state === 'done')).toBe(true)
    await expectProblem(await fetch(`${url}/api/scan/jobs?state=x`), 400, 'invalid-request')
    await expectProblem(await fetch(`${url}/api/scan/jobs/x`), 400, 'invalid-request')
    await expectProblem(await fetch(`${url}/api/scan/jobs/${NOBODY}`), 404, 'job-not-found')
  }),
  check('DELETE /api/scan/jobs/:id', async (url) => {
    await expectProblem(await fetch(`${url}/api/scan/jobs/${NOBODY}`, { method: 'DELETE' }), 404, 'job-not-found')
    const { jobs } = SCHEMAS.Ready.parse(await (await fetch(`${url}/api/ready`)).json())
    if (jobs === 'none') return '404'
    // one that runs, and one that waits where scans take turns
    const ids = []
    for (let scan = 0; scan < 2; scan++) {
      const answer = await upload(url, form(slowProject(600)), { prefer: 'respond-async' })
      ids.push(SCHEMAS.Job.parse(await answer.json()).id)
    }
    for (const id of ids.toReversed()) expect((await fetch(`${url}/api/scan/jobs/${id}`, { method: 'DELETE' })).status).toBe(204)
    for (const id of ids) {
      expect((await untilEnded(`${url}/api/scan/jobs/${id}`)).state).toBe('cancelled')
      await expectProblem(await fetch(`${url}/api/scan/${id}`), 404, 'scan-not-found')
    }
  }),
  check('Idempotency-Key', async (url) => {
    const headers = { 'idempotency-key': 'contract-1' }
    const [first, second] = [await upload(url, form(ZIP), headers), await upload(url, form(ZIP), headers)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await second.text()).toBe(await first.text())
    await expectProblem(await upload(url, form(slowProject(1)), headers), 422, 'idempotency-mismatch')
  }),
  check('POST /api/scan/directory', async (url) => {
    const send = (body: string): Promise<Response> =>
      fetch(`${url}/api/scan/directory`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    const { directory } = SCHEMAS.Limits.parse(await (await fetch(`${url}/api/limits`)).json())
    const folder = new URL('../projects/shop', import.meta.url).pathname
    const answer = await send(JSON.stringify({ dirPath: folder }))
    if (!directory) {
      await expectProblem(answer, 501, 'directory-scan-unavailable')
      return '501'
    }
    expect(await expectJson(answer, 201, 'Report')).toMatchObject({ projectName: 'shop', summary: SUMMARY })
    await expectProblem(await send('{'), 400, 'invalid-request')
    await expectProblem(await send('{"dirPath":"/proc"}'), 403, 'directory-not-allowed')
  }),
  check('GET /api/scan/history', async (url) => {
    const { path } = await scan(url)
    const all = SCHEMAS.History.parse(await expectJson(await fetch(`${url}/api/scan/history`), 200, 'History'))
    expect(path).toContain(all[0]?.scanId)
    expect(await (await fetch(`${url}/api/scan/history?limit=1&offset=1`)).json()).toEqual(all.slice(1, 2))
    await expectProblem(await fetch(`${url}/api/scan/history?limit=0`), 400, 'invalid-request')
  }),
  check('GET /api/scan/:scanId', async (url) => {
    const { path, text } = await scan(url)
    const answer = await fetch(path)
    const etag = answer.headers.get('etag') ?? ''
    expect(await answer.text()).toBe(text)
    expect((await fetch(path, { headers: { 'if-none-match': etag } })).status).toBe(304)
    const french = await fetch(path, { headers: { 'accept-language': 'fr' } })
    expect([french.headers.get('content-language'), french.headers.get('etag') === etag]).toEqual(['fr', false])
    SCHEMAS.Report.parse(await french.json())
    await expectProblem(await fetch(`${url}/api/scan/${NOBODY}`), 404, 'scan-not-found')
  }),
  check('… /sarif, /sbom, /html', async (url) => {
    const { path } = await scan(url)
    SCHEMAS.Sarif.parse(await (await fetch(`${path}/sarif`)).json())
    SCHEMAS.Sbom.parse(await (await fetch(`${path}/sbom`)).json())
    expect(await (await fetch(`${path}/html`)).text()).toMatch(/^<!doctype html>/i)
  }),
  check('DELETE /api/scan/:scanId', async (url) => {
    const { path } = await scan(url)
    expect((await fetch(path, { method: 'DELETE' })).status).toBe(204)
    await expectProblem(await fetch(path, { method: 'DELETE' }), 404, 'scan-not-found')
  }),
  check('GET /api/vendor/ui5/version', async (url) =>
    expectProblem(await fetch(`${url}/api/vendor/ui5/version`), 502, 'catalogue-unavailable'),
  ),
  check('GET /api/vendor/ui5/resources/:version', async (url) => {
    await expectProblem(await fetch(`${url}/api/vendor/ui5/resources/1.x`), 400, 'invalid-request')
    await expectProblem(await fetch(`${url}/api/vendor/ui5/resources/1.120.5`), 502, 'catalogue-unavailable')
  }),
  check('GET /api/rules', async (url) => void (await expectJson(await fetch(`${url}/api/rules`), 200, 'Rules'))),
  check('GET /api/limits', async (url) => void (await expectJson(await fetch(`${url}/api/limits`), 200, 'Limits'))),
  check('GET /api/openapi.json', async (url) => void (await expectJson(await fetch(`${url}/api/openapi.json`), 200, 'OpenApi'))),
  check('unknown paths and methods', async (url) => {
    await expectProblem(await fetch(`${url}/api/nothing`), 404, 'not-found')
    await expectProblem(await fetch(`${url}/api/scan/upload`), 405, 'method-not-allowed')
    await expectProblem(await fetch(`${url}/api/scan/x%2F..`), 400, 'invalid-request')
  }),
  check('pages of other sites', async (url) => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }]) {
      await expectProblem(await fetch(`${url}/api/scan/history`, { headers }), 403, 'forbidden-origin')
    }
  }),
]
