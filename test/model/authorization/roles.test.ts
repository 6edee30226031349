import { expect, it } from 'vitest'
import { isMisspeltPseudoRole, isPlatformRole, misspeltAnnotation } from '../../../core/model/authorization/index.ts'
import { parseCds } from '../../../core/parse/cds/index.ts'

it.each([
  ['authenticated_user', true],
  ['Authenticated-Users', true],
  ['Any', true],
  ['any', false],
  ['authenticated-user', false],
  ['system-user', false],
  ['Admin', false],
])('%s looks like a pseudo role and is none: %s', (role, expected) => expect(isMisspeltPseudoRole(role)).toBe(expected))

it.each([
  ['cds.Subscriber', true],
  ['uaa.user', true],
  ['mtcallback', true],
  ['emmanagement', true],
  ['other!t1.Role', true],
  ['Admin', false],
  ['mtcallbacks', false],
])('%s is of the platform: %s', (role, expected) => expect(isPlatformRole(role)).toBe(expected))

it.each<[string, string | undefined]>([
  [`@require: 'Admin'`, 'require requires'],
  [`@required: ['Admin', 'Viewer']`, 'required requires'],
  [`@restricted: [{ grant: 'READ', to: 'Viewer' }]`, 'restricted restrict'],
  [`@restricted: true`, undefined],
  [`@required: true`, undefined],
  [`@required: []`, undefined],
  [`@require: 'Admin' @restrict: [{ to: 'Admin' }]`, undefined],
  [`@requires: 'Admin'`, undefined],
])('%s', (annotations, expected) => {
  const [definition] = parseCds(`${annotations} service A { }`).definitions
  const known = new Map(definition?.annotations.map(({ name, value }) => [name, { value, place: { file: 'a.cds' } }]))
  const found = misspeltAnnotation(known)
  expect(found && `${found.word} ${found.key}`).toBe(expected)
})
