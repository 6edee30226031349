import { bodyBehind, closingOf, isWritten, type JavaToken } from '../../parse/java-tokens.ts'
import type { Span } from '../../types.ts'

/** A method of a class that answers requests by HTTP. */
export interface JavaEndpoint extends Span {
  /** `POST /orders`, or the name of the method where its path is no text. */
  readonly route: string
  /** `POST`, or `ANY`. */
  readonly verb: string
  /** Undefined where it is no text. */
  readonly path: string | undefined
  readonly changes: boolean
  readonly framework: 'spring' | 'servlet'
  /** What anybody may ask for, and what only builds an answer. */
  readonly isHarmless: boolean
  /** Its name, and the token that this is. */
  readonly name: string
  readonly at: number
}

/** Annotations of Spring MVC, of Jakarta REST and of RESTX, and methods of a servlet: by name, the method of HTTP. */
const SPRING: ReadonlyMap<string, string> = new Map([
  ['GetMapping', 'GET'],
  ['PostMapping', 'POST'],
  ['PutMapping', 'PUT'],
  ['PatchMapping', 'PATCH'],
  ['DeleteMapping', 'DELETE'],
  ['RequestMapping', 'ANY'],
])
const JAKARTA: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SERVLET: ReadonlyMap<string, string> = new Map([
  ['doGet', 'GET'],
  ['doPost', 'POST'],
  ['doPut', 'PUT'],
  ['doDelete', 'DELETE'],
])

