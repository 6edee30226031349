import { expect, test, vi } from 'vitest'
import { createScannerApp } from '../../handlers/index.ts'
import { SHOP, zipOf } from '../runners/projects.ts'

/** Modules that can't be loaded now, as on a machine whose disk is away for a moment. */
const away = vi.hoisted(() => new Set<string>())

vi.mock('../../handlers/_load-scanner.ts', async (original) => {
  const { loadScanner } = await original<typeof import('../../handlers/_load-scanner.ts')>()
  return {
    loadScanner: async () => {
      if (away.has('scanner')) throw new TypeError('a module cannot be loaded')
      return loadScanner()
    },
  }
})

vi.mock('../../core/projects.ts', async (original) => {
  const { loadProjects } = await original<typeof import('../../core/projects.ts')>()
  return {
    loadProjects: async (...given: Parameters<typeof loadProjects>) => {
      if (away.has('projects')) throw new TypeError('a module cannot be loaded')
      return loadProjects(...given)
    },
  }
})

function upload(headers: Record<string, string> = {}): RequestInit {
  const body = new FormData()
  body.append('project', new Blob([new Uint8Array(zipOf(SHOP))]), 'shop.zip')
  return { method: 'POST', body, headers }
}

test.each([
  ['scanner', '/api/scan/upload', upload(), 201],
  ['scanner', '/api/scan/upload', upload({ 'idempotency-key': 'one' }), 201],
  ['scanner', '/api/rules', {}, 200],
  ['projects', '/api/projects', {}, 200],
])(
  'the %s that can not be loaded for %s is a coded error, and is loaded with the next request',
  async (part, path, request, status) => {
    const app = createScannerApp({ log: () => undefined })
    const ask = async (): Promise<Response> => app.fetch(new Request(`http://127.0.0.1${path}`, request))
    away.add(part)
    const refused = await ask()
    expect([refused.status, refused.headers.get('content-type')]).toEqual([500, 'application/problem+json'])
    expect((await refused.json()).code).toBe('internal-error')
    away.clear()
    expect((await ask()).status).toBe(status)
  },
)
