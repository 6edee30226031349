import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { createCodeReader, excerptOf, findPart, type ScriptFacts, type Value } from '../../../facts/index.ts'
import { createInnerIndex, isWithin } from '../../../facts/span-index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  accepts,
  findHandlers,
  isCredential,
  isGuarded,
  servedServices,
  type CapRoot,
  HANDLER_PACKAGES,
  usesHandlerPackage,
} from '../../../model/cap/index.ts'
import { isDeveloperFile, isOfUi5App } from '../../../model/script/index.ts'
import { quoteWord } from '../../../quote.ts'
import type { Match, Span } from '../../../types.ts'
import { handsOn, takesRequest } from '../_handlers/handed-requests.ts'
import { reachedFrom, REFUSES } from '../_rows/decided-states.ts'
import { projectedNames } from '../_handlers/user-handlers.ts'
import { lastName } from '../../../paths.ts'

/** A handler of an entity: what it hashes of the rows that are written, or that it looks at changes. */
export interface RowHandler extends Span {
  readonly service: string | undefined
  readonly isConnected: boolean
  /** Last parts of names; undefined: all entities. */
  readonly entities: readonly string[] | undefined
  readonly events: readonly string[]
  /** Elements that it replaces by a hash. */
  readonly hashed: readonly string[]
  /** It runs before the change, lets every request pass and does nothing with a password. */
  readonly isBlind: boolean
  readonly part: string
}

const CHANGES = /^(?:\*|UPDATE|PATCH|UPSERT|SAVE|WRITE|EDIT)$/

/** Handlers that hash what is created, and all that look at what is changed. */
export const rowHandlers: Extract<RowHandler> = defineExtract({
  name: 'cap-row-handlers',
  keywords: ['.before(', '.on(', '.prepend(', '.reject(', ...HANDLER_PACKAGES],
  prefilter: (text) => usesHandlerPackage(text) || /CREATE|UPDATE|PATCH|UPSERT|SAVE|WRITE|EDIT|\*/.test(text),
  isFor: (path) => !isOfUi5App(path) && !isDeveloperFile(path),
  collect: ({ facts, text, step }) => {
    const callsIn = createInnerIndex(facts.calls)
    const isLooking = createCodeReader(text, (code) => REFUSES.test(code) || SECRET.test(code))
    return findHandlers(facts).flatMap((handler) => {
      const { phase, events, entities, isTargeted, fact, service } = handler
      if (phase === 'after' || (!isTargeted && !events.some((name) => name === undefined || CHANGES.test(name)))) return []
      const names = events.flatMap((name) => name ?? '*')
      const found = fact === undefined || phase !== 'before' ? [] : hashedIn(facts, fact, step)
      const [first] = found
      if (first === undefined && !names.some((name) => CHANGES.test(name))) return []
      return [
        {
          service: service.name,
          isConnected: service.kind === 'connected',
          entities,
          events: names,
          hashed: found.flatMap(({ target }) => target.name ?? []),
          isBlind:
            phase === 'before' &&
            fact !== undefined &&
            !handsOn(handler, facts, callsIn) &&
            // which names a function gets beside the row, it may drop: `unset(req.data, KEPT)`
            !callsIn(fact).some((call) => call.args.length > 1 && takesRequest(call)) &&
            !reachedFrom(handler, facts, callsIn).some(isLooking),
          part: first === undefined ? '' : excerptOf(text, first.target),
          start: first?.start ?? 0,
          end: first?.end ?? 0,
        },
      ]
    })
  },
})

const SECRET = /pass|pwd|hash|crypt|secret|senha|contrase|kennwort|heslo|haslo|\bpin|\[|\bReflect\b|defineProperty|\bomit/i

/** `req.data.password = await bcrypt.hash(req.data.password, 10)`. */
function hashedIn({ assignments }: ScriptFacts, fact: Span, step: (count?: number) => void): ScriptFacts['assignments'] {
  step(assignments.length)
  return assignments.filter(
    ({ target, value, start, end }) =>
      isWithin({ start, end }, fact) && target.name !== undefined && findPart(value, isHash) !== undefined,
  )
}

function isHash(part: Value): boolean {
  return (
    part.kind === 'call' &&
    /^(?:hash(?:Sync|Password)?|createHash|createHmac|createCipheriv|scrypt(?:Sync)?|pbkdf2(?:Sync)?|encrypt(?:Password)?)$/.test(
      lastNameOf(part.callee) ?? '',
    )
  )
}

/** Passwords that are hashed when a row is created, and kept as they are when it is changed. Needs the extract `rowHandlers`. */
export function* hashedOnce(root: CapRoot): Generator<Match> {
  if (root.test) return
  const handlers = root.scripts.get(rowHandlers)
  const hashing = handlers.filter(({ value }) => value.hashed.length > 0 && !value.events.some((name) => CHANGES.test(name)))
  if (hashing.length === 0) return
  const changing = handlers
    .filter(({ value }) => !value.isBlind && value.events.some((name) => CHANGES.test(name)))
    .map(({ file, value }) => ({ value, event: root.eventOf({ ...value, file }) }))
  for (const { file, value } of hashing) {
    const { services, isCertain } = root.eventOf({ ...value, file })
    if (!isCertain || value.entities === undefined) continue
    const found = servedServices(root)
      .filter((service) => services.includes(service))
      .flatMap((service) => service.elements.map((entity) => ({ entity, service })))
      .find(({ entity, service }) => {
        const names = projectedNames(root, entity.qualified)
        root.step(1 + changing.length)
        if (entity.kind !== 'entity' || value.entities?.some((name) => names.has(name)) !== true || !accepts(entity, 'UPDATE'))
          return false
        return !changing.some(
          ({ value: other, event }) =>
            (other.entities?.some((name) => names.has(name)) ?? true) && (!event.isCertain || event.services.includes(service)),
        )
      })?.entity
    const member = found
      ?.members()
      .find(
        (one) =>
          value.hashed.includes(lastName(one.name)) &&
          isCredential(one) &&
          !isGuarded(one) &&
          !one.annotations.has('Core.Immutable'),
      )
    if (found === undefined || member === undefined) continue
    yield {
      at: { file, span: { start: value.start, end: value.end } },
      variant: 'once',
      args: { stored: quoteWord(`${lastName(found.name)}.${member.name}`), sent: quoteWord(value.part) },
    }
  }
}
