import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { SCHEMAS } from '../../handlers/_schemas.ts'
import { SHOP, zipOf } from '../runners/projects.ts'
import { freePort } from './processes.ts'
import { handIn, setUpQueue } from './queue-processes.ts'
import { startRedis } from './redis.ts'

/** A certificate for this machine that its own key signed, for a day. */
function createCertificate(): { readonly certificate: string; readonly key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-tls-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]
  const how =
    '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=redis -addext subjectAltName=IP:127.0.0.1'
  execFileSync('openssl', ['req', ...how.split(' '), '-out', certificate, '-keyout', key], { stdio: 'pipe' })
  return { certificate, key }
}

test('a queue, its blobs and the reports by TLS and a user; a certificate that nobody trusts and another password are refused', async () => {
  const { certificate, key } = createCertificate()
  const port = await freePort()
  const redis = await startRedis({
    'tls-port': String(port),
    'tls-cert-file': certificate,
    'tls-key-file': key,
    'tls-ca-cert-file': certificate,
    'tls-auth-clients': 'no',
  })
  const password = 'p'.repeat(24)
  await redis.client.call('ACL', 'SETUSER', 'scanner', 'on', `>${password}`, '~*', '&*', '+@all')
  await redis.client.call('ACL', 'SETUSER', 'default', 'resetkeys')
  const url = `rediss://scanner:${password}@127.0.0.1:${port}`
  const setup = setUpQueue(inject('packed'), url)
  onTestFinished(() => setup.stop())
  const trusted = { NODE_EXTRA_CA_CERTS: certificate, PARAPET_STORAGE: url }
  const [server, worker, untrusted, unknown] = await Promise.all([
    setup.startServer(trusted),
    setup.startWorker(trusted),
    setup.startServer(),
    setup.startServer({ NODE_EXTRA_CA_CERTS: certificate, PARAPET_QUEUE: url.replace(password, 'another') }),
  ])
  const answer = await handIn(server.url, zipOf(SHOP), { prefer: '' })
  expect(answer.status).toBe(201)
  const { scanId } = SCHEMAS.Report.parse(await answer.json())
  expect((await fetch(`${server.url}/api/scan/${scanId}`)).status).toBe(200)
  const refusals = await Promise.all([untrusted, unknown].map((other) => handIn(other.url, zipOf(SHOP))))
  for (const refused of refusals)
    expect([refused.status, SCHEMAS.Problem.parse(await refused.json()).code]).toEqual([503, 'queue-unavailable'])
  for (const one of [server, worker, untrusted, unknown]) expect(one.log()).not.toContain(password)
})
