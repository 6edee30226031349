import { describe, expect, it } from 'vitest'
import { accepts, isGuarded, takesData, writersOf, type CapService } from '../../../core/model/cap/index.ts'
import { capRootsOf, PACKAGE, readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

function serviceOf(source: string): CapService {
  const [service] = capRootsOf(readProject({ 'package.json': PACKAGE, 'srv/s.cds': source })).flatMap(({ services }) => services)
  if (service === undefined) throw new Error('no service')
  return service
}

describe('who writes what', () => {
  it.each<[string, string, string, string]>([
    ['nothing is said', '', 'CUD', 'authenticated-user'],
    ['@readonly', '@readonly', '', 'authenticated-user'],
    ['@readonly taken back', '@readonly: false', 'CUD', 'authenticated-user'],
    ['@insertonly', '@insertonly', 'C', 'authenticated-user'],
    ['hidden', '@cds.api.ignore', '', 'authenticated-user'],
    ['capabilities', '@Capabilities: { InsertRestrictions.Insertable: false, Deletable: false }', 'U', 'authenticated-user'],
    ['grants', "@restrict: [{ grant: 'READ', to: 'A' }, { grant: ['UPDATE', 'go'], to: ['B', 'C'] }]", 'U', 'B C'],
    ['a grant of everything', "@restrict: [{ to: 'A' }]", 'CUD', 'A'],
    ['a grant to nobody named', "@restrict: [{ grant: 'WRITE' }]", 'CUD', 'any'],
    ['and to those who are required', "@requires: 'A' @restrict: [{ grant: 'WRITE' }]", 'CUD', 'A'],
    ['@requires', "@requires: ['A', 'B']", 'CUD', 'A B'],
    ['nobody', '@restrict: []', '', 'authenticated-user'],
  ])('%s', (_, annotations, events, writers) => {
    const service = serviceOf(`service S { ${annotations} entity E { key ID: UUID; } }`)
    const [entity] = service.elements
    if (entity === undefined) throw new Error('no entity')
    const accepted = (['CREATE', 'UPDATE', 'DELETE'] as const).filter((event) => accepts(entity, event)).map((event) => event[0])
    expect(accepted.join('')).toBe(events)
    expect(takesData(entity)).toBe(/[CU]/.test(events))
    expect(writersOf(entity, service).join(' ')).toBe(writers)
  })

  it('roles of the service count where the entity names none', () => {
    const service = serviceOf("@requires: ['X', 'Y'] service S { entity E { } }")
    expect(service.elements.map((entity) => writersOf(entity, service))).toEqual([['X', 'Y']])
  })

  it.each<[string, boolean]>([
    ['a: String', false],
    ['@readonly a: String', true],
    ['@readonly: false a: String', false],
    ['a: String @Core.Computed', true],
    ['a: String @cds.on.insert: $user', true],
    ['a: String @Common.FieldControl: #ReadOnly', true],
    ['a: String @Common.FieldControl: #Mandatory', false],
    ['a: String @Common.FieldControl: b', false],
    ['a: String @Core.Immutable', false],
    ['virtual a: String', true],
    ["a: String = 'x'", true],
    ['a: String @flow.status', true],
  ])('%s', (element, expected) => {
    const [entity] = serviceOf(`service S { entity E { ${element}; } }`).elements
    expect(entity?.members().map(isGuarded)).toEqual([expected])
  })

  it('large models cost what they are long', () => {
    const elements = Array.from({ length: 200 }, (_, index) => `e${index} : String;`).join(' ')
    const entities = Array.from(
      { length: 600 },
      (_, index) => `entity D${index} : X { key ID: UUID; next: Composition of D${(index + 1) % 600}; }`,
    )
    const exposed = Array.from({ length: 300 }, (_, index) => `entity E${index} as projection on db.D${index};`)
    const started = cpuTime()
    const service = serviceOf(`namespace db; aspect X { ${elements} } ${entities.join('\n')} service S { ${exposed.join('\n')} }`)
    const all = [...service.elements, ...service.autoexposed()]
    expect(all.length).toBe(600)
    expect(all.reduce((sum, { members }) => sum + members().length, 0)).toBe(600 * 202)
    expect(cpuTime() - started).toBeLessThan(20_000)
  })
})
