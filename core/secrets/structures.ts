import type { Read } from './assignments.ts'
import { withForm } from './entries.ts'
import { readElement, readLiteral } from './literal.ts'

const RETURNED = /\([^()"'`]{0,80}\)\s{0,4}(?::\s{0,4}[\w<>]{1,40}\s{0,4})?\{\s{0,40}return\s{1,4}(?=["'`])/y

/** `getPassword() { return 'value' }` */
export function readReturn(text: string, at: number): Read | undefined {
  RETURNED.lastIndex = at
  return RETURNED.test(text) ? withForm('returned', readLiteral(text, RETURNED.lastIndex, 'quoted')) : undefined
}

const LISTED = /\s{0,4}(?:,[\w$,\s]{0,80})?\]\s{0,4}=\s{0,4}\[/y
const PLAIN = /\s{0,20}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[\w$.]{1,80})\s{0,20},\s{0,20}/y

/** `[user, password] = ['svc', 'value']` */
export function readTogether(text: string, start: number, end: number): Read | undefined {
  LISTED.lastIndex = end
  if (!LISTED.test(text)) return undefined
  const before = /\[([\w$,\s]{0,80})$/.exec(text.slice(Math.max(0, start - 81), start))?.[1]
  if (before === undefined) return undefined
  return readNth(text, LISTED.lastIndex, before.split(',').length - 1)
}

const COLUMNS = /["`]?\s{0,4}(?:,[\w"`,\s]{0,300})?\)\s{0,20}VALUES\s{0,20}\(/iy

/** `INSERT INTO users (name, password) VALUES ('a', 'value')` */
export function readInserted(text: string, start: number, end: number): Read | undefined {
  COLUMNS.lastIndex = end
  if (!COLUMNS.test(text)) return undefined
  const at = COLUMNS.lastIndex
  const before = /\bINTO\s{1,4}[\w"`.]{1,100}\s{0,4}\(([\w"`,\s]{0,300})$/i.exec(text.slice(Math.max(0, start - 420), start))?.[1]
  return before === undefined ? undefined : readNth(text, at, before.split(',').length - 1)
}

/** The literal behind others of a list. */
function readNth(text: string, start: number, others: number): Read | undefined {
  let at = start
  for (let skipped = others; skipped > 0; skipped--) {
    PLAIN.lastIndex = at
    if (!PLAIN.test(text)) return undefined
    at = PLAIN.lastIndex
  }
  return withForm('assigned', readLiteral(text, at, 'quoted'))
}

const NEXT =
  /<\/(?:\w{1,20}:)?(?:[\w-]{0,20}-)?(?:name|key|stringProp)>\s{0,80}<(?:\w{1,20}:)?(?:[\w-]{0,20}-)?(?:value|string|stringProp name="[\w.]{0,20}value")>/y

/** `<name>password</name><value>…</value>` */
export function readNextElement(text: string, end: number): Read | undefined {
  NEXT.lastIndex = end
  return NEXT.test(text) ? withForm('element', readElement(text, NEXT.lastIndex)) : undefined
}
