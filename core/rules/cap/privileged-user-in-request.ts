import {
  accessesOf,
  constantOf,
  fieldOf,
  pathOf,
  resolveValue,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, functionOf, methodOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { builderBehind } from '../../flow/frameworks/query-sinks.ts'
import { createHandlerReader, findHandlers, isPrivileged, type CapRoot } from '../../model/cap/index.ts'
import { inEachLanguage } from '../../arguments.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { gradeHit } from './_flow-grade.ts'
import { createExportReader, createLinkReader, handlerLinks } from './_handlers/handler-links.ts'
import { isWithin } from '../../facts/span-index.ts'

/** A class of users that says yes to every question has no word that is as rare. */
const KEYWORDS = ['privileged', 'extends cds.User', 'extends User']

/** The privileged user in handlers, and the entities that it is used for; undefined where that is not all of it. */
const privilegedInHandlers: Extract<Span & { readonly call: string; readonly entities: readonly string[] | undefined }> =
  defineExtract({
    name: 'cap-privileged-in-handlers',
    keywords: KEYWORDS,
    isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
    *collect({ facts }) {
      // a message has no user of its own
      const handlers = findHandlers(facts).filter(({ service, phase }) => service.kind !== 'connected' || phase !== 'on')
      if (handlers.length === 0) return
      const handlerAt = createHandlerReader(handlers)
      const jobs = jobsIn(facts)
      for (const { call, user } of privilegedContexts(facts)) {
        if (handlerAt(call.start) === undefined || jobs.some((span) => isWithin(call, span))) continue
        const written = pathOf(call.callee)?.at(-1) ?? 'tx'
        yield { start: user.start, end: user.end, call: written, entities: entitiesWithin(call, facts) }
      }
      for (const { start, end, call } of assignedUsers(facts))
        if (handlerAt(start) !== undefined) yield { start, end, call, entities: undefined }
    },
  })

/** The privileged user in functions that are no handlers, but that others may call. */
const privilegedElsewhere: Extract<Span & { readonly call: string; readonly exported: string }> = defineExtract({
  name: 'cap-privileged-elsewhere',
  keywords: KEYWORDS,
  isFor: (path) => !isDeveloperFile(path) && !isToolFile(path),
  *collect({ facts }) {
    if (findHandlers(facts).length > 0) return
    const exportedAt = createExportReader(facts)
    const jobs = jobsIn(facts)
    const found = [
      ...privilegedContexts(facts).map(({ call, user }) => ({
        call: pathOf(call.callee)?.at(-1) ?? 'tx',
        place: user,
        around: call,
      })),
      ...assignedUsers(facts).map((place) => ({ call: place.call, place, around: place })),
    ]
    for (const { call, place, around } of found) {
      if (jobs.some((span) => isWithin(around, span))) continue
      for (const exported of exportedBy(around, facts, exportedAt)) yield { start: place.start, end: place.end, call, exported }
    }
  },
})

const MAX_HOPS = 3

/** The exported functions that a place runs in: the one around it, or those that call the one around it. */
function exportedBy(place: Span, facts: ScriptFacts, exportedAt: (place: Span) => string | undefined): readonly string[] {
  let open: readonly Span[] = [place]
  for (let hop = 0; hop < MAX_HOPS && open.length > 0; hop++) {
    const found = open.flatMap((one) => exportedAt(one) ?? [])
    if (found.length > 0) return [...new Set(found)]
    const around = new Set(open.flatMap((span) => facts.functions.filter((fact) => fact.kind !== 'file' && isWithin(span, fact))))
    open = facts.calls.filter(({ callee }) => {
      const called = functionOf(callee)
      return called !== undefined && around.has(called)
    })
  }
  return []
}

/**
 * A handler that works as the privileged user, past every restriction, while it serves a request.
 * Facts: CAP documentation, "cds.User.privileged" (all checks of authorization pass) and "srv.tx" (the user of the context counts).
 * Impact: a user reads or changes what only others may; without values of the caller in the query of a restricted entity, what the handler does with it is
 * assumed.
 */
export const privilegedUserInRequest: Rule = defineRule({
  id: 'cap/privileged-user-in-request',
  impact: 'data',
  confidence: 'medium',
  cwe: [250],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#privileged-user',
  extracts: [privilegedInHandlers, privilegedElsewhere, handlerLinks],
  yieldsTo: ['cap/event-queue-privileged-replay'],
  checks: {
    // the query asks for what the caller wants of an entity that not everybody may see
    *flow(hit, { capRoots }) {
      if (hit.origin === 'privileged') {
        yield {
          ...gradeHit(hit, ASSUMED),
          confidence: 'medium',
          args: { how: wordUse(hit.api.method) },
        }
        return
      }
      const { subject: entity } = hit.api
      if (entity === undefined || hit.origin !== 'request' || hit.entry === 'message') return
      const root = capRoots.find(({ files }) => files.some(({ path }) => path === hit.at.file))
      if (root === undefined || !isRestricted(entity, root)) return
      yield { ...gradeHit(hit), args: { how: wordUse('tx') } }
    },

    *project({ scripts, capRoots }) {
      for (const { file, value } of scripts.get(privilegedInHandlers)) {
        const { start, end, call, entities } = value
        const root = entities && capRoots.find(({ files }) => files.some(({ path }) => path === file))
        if (root !== undefined && entities?.every((name) => isOpen(name, root)) === true) continue
        yield { at: { file, span: { start, end } }, args: { how: wordUse(call) }, ...ASSUMED }
      }
    },

    *'cap-root'(root) {
      if (root.test) return
      // a helper that handlers of other files call
      const linksTo = createLinkReader(root)
      for (const { file, value } of root.scripts.get(privilegedElsewhere)) {
        const { start, end, call, exported } = value
        if (linksTo(file, exported).length > 0)
          yield { at: { file, span: { start, end } }, args: { how: wordUse(call) }, ...ASSUMED }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Privileged user in a request handler',
      message: 'During a user’s request, queries run as a privileged user, {how}.',
      why: 'All @restrict and @requires checks succeed for that user: callers of the handler can read or change data that their roles do not allow.',
      fix: 'Remove the privileged user: the queries then run as the caller. If callers need more permissions, grant these to a role with @restrict. If the privileged user must stay, check the caller’s role first, and do not select rows by request data.',
    },
    fr: {
      title: 'Utilisateur privilégié dans un gestionnaire de requête',
      message:
        'Pendant le traitement de la requête d’un utilisateur, des opérations s’exécutent avec un utilisateur privilégié, {how}.',
      why: 'Tous les contrôles @restrict et @requires réussissent avec cet utilisateur : un appelant du gestionnaire peut lire ou modifier des données que ses rôles n’autorisent pas.',
      fix: 'Retirez l’utilisateur privilégié : les opérations s’exécutent alors au nom de l’appelant. Si les appelants ont besoin de plus de droits, accordez-les à un rôle avec @restrict. Si l’utilisateur privilégié doit rester, vérifiez d’abord le rôle de l’appelant, et ne sélectionnez pas de lignes d’après les données de la requête.',
    },
  }),
})

const ASSUMED = { evidence: 'assumed' } as const

/** Where the privileged user is given. */
function wordUse(call: string): string {
  return call.includes('.')
    ? inEachLanguage({ en: `assigned to ${call}`, fr: `affecté à ${call}` })
    : inEachLanguage({ en: `passed to ${call}()`, fr: `passé à ${call}()` })
}

/** Whether every user may see all of an entity by what its services say: no right is gained. */
function isOpen(name: string, root: CapRoot): boolean {
  const served = root.services.filter(({ elements }) => elements.some(({ kind, name: own }) => kind === 'entity' && own === name))
  return (
    served.length > 0 &&
    !isRestricted(name, root) &&
    served.every(({ access }) => access.kind !== 'roles' && access.kind !== 'none')
  )
}

/** What runs a query, or says more of one whose entity is named. */
const REFINES = /^(?:run|where|having|columns|orderBy|groupBy|limit|set|with|data|entries)$/

/** What the callback of a transaction asks for, where each query names its entity and nothing else is called. */
function entitiesWithin(call: CallValue, facts: ScriptFacts): readonly string[] | undefined {
  const callback = functionOf(call.args[1])
  if (callback === undefined) return undefined
  const names: string[] = []
  for (const one of facts.calls) {
    if (one.start < callback.start || one.end > callback.end) continue
    const method = lastNameOf(one.callee) ?? ''
    if (REFINES.test(method)) continue
    const [target] = one.args
    const name = target?.kind === 'reference' ? target.name : target && constantOf(target)
    if (builderBehind(one.callee) === undefined || typeof name !== 'string') return undefined
    names.push(name.slice(name.lastIndexOf('.') + 1))
  }
  return names.length > 0 ? names : undefined
}

/** Whether an entity by the last part of its name, or what it is a projection on, is restricted by itself. */
function isRestricted(name: string, root: CapRoot): boolean {
  const last = (one: string): string => one.slice(one.lastIndexOf('.') + 1)
  return root.services.some(({ elements }) =>
    elements.some(
      ({ kind, qualified, annotations }) =>
        kind === 'entity' &&
        (annotations.has('restrict') || annotations.has('requires')) &&
        [qualified, ...root.projected(qualified)].some((one) => last(one) === name),
    ),
  )
}

/** Assignments of the privileged user to the context. */
function assignedUsers({ assignments }: ScriptFacts): readonly (Span & { readonly call: string })[] {
  return assignments.flatMap(({ target, value, start, end }) => {
    const user = target.name === 'context' ? (fieldOf(resolveValue(value), 'user')?.value ?? value) : value
    if (!isPrivileged(user)) return []
    const [call] = accessesOf(target).flatMap(({ root, steps }) => ASSIGNED.exec(`${root}.${steps.join('.')}`)?.[1] ?? [])
    return call === undefined ? [] : [{ start, end, call }]
  })
}

const ASSIGNED =
  /^(?:global:|module:@sap\/|parameter:)((?<!parameter:)cds\.context(?:\.user)?|(?<=parameter:)_?(?:req|oReq)(?:uest)?\.user)$/

/** `cds.tx({ user }, () => INSERT.into('Log').entries({ event }))`: a row of the application's own is added, with nothing in it that the client sent. */
function addsOwnRow(call: CallValue, facts: ScriptFacts): boolean {
  const callback = functionOf(call.args[1])
  if (callback === undefined) return false
  const inside = facts.calls.filter((span) => isWithin(span, callback))
  const queries = inside.filter((one) => builderBehind(one.callee) !== undefined)
  const isSent = inside.some(({ callee }) => /^(?:send|emit|dispatch|read|update|delete)$/.test(lastNameOf(callee) ?? ''))
  return (
    queries.length > 0 &&
    !isSent &&
    queries.every((one) => builderBehind(one.callee) === 'INSERT' && !one.args.some(isSentByClient))
  )
}

/** `{ text: req.data.text }`, `data`. */
function isSentByClient(value: Value): boolean {
  if (value.kind === 'member')
    return /^(?:data|params|headers|query|body)$/.test(value.name ?? '') || isSentByClient(value.object)
  if (value.kind === 'reference')
    return value.name === 'data' || value.binding?.definitions.some(({ path }) => path.includes('data')) === true
  if (value.kind === 'object') return value.fields.some(({ value: field }) => isSentByClient(field))
  if (value.kind === 'array') return value.items.some(isSentByClient)
  return value.kind === 'spread' || value.kind === 'template' || value.kind === 'concat'
}

/** `cds.queued(srv).tx({ user }, …)`: what is sent so is looked at by itself. */
function isQueued({ callee }: CallValue): boolean {
  const service = callee.kind === 'member' ? resolveValue(callee.object) : undefined
  const made = service?.kind === 'await' ? resolveValue(service.value) : service
  return made?.kind === 'call' && /^(?:queued|outboxed)$/.test(lastNameOf(made.callee) ?? '')
}

/** `srv.tx({ user: cds.User.privileged }, …)`, `new cds.EventContext({ user })`. */
function privilegedContexts(facts: ScriptFacts): { call: CallValue; user: Value }[] {
  return facts.calls.flatMap((call) => {
    if (addsOwnRow(call, facts) || isQueued(call)) return []
    const name = pathOf(call.callee)?.at(-1)
    const last = call.callee.kind === 'member' ? call.callee.name : name
    if (!/^(?:tx|transaction|EventContext|Request|run)$/.test(last ?? '')) return []
    return call.args.flatMap((argument) => {
      const given = resolveValue(argument)
      const made = madeBy(given)
      const user = userIn(made ?? given)
      const isWritten = user !== undefined && isWithin(user, call)
      return user !== undefined && isPrivileged(user) ? [{ call, user: isWritten ? user : argument }] : []
    })
  })
}

/** The last of what an object is given as `user`: by itself, or by an object that is spread in it. */
function userIn(given: Value, depth = 0): Value | undefined {
  if (given.kind !== 'object' || depth > MAX_HOPS) return undefined
  for (const { key, value } of given.fields.toReversed()) {
    const found = key === 'user' ? value : value.kind === 'spread' ? userIn(resolveValue(value.value), depth + 1) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

/** The object that a function of the file makes: `tx(asSystem(), …)`. */
function madeBy(value: Value): Value | undefined {
  const maker = value.kind === 'call' ? resolveValue(value.callee) : undefined
  const [returned] = maker?.kind === 'function' ? maker.function.returns : []
  return returned && resolveValue(returned)
}

/** Functions that run outside of the request: `cds.spawn(…)`, `setTimeout(…)`, and what is done once at the start. */
function jobsIn(facts: ScriptFacts): readonly { readonly start: number; readonly end: number }[] {
  const callbacks = [...findCallbacks(facts)].filter(([, callback]) => {
    const method = methodOf(callback) ?? pathOf(callback.call.callee)?.at(-1) ?? ''
    return /(?:^|:)(?:spawn|setTimeout|setInterval|setImmediate)$/.test(method)
  })
  return callbacks.map(([fact]) => fact)
}
