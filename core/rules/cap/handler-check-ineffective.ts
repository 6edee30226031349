import { functionOf } from '../../facts/callbacks.ts'
import {
  accessesOf,
  valuesOf,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
  type FunctionFact,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { asksForRole, createHandlerReader, findHandlers, type HandlerFunction } from '../../model/cap/index.ts'
import { findLateChecks } from './_late-checks.ts'
import { defineRule, type Rule } from '../rule.ts'

const REJECTS = /^(?:reject|error|sendStatus|status|\w*Error)$/

/**
 * A question for a role in a handler whose answer changes nothing.
 * Facts: capire, "Events" (what a before handler returns is ignored; only req.reject, req.error and exceptions end a request), "Authentication" (req.user.is).
 * Severity: a check that is written and does not hold; who may call the service at all still decides, MEDIUM.
 */
export const handlerCheckIneffective: Rule = defineRule({
  id: 'cap/handler-check-ineffective',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [863],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#req-reject',
  keywords: ['user.is', '.reject(', '.before('],
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    const handlers = findHandlers(facts)
    const predicates = predicatesOf(facts)
    const predicateOf = ({ callee }: CallValue): FunctionFact | undefined => {
      const fact = functionOf(callee)
      return fact !== undefined && predicates.has(fact) ? fact : undefined
    }
    const asking = facts.calls.filter((call) => asksForRole(call) || predicateOf(call) !== undefined)
    if (handlers.length === 0 && !facts.calls.some(({ callee }) => lastNameOf(callee) === 'then')) return
    const used = usedValues(facts)
    for (const { at, variant } of findLateChecks(text, facts, handlers, used))
      yield { at: { file: path, span: at }, variant, confidence: 'medium' }
    const handlerAt = createHandlerReader(handlers)
    for (const call of asking) {
      budget.step(facts.guards.length)
      const handler = handlerAt(call.start)
      if (handler === undefined) continue
      const span = { start: call.start, end: call.end }
      if (!used.has(call) || (handler.phase === 'before' && isAnswer(call, handler))) {
        yield { at: { file: path, span }, variant: 'unused' }
        continue
      }
      const guard = facts.guards.find((it) => it.exits && isRefusal(it.test, call))
      // a promise is no refusal
      if (guard !== undefined && predicateOf(call)?.isAsync === true) {
        yield { at: { file: path, span }, variant: 'unawaited' }
        continue
      }
      // who lacks the role goes on without what only the role gets
      if (guard !== undefined && changesBehind(guard, handler, facts)) continue
      if (guard !== undefined && handler.phase === 'before' && !rejectsWithin(guard, facts, (one) => asking.includes(one)))
        yield { at: { file: path, span } }
      else if (isLate(call, handler, facts)) yield { at: { file: path, span }, variant: 'late', confidence: 'medium' }
      else if (handler.phase === 'before' && onlyNotes(call, handler, facts))
        yield { at: { file: path, span }, variant: 'unused' }
      else if (handler.phase === 'on' && goesOn(call, handler, facts))
        yield { at: { file: path, span }, variant: 'continued', confidence: 'medium' }
    }
  },

  text: {
    en: {
      title: 'Role check without effect in a before handler',
      message:
        'The handler only returns if req.user.is(…) is false. CAP ignores the return value of a before handler and continues with the request.',
      why: 'Users without the role can still execute the request: the check looks like a protection but has no effect.',
      fix: 'Reject the request: if (!req.user.is("admin")) return req.reject(403); or restrict it in the model with @requires or @restrict.',
      variants: {
        unused: {
          title: 'Result of a role check not used',
          message: 'req.user.is(…) is called, but its result is ignored.',
        },
        late: {
          title: 'Role check after the data was changed',
          message: 'The role is checked in an after handler, when the change has already been made.',
          why: 'The change is rolled back only if the handler rejects the request within the same transaction; other effects, such as sent messages, remain.',
          fix: 'Check the role in a before handler and reject the request there: if (!req.user.is("admin")) return req.reject(403).',
        },
        unawaited: {
          title: 'Asynchronous check without await',
          message: 'The handler starts an asynchronous check and continues without waiting for its result.',
          why: 'The request is executed before the check can reject it: users get what the check should deny them.',
          fix: 'Wait for the result of the check: const ok = await isOwner(…); if (!ok) return req.reject(403). In loops write for (const item of items) await check(item), or await Promise.all(items.map(check)).',
        },
        misspelt: {
          title: 'Handler registered for an unknown event',
          message: 'CAP event names are case-sensitive, and those of entities are in upper case: this handler is never called.',
          why: 'Checks and validations in this handler never run.',
          fix: "Write the event in upper case, for example srv.before('UPDATE', 'Orders', …).",
        },
        continued: {
          title: 'Handler continues after a failed role check',
          message: 'If req.user.is(…) is false, the handler calls req.error(…), which only collects the error, and continues.',
          why: 'CAP rejects the request only after the handler has ended: what it has sent to other systems by then is not undone.',
          fix: 'End the handler: if (!req.user.is("admin")) return req.reject(403).',
        },
      },
    },
    fr: {
      title: 'Contrôle de rôle sans effet dans un gestionnaire before',
      message:
        'Le gestionnaire se contente d’un return si req.user.is(…) est faux. CAP ignore la valeur de retour d’un gestionnaire before et poursuit la requête.',
      why: 'Les utilisateurs sans le rôle peuvent tout de même exécuter la requête : le contrôle ressemble à une protection mais est sans effet.',
      fix: 'Rejetez la requête : if (!req.user.is("admin")) return req.reject(403) ; ou restreignez-la dans le modèle avec @requires ou @restrict.',
      variants: {
        unused: {
          title: 'Résultat d’un contrôle de rôle non utilisé',
          message: 'req.user.is(…) est appelé, mais son résultat est ignoré.',
        },
        late: {
          title: 'Contrôle de rôle après la modification',
          message: 'Le rôle est vérifié dans un gestionnaire after, une fois la modification effectuée.',
          why: 'La modification n’est annulée que si le gestionnaire rejette la requête dans la même transaction ; d’autres effets, comme des messages envoyés, demeurent.',
          fix: 'Vérifiez le rôle dans un gestionnaire before et rejetez-y la requête : if (!req.user.is("admin")) return req.reject(403).',
        },
        unawaited: {
          title: 'Contrôle asynchrone sans await',
          message: 'Le gestionnaire lance un contrôle asynchrone et continue sans en attendre le résultat.',
          why: 'La requête est exécutée avant que le contrôle puisse la rejeter : des utilisateurs obtiennent ce qu’il devait leur refuser.',
          fix: 'Attendez le résultat du contrôle : const ok = await isOwner(…); if (!ok) return req.reject(403). Dans une boucle, écrivez for (const item of items) await check(item), ou await Promise.all(items.map(check)).',
        },
        misspelt: {
          title: 'Gestionnaire enregistré pour un événement inconnu',
          message:
            'Les noms d’événements CAP sont sensibles à la casse, et ceux des entités sont en majuscules : ce gestionnaire n’est jamais appelé.',
          why: 'Les contrôles et validations de ce gestionnaire ne s’exécutent jamais.',
          fix: "Écrivez l’événement en majuscules, par exemple srv.before('UPDATE', 'Orders', …).",
        },
        continued: {
          title: 'Gestionnaire poursuivi après un contrôle de rôle négatif',
          message:
            'Si req.user.is(…) est faux, le gestionnaire appelle req.error(…), qui ne fait qu’enregistrer l’erreur, puis continue.',
          why: 'CAP ne rejette la requête qu’à la fin du gestionnaire : ce qu’il a envoyé entre-temps à d’autres systèmes n’est pas annulé.',
          fix: 'Terminez le gestionnaire : if (!req.user.is("admin")) return req.reject(403).',
        },
      },
    },
  },
})

