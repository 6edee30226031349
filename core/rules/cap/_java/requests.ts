import { bodyBehind, closingOf, isWritten, type JavaToken } from '../../../parse/java-tokens.ts'

/** A method with what a request tells in it. */
export interface RequestMethod {
  readonly body: readonly JavaToken[]
  /** Whether something of the request stands between two tokens of the body, as it came. */
  isTainted(from: number, to: number): boolean
  /** Whether an expression begins with what the client sent, or with a part of that, of whatever type. */
  isSent(at: number): boolean
}

/** What Spring fills from a request, in controllers. */
const FILLED: ReadonlySet<string> = new Set(['RequestParam', 'PathVariable', 'RequestBody', 'RequestHeader', 'CookieValue'])
const HANDLERS: ReadonlySet<string> = new Set(['On', 'Before', 'After'])
/** What contexts of CAP Java give of themselves, not of the client. */
const OWN_PARTS =
  /^get(?:UserInfo|TenantInfo|Model|Service|Target|Cqn|CdsRuntime|Event|Messages|AuthenticationInfo|ParameterInfo|FeatureTogglesInfo|Result|LocalizedMessage|ChangeSetContext)$/
/** Calls after which a value is what the code expects, or no text any more. */
const CHECKS = /^(?:contains|containsKey|matches|matcher|test|equals|parseInt|parseLong|fromString|valueOf|get|getOrDefault)$/

/** Tokens of a list of parameters: of more, nothing is a method that somebody wrote. */
const MAX_PARAMETERS = 500
/** Names of a method that are followed. */
const MAX_NAMES = 50

/** The methods of a file that get a request: an event context of CAP, or annotated parameters of a controller. */
export function* requestMethods(tokens: readonly JavaToken[]): Generator<RequestMethod> {
  const handlesEvents = tokens.some(({ text }, at) => HANDLERS.has(text) && isWritten(tokens, at - 1, '@'))
  for (let at = 0; at < tokens.length; at++) {
    if (!isWritten(tokens, at, '(') || tokens[at - 1]?.kind !== 'word') continue
    const close = closingOf(tokens, at)
    const open = bodyBehind(tokens, close)
    if (open === undefined || close - at > MAX_PARAMETERS) continue
    const given = parametersOf(tokens.slice(at + 1, close), handlesEvents)
    if (given.contexts.size === 0 && given.texts.size === 0 && given.objects.size === 0) continue
    const end = closingOf(tokens, open)
    yield toMethod(tokens.slice(open, end + 1), given)
    at = end
  }
}

interface Parameters {
  readonly contexts: ReadonlySet<string>
  readonly texts: ReadonlySet<string>
  /** Bodies that were read into an object or a map. */
  readonly objects: ReadonlySet<string>
}

/** Types whose values hold no text of a client. */
const CONVERTED =
  /^(?:int|long|short|double|float|boolean|char|Integer|Long|Short|Double|Float|Boolean|BigDecimal|BigInteger|UUID|(?:Local|Zoned|Offset)?Date(?:Time)?|Instant|MultipartFile)$/

function parametersOf(tokens: readonly JavaToken[], handlesEvents: boolean): Parameters {
  const contexts = new Set<string>()
  const texts = new Set<string>()
  const objects = new Set<string>()
  for (const part of splitArguments(tokens)) {
    const [type, name] = [part.at(-2)?.text ?? '', part.at(-1)?.text ?? '']
    if (handlesEvents && /\wContext$/.test(type)) contexts.add(name)
    else if (part.some((token, index) => FILLED.has(token.text) && isWritten(part, index - 1, '@')))
      // what has another type was converted to it
      if (type === 'String') texts.add(name)
      else if (!CONVERTED.test(type)) objects.add(name)
  }
  return { contexts, texts, objects }
}

