import type { Chance } from '../hostile/mutate.ts'

/** Files by their paths. */
export type Files = ReadonlyMap<string, string>

/** What readers and patterns meet again and again. */
const PARTS = [
  'a',
  '0',
  ' ',
  '\t',
  '\n',
  '/',
  '\\',
  '.',
  '*',
  '**/',
  '..',
  '-',
  '_',
  '$',
  '{',
  '(',
  '[',
  '|',
  '"',
  "'",
  '&',
  '%',
  '=',
  ':',
  'a ',
  'a/',
  'a.',
  '/*',
  '*/',
  '<a>',
  '${a}',
  '~{a/b}',
  '\\"',
  '(a|b)',
  '(a*)*',
  'a,',
  '#',
  '@',
]
const NUMBERED = /[A-Za-z_][\w-]{1,40}/g

/** A project that was made large in one of the ways in which projects get large, and some in which only hostile ones do. */
export function grow(files: Files, size: number, chance: Chance): Files {
  const path = chance.pick([...files.keys()])
  const text = files.get(path) ?? ''
  switch (chance.below(8)) {
    case 0:
      return copyFiles(files, [path], size, chance)
    case 1:
      return copyFiles(files, [...files.keys()], size, chance)
    case 2:
      return put(files, path, lengthen(text, size, chance))
    case 3:
      return put(files, path, nest(text, size, chance))
    case 4:
    case 5:
      return put(files, path, repeatLines(text, size, chance))
    default:
      return put(files, path, repeatGroup(text, size, chance))
  }
}

function put(files: Files, path: string, text: string): Files {
  return new Map([...files, [path, text]])
}

/** The same files in many folders, or many files beside one. */
function copyFiles(files: Files, paths: readonly string[], size: number, chance: Chance): Files {
  const grown = new Map(files)
  const each = paths.reduce((sum, path) => sum + (files.get(path) ?? '').length + 1, 0)
  const count = Math.min(2000, Math.ceil(size / Math.max(each, 50)))
  const isBeside = chance.below(2) === 0
  const numbers = numberer(chance, paths.map((path) => files.get(path) ?? '').join('\n'))
  for (let index = 0; index < count; index++) {
    for (const path of paths) {
      const name = isBeside ? path.replace(/([^/]*)$/, `n${index}$1`) : `d${index}/${path}`
      grown.set(name, numbers(files.get(path) ?? '', index))
    }
  }
  return grown
}

/** One word or character is repeated where it stands. */
function lengthen(text: string, size: number, chance: Chance): string {
  const words = [...text.matchAll(/[\w./:*$-]+/g)]
  if (words.length === 0) return text
  const { 0: word, index } = chance.pick(words)
  const part = chance.below(3) === 0 ? word : chance.pick(PARTS)
  const at = index + chance.below(word.length + 1)
  return text.slice(0, at) + part.repeat(Math.ceil(size / part.length)) + text.slice(at)
}

/** Something in brackets around itself. */
function nest(text: string, size: number, chance: Chance): string {
  const group = pickGroup(text, chance)
  if (group === undefined) return text
  const [start, end] = group
  const inner = pickGroup(text.slice(start + 1, end - 1), chance)
  if (inner === undefined) return text
  const before = text.slice(start, start + 1 + inner[0])
  const after = text.slice(start + 1 + inner[1], end)
  const depth = chance.pick([10, 100, Math.ceil(size / (before.length + after.length))])
  return text.slice(0, start) + before.repeat(depth) + text.slice(start, end) + after.repeat(depth) + text.slice(end)
}

/** A line, with those that are indented below it or a few that follow. */
function repeatLines(text: string, size: number, chance: Chance): string {
  const lines = text.split('\n')
  const first = chance.below(lines.length)
  const indent = indentOf(lines[first] ?? '')
  let end = first + 1
  if (chance.below(2) === 0) while (end < lines.length && indentOf(lines[end] ?? '') > indent) end++
  else end += chance.below(4)
  const block = lines.slice(first, end).join('\n')
  const numbers = numberer(chance, block)
  const repeated = Array.from({ length: countOf(size, block) }, (_, index) => numbers(block, index))
  return [...lines.slice(0, end), ...repeated, ...lines.slice(end)].join('\n')
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** An item of a list, a member of an object, an element. */
function repeatGroup(text: string, size: number, chance: Chance): string {
  const elements = chance.below(2) === 0 ? [...text.matchAll(/<([\w:]+)[^<>]*(?:\/>|>[^<>]*<\/\1>)/g)] : []
  const strings = chance.below(3) === 0 ? [...text.matchAll(/"[^"\n]*"|'[^'\n]*'/g)] : []
  const found = [...elements, ...strings].map(({ 0: whole, index }): [number, number] => [index, index + whole.length])
  const group = found.length > 0 ? chance.pick(found) : pickGroup(text, chance)
  if (group === undefined) return text
  let [start] = group
  const [, end] = group
  // with its key
  if (chance.below(2) === 0)
    start -= /(?:"[^"\n]{0,80}"|[\w-]{1,80})\s{0,20}[:=]?\s{0,20}$/.exec(text.slice(0, start))?.[0].length ?? 0
  const block = text.slice(start, end)
  const numbers = numberer(chance, block)
  const separator = elements.length > 0 ? '\n' : chance.pick([', ', ',\n', ' ', ';\n', '\n', ' + ', ' || '])
  const repeated = Array.from({ length: countOf(size, block) }, (_, index) => numbers(block, index))
  return text.slice(0, end) + separator + repeated.join(separator) + text.slice(end)
}

function countOf(size: number, block: string): number {
  return Math.ceil(size / (block.length + 2))
}

/** Numbers all names of a block, one of them, or none. */
function numberer(chance: Chance, block: string): (text: string, index: number) => string {
  const how = chance.below(3)
  if (how === 0) return (text) => text
  const names = [...block.matchAll(NUMBERED)].map(([name]) => name)
  if (names.length === 0) return (text) => text
  const one = chance.pick(names)
  if (how === 1) return (text, index) => text.replaceAll(one, `${one}${index}`)
  return (text, index) => text.replaceAll(NUMBERED, (name) => (KEPT.has(name) ? name : `${name}${index}`))
}

const KEPT: ReadonlySet<string> = new Set(
  'const let var function return new if else for await async class module exports require true false null entity service type key namespace using from as projection on annotate with extend aspect select'.split(
    ' ',
  ),
)

const PAIRS: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' }

/** A balanced pair of brackets of the text, drawn. */
function pickGroup(text: string, chance: Chance): readonly [number, number] | undefined {
  const opens = [...text.matchAll(/[{[(]/g)].map(({ index }) => index)
  if (opens.length === 0) return undefined
  const start = chance.pick(opens)
  const stack: string[] = []
  for (let at = start; at < text.length; at++) {
    const close = PAIRS[text[at] ?? '']
    if (close !== undefined) stack.push(close)
    else if (text[at] === stack.at(-1)) stack.pop()
    if (stack.length === 0) return [start, at + 1]
  }
  return undefined
}
