import { accessesOf, fieldOf, pathOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../facts/index.ts'
import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { findCallbacks, methodOf } from '../../facts/callbacks.ts'
import { createHandlerReader, findHandlers } from '../../model/cap/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isPrivileged } from '../../model/cap/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { createExportReader, createLinkReader, handlerLinks } from './_handler-links.ts'

/** The privileged user in functions that are no handlers, but that others may call. */
const privilegedElsewhere: Extract<Span & { readonly call: string; readonly exported: string }> = defineExtract({
  name: 'cap-privileged-elsewhere',
  keywords: ['privileged'],
  *collect({ path, kind, facts }) {
    if (kind.test || isDeveloperFile(path) || isToolFile(path) || findHandlers(facts).length > 0) return
    const exportedAt = createExportReader(facts)
    const jobs = jobsIn(facts)
    const found = [
      ...privilegedContexts(facts).map(({ call, user }) => ({
        call: pathOf(call.callee)?.at(-1) ?? 'tx',
        place: user,
        around: call,
      })),
      ...assignedUsers(facts).map((place) => ({ call: 'cds.context.user', place, around: place })),
    ]
    for (const { call, place, around } of found) {
      const exported = exportedAt(around)
      if (exported === undefined || jobs.some(({ start, end }) => start <= around.start && around.end <= end)) continue
      yield { start: place.start, end: place.end, call, exported }
    }
  },
})

/**
 * A handler that works as the privileged user, past every restriction, while it serves a request.
 * Facts: CAP documentation, "cds.User.privileged" (all checks of authorization pass) and "srv.tx" (the user of the context counts).
 * Severity: what the handler does with the values of the caller decides how bad it is, which needs a second look, MEDIUM.
 */
export const privilegedUserInRequest: Rule = defineRule({
  id: 'cap/privileged-user-in-request',
  severity: 'MEDIUM',
  confidence: 'medium',
  cwe: [250],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication#privileged-user',
  keywords: ['privileged'],
  extracts: [privilegedElsewhere, handlerLinks],
  yieldsTo: ['cap/event-queue-privileged-replay'],
  checks: {
    // a helper that handlers of other files call
    *'cap-root'(root) {
      if (root.test) return
      const linksTo = createLinkReader(root)
      for (const { file, value } of root.scripts.get(privilegedElsewhere)) {
        const { start, end, call, exported } = value
        if (linksTo(file, exported).length > 0) yield { at: { file, span: { start, end } }, args: { call } }
      }
    },

    *'server-script'({ path, content: { facts } }) {
      // a message has no user of its own
      const handlers = findHandlers(facts).filter(({ service, phase }) => service.kind !== 'connected' || phase !== 'on')
      if (handlers.length === 0) return
      const handlerAt = createHandlerReader(handlers)
      const jobs = jobsIn(facts)
      for (const { call, user } of privilegedContexts(facts)) {
        if (handlerAt(call.start) === undefined || jobs.some(({ start, end }) => start <= call.start && call.end <= end)) continue
        const written = pathOf(call.callee)?.at(-1) ?? 'tx'
        yield { at: { file: path, span: { start: user.start, end: user.end } }, args: { call: written } }
      }
      for (const { start, end } of assignedUsers(facts))
        if (handlerAt(start) !== undefined) yield { at: { file: path, span: { start, end } }, args: { call: 'cds.context.user' } }
    },
  },

  text: {
    en: {
      title: 'Privileged user inside a request handler',
      message: 'The handler runs queries as cds.User.privileged ({call}) while it serves a request of an ordinary user.',
      why: 'Every @restrict and @requires passes with that user: callers of the handler can read or change data that their roles do not allow.',
      fix: 'Remove the privileged user, so that the query runs as the user of the request. If it needs more rights, grant them to a role with @restrict, or move the work to cds.spawn.',
    },
    fr: {
      title: 'Utilisateur privilégié dans un gestionnaire de requête',
      message:
        'Le gestionnaire exécute des requêtes en tant que cds.User.privileged ({call}) pendant qu’il sert un utilisateur ordinaire.',
      why: 'Tous les @restrict et @requires sont satisfaits pour cet utilisateur : un appelant du gestionnaire peut lire ou modifier des données que ses rôles n’autorisent pas.',
      fix: 'Retirez l’utilisateur privilégié, pour que la requête s’exécute avec l’utilisateur appelant. S’il faut plus de droits, accordez-les à un rôle avec @restrict, ou déplacez le travail dans cds.spawn.',
    },
  },
})

/** Assignments of the privileged user to the context. */
function assignedUsers({ assignments }: ScriptFacts): readonly Span[] {
  return assignments.filter(
    ({ target, value }) =>
      isPrivileged(value) &&
      accessesOf(target).some(
        ({ root, steps }) => /^(?:global:cds|module:@sap\/cds)$/.test(root) && steps.join('.') === 'context.user',
      ),
  )
}

/** `srv.tx({ user: cds.User.privileged }, …)`, `new cds.EventContext({ user })`. */
function privilegedContexts(facts: ScriptFacts): { call: CallValue; user: Value }[] {
  return facts.calls.flatMap((call) => {
    const name = pathOf(call.callee)?.at(-1)
    const last = call.callee.kind === 'member' ? call.callee.name : name
    if (!/^(?:tx|transaction|EventContext|Request|run)$/.test(last ?? '')) return []
    return call.args.flatMap((argument) => {
      const user = fieldOf(resolveValue(argument), 'user')?.value
      return user !== undefined && isPrivileged(user) ? [{ call, user }] : []
    })
  })
}

/** Functions that run outside of the request: `cds.spawn(…)`, `setTimeout(…)`, and what is done once at the start. */
function jobsIn(facts: ScriptFacts): readonly { readonly start: number; readonly end: number }[] {
  const callbacks = [...findCallbacks(facts)].filter(([, callback]) => {
    const method = methodOf(callback) ?? pathOf(callback.call.callee)?.at(-1) ?? ''
    return /(?:^|:)(?:spawn|setTimeout|setInterval|setImmediate)$/.test(method)
  })
  return callbacks.map(([fact]) => fact)
}
