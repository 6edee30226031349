import { describe, expect, test } from 'vitest'
import { textsFound } from '../../core/conditions/pattern-texts.ts'

function found(pattern: RegExp): readonly string[] {
  return textsFound({ kind: 'regex', start: 0, end: 0, pattern: pattern.source, flags: pattern.flags })
}

describe('the texts that a pattern finds wherever they stand', () => {
  test.each<[RegExp, readonly string[]]>([
    [/</, ['<']],
    [/[<>]/, ['<', '>']],
    [/[<>]+/, ['<', '>']],
    [/<|>/, ['<', '>']],
    [/(?:<|')/, ['<', "'"]],
    [/\.\./, ['..']],
    [/\.{2}/, ['..']],
    [/\.\.[\\/]/, ['..\\', '../']],
    [/(^|[\\/])\.\.([\\/]|$)/, ['..']],
    [/[\r\n]/, ['\r', '\n']],
    [/['"`\\]/, ["'", '"', '`', '\\']],
  ])('%s', (pattern, texts) => {
    expect(found(pattern)).toEqual(texts)
  })

  // what asks for more than characters finds less than all of them
  test.each([[/^</], [/<$/], [/[^<]/], [/<[a-z]*>/], [/<?/], [/<{0,2}/], [/\d/], [/./], [/(?=<)/], [/<script\b/]])(
    'none of %s',
    (pattern) => {
      expect(found(pattern)).toEqual([])
    },
  )

  test('of alternatives each counts for itself', () => {
    expect(found(/^a|</)).toEqual(['<'])
  })
})
