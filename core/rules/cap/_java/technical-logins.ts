import type { CapElement, CapRoot, CapService } from '../../../model/cap/index.ts'
import { methodBehind } from '../../../model/java/index.ts'
import { closingOf, isWritten, toJavaTokens, type JavaToken } from '../../../parse/java-tokens.ts'
import type { Place } from '../../../types.ts'
import { serviceOfClass } from '../_handlers/java-targets.ts'
import { javaTexts } from './sources.ts'
import { elementOfHandler } from './unthrown-errors.ts'

/** A handler that answers reads with what another system gives the user of a destination. */
export interface TechnicalLogin {
  readonly at: Place
  readonly destination: string
  /** The file that takes the password out of the destination. */
  readonly by: string
  readonly service: CapService
  readonly element: CapElement
}

/** Facts: SAP Cloud SDK for Java, "Destinations" (`DestinationAccessor`, properties of a destination); SAP BTP, "Destination service" (`User`, `Password` of basic authentication). */
const TAKES_PASSWORD = /\.get\s{0,5}\(\s{0,5}"Password"\s{0,5}\)/
const GETS_DESTINATION = /\bDestinationAccessor\b/
/** Code that may ask who calls. */
const ASKS_CALLER =
  /UserInfo|SecurityContext|Principal\b|PreAuthorize|PostAuthorize|RolesAllowed|@Secured|Jwt|AuthToken|AccessToken|hasRole|getRemoteUser|\bAuthentication\b/

/** Names of classes, by the words of a text. */
const WORD = /\b[A-Z]\w{1,80}\b/g

/** None where any code of the project may ask who calls. */
export function* technicalLogins(root: CapRoot): Generator<TechnicalLogin> {
  if (root.runtime !== 'java') return
  const texts = [...javaTexts(root.files)]
  root.step(texts.length)
  const taking = new Map(texts.flatMap(({ file, text }) => (TAKES_PASSWORD.test(text) ? [[classOf(file), file]] : [])))
  if (taking.size === 0 || texts.some(({ text }) => ASKS_CALLER.test(text))) return
  for (const { file, text } of texts) {
    if (!GETS_DESTINATION.test(text) || !text.includes('@ServiceName')) continue
    const named = new Set(text.match(WORD))
    const by = taking.get(classOf(file)) ?? [...taking].find(([name]) => named.has(name))?.[1]
    if (by === undefined) continue
    const tokens = toJavaTokens(text)
    root.step(tokens.length)
    const service = serviceOfClass(tokens, root)
    if (service === undefined) continue
    for (const found of answersIn(tokens, service)) yield { ...found, at: { file, span: found.span }, by, service }
  }
}

function classOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1).replace(/\.java$/, '')
}

interface Answer {
  readonly span: { readonly start: number; readonly end: number }
  readonly destination: string
  readonly element: CapElement
}

/** `@On` handlers of reads that get a destination and answer. */
function* answersIn(tokens: readonly JavaToken[], service: CapService): Generator<Answer> {
  for (const [at, { text, kind }] of tokens.entries()) {
    if (kind !== 'word' || text !== 'On' || !isWritten(tokens, at - 1, '@')) continue
    const close = closingOf(tokens, at + 1)
    const method = methodBehind(tokens, close)
    const given = tokens.slice(at + 2, close)
    const element = elementOfHandler(service, given)
    if (method === undefined || element === undefined) continue
    const head = tokens.slice(method.at, method.open)
    const body = tokens.slice(method.open, closingOf(tokens, method.open))
    const isOfReads =
      given.some((one) => /^(?:EVENT_)?READ$/.test(one.text)) || head.some((one) => one.text === 'CdsReadEventContext')
    const destination = destinationIn(body)
    const answers = !isWritten(tokens, method.at - 1, 'void') || body.some((one) => one.text === 'setResult')
    const [first, last] = [tokens[at - 1], tokens[close]]
    if (!isOfReads || destination === undefined || !answers || first === undefined || last === undefined) continue
    yield { span: { start: first.start, end: last.end }, destination, element }
  }
}

/** `DestinationAccessor.getDestination("ERP")` */
function destinationIn(body: readonly JavaToken[]): string | undefined {
  const at = body.findIndex((_, index) => isWritten(body, index, 'DestinationAccessor', '.'))
  const name = at === -1 || !isWritten(body, at + 3, '(') ? undefined : body[at + 4]
  return name?.kind === 'string' ? name.text : undefined
}
