import { describe, expect, it } from 'vitest'
import { parseCds } from '../../../core/parse/cds/index.ts'
import { outlineOf } from './outline.ts'
import { outlineOfCompiler } from './outline-compiler.ts'
import { SOURCES } from './sources.ts'

describe('parseCds reads what the compiler reads', () => {
  for (const [name, source] of Object.entries(SOURCES)) {
    it(name, () => {
      const document = parseCds(source)
      expect(document.errors.map(({ start }) => source.slice(start, start + 40))).toEqual([])
      expect(outlineOf(document)).toEqual(outlineOfCompiler(source, 'source.cds'))
    })
  }
})
