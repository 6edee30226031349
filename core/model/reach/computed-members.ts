import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import type { WordPlaces } from '../../keywords/index.ts'
import { groupBy } from '../../lists.ts'
import { fileNameOf, folderOf } from '../../paths.ts'
import { isOfUi5App } from '../script/index.ts'
import { isNameAt, placesOf } from './code-words.ts'
import { moduleReads } from './module-reads.ts'
import { withoutEnding } from './modules.ts'

/** How a script takes members by names that are made at run time: it calls one, or looks at all that a class has; it only reads one. */
type Taken = 'call' | 'read'

/** What looks at all that a class has. */
const LOOKS = ['getOwnProperty', 'ownKeys', 'Reflect.get', '.invoke', '.bindAll(', '.functions(', '.functionsIn(']

export const computedMembers: Extract<Taken> = defineExtract({
  name: 'reach-computed-members',
  everywhere: true,
  inPages: true,
  words: LOOKS,
  collectText: (text, hits) => takenIn(text, hits),
})

/** An element of a list, a text as a whole, a type of lists; the beginning of a name that is put together counts as one of those that scripts speak of. */
const KNOWN =
  /\s{0,20}(?:(?:\d{1,10}|(?:[a-z]|index|idx)(?:\s{0,5}[+-]\s{0,5}\d{1,5})?|(["'`])[^"'`$\n]{0,100}\1)?\s{0,20}\]|(["'`])[^"'`$\n]{1,100}(?:\2\s{0,9}\+|\$\{))/y
/** Things of the language and of libraries, and data. */
const OTHERS =
  /^(?:console|logger|log|app|router|process|env|window|document|Math|JSON|cds|args|argv|data|params|query|body|headers|results?|rows?|items?|list|sap|jQuery|\$)$/
const DECLARING = ['const', 'let', 'var']
/** An object, a list or a map that the script puts together itself. */
const LITERAL = /(?:const|let|var)\s{1,9}([\w$]{1,100})\s{0,9}(?::[^=;{}]{0,100})?=\s{0,9}(?:[{[]|new\s{1,9}(?:Map|Set|Array)\b)/y
const CALLED = /\s{0,20}!?(?:\?\.)?(?:\(|\.(?:call|apply|bind)\b)/y
const ASSIGNED = /\s{0,20}=(?![=>])/y
const PROTOTYPE = /\bObject\s{0,9}\.\s{0,9}(?:keys|entries|values)\s{0,9}\([^()]{0,100}\b(?:prototype|__proto__)\b/
const LONGEST_KEY = 300
const LONGEST_NAME = 100

function takenIn(text: string, hits: WordPlaces): ReadonlySet<Taken> {
  const taken = new Set<Taken>()
  if (LOOKS.some((word) => hits.has(word) && text.includes(word)) || (text.includes('proto') && PROTOTYPE.test(text)))
    taken.add('call')
  let literals: ReadonlySet<string> | undefined
  for (let at = text.indexOf('['); at >= 0 && taken.size < 2; at = text.indexOf('[', at + 1)) {
    const how = howTaken(text, at)
    if (how === undefined || taken.has(how)) continue
    const object = nameBefore(text, at)
    literals ??= literalsIn(text)
    if (object !== undefined && (OTHERS.test(object) || literals.has(object))) continue
    // an object's own method is called by itself, or by a class that extends it
    taken.add(object === 'this' ? 'read' : how)
  }
  return taken
}

function literalsIn(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const word of DECLARING)
    for (const at of placesOf(word, text)) {
      if (isNameAt(text, at - 1)) continue
      LITERAL.lastIndex = at
      const name = LITERAL.exec(text)?.[1]
      if (name !== undefined) names.add(name)
    }
  return names
}

function howTaken(text: string, at: number): Taken | undefined {
  const before = text[at - 1] ?? ''
  if (!isNameAt(text, at - 1) && before !== ')' && before !== ']' && text.slice(at - 2, at) !== '?.') return undefined
  KNOWN.lastIndex = at + 1
  if (KNOWN.test(text)) return undefined
  const end = closing(text, at)
  if (end === undefined) return undefined
  CALLED.lastIndex = end
  if (CALLED.test(text)) return 'call'
  ASSIGNED.lastIndex = end
  return ASSIGNED.test(text) ? undefined : 'read'
}

/** Behind the bracket that closes the one at this place. */
function closing(text: string, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < text.length && at - from < LONGEST_KEY; at++)
    if (text[at] === '[') depth++
    else if (text[at] === ']' && --depth === 0) return at + 1
  return undefined
}

function nameBefore(text: string, at: number): string | undefined {
  const end = text.slice(at - 2, at) === '?.' ? at - 2 : at
  let start = end
  while (start > 0 && end - start < LONGEST_NAME && isNameAt(text, start - 1)) start--
  return start === end ? undefined : text.slice(start, end)
}

/** Tells scripts whose classes somebody may ask for a method by a name that is made at run time: anywhere by a call, in itself and in what loads it by a read, too. */
export function createTakenReader(scripts: Scripts): (file: string) => boolean {
  let called: readonly boolean[] | undefined
  let readers: ReadonlySet<string> | undefined
  let loaders: ReadonlyMap<string, readonly { readonly file: string }[]> | undefined
  return (file) => {
    called ??= scripts.get(computedMembers).flatMap(({ file: by, value }) => (value === 'call' ? isOfUi5App(by) : []))
    if (called.includes(isOfUi5App(file))) return true
    readers ??= new Set(scripts.get(computedMembers).map(({ file: by }) => by))
    loaders ??= groupBy(scripts.get(moduleReads), ({ value }) => baseOf(value.source))
    return readers.has(file) || loaders.get(baseOf(file))?.some(({ file: by }) => readers?.has(by)) === true
  }
}

/** The last name of a module's path; `index` by its folder. */
function baseOf(path: string): string {
  const base = fileNameOf(withoutEnding(path))
  return base === 'index' ? fileNameOf(folderOf(path)) : base
}