function splitArguments(tokens: readonly JavaToken[]): readonly (readonly JavaToken[])[] {
  const parts: JavaToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    if (token.kind === 'symbol' && /^[(<]$/.test(token.text)) depth++
    else if (token.kind === 'symbol' && /^[)>]$/.test(token.text)) depth--
    if (depth === 0 && token.kind === 'symbol' && token.text === ',') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function toMethod(body: readonly JavaToken[], { contexts, texts, objects }: Parameters): RequestMethod {
  const tainted = new Set(texts)
  const isText = (index: number): boolean => {
    const { kind, text = '' } = body[index] ?? {}
    if (kind !== 'word' || !tainted.has(text) || isWritten(body, index - 1, '.')) return false
    return !isWritten(body, index + 1, '.') || PASSING.test(body[index + 2]?.text ?? '')
  }
  const isGetter = (index: number): boolean => {
    const [text = '', getter = ''] = [body[index]?.text, body[index + 2]?.text]
    if (!contexts.has(text) && !objects.has(text)) return false
    if (isWritten(body, index - 1, '.') || !isWritten(body, index + 1, '.')) return false
    return readsRequest(getter)
  }
  // String street = context.getStreet();
  for (const [index, { text }] of body.entries())
    if (
      tainted.size < MAX_NAMES &&
      isWritten(body, index - 1, 'String') &&
      isWritten(body, index + 1, '=') &&
      (isText(index + 2) || isGetter(index + 2))
    )
      tainted.add(text)
  const checked = [...checkedNames(body)]
  for (const name of checked) tainted.delete(name)
  const isSent = createSentReader(body, { contexts, texts, objects }, new Set(checked))
  return {
    body,
    isSent,
    isTainted: (from, to) => {
      for (let index = from; index < to; index++) if (isText(index) || (isGetter(index) && isQuoted(body, index))) return true
      return false
    },
  }
}

function readsRequest(getter: string): boolean {
  return /^get(?:[A-Z]|$)/.test(getter) && !OWN_PARTS.test(getter)
}

/** `Map<String, Object> row = context.getCqn().entries().get(0)`, `for (Order order : orders)`: names of what the client sent. */
function createSentReader(
  body: readonly JavaToken[],
  { contexts, texts, objects }: Parameters,
  checked: ReadonlySet<string>,
): (at: number) => boolean {
  const sent = new Set([...texts, ...objects])
  const isSent = (at: number): boolean => {
    const { kind, text = '' } = body[at] ?? {}
    if (kind !== 'word' || isWritten(body, at - 1, '.')) return false
    if (sent.has(text)) return !checked.has(text) || objects.has(text)
    if (!contexts.has(text) || !isWritten(body, at + 1, '.')) return false
    const getter = body[at + 2]?.text ?? ''
    return getter === 'getCqn' ? isWritten(body, at + 3, '(', ')', '.', 'entries') : readsRequest(getter)
  }
  for (const [index, { kind, text }] of body.entries()) {
    const type = body[index - 1]
    if (kind !== 'word' || sent.size >= MAX_NAMES || (type?.kind !== 'word' && type?.text !== '>') || CONVERTED.test(type.text))
      continue
    if ((isWritten(body, index + 1, '=') || isWritten(body, index + 1, ':')) && isSent(index + 2)) sent.add(text)
  }
  return isSent
}

/** `… '" + context.getId() + "'`: nobody puts a number between quotes. */
function isQuoted(body: readonly JavaToken[], index: number): boolean {
  const before = body[index - 2]
  return isWritten(body, index - 1, '+') && before?.kind === 'string' && /'%?$/.test(before.text)
}

/** Methods of a text that leave what is dangerous in it. */
const PASSING = /^(?:trim|strip|toLowerCase|toUpperCase|toString|concat|substring)$/

/** `ALLOWED.contains(name)`, `name.matches("…")`, `UUID.fromString(name)`. */
function* checkedNames(body: readonly JavaToken[]): Generator<string> {
  for (const [index, { text }] of body.entries()) {
    if (!CHECKS.test(text) || !isWritten(body, index + 1, '(')) continue
    // what a map gives of a name is the map's
    const isAsked = isWritten(body, index - 1, '.') && !text.startsWith('get')
    const [object, argument] = [isAsked ? body[index - 2] : undefined, body[index + 2]]
    for (const token of [object, argument]) if (token?.kind === 'word') yield token.text
  }
}
