import { constantOf, type CallValue, type ScriptFacts, type Value } from '../facts/index.ts'
import { lastNameOf } from '../facts/literals.ts'
import { formatsMarkup, htmlContentOf } from '../model/ui5/index.ts'

/** What gets the markup, the code or the address by a call. */
const CALLS: ReadonlySet<string> = new Set([
  'insertAdjacentHTML',
  'createContextualFragment',
  'parseHTML',
  'write',
  'writeln',
  'eval',
  'Function',
  'globalEval',
  'includeScript',
  'redirect',
])
const FIELDS: ReadonlySet<string> = new Set(['innerHTML', 'outerHTML', 'srcdoc'])
/** The words of other forms: fields of settings, names of attributes, imports under a name of one's own. */
const OTHERS =
  /dangerouslySetInnerHTML|unsafeHTML|unsafeHtml|viewContent|fragmentContent|srcdoc|dom\/includeScript|["'`](?:inner|outer)HTML["'`]|\b(?:inner|outer)HTML\s{0,3}:/

/**
 * Whether a script of a browser does what its words tell: in large projects it has a graph for one of them, and most only clear an element or speak of it in a
 * comment. Of many scripts a third has a word and nothing that data could come to.
 */
export function holdsDanger({ calls, assignments }: ScriptFacts, text: string): boolean {
  return (
    assignments.some(({ target, value }) => FIELDS.has(target.name ?? '') && !isFixed(value)) ||
    calls.some(({ callee, args }) => CALLS.has(lastNameOf(callee) ?? '') && !args.every(isFixed)) ||
    calls.some(fillsControl) ||
    OTHERS.test(text) ||
    formatsMarkup(text)
  )
}

function fillsControl(call: CallValue): boolean {
  const given = htmlContentOf(call)
  if (given === undefined || given.as === 'path') return given !== undefined
  const content = constantOf(given.value)
  // settings may hold a binding: `content: "{/text}"`
  return content === undefined || (given.as === 'settings' && String(content).includes('{'))
}

function isFixed(value: Value): boolean {
  return constantOf(value) !== undefined
}
