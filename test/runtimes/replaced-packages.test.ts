import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { start, upload } from '../node/running.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { installPackage } from './build-package.ts'

const DECISION = { state: 'accepted', reason: 'known', by: 'a reviewer' }

test('a service that runs does everything while its packages are away, as npm ci leaves it for minutes', async () => {
  const project = installPackage(inject('packed'))
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const own = join(project, 'node_modules/parapet')
  const { url, child, stderr } = await start({ PARAPET_ADVISORIES: 'online', PARAPET_ADVISORIES_URL: 'http://127.0.0.1:9' }, [
    join(own, 'dist/adapters/node/main.js'),
  ])
  rmSync(join(own, 'node_modules'), { recursive: true })

  const made = await upload(url, zipOf(SHOP))
  expect([made.status, stderr()]).toEqual([201, expect.not.stringContaining('ERR_MODULE_NOT_FOUND')])
  const path = made.headers.get('location') ?? ''
  const { results } = await made.json()
  const asked = [
    path,
    `${path}/sarif`,
    `${path}/sbom`,
    `${path}/html`,
    '/api/ready',
    '/api/scan/history',
    '/api/openapi.json',
    '/api/rules',
    '/api/projects',
    '/api/projects/shop',
    '/api/projects/shop/decisions',
    '/api/projects/shop/vex',
    '/',
  ]
  const statuses = asked.map(async (address) => [address, (await fetch(url + address)).status])
  expect(await Promise.all(statuses)).toEqual(asked.map((address) => [address, 200]))
  const decided = await fetch(`${url}/api/projects/shop/decisions/${results.cap.findings[0].id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(DECISION),
  })
  expect(decided.status).toBe(201)
  const form = new FormData()
  form.append('project', new Blob([new Uint8Array(zipOf(SHOP))]), 'shop.zip')
  form.append('sourceUrl', 'https://code.example/shop/blob/main/{path}#L{line}')
  expect((await fetch(`${url}/api/scan/upload`, { method: 'POST', body: form })).status).toBe(201)

  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await exit).toEqual([0, null])
})
