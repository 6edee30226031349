import { expect, it } from 'vitest'
import { createNames } from '../../../core/model/cap/names.ts'
import { parseCds } from '../../../core/parse/cds/index.ts'

const names = createNames(
  parseCds(`namespace n;
    using { a.b as x, c.D, e } from './f';
    entity Own { }
    context C { entity In { } entity sub.Deep { } service S { entity Inner { } } }`),
)

it.each([
  ['x.T', '', 'a.b.T'],
  ['D', 'n', 'c.D'],
  ['e.f.G', 'n', 'e.f.G'],
  ['Own', 'n', 'n.Own'],
  ['Own', 'n.C.S', 'n.Own'],
  ['In', 'n.C', 'n.C.In'],
  ['In', 'n', 'In'],
  ['Inner', 'n.C.S', 'n.C.S.Inner'],
  ['S.Inner', 'n.C', 'n.C.S.Inner'],
  ['sub.Deep', 'n.C.S', 'n.C.sub.Deep'],
  ['C.In', 'n', 'n.C.In'],
  ['n.C.In', 'n', 'n.C.In'],
  ['unknown.Thing', 'n.C', 'unknown.Thing'],
])('%s in %s is %s', (path, scope, expected) => {
  expect(names.resolve(path, scope)).toBe(expected)
})
