import { constantOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { methodAround } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { isWithin } from '../../facts/span-index.ts'
import { formatsMarkup, htmlContentOf, mayFillHtmlControls } from '../../model/ui5/index.ts'

/** Fields that get markup. */
const FIELDS = ['innerHTML', 'outerHTML'] as const
/** What gets the markup, the code or the address by a call: the word of it, and the last name of what is called. */
const CALLS: Readonly<Record<string, readonly string[]>> = {
  insertAdjacentHTML: ['insertAdjacentHTML'],
  createContextualFragment: ['createContextualFragment'],
  parseHTML: ['parseHTML'],
  'document.write': ['write', 'writeln'],
  'eval(': ['eval'],
  'new Function': ['Function'],
  globalEval: ['globalEval'],
  URLHelper: ['redirect'],
  includeScript: ['includeScript'],
}
/** Names of attributes, of fields of settings and of functions of a template: the word is enough. */
const ALONE = ['srcdoc', 'dangerouslySetInnerHTML', 'unsafeHTML', 'unsafeHtml', 'viewContent', 'fragmentContent'] as const

/** Words of what must not get data of others in a browser: in large projects a script without one has no graph. */
export const BROWSER_SINK_KEYWORDS: readonly string[] = [...FIELDS, ...Object.keys(CALLS), ...ALONE]

/** They write texts; what stores and files have of that name, takes objects as well. */
const WRITES: ReadonlySet<string> = new Set(['write', 'writeln'])
const NO_TEXTS: ReadonlySet<Value['kind']> = new Set(['this', 'new', 'object', 'function', 'class'])
const ASSIGNED: ReadonlySet<string> = new Set(FIELDS)
const CALLED: ReadonlySet<string> = new Set(Object.values(CALLS).flat())
/** The same under a name of one's own, or as a field of an object. */
const RENAMED = /dom\/includeScript|["'`](?:inner|outer)HTML["'`]|\b(?:inner|outer)HTML\s{0,3}:/

/** Words of requests whose answers a script hands on to others. */
export const ANSWER_KEYWORDS: readonly string[] = ['.ajax(', 'fetch(', 'XMLHttpRequest', 'getJSON']
const REQUESTS: ReadonlySet<string> = new Set(['ajax', 'fetch', 'XMLHttpRequest', 'getJSON'])

/**
 * Whether a method gives back what a request answers: `return new Promise((resolve) => $.ajax({ success: resolve }))`. Others do something dangerous with it, and
 * without this script nobody would know where it came from.
 */
export function answersRequests({ calls }: ScriptFacts): boolean {
  return calls.some((call) => {
    if (!REQUESTS.has(lastNameOf(call.callee) ?? '')) return false
    const { isAsync, returns } = methodAround(call.function) ?? { isAsync: false, returns: [] }
    return isAsync ? returns.length > 0 : returns.some((one) => isWithin(call, one))
  })
}

/**
 * Whether a script of a browser does what its words tell: in large projects it has a graph for one of them, and most only clear an element or speak of it in a
 * comment. Of many scripts a third has a word and nothing that data could come to.
 */
export function holdsDanger({ calls, assignments }: ScriptFacts, text: string): boolean {
  return (
    assignments.some(({ target, value }) => ASSIGNED.has(target.name ?? '') && !isFixed(value)) ||
    calls.some(isDangerous) ||
    calls.some((call) => fillsControl(call, text)) ||
    ALONE.some((word) => text.includes(word)) ||
    RENAMED.test(text) ||
    formatsMarkup(text)
  )
}

function isDangerous({ callee, args }: CallValue): boolean {
  const name = lastNameOf(callee) ?? ''
  if (!CALLED.has(name)) return false
  return !args.every(WRITES.has(name) ? isNoText : isFixed)
}

function fillsControl(call: CallValue, text: string): boolean {
  const given = htmlContentOf(call)
  if (given === undefined) return false
  if (given.as === 'path') return true
  if (!mayFillHtmlControls(text) || NO_TEXTS.has(resolveValue(given.value).kind)) return false
  const content = constantOf(given.value)
  // settings may hold a binding: `content: "{/text}"`
  return content === undefined || (given.as === 'settings' && String(content).includes('{'))
}

/** A text that is fixed, or none at all: `popup.setContent(this)`, `storage.write({ key })`. */
function isNoText(value: Value): boolean {
  return isFixed(value) || NO_TEXTS.has(resolveValue(value).kind)
}

function isFixed(value: Value): boolean {
  return constantOf(value) !== undefined
}
