import { expect, test } from 'vitest'
import { readOrigin } from '../../adapters/web/state/git.ts'

const COMMIT = '0123456789abcdef0123456789abcdef01234567'
const originOf = (files: Readonly<Record<string, string>>): ReturnType<typeof readOrigin> =>
  readOrigin((path) => Promise.resolve(files[path]))
const withRemote = (url: string): string =>
  `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n\tfetch = +refs\n[branch "main"]\n`

test('the branch, its commit, loose or packed, and the address of its remote', async () => {
  const files = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/config': withRemote('git@github.com:acme/shop.git') }
  const told = { branch: 'main', commit: COMMIT, sourceUrl: `https://github.com/acme/shop/blob/${COMMIT}/{path}#L{line}` }
  expect(await originOf({ ...files, '.git/refs/heads/main': `${COMMIT}\n` })).toEqual(told)
  expect(await originOf({ ...files, '.git/packed-refs': `# pack\nffff refs/heads/xmain\n${COMMIT} refs/heads/main\n` })).toEqual(
    told,
  )
  expect(await originOf({ ...files, '.git/HEAD': `${COMMIT}\n` })).toEqual({ commit: COMMIT, sourceUrl: told.sourceUrl })
})

test('what is no checkout says nothing, and an address that leads nowhere known is not told', async () => {
  expect(await originOf({})).toEqual({})
  expect(await originOf({ '.git/HEAD': 'ref: refs/heads/main\n' })).toEqual({})
  expect(await originOf({ '.git/HEAD': 'evil\n', '.git/config': withRemote('https://github.com/a/b') })).toEqual({})
  const head = { '.git/HEAD': COMMIT }
  for (const url of ['https://example.com/a/b.git', 'http://github.com/a/b', '/srv/git/a', "https://github.com/a/b'<x>", ''])
    expect(await originOf({ ...head, '.git/config': withRemote(url) })).toEqual({ commit: COMMIT })
  // another remote is not the one that the commit is looked for at
  const other = '[remote "fork"]\n\turl = https://github.com/a/b\n'
  expect(await originOf({ ...head, '.git/config': `[remote "origin"]\n\tfetch = x\n${other}` })).toEqual({ commit: COMMIT })
})
