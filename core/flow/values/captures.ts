import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { PLAIN_VALUE } from '../field-marks.ts'
import { placeOf } from '../places.ts'
import { ANY_FIELD, CLEAN, COPY, WRITE } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'

/** Letters, digits, `-` and `_`, in any number: no text made of them is markup, a script, or the address of another host. */
const PLAIN_PARTS = /\\[dw]|\\\.(?![+*{])|\[(?:\\[dw]|[\w-]){0,60}\]|\{\d{0,4}(?:,\d{0,4})?\}|\(\?:|[\w+*?|^$)-]/g
const BEGINNING = /\((?!\?(?!<[A-Za-z]))(?:\?<(\w{1,60})>)?/g
const LONGEST = 400
const TAKING: ReadonlySet<string> = new Set(['exec', 'match', 'matchAll'])

/** `/year=(\d{4})/.exec(query)`, `query.match(/year=(\d{4})/)`: the pattern, and the text that it takes something out of. */
function takenBy({
  callee,
  args: [first],
}: CallValue): { readonly pattern: string; readonly flags: string; readonly text: Value; readonly method: string } | undefined {
  if (callee.kind !== 'member' || first === undefined || !TAKING.has(callee.name ?? '')) return undefined
  const [text, given] = callee.name === 'exec' ? [first, callee.object] : [callee.object, first]
  const regex = resolveValue(given)
  if (regex.kind !== 'regex' || regex.pattern.length > LONGEST) return undefined
  return { pattern: regex.pattern, flags: regex.flags, text, method: callee.name ?? '' }
}

/** Whether a call takes nothing out of a text but what its pattern allows there, and that is letters and digits: `/year=(\d{4})/.exec(query)`. */
export function takesPlainText(call: CallValue): boolean {
  const taken = takenBy(call)
  if (taken === undefined) return false
  const groups = groupsIn(taken.pattern)
  return groups.length === 0 ? isPlain(taken.pattern) : groups.every((group) => isPlain(group.pattern))
}

/** Whether a pattern that finds a text as a whole lets nothing but letters and digits through. */
export function isPlainWhole(pattern: string): boolean {
  return pattern.length <= LONGEST && isPlain(pattern.replace(BEGINNING, '(?:'))
}

/** Nothing but what is listed stands in the pattern. */
function isPlain(pattern: string): boolean {
  return pattern.replaceAll(PLAIN_PARTS, '') === ''
}

/** Connects what a pattern takes out of a text, group by group: `const [, week] = /^week-(\d+)$/.exec(name)`. False: nobody can tell. */
export function connectCaptures(call: CallValue, result: number, { graph, use }: FlowDraft): boolean {
  const taken = takenBy(call)
  if (taken === undefined) return false
  const { pattern: written, flags, method } = taken
  const from = use(taken.text)
  const whole = written.replace(BEGINNING, '(?:')
  const put = (pattern: string, to: number, name: string): void => {
    const part = graph.add(call)
    if (isPlain(pattern)) graph.connect(from, part, CLEAN, PLAIN_VALUE)
    else graph.connect(from, part, COPY)
    graph.connect(part, to, WRITE, name)
  }
  const isAll = method === 'match' && flags.includes('g')
  if (isAll) put(whole, result, ANY_FIELD)
  if (isAll) return true
  const match = method === 'matchAll' ? graph.add(call) : result
  if (match !== result) graph.connect(match, result, WRITE, ANY_FIELD)
  put(whole, match, '0')
  graph.connect(from, match, WRITE, 'input')
  const named = graph.add(call)
  graph.connect(named, match, WRITE, 'groups')
  for (const [index, { pattern, name }] of groupsIn(written).entries()) {
    put(pattern, match, placeOf(index + 1))
    if (name !== undefined) put(pattern, named, name)
  }
  return true
}

/** What stands in the brackets that catch something. */
function groupsIn(pattern: string): readonly { readonly pattern: string; readonly name: string | undefined }[] {
  // brackets that are meant as characters
  const text = pattern.replace(/\\[()[\]]/g, '\\.').replace(/\[(?:[^\]\\]|\\.){0,200}\]/g, (set) => set.replace(/[()]/g, '.'))
  return [...text.matchAll(BEGINNING)].map(({ 0: open, 1: name, index }) => {
    const start = index + open.length
    let depth = 1
    for (let at = start; at < text.length; at++) {
      if (text[at] === '(') depth++
      else if (text[at] === ')' && --depth === 0) return { pattern: text.slice(start, at), name }
    }
    return { pattern: text.slice(start), name }
  })
}
