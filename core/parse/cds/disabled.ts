import type { Span } from '../../types.ts'
import type { CdsDisabled, CdsDisabledCondition } from './types.ts'

/** Words of which a text has one where an annotation of authorization is commented out. */
const MENTIONS = /requires|restrict/
/** `@requires: '…'`, `@(restrict: [ … ])`, `annotate Orders with @(requires: …)`, each as the whole of its line begins. */
const BEGINS = /^[\s*]{0,40}(?:annotate\s{1,5}[\w.]{1,100}\s{1,5}with\s{0,5})?@\s{0,5}\(?\s{0,20}(requires|restrict)\s{0,5}:/m
/** Behind it other definitions are commented out, whose annotation it is. */
const DEFINES = /^[\s*]{0,40}(?:service|entity|view|context|action|function|extend|type|aspect|using)\s{1,20}[\w{]/m
/** Texts of one word: names of roles, and events that are granted. */
const WORDS = /'([A-Za-z_$][\w$.-]{0,60})'/g
/** What no administrator assigns, and the events. Facts: capire, "Pseudo Roles", "@restrict" (grant). */
const NO_ROLES: ReadonlySet<string> = new Set(
  'any authenticated-user identified-user system-user internal-user READ WRITE CREATE INSERT UPSERT UPDATE DELETE'.split(' '),
)

/** Annotations with roles that are commented out, in front of what stands behind the comment. `next`: where the next token begins behind an offset, asked in the order of the text. */
export function findDisabled(text: string, comments: readonly Span[], next: (end: number) => number): readonly CdsDisabled[] {
  if (!MENTIONS.test(text)) return []
  const disabled: CdsDisabled[] = []
  for (const { start, end } of joinLines(text, comments)) {
    // without the marks of the comments; all other places stay
    const written = text
      .slice(start, end)
      .replaceAll(/^([^\S\n]{0,200})\/\/|^\/\*|\*\/$/gm, (mark) => mark.replaceAll(/[/*]/g, ' '))
    const found = BEGINS.exec(written)
    if (found === null) continue
    const [begun, name = ''] = found
    const rest = written.slice(found.index + begun.length)
    if (DEFINES.test(rest)) continue
    const roles = new Set([...rest.matchAll(WORDS)].flatMap(([, word = '']) => (NO_ROLES.has(word) ? [] : [word])))
    if (roles.size > 0) disabled.push({ start, end, name, roles: [...roles], before: next(end) })
  }
  return disabled
}

/** `// where: 'branch = $user.branch'`, the whole of its comment */
const CONDITION = /^(?:\/\/|\/\*)[\s,*]{0,40}where\s{0,10}:\s{0,10}([^\n]{0,200}\$user\b[^\n]{0,200})/

/** Conditions on the user that are commented out, in the order of the text. */
export function findDisabledConditions(text: string, comments: readonly Span[]): readonly CdsDisabledCondition[] {
  if (!text.includes('restrict') || !text.includes('$user')) return []
  return comments.flatMap(({ start, end }) => {
    const [, written] = CONDITION.exec(text.slice(start, Math.min(end, start + MAX_CONDITION))) ?? []
    if (written === undefined) return []
    const value = written.replace(/\*\/\s{0,5}$/, '').replace(/[\s,}\]]{0,10}$/, '')
    const [, , quoted, nested] = /^(?:(['"`])(.{1,400})\1|\((.{1,400})\))$/.exec(value) ?? []
    return [{ start, end, condition: quoted ?? nested ?? value }]
  })
}

const MAX_CONDITION = 600

/** Comments of lines that follow each other are one. */
function joinLines(text: string, comments: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const { start, end } of comments) {
    const last = joined.at(-1)
    const isNext =
      last !== undefined && text.startsWith('//', start) && /^\r?\n?[^\S\n]{0,200}$/.test(text.slice(last.end, start))
    if (isNext) joined[joined.length - 1] = { start: last.start, end }
    else joined.push({ start, end })
  }
  return joined
}
