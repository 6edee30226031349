/** Shannon entropy in bits a character. */
export function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  const length = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / length) * Math.log2(count / length)
  return entropy
}

/** The curve below is about the mean of random values: a quarter of a bit less lets 99 of 100 of them pass. */
const TOLERANCE = 0.25

/** What a random value of a length has at least, in base64; of a smaller alphabet its share of the six bits. Under 12 characters chance has the say: nothing is asked. */
export function entropyFloor(length: number, alphabet: number): number {
  return length < 12 ? 0 : (meanOfBase64(length) - TOLERANCE) * Math.min(1, Math.log2(alphabet) / 6)
}

/** Bits a character of random base64, as a function of its length (CredSweeper's curve). */
function meanOfBase64(length: number): number {
  const doublings = Math.log2(length)
  if (length < 18) return 0.915 * doublings - 0.05
  if (length < 35) return 0.767 * doublings + 0.57
  const measured = Math.min(length, 64)
  return 0.944 * Math.log2(measured) - 0.009 * measured - 0.04
}

/** The size of the alphabet that a value seems to be drawn from. */
export function alphabetOf(value: string): number {
  if (/^[0-9]*$/.test(value)) return 10
  if (/^[0-9a-f]*$/.test(value) || /^[0-9A-F]*$/.test(value)) return 16
  if (/^[0-9a-z]*$/.test(value) || /^[0-9A-Z]*$/.test(value)) return 36
  return 64
}

/** Whether it looks drawn by a machine: long, of more than one class of characters, with the entropy of its length, and no words. */
export function isRandomLooking(value: string): boolean {
  if (value.length < 12 || countClasses(value) < 2 || isWordLike(value)) return false
  return entropyOf(value) >= entropyFloor(value.length, alphabetOf(value))
}

function countClasses(value: string): number {
  return [/[a-z]/, /[A-Z]/, /[0-9]/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length
}

const GROUPS = /^[a-z]{4}(?: [a-z]{4}){3}$/

/** The passwords that Google gives out for mail: four groups of four letters. */
export function isAppPassword(value: string): boolean {
  return GROUPS.test(value) && value.split(' ').filter((group) => isWordLike(group)).length <= 1
}

/** Whether it is made of words as people write them: `my-secret-value`, `customerServiceKey2`, `sap/ui/core`. */
export function isWordLike(value: string, share = 0.75): boolean {
  const words = value.match(/[A-Z]?[a-z]{2,40}|[A-Z]{2,40}/g) ?? []
  const letters = words.filter(isPronounceable).join('').length
  const length = value.replaceAll(/[-_./: ]/g, '').length
  return length > 0 && letters / length >= share
}

/** Letters in a case that no word, name or abbreviation has: `kOLTARINE`. Fewer than eight may be one. */
export function isOddlyCased(value: string): boolean {
  return /^[A-Za-z]{8,40}$/.test(value) && /(?:^|[A-Z])[a-z][A-Z]{2}/.test(value)
}

function isPronounceable(word: string): boolean {
  const lower = word.toLowerCase()
  const vowels = lower.replaceAll(/[^aeiouy]/g, '').length
  const share = vowels / lower.length
  return word.length >= 3 && share >= 0.2 && share <= 0.7 && !/[^aeiouy]{5}/.test(lower) && hasUsualPairs(lower)
}

/** The letters that follow on each letter in at least six of 8,000 words of technical texts in English, German and French. */
const FOLLOWERS: ReadonlyMap<string, string> = new Map(
  (
    'a:abcdfgijklmnpqrstuvwxyz b:abcdegijlmoprstuy c:acdehiklmoprstuy d:abcdefgilmnoprstuvy e:abcdefghijklmnopqrstuvwxyz ' +
    'f:aefilorstuy g:abeghilmnorstu h:aeilmnorstuy i:abcdefgklmnopqrstvxz j:aeosu ' +
    'k:adefginsuy l:abcdefgiklmnopstuvy m:abdeilmopstu n:abcdefghijklmnoprstuvwy o:abcdefgijklmnoprstuvwxy ' +
    'p:abcdefghiklmoprstuy q:lu r:abcdefgiklmnoprstuvwy s:acdefhiklmnopqrstuwy t:acdefghilmnoprstuwy ' +
    'u:abcdefgilmnoprstvx v:aeioru w:aehilnors x:acefimopst y:abcefilmnopstw ' +
    'z:aeio'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 1), entry.slice(2)]),
)
const MOST_UNUSUAL = 0.15

/** Random letters seldom follow each other as those of words do: one pair in two doesn't. */
function hasUsualPairs(word: string): boolean {
  let unusual = 0
  for (let at = 1; at < word.length; at++) if (!isUsualPair(word[at - 1] ?? '', word[at] ?? '')) unusual++
  const pairs = word.length - 1
  return unusual <= (pairs < 4 ? 0 : Math.max(1, pairs * MOST_UNUSUAL))
}

function isUsualPair(first: string, second: string): boolean {
  return FOLLOWERS.get(first)?.includes(second) === true
}

/** How many of its letters and digits follow each other as those of words don't: one in seven at most of a word, two in five of random letters, more with digits. */
export function shareOfUnusualPairs(value: string): number {
  let [pairs, unusual] = [0, 0]
  for (let at = 1; at < value.length; at++) {
    const [first, second] = [value[at - 1] ?? '', value[at] ?? '']
    const changesCase = /[a-z]/.test(first) && /[A-Z]/.test(second)
    if (changesCase || !/[A-Za-z0-9]/.test(first) || !/[A-Za-z0-9]/.test(second)) continue
    pairs++
    const [isDigit, isNext] = [/\d/.test(first), /\d/.test(second)]
    if (isDigit !== isNext || (!isDigit && !isUsualPair(first.toLowerCase(), second.toLowerCase()))) unusual++
  }
  return pairs === 0 ? 0 : unusual / pairs
}
