import { constantOf, stringConstantOf, isConstant, keyOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { nameOfCallee } from '../../facts/asked-values.ts'
import { regexOf } from '../../facts/regular-expressions.ts'
import { isNothing } from '../../facts/values.ts'
import { frontIn, nameOf, type Beginning, textAt } from '../addresses.ts'
import { equalIn, methodOf, type Asked } from '../asked.ts'
import { type Constraint, toConstraints, WORD } from '../constraint.ts'

/**
 * Texts and paths that begin as they must: `path.startsWith(folder)`, `path.resolve(folder, name).indexOf(folder) === 0`, `!path.relative(folder, file).startsWith('..')`. `starts` with `/`
 * and `unlike` `//` are halves of one. Fact: WHATWG URL, "relative slash state" (a second slash or backslash begins a host).
 */
export function beginnings(asked: Asked): readonly Constraint[] {
  // the folder itself: `!path.relative(folder, file)`
  const related = asked.holds ? undefined : relatedIn(asked.test)
  if (related !== undefined) return inside(related.args)
  const begins = frontIn(asked)
  const differs = begins === undefined ? frontIn({ ...asked, holds: !asked.holds }) : undefined
  return [
    ...(begins === undefined ? ofPattern(asked) : beginsWith(begins)),
    ...(differs === undefined ? [] : differsFrom(differs)),
    ...equalIn(asked).flatMap(([one, other]) => sameAs(one, other)),
    ...differsAtSecond(asked),
  ]
}

/** Any address begins with the scheme, and that of `https://host.example.evil` with `https://host.example`. */
const OPEN_ADDRESS = /^(?:https?(?::\/{0,2})?|https?:\/\/[^/]{1,300})?$/i

const SCHEMES = ['http', 'https', 'ws', 'wss', 'ftp', 'data', 'javascript', 'blob', 'file'] as const

/** `ht`, `java`: addresses with a scheme begin so as well. */
function beginsScheme(text: string): boolean {
  return text !== '' && SCHEMES.some((scheme) => scheme.startsWith(text.toLowerCase()))
}

function beginsWith({ of, text }: Beginning): readonly Constraint[] {
  if (text === '/') return toConstraints('starts', [nameOf(of)], '/')
  if (text !== undefined && (OPEN_ADDRESS.test(text) || beginsScheme(text))) return []
  const made = resolveValue(of)
  const isNormal = made.kind === 'call' && NORMALIZING.test(nameOfCallee(made.callee) ?? '')
  const isWord = text !== undefined && /^[\w-]{1,60}$/.test(text) && !isNormal
  return [...toConstraints('starts', [nameOf(of)], isWord ? WORD : undefined), ...(isNormal ? inside([of, ...made.args]) : [])]
}

const NORMALIZING = /^(?:resolve|normalize|join|realpath(?:Sync)?)$/

/** `//host`, `..` of a way from a folder. */
function differsFrom({ of, text }: Beginning): readonly Constraint[] {
  if (text === '//' || text === '/\\') return toConstraints('unlike', [nameOf(of)], '//')
  return text === undefined || text.startsWith('..') ? inside(relatedIn(of)?.args ?? []) : []
}

/** `to[1] !== '/'` */
function differsAtSecond({ test, holds }: Asked): readonly Constraint[] {
  return equalIn({ test, holds: !holds, isAwaited: false }).flatMap(([one, other]) => {
    const text = constantOf(other)
    const of = text === '/' || text === '\\' ? textAt(one, 1, /^charAt$/) : undefined
    return of === undefined ? [] : toConstraints('unlike', [nameOf(of)], '//')
  })
}

/** `path.relative(folder, file)`, which leads out of the folder by `..` alone. */
function relatedIn(value: Value): CallValue | undefined {
  const made = resolveValue(value)
  return made.kind === 'call' && nameOfCallee(made.callee) === 'relative' ? made : undefined
}

/** What is the folder itself lies as well as what is in it; what is another value, and no more, is known where that is. */
function sameAs(one: Value, other: Value): readonly Constraint[] {
  if (!isConstant(other)) return isNothing(other) ? [] : toConstraints('same', [keyOf(one)])
  const text = stringConstantOf(other)
  return text !== undefined && !text.startsWith('..') ? inside(relatedIn(one)?.args ?? []) : []
}

/** `/^\//` in front, `/\.corp\.example$/` at the end; patterns that fix more, fix the host as well. */
function ofPattern({ test, holds, isCompared }: Asked): readonly Constraint[] {
  const method = holds && isCompared === undefined ? methodOf(test) : undefined
  const [first] = method?.args ?? []
  if (method === undefined || first === undefined) return []
  const { name, object } = method
  const [given, value] = name === 'test' ? [object, first] : name === 'match' ? [first, object] : []
  const regex = given && regexOf(given)
  // each line of a text has a beginning of its own
  if (regex === undefined || value === undefined || regex.flags.includes('m')) return []
  if (/^\^\\?\/$/.test(regex.pattern)) return toConstraints('starts', [nameOf(value)], '/')
  return /\\\.[\w\\.-]{1,200}\)?\$$/.test(regex.pattern) ? toConstraints('ends', [keyOf(value)]) : []
}

function inside(values: readonly Value[]): readonly Constraint[] {
  return toConstraints('inside', values.map(keyOf))
}

/** `path.basename(name) === name`, `path.parse(name).base === name`: a name without a folder. */
export function ownName(asked: Asked): readonly Constraint[] {
  return equalIn(asked).flatMap(([name, base]): readonly Constraint[] => {
    const of = keyOf(name)
    return of !== undefined && isBaseOf(base, of) ? [{ kind: 'lacks', of, text: '/' }] : []
  })
}

function isBaseOf(value: Value, key: string): boolean {
  const base = value.kind === 'member' && value.name === 'base' ? resolveValue(value.object) : resolveValue(value)
  return (
    base.kind === 'call' &&
    /^(?:basename|parse)$/.test(nameOfCallee(base.callee) ?? '') &&
    base.args.some((argument) => keyOf(argument) === key)
  )
}
