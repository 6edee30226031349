import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { functionOf } from '../../../facts/callbacks.ts'
import { createCodeReader, findPart, type FunctionFact, type ScriptFacts } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import {
  asksForCallersRole,
  createServiceReader,
  findHandlers,
  handlerFunction,
  registrationOf,
  type CapElement,
  type CapRoot,
  type CapService,
  type WriteEvent,
  HANDLER_PACKAGES,
  usesHandlerPackage,
} from '../../../model/cap/index.ts'
import { isContext, isLogCall, isOfUi5App } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createInnerIndex } from '../../../facts/span-index.ts'
import { createAccountReader } from '../_callers/account-checks.ts'
import { asksForLogin } from '../_callers/asked-users.ts'
import { mentionsCaller } from '../_callers/caller-values.ts'
import { additionsOf } from '../_rows/row-filters.ts'
import { projectedNames } from './user-handlers.ts'
import { answersCaller } from './caller-answers.ts'
import { codeOf, createPreparingReader } from './preparing-handlers.ts'
import { createRoleGateReader } from './role-gates.ts'

/** A handler of CAP that runs before or instead of what clients ask an entity for. */
export interface EntityHandler {
  readonly service: string | undefined
  readonly isConnected: boolean
  readonly events: readonly string[]
  /** Last parts of names; undefined: all entities. */
  readonly entities: readonly string[] | undefined
  readonly writes: boolean
  /** It answers reads, and nothing that is known of it asks the database or the next handler: the rows come from somewhere else. */
  readonly answers: boolean
  /** It answers reads with the row of whoever calls, as the request tells it, and never with another one. */
  readonly ofCaller?: true
  /** It looks at who calls: `unknown` where its function is in another file, or one of another file decides what it refuses. */
  readonly asks: 'yes' | 'no' | 'unknown'
  /** It refuses callers without a role, as a login of the project's own knows them. */
  readonly asksRole: boolean
  /** It runs for all events, and looks at nothing but who calls: at the role, and not at whose row it is. */
  readonly isRoleGate?: true
  /** It rejects some requests, whoever sends them. */
  readonly refuses: boolean
  /** It rejects all requests, and does nothing else. */
  readonly refusesAll: boolean
  /** Of one that writes: nothing of what clients send is stored as such, for it rejects all of it or stores something itself. */
  readonly closes: boolean
  /** Of one that writes: it puts whole rows over what clients send. */
  readonly fills: boolean
  /** Of one that reads: the element that it compares with the user. */
  readonly owner: string | undefined
  /** Elements of what clients send that it looks at; empty where it names none. */
  readonly looksAt: readonly string[]
  /** Where it is registered, and where its function is. */
  readonly spans: readonly Span[]
}

