import cds from '@sap/cds-compiler'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseCondition } from '../../../core/parse/cds/index.ts'
import { runs } from '../../soak.ts'

function compilerReads(text: string): boolean {
  try {
    cds.parse.expr(text, 'where.cds', { messages: [] })
    return true
  } catch {
    return false
  }
}

const CONDITIONS = [
  'createdBy = $user',
  'exists dept[boss.login = $user and exists members[login = $user.id]].parent',
  "amount between 1 and 10 and not (channel in ('web', 'shop'))",
  'case when amount > 1 then owner else team end = $user',
  'owner = $user and amount + 1 <> 2 and createdBy != null or owner == $user',
  'exists (select 1 from db.People as p where p.login = $user)',
  '$user.id in (select login from People)',
  "owner like '%' || $user || '%'",
  "date >= date'2020-01-01'",
  'members[1: login = $user].x = 1',
  'members[where login = $user].x = 1',
  'status = #open // the default',
  "a not in (1,2) and b not like 'x' and c not between 1 and 2",
  'order = 1 and group = 2 and type = 3 and entity = 4',
  'year(createdAt) = -2020',
  'a ? b : c',
  'owner = :x',
  'isPublic',
]
const BROKEN = [
  'owner = $user and',
  'or owner = $user',
  'owner $user',
  'owner = $user && shared',
  'owner eq $user',
  '(owner = $user',
  'owner = $user)',
  'owner = $user;',
  'owner = ${user}',
  'owner === $user',
  '!isPublic',
  'exists items where x = 1',
  'owner = $user.',
  '',
]

describe('parseCondition', () => {
  it.each(CONDITIONS)('reads %s', (text) => {
    expect(compilerReads(text)).toBe(true)
    expect(parseCondition(text)).not.toBeTypeOf('string')
  })
  it.each(BROKEN)('does not read %s', (text) => {
    expect(compilerReads(text)).toBe(false)
    expect(parseCondition(text)).toBe('broken')
  })

  it('tells what stands in a filter by the path before it', () => {
    const read = parseCondition('exists dept[boss.login = $user and exists members[login = $user.id]].parent and owner = $user')
    expect(typeof read === 'string' ? read : read.paths.map(({ name, base }) => [base ?? '', name].join(' '))).toEqual([
      'dept boss.login',
      'dept $user',
      'dept.members login',
      'dept.members $user.id',
      'dept members',
      ' dept.parent',
      ' owner',
      ' $user',
    ])
  })

  it('of nothing but brackets is not read, and harms nobody', () => {
    expect(parseCondition('('.repeat(100_000))).toBe('unread')
  })

  it('reads what the compiler reads', () => {
    const operand = fc.constantFrom(
      'owner',
      '$user',
      '$user.country',
      'a.b',
      "'x'",
      '1',
      '-2.5',
      'null',
      'f(a, 1)',
      'a[b = 1].c',
      '(1, 2)',
      'status',
    )
    const joint = fc.constantFrom(
      ' = ',
      ' <> ',
      ' >= ',
      ' in ',
      ' like ',
      ' is null and ',
      ' and ',
      ' or ',
      ' + ',
      ' || ',
      ' not in ',
      ' ',
      '(',
      ')',
      ' exists ',
      ' not ',
      ',',
      '==',
      '&&',
      ' eq ',
    )
    const condition = fc
      .array(fc.tuple(operand, joint), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().slice(0, -1).join(''))
    fc.assert(
      fc.property(condition, (text) => {
        if (compilerReads(text)) expect(parseCondition(text), text).not.toBe('broken')
      }),
      { numRuns: runs(1000) },
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => {
        parseCondition(text)
      }),
      { numRuns: runs(1000) },
    )
  })
})
