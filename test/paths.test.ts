import { expect, test } from 'vitest'
import { folderOf, foldersAround, joinPath, ownerOf, resolvePath } from '../core/paths.ts'

test("a file's folder; '' is the project itself", () => {
  expect(folderOf('app/webapp/manifest.json')).toBe('app/webapp')
  expect(folderOf('package.json')).toBe('')
  expect(folderOf('')).toBe('')
})

test('the folders around a path, nearest first', () => {
  expect([...foldersAround('app/webapp/manifest.json')]).toEqual(['app/webapp', 'app', ''])
  expect([...foldersAround('')]).toEqual([])
})

test('a path in a folder', () => {
  expect(joinPath('', 'package.json')).toBe('package.json')
  expect(joinPath('srv', '')).toBe('srv')
  expect(joinPath('srv', 'package.json')).toBe('srv/package.json')
})

test('the nearest folder of a set', () => {
  const roots = new Set(['', 'apps/shop'])
  expect(ownerOf('apps/shop/srv/cat.cds', roots)).toBe('apps/shop')
  expect(ownerOf('apps/bookshop/srv/cat.cds', roots)).toBe('')
  expect(ownerOf('apps/shop', new Set(['apps/shop']))).toBeUndefined()
})

test.each([
  ['app/index.html', './Component.js?v=1#top', 'app/Component.js'],
  ['app/index.html', '../shared//x.js', 'shared/x.js'],
  ['app/index.html', '../../x.js', undefined],
  ['app/index.html', '/x.js', undefined],
  ['app/index.html', 'https://cdn.example.com/x.js', undefined],
  ['app/index.html', '?only=query', undefined],
])('%s refers to %s', (from, address, path) => {
  expect(resolvePath(from, address)).toBe(path)
})
