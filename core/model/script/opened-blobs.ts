import { accessesOf, constantOf, fieldOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'

/** A `blob:` URL that a page opens as a document of its own origin. Facts: File API, "Origin of Blob URLs"; HTML standard, "Navigating". */
export interface OpenedBlob {
  /** What opens it: `window.open`, or the place that it is assigned to. */
  readonly by: Value
  /** The address. */
  readonly value: Value
  /** What `createObjectURL` is given. */
  readonly blob: Value
}

/** The blobs that a script opens; `step` counts what is looked at. */
export function openedBlobs({ calls, assignments }: ScriptFacts, step: (steps: number) => void): readonly OpenedBlob[] {
  step(calls.length + assignments.length)
  const opened = [
    ...calls.flatMap((call) => openedBy(call).map((value) => ({ by: call.callee, value }))),
    ...assignments.flatMap(({ target, value }) => (isPlace(target) ? [{ by: target, value }] : [])),
  ]
  return opened.flatMap(({ by, value }) => {
    const blob = blobOf(value)
    return blob === undefined ? [] : [{ by, value, blob }]
  })
}

/** `type` of `new Blob(parts, { type })`; undefined for what is no such call, or says none. */
export function typeOfBlob(made: Value): Value | undefined {
  if (made.kind !== 'new' || lastNameOf(made.callee) !== 'Blob') return undefined
  const [, options] = made.args
  return options === undefined ? undefined : fieldOf(resolveValue(options), 'type')?.value
}

/** Values that are looked at for the types that one may be. */
const MAX_TYPES = 50

/** Types whose documents run scripts; of several, one of them. Fact: HTML standard, "Loading XML documents", "Loading HTML documents". */
export function runsScripts(type: Value): boolean {
  return typesIn(type).some((written) => typeof written !== 'string' || /html|xml|svg/i.test(written))
}

/**
 * Whether a page shows the answer of a service in the format that it asked for, `json ? 'application/json' : 'application/xml'`: whoever writes XML encodes the
 * texts in it, which nobody does for HTML or SVG.
 */
export function isFormatOfAnswer(type: Value, part: Value): boolean {
  const types = typesIn(type)
  if (types.length < 2 || types.some((written) => typeof written !== 'string' || /html|svg/i.test(written))) return false
  const text = resolveValue(part)
  const read = text.kind === 'await' ? resolveValue(text.value) : text
  return read.kind === 'call' && lastNameOf(read.callee) === 'text' && read.args.length === 0
}

/** The constants of which a type is one; undefined stands for what is none. */
function typesIn(type: Value): readonly unknown[] {
  const open = new Set([resolveValue(type)])
  const found: unknown[] = []
  for (const one of open) {
    if (open.size > MAX_TYPES) return [undefined]
    if (one.kind === 'choice') for (const option of one.options) open.add(resolveValue(option))
    else found.push(constantOf(one))
  }
  return found
}

/** `window.open(url)`, `location.assign(url)`, `URLHelper.redirect(url)`. */
function openedBy({ callee, args: [first] }: CallValue): readonly Value[] {
  if (first === undefined) return []
  const isOpening = accessesOf(callee).some(({ root, steps }) => {
    const way = [root, ...steps].join(' ')
    return /^global:(?:window )?(?:open|location (?:assign|replace))$/.test(way) || way.endsWith('URLHelper redirect')
  })
  return isOpening ? [first] : []
}

/** `location.href = url`, `frame.src = url`. */
function isPlace(target: Value & { readonly kind: 'member' }): boolean {
  if (accessesOf(target).some(({ root, steps }) => /^global:(?:window )?location(?: href)?$/.test([root, ...steps].join(' '))))
    return true
  return target.name === 'src' && /frame/i.test(lastNameOf(target.object) ?? '')
}

/** What a `blob:` URL is made of. */
function blobOf(value: Value): Value | undefined {
  const made = resolveValue(value)
  return made.kind === 'call' && lastNameOf(made.callee) === 'createObjectURL' ? made.args[0] : undefined
}
