import { describe, expect, test } from 'vitest'
import { readPhp, type PhpExpression, type PhpStatement } from '../../core/parse/php/index.ts'

/** What a text says, without its places. */
function told(text: string): unknown {
  const plain = JSON.stringify(readPhp(text).statements, (key, value: unknown) =>
    key === 'start' || key === 'end' ? undefined : value,
  )
  return JSON.parse(plain)
}

function expressionOf(code: string): PhpExpression | undefined {
  const [statement]: readonly (PhpStatement | undefined)[] = readPhp(`<?php ${code};`).statements
  return statement?.kind === 'expression' ? statement.value : undefined
}

const variable = (name: string): unknown => ({ kind: 'variable', name })
const text = (value: string): unknown => ({ kind: 'text', value })

describe('PHP', () => {
  test('HTML, echoes and alternative syntax', () => {
    expect(told('<p><?= $a ?></p><?php if ($b): ?>x<?php else: ?>y<?php endif;')).toEqual([
      { kind: 'html' },
      { kind: 'expression', value: { kind: 'call', name: 'echo', args: [variable('a')] } },
      { kind: 'html' },
      { kind: 'if', test: variable('b'), yes: [{ kind: 'html' }], no: [{ kind: 'html' }] },
    ])
  })

  test('texts with variables, of all kinds', () => {
    const member = (key: string): unknown => ({ kind: 'member', of: variable('a'), key: text(key) })
    const joined = (...parts: readonly unknown[]): unknown => [
      { kind: 'expression', value: { kind: 'assign', target: variable('s'), operator: '=', value: { kind: 'join', parts } } },
    ]
    expect(told('<?php $s = "x $a[b] {$a[\'c\']} $a->d \\$e";')).toEqual(
      joined(text('x '), member('b'), text(' '), member('c'), text(' '), member('d'), text(' $e')),
    )
    expect(told('<?php $s = <<<END\nx {$a["b"]}\n  END;')).toEqual(joined(text('x '), member('b')))
    expect(told("<?php $s = 'x' . $a['b'] . $c;")).toEqual(joined(text('x'), member('b'), variable('c')))
    expect(told("<?php // $s = 'a'\n# ?><?php /* $b */")).toEqual([])
  })

  test('operators bind as the manual says', () => {
    const { start: _, end: __, ...found } = expressionOf('$a = !$b && $c ?? 1 . 2') ?? { start: 0, end: 0 }
    expect(found).toMatchObject({ kind: 'assign', value: { kind: 'operation', operator: '??' } })
    expect(expressionOf('$a == 1 ? $b : $c')).toMatchObject({ kind: 'choice', test: { kind: 'operation', operator: '==' } })
    expect(expressionOf('(int) $a["b"]')).toMatchObject({ kind: 'operation', operator: '(int)', operands: [{ kind: 'member' }] })
    expect(expressionOf("require_once __DIR__ . '/a.php'")).toMatchObject({
      kind: 'call',
      name: 'include',
      args: [{ kind: 'join' }],
    })
  })

  test('functions and methods by name, with what they take', () => {
    const { functions } = readPhp(
      '<?php namespace A; class B extends C { public static function d(?int $e = 1, ...$f): array { return [$e]; } } function &g() {}',
    )
    expect(functions.map(({ name, owner, parameters }) => [name, owner, parameters])).toEqual([
      ['d', 'b', ['e', 'f']],
      ['g', undefined, []],
    ])
  })

  test.each([
    ['brackets', '('],
    ['brackets of all kinds', '[{('],
    ['texts in texts', '"{$a["'],
    ['texts that do not end', '<<<X\n {$a} '],
    ['branches', 'if ($a) {} else '],
    ['statements without braces', 'if ($a) '],
    ['functions', 'function f() { '],
    ['arrays', 'array('],
    ['classes', 'new class '],
    ['choices', '$a ? '],
    ['sums', '$a + '],
    ['fields', '$a->'],
    ['cases', 'switch ($a) { case 1: '],
    ['quotes', "'"],
    ['parts', '<?php ?>'],
  ])('%s without an end are read to the end', (_name, unit) => {
    expect(readPhp(`<?php ${unit.repeat(40_000)}`).size).toBeGreaterThan(0)
  })
})
