import { describe, expect, it } from 'vitest'
import { createPathEndings } from '../core/path-endings.ts'

const PATHS = [
  'acme/shop/lib/db.xsjslib',
  'acme/stock/lib/db.xsjslib',
  'acme/stock/mydb.xsjslib',
  'db.xsjslib',
  'other/date.xsjslib',
]

describe('paths by what they end with', () => {
  it.each([
    ['acme/shop/lib/db.xsjslib', ['acme/shop/lib/db.xsjslib']],
    ['stock/lib/db.xsjslib', ['acme/stock/lib/db.xsjslib']],
    ['nowhere/lib/db.xsjslib', ['acme/shop/lib/db.xsjslib', 'acme/stock/lib/db.xsjslib']],
    ['nowhere/db.xsjslib', ['db.xsjslib', 'acme/shop/lib/db.xsjslib', 'acme/stock/lib/db.xsjslib']],
    ['../x/./date.xsjslib', ['other/date.xsjslib']],
    ['b.xsjslib', []],
    ['', []],
  ])('of %s', (path, found) => {
    expect([...createPathEndings(PATHS).closest(path)].toSorted()).toEqual(found.toSorted())
  })

  it('gives the list of an ending once, however many paths lead to it', () => {
    const endings = createPathEndings(PATHS)
    expect(endings.closest('a/db.xsjslib')).toBe(endings.closest('b/db.xsjslib'))
  })
})
