import { isRandomLooking } from './randomness.ts'
import { isPlaceholder, isWeak } from './values.ts'

/** Drawn by a machine, or by a person as a password. */
export function isMadeUp(value: string): boolean {
  return value.length >= 8 && value.length <= 200 && !/[\s<>{}]/.test(value) && (isDrawn(value) || isMade(value))
}

/** What a sentence calls a password, between marks: words with a number, or with a digit and a sign, will do. */
export function isSaid(value: string): boolean {
  if (isMadeUp(value)) return true
  if (!/[a-z]/.test(value) || !/[A-Z]/.test(value)) return false
  return (
    (/\d{3}/.test(value) && /[-_.~]|[a-z][A-Z]/.test(value)) || (/\d/.test(value) && /^[\w.-]+[!$%&*+#?@^=][\w!.-]*$/.test(value))
  )
}

/** As people make passwords: letters of both cases, digits and a sign that no name has. */
export function isMade(value: string): boolean {
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d{2}/.test(value) && /[^\w.:/(){}<>-]/.test(value)
}

/** Drawn, or of all four classes of signs: what somebody sets as a secret, and neither a word, a name nor a place to fill in. */
export function isSetAsSecret(value: string): boolean {
  if (value.length < 8 || isPlaceholder(value) || isWeak(value)) return false
  return (
    isMadeUp(value) || isRandomLooking(value) || [/[a-z]/, /[A-Z]/, /\d/, /[^\w\s.:/<>{}-]/].every((kind) => kind.test(value))
  )
}

/** Words, versions and names of files are no credential where people write. */
export function isDrawn(value: string): boolean {
  if (value.replaceAll(/[A-Z]{0,2}[a-z]{2,20}|\d{1,4}|[-_.]/g, '') === '') return false
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && isRandomLooking(value)
}

/** Letters of both cases and signs that people put into passwords: what begins with a number sign may be a selector of a page, which has none of these. */
export function isPassphrase(value: string): boolean {
  return /^#(?=[^a-z]{0,20}[a-z])(?=[^A-Z]{0,20}[A-Z])(?:[\w.#-]{0,20}[%&!?$@*+]){2}[\w.#%&!?$@*+-]{0,40}$/.test(value)
}

/** `defaultPassword = "9876…"`: what new users and resets get is no placeholder for being a run of digits; each of them has it. */
export function isDefaultPassword(name: string, value: string): boolean {
  return (
    /^(?:\w{1,20}\.)?(?:default|initial|standard)_?(?:user_?)?(?:password|passwd|pwd|passwort)$/i.test(name) &&
    /^\d{4,12}$/.test(value)
  )
}
