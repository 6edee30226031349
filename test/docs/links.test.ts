import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = new URL('../../', import.meta.url).pathname
const PAGES = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(ROOT, 'docs')).flatMap((name) => (name.endsWith('.md') ? `docs/${name}` : [])),
  'editors/vscode/README.md',
]

interface Link {
  readonly page: string
  readonly target: string
  readonly heading: string
}

/** Links of a page to others of the repository; code is no text. */
function listLinks(page: string): Link[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]{0,200})(?:#([^)\s]{1,200}))?\)/g)].map(
    ([, path = '', heading = '']) => ({
      page,
      target: path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path)),
      heading,
    }),
  )
}

/** Names of the headings of a page, as GitHub makes them. */
function headingsOf(page: string): readonly string[] {
  const text = readFileSync(join(ROOT, page), 'utf8').replaceAll(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

const LINKS = PAGES.flatMap(listLinks)

test('every link of the documents leads to a file, and to a heading of it', () => {
  expect(LINKS.length).toBeGreaterThan(60)
  const broken = LINKS.filter(
    ({ target, heading }) =>
      !existsSync(join(ROOT, target)) || (heading !== '' && target.endsWith('.md') && !headingsOf(target).includes(heading)),
  )
  expect(broken).toEqual([])
})

test('every page can be reached from the README', () => {
  const reached = new Set(['README.md'])
  for (const page of reached) for (const link of LINKS) if (link.page === page) reached.add(link.target)
  expect(PAGES.filter((page) => !reached.has(page) && !page.startsWith('editors/'))).toEqual([])
})
