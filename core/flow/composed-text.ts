import { isConstant, type Binding, type Judge, type Value } from '../facts/index.ts'

/** What a text is put together from. */
export interface Composition {
  /** The parts that aren't constant, in the order of the text. */
  readonly parts: readonly Value[]
  /** What stands between them, as far as it is written out; pieces are set apart by NUL. */
  readonly text: string
  /** It is put together here: `+`, a template, `+=`, join. A name that is passed on is not. */
  readonly isComposed: boolean
}

interface Draft {
  parts: Value[]
  texts: string[]
  isComposed: boolean
  looks: number
  readonly seen: Set<Binding>
  readonly known: Judge
}

/** Methods whose result is the text that they are called on. */
const KEEPING: ReadonlySet<string> = new Set([
  'trim',
  'trimStart',
  'trimEnd',
  'toString',
  'normalize',
  'toUpperCase',
  'toLowerCase',
])
/** Methods that put their last argument into the text that they are called on. */
const INSERTING: ReadonlySet<string> = new Set(['concat', 'replace', 'replaceAll'])

const MAX_LOOKS = 2000
/** Text kept to tell what language it is. */
const MAX_TEXTS = 50

/** Takes a text apart within its file: through names, `+=`, join, replace. @param known see `isConstant` */
export function composeText(value: Value, known: Judge): Composition {
  const draft: Draft = { parts: [], texts: [], isComposed: false, looks: MAX_LOOKS, seen: new Set(), known }
  add(value, draft, 0)
  return { parts: draft.parts, text: draft.texts.join('\0'), isComposed: draft.isComposed && draft.parts.length > 0 }
}

const MAX_DEPTH = 60

function add(value: Value, draft: Draft, depth: number): void {
  if (draft.looks-- <= 0 || depth > MAX_DEPTH) return
  switch (value.kind) {
    case 'literal':
      addText(draft, String(value.value))
      return
    case 'template':
      draft.isComposed = true
      for (const text of value.texts) addText(draft, text)
      for (const part of value.parts) add(part, draft, depth + 1)
      return
    case 'concat':
      // of two numbers it is no text, but then it holds no part either
      draft.isComposed = true
      for (const part of value.parts) add(part, draft, depth + 1)
      return
    case 'choice':
      for (const option of value.options) add(option, draft, depth + 1)
      return
    case 'reference':
      if (addBinding(value.binding, draft, depth)) return
      break
    case 'call':
      if (addCall(value, draft, depth)) return
      break
    default:
  }
  if (!isConstant(value, draft.known)) draft.parts.push(value)
}

function addText(draft: Draft, text: string): void {
  if (draft.texts.length < MAX_TEXTS) draft.texts.push(text.slice(0, 200))
}

/** A variable that is given its text here; a parameter, an import or what an object holds is a part by itself. */
function addBinding(binding: Binding | undefined, draft: Draft, depth: number): boolean {
  if (binding === undefined || binding.module !== undefined) return false
  if (draft.seen.has(binding)) return true
  const { definitions } = binding
  const isText =
    definitions.length > 0 && definitions.every(({ kind, path }) => (kind === 'init' || kind === 'assign') && path.length === 0)
  if (!isText) return false
  draft.seen.add(binding)
  for (const { operator, value } of definitions) {
    if (operator === '+=') draft.isComposed = true
    if (value !== undefined) add(value, draft, depth + 1)
  }
  return true
}

function addCall(call: Extract<Value, { kind: 'call' | 'new' | 'tagged' }>, draft: Draft, depth: number): boolean {
  const { callee, args } = call
  if (callee.kind !== 'member' || callee.name === undefined) return false
  if (KEEPING.has(callee.name)) {
    add(callee.object, draft, depth + 1)
    return true
  }
  if (INSERTING.has(callee.name) && holdsText(callee.object)) {
    draft.isComposed = true
    add(callee.object, draft, depth + 1)
    for (const inserted of callee.name === 'concat' ? args : args.slice(1, 2)) add(inserted, draft, depth + 1)
    return true
  }
  if (callee.name === 'join') return addJoined(callee.object, draft, depth)
  if (callee.name === 'format' && args.length > 1) {
    // util.format('… %s', part)
    draft.isComposed = true
    for (const argument of args) add(argument, draft, depth + 1)
    return true
  }
  return false
}

/** `['a =', x].join(' ')`, and a list that grows by push. */
function addJoined(list: Value, draft: Draft, depth: number): boolean {
  const binding = list.kind === 'reference' ? list.binding : undefined
  const [definition] = binding?.definitions ?? []
  const array = list.kind === 'array' ? list : definition?.value
  if (array?.kind !== 'array' || (binding !== undefined && binding.definitions.length !== 1)) return false
  draft.isComposed = true
  for (const item of [...array.items, ...(binding?.additions ?? [])]) add(item, draft, depth + 1)
  return true
}

/** Whether a receiver is text that stands in the code: `'… :id'.replace(':id', x)`. */
function holdsText(value: Value): boolean {
  let here = value
  for (let depth = 0; here.kind === 'call' && here.callee.kind === 'member' && depth < MAX_DEPTH; depth++)
    here = here.callee.object
  if (here.kind === 'literal') return typeof here.value === 'string'
  if (here.kind === 'template' || here.kind === 'concat') return true
  if (here.kind !== 'reference') return false
  const [definition] = here.binding?.definitions ?? []
  const given = definition?.kind === 'init' || definition?.kind === 'assign' ? definition.value : undefined
  return given?.kind === 'literal' || given?.kind === 'template' || given?.kind === 'concat'
}