/** Handlers of entities, with what they ask the user for. */
export const entityHandlers: Extract<EntityHandler> = defineExtract({
  name: 'cap-entity-handlers',
  keywords: ['.on(', '.before(', '.reject(', ...HANDLER_PACKAGES],
  prefilter: (text) =>
    usesHandlerPackage(text) ||
    /READ|CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|['"]\*['"]|\.before\(\s{0,20}[(a-z]/.test(text),
  isFor: (path) => !isOfUi5App(path),
  collect: ({ facts, text, step }) => {
    const asksIn = createCodeReader(withoutLogins(facts, text), asksForUser)
    const queriesIn = createCodeReader(text, (code) => QUERIES.test(code))
    const fillsIn = createCodeReader(text, (code) => FILLS.test(code))
    const nextIn = createCodeReader(text, (code) => /\bnext\b/.test(code))
    const guarded = new Set(facts.guards.map((guard) => guard.function))
    const endsIn = createCodeReader(text, (code) => ENDS.test(code))
    const ownerOf = createCodeReader(text, ownerIn)
    const lookedAtIn = createCodeReader(text, elementsIn)
    const roleGuards = facts.guards.filter(
      (guard) => ENDS.test(text.slice(guard.inside.start, guard.inside.end)) && asksForCallersRole(guard),
    )
    const endsAllIn = createCodeReader(text, (code) => ENDS.test(code) && !GOES_ON.test(code))
    const narrowedIn = createInnerIndex(
      [...additionsOf(facts, step)].filter(({ conditions }) => conditions.some((value) => mentionsCaller(value, text))),
    )
    const opaque = refusingByOthers(facts, text, step)
    const prepares = createPreparingReader(facts, text, step)
    const isAccountCheck = createAccountReader(facts, text, step)
    const isRoleGate = createRoleGateReader(facts, text, step)
    const handlers = findHandlers(facts).flatMap((handler): EntityHandler[] => {
      const { phase, events, entities, isTargeted, fact, call, callee, service } = handler
      const isEarly = phase === 'before' || phase === 'on' || phase === 'prepend'
      const named = events.map((name) => name ?? '*')
      if (!isEarly || !named.some((name) => CRUD.test(name))) return []
      // what is given as an entity, and is no constant, may be any
      if (!isTargeted && !named.some((name) => name === '*' || WRITE.test(name) || name === 'READ')) return []
      step(facts.calls.length)
      const own = fact === undefined ? [] : codeOf(fact, facts)
      const asksRole = roleGuards.some(({ function: asking }) => own.includes(asking))
      const asks =
        fact === undefined
          ? CHECK.test(lastNameOf(callee) ?? '')
            ? 'yes'
            : 'unknown'
          : asksRole ||
              own.some((one) => narrowedIn(one).length > 0) ||
              (own.some((one) => asksIn(one) && !isAccountCheck(one)) && !prepares(handler))
            ? 'yes'
            : own.some((one) => opaque.has(one))
              ? 'unknown'
              : 'no'
      const writes = named.some((name) => WRITE.test(name))
      const reads = named.every((name) => name === 'READ' || name === 'each')
      return [
        {
          service: service.name,
          isConnected: service.kind === 'connected',
          events: named,
          entities,
          writes,
          closes: writes && fact !== undefined && ((phase === 'on' && !own.some(nextIn)) || (!guarded.has(fact) && endsIn(fact))),
          fills: writes && own.some(fillsIn),
          answers: phase === 'on' && reads && !own.some(queriesIn),
          ...(reads && answersCaller(handler) && { ofCaller: true as const }),
          asks,
          asksRole,
          ...(isRoleGate(handler) && { isRoleGate: true as const }),
          refuses: own.some(endsIn),
          refusesAll: fact !== undefined && !guarded.has(fact) && endsAllIn(fact),
          owner: reads ? own.map(ownerOf).find((name) => name !== undefined) : undefined,
          looksAt: writes ? [...new Set(own.flatMap(lookedAtIn))] : [],
          spans: [call, ...(fact === undefined ? [] : [fact])].map(({ start, end }) => ({ start, end })),
        },
      ]
    })
    return [...handlers, ...rejected(facts, step)]
  },
})

/** `srv.reject('DELETE', Orders)`. Fact: capire, "cds.Service" (`srv.reject`). */
function rejected(facts: ScriptFacts, step: (count?: number) => void): readonly EntityHandler[] {
  step(facts.calls.length)
  let serviceOf: ReturnType<typeof createServiceReader> | undefined
  return facts.calls.flatMap((call): EntityHandler[] => {
    const { phase, events = [], entities } = registrationOf(call) ?? {}
    const named = events.flatMap((name) => (name !== undefined && CRUD.test(name) ? [name] : []))
    if (phase !== 'reject' || named.length === 0 || call.callee.kind !== 'member') return []
    const { name: service, kind } = (serviceOf ??= createServiceReader(facts))(call.callee.object)
    return [
      {
        service,
        isConnected: kind === 'connected',
        events: named,
        entities,
        writes: named.some((name) => WRITE.test(name)),
        answers: false,
        asks: 'no',
        asksRole: false,
        refuses: true,
        refusesAll: true,
        closes: true,
        fills: false,
        owner: undefined,
        looksAt: [],
        spans: [call],
      },
    ]
  })
}

const CRUD = /^(?:READ|CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|UPSERT|INSERT|CANCEL|each|\*)$/
const WRITE = /^(?:CREATE|UPDATE|DELETE|NEW|PATCH|EDIT|SAVE|WRITE|UPSERT|INSERT|\*)$/
const QUERIES = /\bnext\s{0,4}\(|\bSELECT\b|\b(?:db|cds)\s{0,4}\.\s{0,4}(?:run|read)\b/
/** Whose browser sent a request says nothing of who calls. */
const USER = /\b(?:user(?!-agent)|tokenInfo|authInfo|owner|role|permission)/i
/** `Object.assign(req.data, row)`, `req.data = row` */
const FILLS = /\bObject\s{0,4}\.\s{0,4}assign\s{0,4}\(|\.data\s{0,4}=(?![=>])/
const REFUSES = /\b(?:where|and|forbidden|unauthorized|40[13])\b/i
/** `req.error(403)`; what a handler catches as `error`, and notes by `console.error`, refuses nothing. */
const ENDS =
  /\b(?:reject|throw)\b|\b(?:_?re?q\w{0,8}|ctx|context|this)\s{0,4}\??\.\s{0,4}error\s{0,4}\(|\bnew\s{1,4}\w{0,30}Error\b/i
/** What it rejects may be some requests alone. */
const GOES_ON = /\b(?:await|catch|next|UPDATE|DELETE)\b|\|\||&&|\?/
const ASKING_CALL =
  /\b\w{0,40}(?:(?:assert|check|ensure|verify|require)_?own|auth|permission|allowed|access|privileg|role|owner|guard|admin)\w{0,40}\s{0,4}\(/i
const CHECK = /auth|permission|allowed|access|privileg|role|owner|guard|protect|restrict|admin/i

/** `UPDATE(User)`, `.from('Roles')`: which table it is says nothing of who calls; `Buffer.from(user.id)` names none. */
const TABLE =
  /\b(?:UPDATE|UPSERT|DELETE|INSERT|SELECT|from|into|entity)\s{0,4}\(\s{0,4}(?:["'`][\w.]{1,100}["'`]|(?:\w{1,60}\.){0,4}[A-Z]\w{0,100})\s{0,4}[,)]/g

/** It looks at the user and refuses or narrows, or calls what is named like that; one that only notes the user asks nobody. */
function asksForUser(text: string): boolean {
  return (USER.test(text.replace(TABLE, '()')) && (REFUSES.test(text) || ENDS.test(text))) || ASKING_CALL.test(text)
}

/** Functions that refuse by what a function of another file makes of the request: `if (!(await mayDelete(req))) return req.reject(403)`. */
function refusingByOthers(facts: ScriptFacts, text: string, step: (count?: number) => void): ReadonlySet<FunctionFact> {
  const found = new Set<FunctionFact>()
  for (const { test, inside, function: refusing } of facts.guards) {
    step()
    if (found.has(refusing) || !ENDS.test(text.slice(inside.start, inside.end))) continue
    const unread = findPart(test, (part) => {
      step()
      if (part.kind !== 'call' || !part.args.some(isContext) || isLogCall(part)) return false
      const isKnown = OF_CAP.test(lastNameOf(part.callee) ?? '') || functionOf(part.callee) !== undefined
      return !isKnown && handlerFunction(part.callee, facts) === undefined
    })
    if (unread !== undefined) found.add(refusing)
  }
  return found
}

/** `cds.tx(req)` decides nothing. */
const OF_CAP = /^(?:tx|transaction|context|next|stringify|Boolean)$/

/** A condition on more than who it is: `!req.user.attr.line`. */
const ASKS_MORE = /user\??\.(?!id\b|is\b)\w/i

/** `if (!req.user) return`: it does nothing then, and lets the request pass. */
const LEAVES = /^\{?\s{0,40}return\s{0,4};?\s{0,40}\}?;?$/

/** The text of a script with blanks for what refuses callers without a login: all users of a service have that in common. */
function withoutLogins({ guards }: ScriptFacts, text: string): string {
  let rest = text
  for (const { test, inside } of guards) {
    const refusal = text.slice(inside.start, inside.end)
    if (
      ASKS_MORE.test(text.slice(test.start, test.end)) ||
      !asksForLogin(test) ||
      !(ENDS.test(refusal) || LEAVES.test(refusal)) ||
      /\bif\b|\bwhere\b|\?/.test(refusal)
    )
      continue
    const [start, end] = [Math.min(test.start, inside.start), Math.max(test.end, inside.end)]
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end)
  }
  return rest
}

/** What is asked of a role, as in `isAdmin = req.user.is('admin')`, is the column of nothing. */
const OWNER =
  /(?:\b(const|let|var)\s{1,4})?\b([A-Za-z_]\w{0,60})['"]?\s{0,4}(?:=|:|===?)\s{0,4}(?:['"`]\s{0,4},\s{0,4})?(?:\$\{)?(?:req|cds\.context|context)\.user\b(?!\s{0,4}\??\.\s{0,4}(?:is|has|roles)\b)/g

/** `createdBy` of `req.query.where({ createdBy: req.user.id })`. */
function ownerIn(text: string): string | undefined {
  if (!/\bwhere\b/.test(text)) return undefined
  const [first] = text.matchAll(OWNER)
  const [, declared, found] = first ?? []
  // a variable is a column where the condition has it as it is: `where({ createdBy })`
  const isOther = declared !== undefined && found !== undefined && !/[{,]\s{0,20}$/.test(text.split(found)[2] ?? '')
  return found === undefined || isOther || /^(?:user|userId|id|tenant|locale)$/.test(found) ? undefined : found
}

const ELEMENT = /\.data\s{0,4}\??\.\s{0,4}(\w{1,60})|\{([^{}]{1,200})\}\s{0,4}=\s{0,4}\w{1,20}\.data\b(?!\s{0,4}\??\.)/g

/** `price` of `req.data.price` and of `const { price } = req.data`. */
function elementsIn(text: string): readonly string[] {
  return [...text.matchAll(ELEMENT)].flatMap(([, name, pattern]) =>
    name === undefined ? (pattern ?? '').split(',').flatMap((part) => /^\s{0,40}(\w{1,60})/.exec(part)?.[1] ?? []) : [name],
  )
}

/** The handlers that run where clients ask a service for an entity. Needs the extract `entityHandlers`. */
export function handlersFor(root: CapRoot, service: CapService, { qualified }: CapElement): readonly EntityHandler[] {
  const names = projectedNames(root, qualified)
  return root.scripts.get(entityHandlers).flatMap(({ file, value }) => {
    const { entities } = value
    if (entities !== undefined && !entities.some((name) => names.has(name))) return []
    const { services, isCertain } = root.eventOf({ file, ...value })
    return !isCertain || services.includes(service) ? value : []
  })
}

/** Whether a handler of these ends such requests, looks at who sends them, or may. */
export function mayRefuse(handlers: readonly EntityHandler[], event: WriteEvent): boolean {
  return handlers.some(
    ({ events, asks, refuses }) =>
      (asks !== 'no' || refuses) && events.some((one) => one === event || one === '*' || one === 'WRITE'),
  )
}

/** The events of an entity for which none of its handlers looks at who calls, or rejects all of them. */
export function unaskedOf<Event extends string>(events: readonly Event[], handlers: readonly EntityHandler[]): readonly Event[] {
  const asked = new Set(
    handlers.flatMap((one) => (one.asks === 'no' && !one.refusesAll ? [] : one.events.map((event) => SAME.get(event) ?? event))),
  )
  return events.filter((event) => !asked.has(event) && !asked.has('*'))
}

/** Events of drafts and other names for what clients send as these. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['each', 'READ'],
  ...['WRITE', 'SAVE', 'PATCH', 'EDIT', 'UPSERT'].map((name) => [name, 'UPDATE'] as const),
])
