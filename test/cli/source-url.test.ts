import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readArguments } from '../../adapters/terminal/arguments.ts'
import { fillSourceUrl, findSource, readSourceUrl, sourceOf } from '../../adapters/terminal/source-url.ts'
import { UsageFault } from '../../adapters/terminal/usage.ts'
import { describeSource } from '../../core/report/source-hosts.ts'
import { toSourceLink } from '../../core/report/source-link.ts'
import { writeHtml } from '../../core/report/writers/html.ts'
import { writeMarkdown } from '../../core/report/writers/markdown.ts'
import { createFinding, createReport, OPTIONS } from '../report/writers/reports.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

test.each([
  ['https://github.com/acme/shop.git', 'https://github.com/acme/shop/blob/COMMIT/srv/a%20b.js#L7'],
  ['git@github.com:acme/shop.git', 'https://github.com/acme/shop/blob/COMMIT/srv/a%20b.js#L7'],
  ['https://someone:pass@github.example.com/acme/shop', 'https://github.example.com/acme/shop/blob/COMMIT/srv/a%20b.js#L7'],
  ['git@gitlab.com:acme/team/shop.git', 'https://gitlab.com/acme/team/shop/-/blob/COMMIT/srv/a%20b.js#L7'],
  ['ssh://git@gitlab.example.com:2222/acme/shop.git', 'https://gitlab.example.com/acme/shop/-/blob/COMMIT/srv/a%20b.js#L7'],
  [
    'https://acme@dev.azure.com/acme/web/_git/shop',
    'https://dev.azure.com/acme/web/_git/shop?path=/srv/a%20b.js&version=GCCOMMIT&line=7&lineEnd=7&lineStartColumn=1&lineEndColumn=200',
  ],
  [
    'git@ssh.dev.azure.com:v3/acme/web/shop',
    'https://dev.azure.com/acme/web/_git/shop?path=/srv/a%20b.js&version=GCCOMMIT&line=7&lineEnd=7&lineStartColumn=1&lineEndColumn=200',
  ],
  ['ssh://me@gerrit.example.com:29418/web/shop', 'https://gerrit.example.com/plugins/gitiles/web/shop/+/COMMIT/srv/a%20b.js#7'],
  ['https://acme.googlesource.com/web/shop', 'https://acme.googlesource.com/web/shop/+/COMMIT/srv/a%20b.js#7'],
])('%s', (remote, link) => {
  const template = describeSource(remote, COMMIT) ?? ''
  expect(toSourceLink(template, 'srv/a b.js', 7)).toBe(link.replace('COMMIT', COMMIT))
})

test.each(['https://git.example.com/acme/shop', '/srv/git/shop.git', 'file:///srv/shop', 'not a remote', ''])(
  '%j is no host that is known',
  (remote) => {
    expect(describeSource(remote, COMMIT)).toBeUndefined()
  },
)

test('a template is filled, an address of a folder gets the path, and what does not lead to the web is none', () => {
  expect(toSourceLink('https://x.example/{path}?l={line}', 'a/$&.js', undefined)).toBe('https://x.example/a/%24%26.js?l=1')
  expect(toSourceLink('https://x.example/shop/', 'a.js', 3)).toBe('https://x.example/shop/a.js#L3')
  expect(toSourceLink('javascript:alert(1)//{path}', 'a.js', 3)).toBeUndefined()
})

test('a folder below the root of a checkout leads to its own place', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parapet-source-'))
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
  try {
    expect(await findSource(folder)).toBeUndefined()
    git('init', '-q')
    mkdirSync(join(folder, 'my app'))
    writeFileSync(join(folder, 'my app/x.js'), '1\n')
    git('add', '.')
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'first')
    expect(await findSource(folder)).toBeUndefined()
    git('remote', 'add', 'origin', 'git@github.com:acme/shop.git')
    expect(await findSource(join(folder, 'my app'))).toBe(
      `https://github.com/acme/shop/blob/${git('rev-parse', 'HEAD')}/my%20app/{path}#L{line}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an address of the command line is read as that of the service: the commit comes from Git, and nothing is guessed', async () => {
  for (const wrong of ['http://git.example.com/{path}', 'https://git.example.com/shop', 'https://git.example.com/{file}/{path}'])
    expect(() => readSourceUrl(wrong)).toThrow(UsageFault)
  const repository = readSourceUrl('https://github.com/acme/shop')
  expect(fillSourceUrl(repository, COMMIT)).toBe(`https://github.com/acme/shop/blob/${COMMIT}/{path}#L{line}`)
  expect(fillSourceUrl('https://git.example.com/{commit}/{path}', COMMIT)).toBe(`https://git.example.com/${COMMIT}/{path}`)
  expect(() => fillSourceUrl(repository, undefined)).toThrow(/needs a commit/)
  const { outputs } = readArguments(['scan', '.', '-f', 'html'])
  expect(await sourceOf({ outputs, sourceUrl: 'https://git.example.com/{path}' }, undefined)).toBe(
    'https://git.example.com/{path}',
  )
  await expect(sourceOf({ outputs, sourceUrl: repository }, undefined)).rejects.toThrow(UsageFault)
  expect(await sourceOf({ outputs: [{ format: 'json' }], sourceUrl: repository }, undefined)).toBeUndefined()
})

test('exports lead to the place where they know it', () => {
  const report = createReport([createFinding(1, { file: 'srv/<x>.js', line: 4 })])
  for (const write of [writeHtml, writeMarkdown]) {
    const plain = [...write(report, OPTIONS)].join('')
    const linked = [...write(report, { ...OPTIONS, sourceUrl: 'https://x.example/shop' })].join('')
    expect(plain).not.toContain('x.example')
    expect(linked).toContain('https://x.example/shop/srv/%3Cx%3E.js#L4')
    expect([...write(report, { ...OPTIONS, sourceUrl: 'javascript:x' })].join('')).toBe(plain)
  }
})

test('what the report itself says of its source serves where nothing else is asked for', () => {
  const finding = createFinding(1, { file: 'srv/x.js', line: 4 })
  const report = createReport([finding], { sourceUrl: 'https://own.example/{path}#L{line}' })
  for (const write of [writeHtml, writeMarkdown]) {
    expect([...write(report, OPTIONS)].join('')).toContain('https://own.example/srv/x.js#L4')
    expect([...write(report, { ...OPTIONS, sourceUrl: 'https://x.example/shop' })].join('')).not.toContain('own.example')
  }
})