/** `user.is('Auditor')` of a user that is handed over. */
function asksUser({ callee, args }: CallValue): boolean {
  return (
    callee.kind === 'member' &&
    callee.name === 'is' &&
    args.length === 1 &&
    callee.object.kind === 'reference' &&
    callee.object.binding?.kind === 'parameter' &&
    /^_?(?:user|caller)$/.test(callee.object.name)
  )
}

/** Functions of the file that answer whether the caller has a role, and do no more: `(req) => req.user.is('Auditor')`. */
function predicatesOf({ functions, calls }: ScriptFacts): ReadonlySet<FunctionFact> {
  const asking = new Set<Value>(calls.filter((call) => asksForRole(call) || asksUser(call)))
  const isAnswered = (value: Value): boolean =>
    asking.has(value) ||
    (value.kind === 'operation' && value.operator === '!' && value.operands.some(isAnswered)) ||
    (value.kind === 'choice' &&
      value.options.some(isAnswered) &&
      value.options.every((option) => isAnswered(option) || option.kind === 'operation'))
  return new Set(asking.size === 0 ? [] : functions.filter(({ returns }) => returns.length > 0 && returns.every(isAnswered)))
}

/** Values that something is made of, decided by, or given: not those that a statement computes and drops. */
function usedValues(facts: ScriptFacts): ReadonlySet<Value> {
  const used = new Set<Value>()
  for (const { value, parent } of valuesOf(facts)) if (parent !== undefined) used.add(value)
  for (const { test } of facts.guards) used.add(test)
  for (const { returns } of facts.functions) for (const value of returns) used.add(value)
  for (const { value } of facts.assignments) used.add(value)
  for (const { definitions } of facts.bindings) for (const { value } of definitions) if (value !== undefined) used.add(value)
  return used
}

