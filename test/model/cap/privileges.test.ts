import { describe, expect, it } from 'vitest'
import {
  areAmong,
  grantsEvent,
  grantsMoreThanReading,
  isSubsumed,
  usersOf,
  type CapAccess,
  type Privilege,
} from '../../../core/model/cap/index.ts'
import { privilegesOf } from '../../../core/model/cap/access.ts'
import { parseCds } from '../../../core/parse/cds/index.ts'

function serviceOf(...roles: readonly string[]): { access: CapAccess } {
  return { access: { kind: roles.length > 0 ? 'roles' : 'authenticated', roles, place: { file: 'x' } } }
}

/** The privileges of one restriction, as it is written. */
function read(records: string): Privilege[] {
  const [definition] = parseCds(`@restrict: [${records}] entity E { }`).definitions
  return privilegesOf(definition?.annotations[0]?.value)
}

function readOne(record: string): Privilege {
  const [privilege] = read(record)
  if (privilege === undefined) throw new Error('no privilege')
  return privilege
}

describe('privileges', () => {
  it.each([
    ["{ grant: '*' }", 'DELETE', true],
    ['{ }', 'DELETE', true],
    ["{ grant: 'WRITE' }", 'CREATE', true],
    ["{ grant: 'WRITE' }", 'READ', false],
    ["{ grant: ['READ', 'go'] }", 'go', true],
  ])('%s is for %s: %s', (record, event, expected) => {
    expect(grantsEvent(readOne(record), event)).toBe(expected)
  })

  it('more than reading is writing and actions', () => {
    const more = ["{ grant: 'READ' }", "{ grant: ['READ', 'go'] }", '{ }', "{ grant: 'UPDATE' }"].map((record) =>
      grantsMoreThanReading(readOne(record)),
    )
    expect(more).toEqual([false, true, true, true])
  })

  it('let in whom the service lets in, if they name anybody', () => {
    expect(usersOf(readOne("{ to: 'any' }"), serviceOf('A', 'B'))).toEqual(new Set(['A', 'B']))
    expect(usersOf(readOne("{ to: 'authenticated-user' }"), serviceOf())).toBe('all')
    expect(usersOf(readOne("{ to: ['C'] }"), serviceOf('A'))).toEqual(new Set(['C']))
    expect(areAmong('all', new Set(['A']))).toBe(false)
    expect(areAmong(new Set(['A']), 'all')).toBe(true)
  })

  it.each<[string, string, boolean]>([
    ["{ grant: 'WRITE', to: 'A', where: (a = $user) }", "{ grant: '*', to: 'A' }", true],
    ["{ grant: 'WRITE', to: 'A' }", "{ grant: '*', to: 'authenticated-user' }", true],
    ["{ grant: ['CREATE', 'DELETE'], to: 'A' }", "{ grant: 'WRITE', to: ['A', 'B'] }", true],
    ["{ grant: '*', to: 'A' }", "{ grant: 'WRITE', to: 'A' }", false],
    ["{ grant: 'READ', to: ['A', 'B'] }", "{ grant: 'READ', to: 'A' }", false],
    ["{ grant: 'READ', to: 'A' }", "{ grant: 'READ', to: 'A', where: (a = 1) }", false],
    ["{ grant: 'READ', to: 'A' }", "{ grant: 'READ', to: [] }", false],
  ])('%s says nothing beside %s: %s', (narrow, broad, expected) => {
    expect(isSubsumed(readOne(narrow), readOne(broad), serviceOf())).toBe(expected)
  })
})
