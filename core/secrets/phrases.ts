/**
 * Names of credentials in two words, or in a letter that no identifier has: `API key`, `Schlüssel`, `clé d’API`. What has `secret`, `token` or `pass` in it
 * is found by these.
 */
export const PHRASE_KEYWORDS: readonly string[] = [
  'api key',
  'access key',
  'signing key',
  'encryption key',
  'subscription key',
  'license key',
  'account key',
  'master key',
  'shared key',
  'storage key',
  'client key',
  'auth key',
  'schl\u00fcssel',
  'schluessel',
  'cl\u00e9 d',
  'cl\u00e9 secr\u00e8te',
  'jeton',
  'zugangsdaten',
  'identifiants',
]

const PHRASE =
  /(?:(?:api|access|signing|encryption|subscription|license|account|master|shared|storage|client|auth) key|schl(?:\u00fc|ue)ssel|cl\u00e9 (?:d[\u2019'](?:api|acc\u00e8s|application)|secr\u00e8te)|jeton(?: d[\u2019']acc\u00e8s)?|zugangsdaten|identifiants)(?![\w-])/iy

/** Where the phrase ends that begins at an offset. */
export function endOfPhrase(text: string, start: number): number | undefined {
  PHRASE.lastIndex = start
  return PHRASE.test(text) ? PHRASE.lastIndex : undefined
}

const WORDS_BEFORE = /(?:^|["'`>])((?:[\w-]{2,20} ){1,3})$/

/** Where the words begin that stand before a name in the same quotes or element: `"Client secret"`, `<b>Access token</b>`. */
export function startOfWords(text: string, start: number): number {
  if (text[start - 1] !== ' ') return start
  const words = WORDS_BEFORE.exec(text.slice(Math.max(0, start - 64), start))?.[1]
  return words === undefined ? start : start - words.length
}
