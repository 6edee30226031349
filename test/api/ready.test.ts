import { createStorage } from 'unstorage'
import { expect, test } from 'vitest'
import { createDurableStorage } from '../../adapters/node/durable-storage.ts'
import { describeMatrix } from './matrix.ts'
import { createFixture } from './sample.ts'

describeMatrix('readiness', (send) => {
  test('it is ready, and then it shuts down', async () => {
    const { app, drain } = createFixture()
    const answer = await send(app, '/api/ready')
    expect([answer.status, await answer.json()]).toEqual([200, { status: 'ready', jobs: 'process' }])
    await drain(1000)
    const later = await send(app, '/api/ready')
    expect([later.status, (await later.json()).code]).toEqual([503, 'busy'])
    // alive all the same
    expect((await send(app, '/api/health')).status).toBe(200)
  })

  test('not while the history can’t be reached, and again when it can', async () => {
    let isDown = true
    const storage = createStorage()
    const { app } = createFixture({
      storage: { ...storage, hasItem: (key: string) => (isDown ? Promise.reject(new Error('down')) : storage.hasItem(key)) },
    })
    const down = await send(app, '/api/ready')
    expect([down.status, (await down.json()).code]).toEqual([503, 'storage-unavailable'])
    isDown = false
    expect((await send(app, '/api/ready')).status).toBe(200)
  })

  test('neither a name nor a token is asked for, but a foreign page gets nothing', async () => {
    const { app } = createFixture({ loopback: true, token: 'x'.repeat(16) })
    expect((await send(app, '/api/ready', { headers: { host: '10.0.0.7:3000' } })).status).toBe(200)
    expect((await send(app, '/api/ready', { headers: { origin: 'https://evil.example' } })).status).toBe(403)
  })
})

test('a folder that is not there yet is no reason to wait', async () => {
  const { app } = createFixture({ storage: createDurableStorage('/tmp/parapet-that-nobody-made') })
  expect((await app.request('/api/ready')).status).toBe(200)
})
