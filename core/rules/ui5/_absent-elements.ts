import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { pathOf, resolveValue, type Value } from '../../facts/index.ts'
import { isAround } from '../../facts/span-index.ts'
import type { FlowHit } from '../../flow/index.ts'
import { leadingTextOf } from '../../model/script/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'

const LOOKS_UP: ReadonlySet<string> = new Set(['global:document getElementById', 'global:window document getElementById'])
const WRITES: ReadonlySet<string | undefined> = new Set(['innerHTML', 'outerHTML'])
/** `orderBadge-${id}`: the part of an id that says which elements are meant. Short ones stand in other words. */
const OWN_PART = /^[A-Za-z][\w-]{0,99}?(?=[-_]{0,3}$)/
const SHORTEST = 6

/** What stands before an id that is only looked up. */
const BEFORE_LOOKED_UP = /(?:getElementById|querySelector(?:All)?|\$|jQuery)\(\s{0,9}["'`]#?$/
const LONGEST_BEFORE = 40

/** Elements whose ids no text of the page shows whole: code that makes ids, templates of frameworks, markup or scripts that are loaded. */
const MAKES_OTHERS =
  /\bid\s{0,9}=\s{0,9}\\?["']?\s{0,9}(?:\$\{|\{\{|<%|["']\s{0,9}\+)|\.id\s{0,9}=\s{0,9}[^=\s"']|\.id\s{0,9}=\s{0,9}["'][^"'\n]{0,100}["']\s{0,9}\+|["'`]id["'`]\s{0,9},\s{0,9}[^"'`\s]|[:[]id\b|\.text\(\)|responseText|responseXML|XMLHttpRequest|\.load\(|\.ajax\(|(?<!@)\bimport\b|createElement\(\s{0,9}["'`]script/

/**
 * Writes of inline scripts to elements that a page doesn't have: the script finds none, so the markup is never written. A page shows that alone where it loads no script.
 * Fact: DOM Standard, `getElementById` (null where no element of the document has the id).
 */
export const absentWrites: Extract<Span> = defineExtract({
  name: 'ui5-absent-writes',
  keywords: ['getElementById'],
  prefilter: (text) => text.includes('getElementById') && /\.(?:innerHTML|outerHTML)\b/.test(text) && !MAKES_OTHERS.test(text),
  isFor: (path) => /\.html?$/i.test(path),
  inPages: true,
  *collect({ facts, text, step }) {
    const known = new Map<string, boolean>()
    for (const { target, value } of facts.assignments) {
      if (!WRITES.has(target.name)) continue
      const id = lookedUpId(target.object)
      if (id === undefined) continue
      let absent = known.get(id)
      if (absent === undefined) {
        step(1 + Math.ceil(text.length / 1000))
        known.set(id, (absent = isOnlyLookedUp(id, text)))
      }
      if (absent) yield { start: target.start, end: value.end }
    }
  },
})

/** The constant beginning of the id by which an element was found, without the sign that ends it. */
function lookedUpId(element: Value): string | undefined {
  const call = resolveValue(element)
  if (call.kind !== 'call' || !LOOKS_UP.has(pathOf(call.callee)?.join(' ') ?? '')) return undefined
  const [id] = call.args
  const [part = ''] = OWN_PART.exec(id === undefined ? '' : leadingTextOf(id).text) ?? []
  return part.length < SHORTEST ? undefined : part
}

function isOnlyLookedUp(id: string, text: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + id.length))
    if (!BEFORE_LOOKED_UP.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at))) return false
  return true
}

/** Whether a page writes to an element that it doesn't have. Needs the extract `absentWrites`. */
export function isWrittenNowhere(
  { at: { file, span } }: FlowHit,
  { scripts, files }: Pick<Project, 'scripts' | 'files'>,
): boolean {
  if (span === undefined || !scripts.of(file, absentWrites).some((one) => isAround(one, span.start))) return false
  const content = files.get(file)?.content
  return (
    content?.as === 'markup' &&
    [...elementsOf(content.document)].every((element) => element.name !== 'script' || attributeOf(element, 'src') === undefined)
  )
}
