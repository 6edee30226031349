import { expect, test } from 'vitest'
import { isAccountPassword, isLoginPassword, isPasswordHash, isPasswordName } from '../../core/model/script/index.ts'

test.each([
  'password',
  'user_pwd',
  'USER_PASSWORD',
  'userpwd',
  'accountPassword',
  'contraseña',
  'mot_de_passe',
  'motdepasse',
  'senha',
])('%s is the password of an account', (name) => expect(isAccountPassword(name)).toBe(true))

test.each(['smtpPassword', 'newPassword', 'passwordHash', 'resetPassword', 'parola', 'passcode', 'compass', 'clave'])(
  '%s is none, or not that of an account alone',
  (name) => expect(isAccountPassword(name)).toBe(false),
)

test('words of a rule may stand in front besides', () => {
  expect(isAccountPassword('newPassword', ['new'])).toBe(true)
  expect(isAccountPassword('oldPassword', ['new'])).toBe(false)
})

test.each(['passwordHash', 'password_hash', 'hashed_password', 'PASSWORDHASH', 'hashedpassword', 'userPasswordDigest'])(
  '%s is a digest of one',
  (name) => expect([isPasswordHash(name), isLoginPassword(name)]).toEqual([true, true]),
)

test.each(['hash', 'password', 'hashtag', 'fileHash'])('%s is no digest of one', (name) =>
  expect(isPasswordHash(name)).toBe(false),
)

test.each(['pass', 'user_pass', 'pass_hash'])('%s is what an account logs on with', (name) =>
  expect(isLoginPassword(name)).toBe(true),
)

test('pages call them by more words', () => {
  for (const name of ['sPassword', 'parola', 'confirmPassword', 'passwordInput', 'userPass'])
    expect(isPasswordName(name)).toBe(true)
  for (const name of ['boardingPass', 'passenger', 'bypass']) expect(isPasswordName(name)).toBe(false)
})
