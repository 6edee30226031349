import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Refusal } from '../../core/errors.ts'
import { openDirectory } from '../../adapters/node/directory.ts'
import { createDirectoryPolicy, isKeyStore, isWithin, ownStoresIn } from '../../adapters/node/directory-policy.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'

let root: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'parapet-dir-')))
  for (const folder of [
    'project/src',
    'project/node_modules/a',
    'project/.git',
    'project-secret',
    'home/.ssh',
    'home/.config/gcloud',
    'home/app/.aws',
  ])
    mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'project/package.json'), '{}')
  writeFileSync(join(root, 'project/src/a.js'), 'a')
  writeFileSync(join(root, 'project/node_modules/a/index.js'), 'x')
  writeFileSync(join(root, 'project/.git/config'), 'x')
  writeFileSync(join(root, 'project-secret/key'), 'outside')
  writeFileSync(join(root, 'home/.ssh/id_rsa'), 'outside')
  writeFileSync(join(root, 'home/app/a.js'), 'a')
  writeFileSync(join(root, 'home/app/.aws/credentials'), 'outside')
  symlinkSync(join(root, 'project-secret/key'), join(root, 'project/link-to-file'))
  symlinkSync(join(root, 'project-secret'), join(root, 'project/link-to-folder'))
  symlinkSync(root, join(root, 'project/loop'))
  symlinkSync(join(root, 'project-secret'), join(root, 'project-link'))
  symlinkSync('src/a.js', join(root, 'project/inner-file'))
  symlinkSync('../project', join(root, 'project/inner-folder'))
  symlinkSync('src/nothing.js', join(root, 'project/link-to-nothing'))
  execFileSync('mkfifo', [join(root, 'project/pipe')])
})
afterAll(() => rmSync(root, { recursive: true }))

