/** Words that people put passwords together of where any will do: `MyPassword123`, `SuperSecret1!`. */
const WORDS: readonly string[] = (
  'my your our the this some any user admin administrator root owner super secure safe save strong complex very top test demo dev new old initial default temp temporary ' +
  'random long db database hana sap system service app application api client login account secret password passwd passwort kennwort passphrase pass pwd pw ' +
  // new, safe and mine in other languages
  'nuova nueva nouveau neues nova sicura segura sichere sicheres mia mein meine minha tua deine senha contrasena clave'
).split(' ')
/** One of them at least must stand in it; `my` at the start. */
const OWN = /pass(?:word|wd|wort|phrase)?|kennwort|pwd|pw|secret|senha|contrasena|^my(?:sap|hana|db|system|admin|user)/

const BY_LENGTH: readonly string[] = WORDS.toSorted((a, b) => b.length - a.length)
const LONGEST = 40
/** `2024`, `123` and `#42` are no more of a secret than none. */
const MOST_DIGITS = 4
const MOST_SIGNS = 4

/** Whether a value is what examples show as a password: words about passwords and users, a few digits and signs. */
export function isInvented(value: string): boolean {
  if (value.length > LONGEST || value.length < 4) return false
  const lower = value.toLowerCase()
  const digits = lower.replaceAll(/\D/g, '').length
  const signs = lower.replaceAll(/[a-z0-9]/g, '').length
  if (digits > MOST_DIGITS || signs > MOST_SIGNS || !OWN.test(lower)) return false
  for (let at = 0; at < lower.length;) {
    const word = /[a-z]/.test(lower[at] ?? '') ? BY_LENGTH.find((one) => lower.startsWith(one, at)) : lower[at]
    if (word === undefined) return false
    at += word.length
  }
  return true
}