/** `!req.user.is('x')`, alone or among others. */
function isRefusal(test: Value, call: CallValue): boolean {
  if (test.kind === 'choice') return test.options.some((option) => isRefusal(option, call))
  return test.kind === 'operation' && test.operator === '!' && test.operands[0] === call
}

/** `if (!req.user.is('x')) return`, and then `req.data.priority = 1`. */
function changesBehind(guard: Guard, { fact, phase, events }: HandlerFunction, facts: ScriptFacts): boolean {
  if (fact === undefined || phase !== 'before' || !events.every((name) => /^(?:CREATE|UPDATE|NEW|PATCH|SAVE)$/.test(name ?? '')))
    return false
  return facts.assignments.some(
    ({ target, start }) =>
      guard.inside.end <= start && start < fact.end && target.object.kind === 'member' && target.object.name === 'data',
  )
}

/** The guard ends the request; a function that it calls may do so as well. */
function rejectsWithin({ inside, start }: Guard, facts: ScriptFacts, isAsking: (call: CallValue) => boolean): boolean {
  const end = inside.end
  const calls = facts.calls.filter((call) => call.start >= start && call.end <= end && !isAsking(call))
  return calls.some(({ callee, kind }) => kind === 'new' || REJECTS.test(lastNameOf(callee) ?? '') || callee.kind === 'reference')
}

/** `if (!req.user.is('x')) req.reject(403)` where the change is done already. */
function isLate(call: CallValue, { phase, call: registration }: HandlerFunction, facts: ScriptFacts): boolean {
  if (phase !== 'after' || !/CREATE|UPDATE|DELETE/.test(eventOf(registration))) return false
  return facts.guards.some(
    (guard) => isRefusal(guard.test, call) && (guard.exits || namesIn(guard, facts).some((name) => REJECTS.test(name))),
  )
}

/** `req.user.is('x') || req.info(…)`: a note, and the request goes on. */
function onlyNotes(call: CallValue, { fact }: HandlerFunction, facts: ScriptFacts): boolean {
  const guard = facts.guards.find((it) => !it.exits && it.function === fact && asksAlone(it.test, call))
  const names = guard === undefined ? [] : namesIn(guard, facts)
  return names.length > 0 && names.every((name) => NOTES.test(name))
}

const NOTES = /^(?:info|warn|notify|log|debug|trace)$/

/** `req.user.is('x')` or its contrary, and nothing beside it. */
function asksAlone(test: Value, call: CallValue): boolean {
  return test === call || (test.kind === 'operation' && test.operator === '!' && test.operands[0] === call)
}

function namesIn({ inside }: Guard, facts: ScriptFacts): readonly string[] {
  return facts.calls.flatMap(({ start, end, callee }) =>
    inside.start <= start && end <= inside.end ? [lastNameOf(callee) ?? ''] : [],
  )
}

/** `if (!req.user.is('x')) req.error(403)` collects an error, and what follows calls other systems all the same. */
function goesOn(call: CallValue, { fact }: HandlerFunction, facts: ScriptFacts): boolean {
  const guard = facts.guards.find((it) => !it.exits && it.function === fact && isRefusal(it.test, call))
  if (guard === undefined || fact === undefined) return false
  const names = namesIn(guard, facts)
  const isSent = ({ start, end, callee }: CallValue): boolean =>
    start >= guard.end &&
    end <= fact.end &&
    (SENDS.test(lastNameOf(callee) ?? '') || (callee.kind === 'member' && isOfOthers(callee)))
  return names.length === 1 && names[0] === 'error' && facts.calls.some(isSent)
}

/** `(req) => req.user.is('Approver')`: what a before handler returns is ignored. */
function isAnswer(call: CallValue, { fact }: HandlerFunction): boolean {
  return fact?.returns.some((value) => (value.kind === 'operation' ? value.operands : [value]).includes(call)) === true
}

const SENDS = /^(?:send|emit|post|put|patch|fetch|axios|got|executeHttpRequest|sendMail|publish)$/

/** A method of a client or helper of another file: what it does, nothing takes back. */
function isOfOthers(callee: Value): boolean {
  return accessesOf(callee).some(
    ({ root, steps }) =>
      /^module:(?:\.|@(?!sap\/cds))/.test(root) &&
      steps.length > 0 &&
      (!PURE.test(steps.at(-1) ?? '') || CLIENT.test([root, ...steps.slice(0, -1)].join(' '))),
  )
}

/** What it asks is somebody else, whatever the method is called. */
const CLIENT = /(?:[ /.]|^)(?:https?|\w{0,30}[cC]lient|gateway|remote|rest|api)(?: |$)/

const PURE = /^(?:is|has|to|get|as|format|parse|validate|check|calculate|compute|find|read|log|info|warn|error|debug)(?:[A-Z_]|$)/

function eventOf({ args: [event] }: CallValue): string {
  const items = event?.kind === 'array' ? event.items : event === undefined ? [] : [event]
  return items.map((item) => (item.kind === 'literal' ? String(item.value) : '')).join(' ')
}