describe('walking', () => {
  test('gives files, tells links and what is no file, enters no installed dependencies', () => {
    const { entries, notices, leftOut } = openDirectory(join(root, 'project'), DEFAULT_LIMITS)
    expect(entries.map(({ path }) => path).sort()).toEqual(['package.json', 'src/a.js'])
    expect(notices.map(({ reason, file }) => `${reason} ${file}`).sort()).toEqual([
      'inner-link inner-file',
      'inner-link inner-folder',
      'link link-to-file',
      'link link-to-folder',
      'link link-to-nothing',
      'link loop',
      'special pipe',
    ])
    expect(notices.filter(({ partial }) => !partial).map(({ reason }) => reason)).toEqual(['inner-link', 'inner-link'])
    expect([...leftOut].sort()).toEqual(['.git', 'node_modules'])
    expect(entries.find(({ path }) => path === 'src/a.js')?.read()).toEqual(new Uint8Array([97]))
  })

  test('what is never read counts neither as entries nor as unpacked, within ten times the limit', () => {
    const folder = join(root, 'media')
    mkdirSync(folder)
    for (let index = 0; index < 12; index++) writeFileSync(join(folder, `${index}.png`), '')
    writeFileSync(join(folder, 'a.js'), 'a')
    writeFileSync(join(folder, 'model'), new Uint8Array(9))
    const { entries } = openDirectory(folder, { ...DEFAULT_LIMITS, entries: 2 })
    const binary = entries.filter(({ path, startsBinary }) => !path.endsWith('.png') && startsBinary?.())
    expect(binary.map(({ path }) => path)).toEqual(['model'])
    expect(() => openDirectory(folder, { ...DEFAULT_LIMITS, entries: 1 })).toThrow(Refusal)
  })

  test('stores of keys are left out with a notice', () => {
    const { entries, notices } = openDirectory(join(root, 'home'), DEFAULT_LIMITS)
    expect(entries.map(({ path }) => path)).toEqual(['app/a.js'])
    expect(notices.map(({ reason, file }) => `${reason} ${file}`).sort()).toEqual([
      'key-store .config/gcloud',
      'key-store .ssh',
      'key-store app/.aws',
    ])
  })

  const FILES = ['package.json', '.aws/credentials', '.aws/sso/cache.json', '.docker/Dockerfile']
  const put = (folder: string): string => {
    for (const path of ['.aws/sso', '.docker', '.git']) mkdirSync(join(folder, path), { recursive: true })
    for (const name of FILES) writeFileSync(join(folder, name), '{}')
    return folder
  }
  const walk = (folder: string): readonly string[] =>
    openDirectory(folder, DEFAULT_LIMITS)
      .entries.map(({ path }) => path)
      .toSorted()

  test('those of a project are read, those of a home and what lies below them are not', () => {
    const folder = put(join(root, 'own'))
    expect(walk(folder)).toEqual(['.aws/credentials', '.docker/Dockerfile', 'package.json'])
    rmSync(join(folder, '.git'), { recursive: true })
    expect(walk(folder)).toEqual(['.docker/Dockerfile', 'package.json'])
    const names = ['.aws', '.git', 'package.json']
    expect([...ownStoresIn(folder, names)]).toEqual(['.aws'])
    expect([...ownStoresIn(folder, ['.gnupg', '.git', 'package.json'])]).toEqual([])
    expect([...ownStoresIn(join(root, 'home/.ssh'), names)]).toEqual([])
    for (const home of ['.bash_history', '.gitconfig', '.zshenv', '.bash_logout', '.viminfo', '.vscode-server', 'Documents'])
      expect([...ownStoresIn(folder, [...names, home])], home).toEqual([])
  })

  test('a home is none by any of its names', () => {
    const folder = put(join(root, 'ann'))
    const link = join(root, 'home-of-ann')
    symlinkSync(folder, link)
    expect(walk(folder)).toContain('.aws/credentials')
    for (const home of [folder, link]) {
      vi.stubEnv('HOME', home)
      vi.stubEnv('USERPROFILE', home)
      expect(walk(folder), home).toEqual(['package.json'])
    }
    vi.unstubAllEnvs()
  })

  test('a file that changed, vanished or became a link since is not read', () => {
    const folder = join(root, 'changing')
    mkdirSync(folder)
    for (const name of ['grown', 'gone', 'swapped']) writeFileSync(join(folder, name), 'abc')
    const { entries } = openDirectory(folder, DEFAULT_LIMITS)
    appendFileSync(join(folder, 'grown'), 'more')
    rmSync(join(folder, 'gone'))
    rmSync(join(folder, 'swapped'))
    symlinkSync(join(root, 'project-secret/key'), join(folder, 'swapped'))
    expect(entries.map((entry) => entry.read())).toEqual([undefined, undefined, undefined])
  })

  test('a file that became a pipe or a socket since is not waited for', async () => {
    const folder = join(root, 'waiting')
    mkdirSync(folder)
    for (const name of ['pipe', 'socket']) writeFileSync(join(folder, name), 'abc')
    const { entries } = openDirectory(folder, DEFAULT_LIMITS)
    for (const name of ['pipe', 'socket']) rmSync(join(folder, name))
    execFileSync('mkfifo', [join(folder, 'pipe')])
    const server = createServer().listen(join(folder, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    expect(entries.map((entry) => entry.read())).toEqual([undefined, undefined])
  })

  test('sockets and devices are told, and never opened', async () => {
    const folder = join(root, 'special')
    mkdirSync(folder)
    writeFileSync(join(folder, 'a.js'), 'a')
    const server = createServer().listen(join(folder, 'socket'))
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    // only root makes devices: endless zeros, and a terminal
    const made = ['zero c 1 5', 'tty c 5 0'].filter(
      (device) => spawnSync('mknod', device.split(' ').with(0, join(folder, device.split(' ')[0] ?? ''))).status === 0,
    )
    const { entries, notices } = openDirectory(folder, DEFAULT_LIMITS)
    expect(entries.map(({ path }) => path)).toEqual(['a.js'])
    expect(notices.map(({ reason, file }) => `${reason} ${file}`).sort()).toEqual(
      ['special socket', ...made.map((device) => `special ${device.split(' ')[0]}`)].sort(),
    )
  })

  test('a folder above that became a link since gives nothing', () => {
    const folder = join(root, 'moving')
    mkdirSync(join(folder, 'sub'), { recursive: true })
    writeFileSync(join(folder, 'sub/key'), 'outside'.replaceAll(/./g, 'x'))
    const { entries } = openDirectory(folder, DEFAULT_LIMITS)
    rmSync(join(folder, 'sub'), { recursive: true })
    symlinkSync(join(root, 'project-secret'), join(folder, 'sub'))
    expect(entries.map((entry) => entry.read())).toEqual([undefined])
  })

  test('more files than the limit are refused', () => {
    expect(() => openDirectory(join(root, 'project'), { ...DEFAULT_LIMITS, entries: 1 })).toThrow(
      expect.objectContaining({ code: 'archive-too-large', details: { reason: 'entries', limit: 1 } }),
    )
    expect(openDirectory(join(root, 'project'), { ...DEFAULT_LIMITS, entries: 2 }).entries.length).toBe(2)
  })
})

describe('policy', () => {
  const code = async (path: string, roots?: readonly string[]): Promise<string> =>
    createDirectoryPolicy(roots)(path).then(
      ({ path: real }) => `ok ${real.slice(root.length)}`,
      (error: { code: string }) => error.code,
    )

  test('without roots any directory, but no store of keys and nothing of the kernel', async () => {
    expect(await code(join(root, 'project'))).toBe('ok /project')
    expect(await code(join(root, 'home/.ssh'))).toBe('directory-not-allowed')
    expect(await code(join(root, 'home/.ssh/missing'))).toBe('directory-not-allowed')
    for (const path of ['/proc', '/proc/self', '/sys/kernel', '/dev', '/run', '/boot/x'])
      expect(await code(path)).toBe('directory-not-allowed')
    expect(await code(join(root, 'missing'))).toBe('directory-not-found')
    expect(await code(join(root, 'project/package.json'))).toBe('directory-not-found')
  })

  test('with roots only within them, by segments and with links resolved; outside nothing can be probed', async () => {
    const roots = [join(root, 'project')]
    expect(await code(join(root, 'project'), roots)).toBe('ok /project')
    expect(await code(join(root, 'project/src'), roots)).toBe('ok /project/src')
    expect(await code(join(root, 'project/missing'), roots)).toBe('directory-not-found')
    for (const path of [
      'project-secret',
      'project/../project-secret',
      'project/link-to-folder',
      'project/loop',
      'project-link',
      'missing',
      'missing/deep',
    ]) {
      expect(await code(join(root, path), roots), path).toBe('directory-not-allowed')
      expect(await code(`${root}/${path}`, roots), path).toBe('directory-not-allowed')
    }
    expect(await code(root, [])).toBe('directory-not-allowed')
  })

  test.each(['relative', './x', '', `/${'a'.repeat(5000)}`, '/a\0b'])('%j is no absolute path', async (path) =>
    expect(await code(path)).toBe('invalid-request'),
  )

  test('segments, not prefixes', () => {
    expect(isWithin('/data/proj', '/data/proj-secret')).toBe(false)
    expect(isWithin('/data/proj', '/data/proj/..a')).toBe(true)
    expect(isKeyStore('/home/me/.config/gcloud/x')).toBe(true)
    expect(isKeyStore('/home/me/.config/other')).toBe(false)
    expect(isKeyStore('/procedures')).toBe(false)
  })
})
