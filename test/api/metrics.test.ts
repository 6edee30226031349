import { expect, test } from 'vitest'
import { createProbes } from '../../handlers/index.ts'
import { describeMatrix } from './matrix.ts'
import { createFixture, createUpload } from './sample.ts'

const TYPE = 'text/plain; version=0.0.4; charset=utf-8'
const TOKEN = 'x'.repeat(16)

describeMatrix('figures for operators', (send) => {
  test('there are none unless they are switched on', async () => {
    const { app } = createFixture()
    const answer = await send(app, '/api/metrics')
    expect([answer.status, (await answer.json()).code]).toEqual([404, 'not-found'])
  })

  test('they are told as the host counts them, with the bytes that are held', async () => {
    let heldAtOnce = 0
    const { app } = createFixture(
      { metrics: ({ heldBytes }) => Promise.resolve({ type: TYPE, text: `held ${heldBytes}\n` }) },
      async () => {
        heldAtOnce = Number((await (await app.request('/api/metrics')).text()).split(' ')[1])
        throw new Error('of no matter')
      },
    )
    const answer = await send(app, '/api/metrics')
    expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, TYPE, 'held 0\n'])
    await send(app, '/api/scan/upload', createUpload())
    expect(heldAtOnce).toBeGreaterThan(0)
  })

  test('a token is asked for where there is one', async () => {
    const { app } = createFixture({ token: TOKEN, metrics: () => Promise.resolve({ type: TYPE, text: '' }) })
    expect((await send(app, '/api/metrics')).status).toBe(401)
    expect((await send(app, '/api/metrics', { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(200)
  })

  test('a process that takes no scans answers its probes alone', async () => {
    const app = createProbes({
      token: TOKEN,
      log: () => undefined,
      metrics: () => Promise.resolve({ type: TYPE, text: 'up 1\n' }),
    })
    const headers = { authorization: `Bearer ${TOKEN}` }
    expect((await send(app, '/api/health')).status).toBe(200)
    expect((await send(app, '/api/metrics')).status).toBe(401)
    expect(await (await send(app, '/api/metrics', { headers })).text()).toBe('up 1\n')
    const upload = createUpload()
    const answers = await Promise.all([
      send(app, '/api/scan/upload', { ...upload, headers: { ...upload.headers, ...headers } }),
      send(app, '/api/scan/history', { headers }),
      send(app, '/api/projects', { headers }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})
