import { expect, test } from 'vitest'
import { isDefaultPassword, isMadeUp, isPassphrase, isSaid } from '../../core/secrets/made-up.ts'

/** As people make them, put together here. */
const made = (word: string, digits: string, sign: string): string => `${word}${digits}${sign}`

test.each([
  made('Rundgang-Halle', '7', '!'),
  made('Winter.Dorf', '3', '#'),
  made('Sommer', '1', '$Regen'),
  made('BlauerVogel', '204', ''),
])('what a sentence calls a password between marks: %s', (value) => {
  expect(isSaid(value)).toBe(true)
  expect(isMadeUp(value)).toBe(false)
})

test.each([
  'PasswordPolicy',
  'Base64',
  'UserName!',
  'AES-256-GCM',
  'sha512#hash',
  'OAuth2ClientCredentials',
  'user@example.com',
  'v1.2.3',
  'Kapitel-7',
])('a word of a sentence about passwords: %s', (value) => expect(isSaid(value)).toBe(false))

test.each([
  ['defaultPassword', made('98', '76', '54'), true],
  ['config.initial_pwd', made('43', '21', ''), true],
  ['password', made('98', '76', '54'), false],
  ['defaultPassword', 'changeme', false],
])('what new users get, %s = %s: %s', (name, value, expected) => expect(isDefaultPassword(name, value)).toBe(expected))

test.each([
  [made('#Kv%q', '', 'W&zR$'), true],
  ['#myPage--Button1', false],
  ['#list > .row[data-a="B"]', false],
])('the key of a cipher by its position, %s: %s', (value, expected) => expect(isPassphrase(value)).toBe(expected))
