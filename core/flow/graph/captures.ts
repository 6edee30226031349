import { resolveValue, type CallValue, type Value } from '../../facts/index.ts'

/** Letters, digits, `-` and `_`, in any number: no text made of them is markup, a script, or the address of another host. */
const PLAIN = /^(?:\\[dw]|\[(?:\\[dw]|[\w-])*\]|\{\d{0,4}(?:,\d{0,4})?\}|\(\?:|[\w+*?|^$)-])*$/
const BEGINNING = /\((?!\?(?!<[A-Za-z]))(?:\?<\w{1,60}>)?/g
const LONGEST = 400
const TAKING: ReadonlySet<string> = new Set(['exec', 'match', 'matchAll'])

/** Whether a call takes nothing out of a text but what its pattern allows there, and that is letters and digits: `/year=(\d{4})/.exec(query)`. */
export function takesPlainText({ callee, args: [first] }: CallValue): boolean {
  if (callee.kind !== 'member' || first === undefined || !TAKING.has(callee.name ?? '')) return false
  const pattern = patternOf(callee.name === 'exec' ? callee.object : first)
  if (pattern === undefined || pattern.length > LONGEST) return false
  const groups = groupsIn(pattern)
  return groups.length === 0 ? PLAIN.test(pattern) : groups.every((group) => PLAIN.test(group))
}

function patternOf(value: Value): string | undefined {
  const here = resolveValue(value)
  return here.kind === 'regex' ? here.pattern : undefined
}

/** What stands in the brackets that catch something. */
function groupsIn(pattern: string): readonly string[] {
  // brackets that are meant as characters
  const text = pattern.replace(/\\[()[\]]/g, '\\.').replace(/\[(?:[^\]\\]|\\.){0,200}\]/g, (set) => set.replace(/[()]/g, '.'))
  return [...text.matchAll(BEGINNING)].map(({ 0: open, index }) => {
    const start = index + open.length
    let depth = 1
    for (let at = start; at < text.length; at++) {
      if (text[at] === '(') depth++
      else if (text[at] === ')' && --depth === 0) return text.slice(start, at)
    }
    return text.slice(start)
  })
}
