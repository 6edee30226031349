import { describe, expect, test } from 'vitest'
import { completeSourceUrl } from '../../handlers/_source-url.ts'
import { toSourceLink } from '../../core/report/source-link.ts'
import { describeMatrix } from './matrix.ts'
import { createDirectoryRequest, createFixture, createForm } from './sample.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'

describe('where the source is shown', () => {
  test.each([
    ['https://git.example.com/shop/{commit}/{path}?line={line}', `https://git.example.com/shop/${COMMIT}/a%20b.js?line=7`],
    ['https://git.example.com/{path}', 'https://git.example.com/a%20b.js'],
    ['https://github.com/acme/shop', `https://github.com/acme/shop/blob/${COMMIT}/a%20b.js#L7`],
    ['https://gitlab.example.com/acme/shop.git', `https://gitlab.example.com/acme/shop/-/blob/${COMMIT}/a%20b.js#L7`],
    ['https://git.example.com/shop/src/main/', 'https://git.example.com/shop/src/main/a%20b.js#L7'],
    [`https://github.com/acme/shop/blob/{commit}/app`, `https://github.com/acme/shop/blob/${COMMIT}/app/a%20b.js#L7`],
  ])('%s', (given, link) => {
    expect(toSourceLink(completeSourceUrl(given, COMMIT) ?? '', 'a b.js', 7)).toBe(link)
  })

  test.each([
    'http://github.com/acme/shop',
    'javascript:alert(1)//{path}',
    'https://user:word@github.com/acme/shop',
    'https://{path}.example.com/',
    'https://git.example.com:{line}/{path}',
    'https://git.example.com/{file}/{path}',
    'https://git.example.com/shop',
    'https://git.example.com/a b/{path}',
    'https://git.example.com/"onload="{path}',
    'https://git.exämple.com/{path}',
    'https://github.com/acme/shop?x=1',
    'https:/\\github.com/acme/shop',
    'HTTPS://github.com/{path}',
    'git@github.com:acme/shop.git',
    '//github.com/acme/shop/{path}',
    '{path}',
  ])('%s is refused', (given) => {
    expect(completeSourceUrl(given, COMMIT)).toBeUndefined()
  })

  test('nothing is guessed: without a commit there is no link to one', () => {
    expect(completeSourceUrl('https://github.com/acme/shop', undefined)).toBeUndefined()
    expect(completeSourceUrl('https://git.example.com/{commit}/{path}', undefined)).toBeUndefined()
  })
})

describeMatrix('what is said of the source', (send) => {
  const fields = { branch: 'feature/é', commit: COMMIT.toUpperCase(), sourceUrl: 'https://github.com/acme/shop' }
  const origin = {
    branch: 'feature/é',
    commit: COMMIT,
    sourceUrl: `https://github.com/acme/shop/blob/${COMMIT}/{path}#L{line}`,
  }

  test('it goes to the scan, of an upload and of a directory', async () => {
    const { app, scans } = createFixture()
    const form = createForm({ project: ['shop.zip', 'PK..'], ...fields })
    expect((await send(app, '/api/scan/upload', { method: 'POST', ...form })).status).toBe(201)
    expect((await send(app, '/api/scan/directory', createDirectoryRequest({ dirPath: '/srv/shop', ...fields }))).status).toBe(201)
    expect((await send(app, '/api/scan/directory', createDirectoryRequest())).status).toBe(201)
    expect(scans.map(({ options }) => options.origin)).toEqual([origin, origin, undefined])
  })

  test.each([
    ['branch', 'x'.repeat(251)],
    ['branch', 'a\nb'],
    ['commit', 'main'],
    ['commit', 'abc'],
    ['sourceUrl', 'http://github.com/acme/shop'],
    ['sourceUrl', `https://git.example.com/{path}${'x'.repeat(2000)}`],
  ])('a %s that is none is refused, with its name', async (name, value) => {
    const { app, scans } = createFixture()
    const form = createForm({ project: ['shop.zip', 'PK..'], [name]: value })
    for (const init of [{ method: 'POST', ...form }, createDirectoryRequest({ dirPath: '/srv/shop', [name]: value })]) {
      const answer = await send(app, 'body' in init && init.body === form.body ? '/api/scan/upload' : '/api/scan/directory', init)
      expect(answer.status).toBe(400)
      expect((await answer.json()).errors).toEqual([{ path: name, message: expect.any(String) }])
    }
    expect(scans).toEqual([])
  })
})
