import { describe, expect, it } from 'vitest'
import {
  conditionOf,
  elementPaths,
  isMissing,
  privilegesOf,
  type CapElement,
  type CapRoot,
  type Condition,
} from '../../../core/model/cap/index.ts'
import { parseCds } from '../../../core/parse/cds/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'

function read(where: string): Condition | undefined {
  const [definition] = parseCds(`@restrict: [{ to: 'A', where: ${where} }] entity E { }`).definitions
  const [privilege] = privilegesOf(definition?.annotations[0]?.value)
  if (privilege?.where === undefined) throw new Error('no condition')
  return conditionOf(privilege.where)
}

/** The elements that a condition names. */
function namedBy(where: string): string[] {
  const condition = read(where)
  if (typeof condition !== 'object') throw new Error(`${condition}`)
  return elementPaths(condition).map(({ path }) => path)
}

describe('a condition', () => {
  it.each([
    [`''`, 'empty'],
    [`'  '`, 'empty'],
    [`'owner ='`, 'broken'],
    ['1', undefined],
  ])('%s is %s', (where, expected) => expect(read(where)).toBe(expected))

  it.each<[string, string[]]>([
    [`'owner = $user'`, ['owner']],
    ['(owner = $user.id)', ['owner']],
    [`'$self.owner = $user and stock > 10'`, ['owner', 'stock']],
    [`'author.name = $user.attr.name'`, ['author.name']],
    [`'modifiedAt < $now and ID = :id'`, ['modifiedAt', 'ID']],
    [`'day < CURRENT_DATE'`, ['day']],
  ])('%s names %j', (where, expected) => expect(namedBy(where)).toEqual(expected))
})

describe('what an entity lacks', () => {
  const [root] = capRootsOf(
    readProject({
      'package.json': PACKAGE,
      'srv/a.cds': `
        entity D { key ID: Integer; name: String; old: String; }
        service A { entity E as projection on D { ID, name as title }; }`,
    }),
  )
  const element = root?.services[0]?.elements[0]
  const missing = (path: string, isChecked: boolean): boolean => isMissing(...both(root, element), path, isChecked)

  it.each([
    ['title', false],
    ['E.title', false],
    ['ID', false],
    ['name', true],
    ['nothing', true],
  ])('%s: %s', (path, expected) => expect(missing(path, false)).toBe(expected))

  it('what the compiler has checked may be named as the entity below has it', () => {
    expect(missing('old', true)).toBe(false)
    expect(missing('D.old', true)).toBe(false)
    expect(missing('nothing', true)).toBe(true)
  })
})

function both(root: CapRoot | undefined, element: CapElement | undefined): [CapRoot, CapElement] {
  if (root === undefined || element === undefined) throw new Error('no element')
  return [root, element]
}
