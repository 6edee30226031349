import { expect, it } from 'vitest'
import {
  entityWords,
  isCredential,
  isOrganisation,
  isPeople,
  personalKind,
  toWords,
  type CapMember,
} from '../../../core/model/cap/index.ts'

function member(name: string, type = 'String'): CapMember {
  return {
    name,
    type,
    owner: 'E',
    place: { file: 'a.cds' },
    annotations: new Map(),
    isEnum: false,
    toMany: false,
    key: false,
    virtual: false,
    calculated: false,
  }
}

it.each(['dateOfBirth', 'DATE_OF_BIRTH', 'Date-of-birth', 'address.dateOfBirth'])('%s in words', (name) => {
  expect(toWords(name)).toBe('date of birth')
})

it('an entity in words', () => expect(entityWords('my.shop.BusinessPartners')).toBe('business partners'))

it.each([
  ['dateOfBirth', 'birth'],
  ['firstName', 'name'],
  ['EMAIL_ADDRESS', 'mail'],
  ['mobilePhone', 'phone'],
  ['iban', 'bank'],
  ['passportNumber', 'identity'],
  ['salary', 'pay'],
  ['religion', 'belief'],
  ['name', undefined],
  ['birthdayReminder', undefined],
  ['mailbox', undefined],
])('%s: %s', (name, kind) => expect(personalKind(member(name))).toBe(kind))

it('an association or a switch holds no value', () => {
  expect(personalKind(member('email', 'Association'))).toBeUndefined()
  expect(personalKind(member('email', 'Boolean'))).toBeUndefined()
  expect(isCredential(member('password', 'Boolean'))).toBe(false)
})

it.each([
  ['passwordHash', true],
  ['apiKey', true],
  ['clientSecret', true],
  ['passwordPolicy', false],
  ['token', false],
])('%s is a credential: %s', (name, expected) => expect(isCredential(member(name))).toBe(expected))

it('a key may be stored as bytes', () => expect(isCredential(member('privateKey', 'LargeBinary'))).toBe(true))

it.each([
  ['employees', true, false],
  ['business customers', true, false],
  ['suppliers', false, true],
  ['orders', false, false],
])('rows of %s: people %s, organisations %s', (words, people, organisations) => {
  expect([isPeople(words), isOrganisation(words)]).toEqual([people, organisations])
})
