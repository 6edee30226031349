import { describe, expect, test } from 'vitest'
import { accessOf, pathOf, pathsOf } from '../../core/facts/index.ts'
import { shownIn } from './facts-of.ts'

const PATHS: readonly (readonly [string, string | undefined])[] = [
  ['show(eval)', 'global:eval'],
  ['show(window.eval)', 'global:eval'],
  ['show(globalThis.window.self.eval)', 'global:eval'],
  ['show(window["eval"])', 'global:eval'],
  ['show((0, eval))', 'global:eval'],
  ['function f(eval) { show(eval) }', 'parameter:eval'],
  ['function f(window) { show(window.eval) }', 'parameter:window eval'],
  ['(function (w) { show(w.eval) })(window)', 'global:eval'],
  ['((w) => show(w.eval))(window)', 'global:eval'],
  ['show(obj.eval)', 'global:obj eval'],
  ['show(sap.ui.core.HTML)', 'global:sap ui core HTML'],
  ['const core = sap.ui.core; show(core.HTML)', 'global:sap ui core HTML'],
  ['const { core: { HTML } } = sap.ui; show(HTML)', 'global:sap ui core HTML'],
  ['const [first] = list; show(first)', 'global:list 0'],
  ['const a = b; const c = a; show(c.d)', 'global:b d'],
  ['let a = b; show(a.c)', 'global:b c'],
  ['let a; a = b; show(a.c)', 'global:b c'],
  ['let a = b; a = d; show(a)', undefined],
  ['let q = SELECT.from(a); q = q.where(b); show(q.columns)', 'global:SELECT from () columns'],
  ['const a = b || c; show(a)', undefined],
  ['const a = {}; show(a)', undefined],
  ['const run = { it: cds.run }; show(run.it)', 'global:cds run'],
  ["const { UPDATE } = require('@sap/cds/lib/ql/cds-ql'); show(UPDATE(a).with)", 'module:@sap/cds ql UPDATE () with'],
  ["import ql from '@sap/cds/lib/ql/cds-ql.js'; show(ql.SELECT)", 'module:@sap/cds ql SELECT'],
  ["const cds = require('@sap/cds/lib'); show(cds.run)", 'module:@sap/cds run'],
  ["const { exists } = require('@sap/cds/lib/utils/cds-utils'); show(exists)", 'module:@sap/cds/lib/utils/cds-utils exists'],
  ['show(a().b.c())', 'global:a () b c ()'],
  ['show(new A(b).c)', 'global:A new c'],
  ['show(sql`a`.b)', 'global:sql `` b'],
  ['async () => { const db = await cds.connect.to("db"); show(db.run) }', 'global:cds connect to () run'],
  ['show((await a).b)', 'global:a b'],
  ['show(a[b])', 'global:a []'],
  ['const k = "b"; show(a[k])', 'global:a b'],
  ['show(a?.b?.())', 'global:a b ()'],
  ['show(this.a)', 'this a'],
  ['class A extends B { c() { show(super.d) } }', 'super d'],
  ['for (const a of b) show(a.c)', 'global:b [] c'],
  ['function f({ a: { b } }) { show(b.c) }', 'parameter:b a b c'],
  ['function f() {} show(f)', 'function:f'],
  ['let a = a; show(a)', undefined],
  ['let a = b, b = a; show(a)', undefined],
  ['show("text".trim)', undefined],
  [`show(a${'.b'.repeat(30)})`, `global:a${' b'.repeat(30)}`],
  [`show(a${'.b()'.repeat(60)})`, undefined],
]

describe('access paths', () => {
  test.each(PATHS)('%s', (text, expected) => expect(pathOf(shownIn(text, 'a.js'))?.join(' ')).toBe(expected))

  test('all ways that a value may come', () => {
    expect(pathsOf(shownIn('let a = window.jQuery || $; if (b) a = c.d; show(a.e)'))).toEqual([
      ['global:jQuery', 'e'],
      ['global:$', 'e'],
      ['global:c', 'd', 'e'],
    ])
  })

  test('no more than eight ways', () => {
    const text = `let a; ${Array.from({ length: 9 }, (_, index) => `a = v${index};`).join('')} show(a)`
    expect(pathsOf(shownIn(text))).toEqual([['let:a']])
    expect(pathsOf(shownIn('show(a || b || c || d || e || f || g || h || i)'))).toEqual([])
  })

  test('types leave no trace', () => {
    expect(pathOf(shownIn('show((<any>(a as B)!.c).d satisfies E)', 'a.ts'))).toEqual(['global:a', 'c', 'd'])
  })

  test('the binding at the root', () => {
    expect(accessOf(shownIn('function f(req) { const { data } = req; show(data.ID) }'))).toMatchObject({
      root: 'parameter:req',
      steps: ['data', 'ID'],
      binding: { name: 'req', kind: 'parameter' },
    })
  })
})
