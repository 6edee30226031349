import { expect, test } from 'vitest'
import { createLog } from '../../adapters/node/log.ts'
import { describeMatrix } from './matrix.ts'
import { createFixture } from './sample.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

describeMatrix('the log of requests', (send) => {
  test('one line for each answer, with an id that its other lines and its problem share; probes are left out', async () => {
    const { app, log } = createFixture()
    await send(app, '/api/health')
    await send(app, '/api/ready')
    expect(log).toEqual([])
    const init = { method: 'POST', body: '{"dirPath":"/p"}', headers: { 'content-type': 'application/json', traceparent } }
    expect((await send(app, '/api/scan/directory', init)).status).toBe(201)
    expect(log).toMatchObject([
      { event: 'scan-stored', traceparent },
      { event: 'request', method: 'POST', path: '/api/scan/directory', status: 201, traceparent },
    ])
    expect(log[0]?.id).toBe(log[1]?.id)
    log.length = 0
    const refused = await send(app, '/api/scan/x?token=secret-word')
    expect(log).toMatchObject([
      { event: 'refused', code: 'invalid-request' },
      { event: 'request', path: '/api/scan/x', status: 400 },
    ])
    const { instance } = await refused.json()
    expect(log.map(({ id }) => id)).toEqual([instance, instance])
    expect(JSON.stringify(log)).not.toContain('secret-word')
    expect(log[0]).not.toHaveProperty('traceparent')
  })

  test.each([
    '',
    '00-x',
    traceparent.toUpperCase(),
    traceparent.replace('00-', 'ff-'),
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    `${traceparent}-x`,
  ])('a trace %j is none', async (wrong) => {
    const { app, log } = createFixture()
    await send(app, '/api/scan/history', { headers: { traceparent: wrong } })
    expect(log).toHaveLength(1)
    expect(log[0]).not.toHaveProperty('traceparent')
  })
})

test('an error is its name and message: what a client hung on it may be what was stored, or a password', () => {
  for (const form of ['json', 'text'] as const) {
    let line = ''
    const write = createLog(form, (text) => (line = text), ['open sesame/'])
    const error = Object.assign(new Error('WRONGPASS for open sesame/ and open%20sesame%2F'), {
      command: { name: 'auth', args: ['pass-word'] },
    })
    write({ level: 'warn', event: 'refused', cause: new Error('no answer', { cause: error }), list: [error] })
    expect(line).toContain('no answer')
    expect(line).toContain('WRONGPASS for *** and ***')
    expect(line).not.toMatch(/pass-word|open.{1,3}sesame/)
  }
})

test('what is not known is not told', () => {
  let line = ''
  const write = createLog('text', (text) => (line = text))
  write({ level: 'info', event: 'refused', code: 'not-found', reason: undefined, cause: undefined })
  expect(line.trim()).toMatch(/ refused code=not-found$/)
})