/** What anybody may ask for: whether it runs, and how one logs in. */
const PUBLIC_BY_NATURE =
  /(?:^|[/ ])(?:health|healthz|status|ping|info|version|live|ready|liveness|readiness|hello|index|home|error|login|logout|sign-?in|sign-?up|register|forgot.{0,20}|reset.{0,20}|callback|webhooks?|favicon.{0,4})(?:[/.(-]|$)| \/?$/i

/** Tokens between an annotation and the method that it is on. */
const MAX_HEAD = 300
/** Tokens of a body that are looked at. */
const MAX_BODY = 2000

/** The endpoints of a file, in the order of the text. Facts: Spring Framework, "Mapping Requests"; Jakarta RESTful Web Services 3.1; RESTX 1.0 (`@RestxResource`, `@GET("/path")`); Jakarta Servlet, `HttpServlet`. */
export function* findEndpoints(tokens: readonly JavaToken[]): Generator<JavaEndpoint> {
  const isController = hasAnnotation(tokens, 'RestController') || hasAnnotation(tokens, 'Controller')
  const isRestx = hasAnnotation(tokens, 'RestxResource')
  const isResource = isRestx || hasAnnotation(tokens, 'Path')
  const isServlet = hasAnnotation(tokens, 'WebServlet')
  let prefix: string | undefined = ''
  for (let at = 0; at < tokens.length; at++) {
    const { text = '', kind } = tokens[at] ?? {}
    if (kind !== 'word') continue
    if (isServlet && SERVLET.has(text) && isWritten(tokens, at + 1, '(')) {
      const open = bodyBehind(tokens, closingOf(tokens, at + 1))
      const path = pathOf(tokens, annotationAt(tokens, 'WebServlet'))
      const found =
        open === undefined
          ? undefined
          : toEndpoint(tokens, { at, end: at, open }, SERVLET.get(text) ?? 'ANY', [path], { name: text, at })
      if (found !== undefined) yield { ...found, framework: 'servlet' }
      continue
    }
    if (!isWritten(tokens, at - 1, '@')) continue
    const isMapping = isController && SPRING.has(text)
    if (isResource && text === 'Path') {
      if (isOnClass(tokens, at)) prefix = pathOf(tokens, at)
      continue
    }
    if (!isMapping && !(isResource && JAKARTA.has(text))) continue
    const end = isWritten(tokens, at + 1, '(') ? closingOf(tokens, at + 1) : at
    const method = methodBehind(tokens, end)
    if (method === undefined) {
      if (isMapping && isOnClass(tokens, at)) prefix = pathOf(tokens, at)
      continue
    }
    const own = isMapping || isRestx ? pathOf(tokens, at) : pathBeside(tokens, at, method.at)
    const verb = isMapping ? verbOf(tokens, at, end) : text
    const found = toEndpoint(tokens, { at: at - 1, end, open: method.open }, verb, [prefix, own], method)
    if (found !== undefined) yield { ...found, framework: isMapping ? 'spring' : 'servlet' }
  }
}

interface Parts {
  /** The tokens that are marked. */
  readonly at: number
  readonly end: number
  /** The `{` of the body. */
  readonly open: number
}

function toEndpoint(
  tokens: readonly JavaToken[],
  { at, end, open }: Parts,
  verb: string,
  paths: readonly (string | undefined)[],
  { name, at: place }: Pick<JavaEndpoint, 'name' | 'at'>,
): Omit<JavaEndpoint, 'framework'> | undefined {
  const [first, last] = [tokens[at], tokens[end]]
  if (first === undefined || last === undefined) return undefined
  const isText = paths.every((part) => part !== undefined)
  const path = `/${paths.join('/')}`.replaceAll(/\/{2,9}/g, '/').replace(/(.)\/$/, '$1')
  const method = verb === 'ANY' ? '' : `${verb} `
  const route = isText ? `${method}${path}` : `${method}${name}()`
  const isPublic = PUBLIC_BY_NATURE.test(route) || PUBLIC_BY_NATURE.test(`${name}(`)
  return {
    start: first.start,
    end: last.end,
    route: route.trim(),
    verb,
    path: isText ? path : undefined,
    changes: verb !== 'GET' && verb !== 'ANY',
    isHarmless: isPublic || !asksSomething(tokens, open),
    name,
    at: place,
  }
}

/** Objects whose calls only shape the answer. */
const ANSWERS =
  /^(?:log|logger|response|responseentity|res|model|headers|httpheaders|system|out|string|collections|list|map|arrays|this)$/i

/** `orders.save(order)`: another object does the work. A body that only builds an answer gives nothing away. */
function asksSomething(tokens: readonly JavaToken[], open: number): boolean {
  const last = Math.min(closingOf(tokens, open), open + MAX_BODY)
  for (let at = open + 1; at < last; at++) {
    const { kind, text = '' } = tokens[at] ?? {}
    const isCall = kind === 'word' && isWritten(tokens, at + 1, '.') && isWritten(tokens, at + 3, '(')
    if (isCall && !isWritten(tokens, at - 1, '.') && !ANSWERS.test(text)) return true
  }
  return false
}

function hasAnnotation(tokens: readonly JavaToken[], name: string): boolean {
  return annotationAt(tokens, name) !== -1
}

function annotationAt(tokens: readonly JavaToken[], name: string): number {
  return tokens.findIndex(({ text, kind }, at) => kind === 'word' && text === name && isWritten(tokens, at - 1, '@'))
}

/** Behind an annotation: other annotations, modifiers and a type, then the name of a method with a body. */
export function methodBehind(
  tokens: readonly JavaToken[],
  end: number,
): { readonly name: string; readonly at: number; readonly open: number } | undefined {
  for (let at = end + 1; at < Math.min(end + MAX_HEAD, tokens.length); at++) {
    const { text = '', kind } = tokens[at] ?? {}
    if (isWritten(tokens, at, '@')) at = endOfAnnotation(tokens, at)
    else if (kind === 'symbol' && /^[;{}=]$/.test(text)) return undefined
    else if (kind === 'word' && isWritten(tokens, at + 1, '(')) {
      const open = bodyBehind(tokens, closingOf(tokens, at + 1))
      return open === undefined ? undefined : { name: text, at, open }
    }
  }
  return undefined
}

/** The last token of `@org.acme.Name(…)`, whose sign is given. */
function endOfAnnotation(tokens: readonly JavaToken[], sign: number): number {
  let at = sign + 1
  while (isWritten(tokens, at + 1, '.')) at += 2
  return isWritten(tokens, at + 1, '(') ? closingOf(tokens, at + 1) : at
}

/** Whether the next thing behind an annotation is a type. */
export function isOnClass(tokens: readonly JavaToken[], name: number): boolean {
  for (let at = endOfAnnotation(tokens, name - 1) + 1; at < Math.min(name + MAX_HEAD, tokens.length); at++) {
    if (isWritten(tokens, at, '@')) at = endOfAnnotation(tokens, at)
    else if (isWritten(tokens, at, 'class') || isWritten(tokens, at, 'interface') || isWritten(tokens, at, 'record')) return true
    else if (isWritten(tokens, at, '(') || isWritten(tokens, at, '{')) return false
  }
  return false
}

/** The path that an annotation names; '' without one, undefined where it is no text. */
function pathOf(tokens: readonly JavaToken[], name: number): string | undefined {
  if (!isWritten(tokens, name + 1, '(')) return ''
  const close = closingOf(tokens, name + 1)
  for (let at = name + 2; at < close; at++) {
    const isFirst = at === name + 2 && !isWritten(tokens, at + 1, '=')
    const isNamed = /^(?:value|path|urlPatterns)$/.test(tokens[at]?.text ?? '') && isWritten(tokens, at + 1, '=')
    if (!isFirst && !isNamed) continue
    const from = isFirst ? at : at + 2
    const given = tokens[isWritten(tokens, from, '{') ? from + 1 : from]
    const isWhole = given?.kind === 'string' && !isWritten(tokens, from + 1, '+')
    return isWhole ? given.text : undefined
  }
  return ''
}

/** `@GET @Path("/{id}")`, in either order: the path that stands with the method. */
function pathBeside(tokens: readonly JavaToken[], name: number, method: number): string | undefined {
  for (let at = Math.max(0, name - MAX_HEAD / 10); at < method; at++) {
    const isPath = isWritten(tokens, at, '@', 'Path')
    if (isPath && methodBehind(tokens, endOfAnnotation(tokens, at))?.at === method) return pathOf(tokens, at + 1)
  }
  return ''
}

/** `@RequestMapping(method = RequestMethod.POST)`: what it names, else any. */
function verbOf(tokens: readonly JavaToken[], name: number, end: number): string {
  const known = SPRING.get(tokens[name]?.text ?? '')
  if (known !== 'ANY') return known ?? 'ANY'
  const given = tokens.slice(name + 1, end).filter(({ text, kind }) => kind === 'word' && JAKARTA.has(text))
  return (given.find(({ text }) => text !== 'GET') ?? given[0])?.text ?? 'ANY'
}
