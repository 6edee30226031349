import { expect, test } from 'vitest'
import { outranks } from '../../core/report/yielding.ts'
import { scanFiles, allFindings } from '../scan-files.ts'

/** Users of Spring Security with these passwords. */
function users(...passwords: readonly string[]): Promise<readonly string[]> {
  const made = passwords.map((password, at) => `User.withUsername("u${at}").password("${password}").roles("READER").build()`)
  return tell(`return new InMemoryUserDetailsManager(${made.join(',\n')});`)
}

async function tell(code: string): Promise<readonly string[]> {
  const text = `class LoginConfig {\nInMemoryUserDetailsManager accounts() {\n${code}\n}\nvoid chain(HttpSecurity http) { http.httpBasic(); }\n}\n`
  const { en } = await scanFiles(new Map([['src/main/java/library/LoginConfig.java', text]]))
  return allFindings(en).map(({ ruleId, severity, line }) => `${severity} ${ruleId} ${line}`)
}

test('what says that a password opens more tells it alone', async () => {
  expect(await users('admin123')).toEqual(['CRITICAL cap/java-users-in-memory 3'])
})

test('with the credentials at its other places', async () => {
  expect(await users('admin123', '{noop}kT9#qLw2vX7p')).toEqual(['CRITICAL cap/java-users-in-memory 3'])
})

test('and yields where it says no more', async () => {
  expect(await users('{noop}kT9#qLw2vX7p')).toEqual(['HIGH secrets/generic-password 3'])
})

test('a rule that knows more may say one level less, but hides nothing two levels above', () => {
  expect(outranks('HIGH', 'MEDIUM', 'cap/instance-restriction-bypassed')).toBe(false)
  expect(outranks('HIGH', 'LOW', 'cap/instance-restriction-bypassed')).toBe(true)
  expect(outranks('HIGH', 'MEDIUM', 'secrets/generic-password')).toBe(true)
  expect(outranks('HIGH', 'HIGH', 'secrets/generic-password')).toBe(false)
})
