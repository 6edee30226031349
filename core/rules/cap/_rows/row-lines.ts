import { entityWords, toWords, type CapMember, type CapRoot } from '../../../model/cap/index.ts'
import { append } from '../../../lists.ts'
import { lastName } from '../../../paths.ts'

/** What is a detail of something: a message of a session, an item of an order. */
const DETAILS =
  /(?:^| )(?:messages?|turns?|prompts?|items?|lines?|entr(?:y|ies)|steps?|pages?|parts?|positions?|attachments?|chunks?|questions?|answers?|repl(?:y|ies)|responses?|exchanges?|interactions?)$/

/**
 * Tells which entities hold the details of the rows of another one, by the last parts of their names: nothing but an association from each of their rows, or the key
 * of the other row, says so. What is asked for is the last part of the name of the whole, in a service or in the database.
 */
export function createLineReader(root: CapRoot): (whole: string) => readonly string[] {
  const sources = new Map<string, Set<string>>()
  const shownAs = new Map<string, Set<string>>()
  const called = new Map<string, string[]>()
  const add = (map: Map<string, Set<string>>, key: string, name: string): void => {
    map.set(key, (map.get(key) ?? new Set()).add(name))
  }
  for (const entity of root.entities) {
    root.step()
    const names = root.projected(entity)
    const source = names.at(-1) ?? entity
    for (const name of names.map(lastName)) {
      add(sources, name, source)
      add(shownAs, source, name)
    }
    if (names.length === 1) for (const noun of new Set([nounOf(entity), singularOf(entity)])) append(called, noun, entity)
  }
  const lines = new Map<string, string[]>()
  for (const entity of shownAs.keys()) {
    const whole = wholeOf(entity, called, root)
    if (whole !== undefined) append(lines, whole, entity)
  }
  return (whole) =>
    [...(sources.get(whole) ?? [])].flatMap((source) => lines.get(source) ?? []).flatMap((line) => [...(shownAs.get(line) ?? [])])
}

/** The entity that each row refers to under the name of that, `session` or `sessionId` of `ChatSessions`, or alone. */
function wholeOf(entity: string, called: ReadonlyMap<string, readonly string[]>, root: CapRoot): string | undefined {
  const wholes = new Map<string, boolean>()
  for (const member of root.membersOf(entity).values()) {
    root.step()
    const { noun, target, isNamed } = referred(member, called)
    const whole = target === undefined ? undefined : (root.projected(target).at(-1) ?? target)
    if (whole === undefined || whole === entity || !isDetail(entity, whole)) continue
    wholes.set(whole, isNamed || nounOf(whole) === noun)
  }
  const [only] = wholes.keys()
  return wholes.size === 1 ? only : [...wholes].find(([, isNamed]) => isNamed)?.[0]
}

/** What an element refers to, by an association or by the key of a row. */
function referred(
  { name, target, type, toMany, key }: CapMember,
  called: ReadonlyMap<string, readonly string[]>,
): { readonly noun: string; readonly target: string | undefined; readonly isNamed: boolean } {
  const words = toWords(name)
  const isRow = target !== undefined && !toMany && type === 'Association' && !target.startsWith('sap.common.')
  if (isRow) return { noun: words.split(' ').at(-1) ?? '', target, isNamed: false }
  const noun = key || target !== undefined ? undefined : /^(.{2,60}) id$/.exec(words)?.[1]
  // where two are called alike nobody can tell
  const [found, other] = noun === undefined ? [] : (called.get(noun) ?? [])
  return { noun: noun ?? '', target: other === undefined ? found : undefined, isNamed: true }
}

/** `RunSteps` of `AnalysisRuns`, and what is called a message or an item of anything. */
function isDetail(entity: string, whole: string): boolean {
  const words = entityWords(entity)
  return DETAILS.test(words) || words.startsWith(`${nounOf(whole)} `)
}

/** `session` of `ChatSessions`, `history` of `Histories`. */
function nounOf(entity: string): string {
  return singularOf(entity).split(' ').at(-1) ?? ''
}

/** `chat session` of `ChatSessions`. */
function singularOf(entity: string): string {
  return entityWords(entity)
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
}
