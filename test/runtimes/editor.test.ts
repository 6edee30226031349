import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startClient, type EditorClient } from '../editor/client.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const EXTENSION = join(ROOT, 'editors/vscode')
const NODES: Readonly<Record<string, string>> = {
  'Node 20': process.execPath,
  'Node 24': join(ROOT, 'test/runtimes/node_modules/node24/bin/node'),
}

let folder: string
let names: readonly string[]
let size: number

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-extension-')))
  execFileSync('npx', ['tsc', '-p', EXTENSION], { cwd: ROOT })
  execFileSync('npx', ['tsx', 'adapters/scripts/build-vscode.ts'], { cwd: ROOT })
  const packed = readFileSync(join(EXTENSION, 'parapet.vsix'))
  size = packed.length
  const entries = Object.entries(unzipSync(packed))
  names = entries.map(([path]) => path).sort()
  for (const [path, bytes] of entries) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the extension holds itself, the server and its licences, and no more', () => {
  expect(names).toEqual([
    '[Content_Types].xml',
    'extension.vsixmanifest',
    'extension/LICENSE.txt',
    'extension/NOTICE',
    'extension/dist/extension.cjs',
    'extension/package.json',
    'extension/readme.md',
    'extension/server/cli-program.cjs',
    'extension/server/cli-program.cjs.LEGAL.txt',
    'extension/server/cli.js',
    'extension/server/package.json',
  ])
  process.stdout.write(`${Math.round(size / 1024)} KiB\n`)
  // grows with the knowledge of the rules; what it catches is a library or a map that came along
  expect(size).toBeLessThan(2300 * 1024)
})

test.each(Object.keys(NODES))('its server starts in an empty folder: %s', async (name) => {
  const empty = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-empty-')))
  let client: EditorClient | undefined
  try {
    const server = join(folder, 'extension/server/cli.js')
    client = await startClient({
      folders: [empty],
      command: [NODES[name] ?? '', server, 'lsp', '--stdio', `--clientProcessId=${process.pid}`],
    })
    const page = join(empty, 'webapp/page.js')
    client.open(page, 'document.body.innerHTML = location.hash\n')
    const it = client
    await it.until(() => it.diagnostics(page).length > 0)
    expect(await it.stop()).toBe(0)
  } finally {
    client?.process.kill('SIGKILL')
    rmSync(empty, { recursive: true, force: true })
  }
})
