import { functionOf } from '../../facts/callbacks.ts'
import {
  constantOf,
  excerptOf,
  resolveValue,
  type CallValue,
  type Guard,
  type ScriptFacts,
  type Value,
  type FunctionFact,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { asksForRole, createHandlerReader, findHandlers, handlerFunction, type HandlerFunction } from '../../model/cap/index.ts'
import { isLogCall } from '../../model/script/index.ts'
import { ignoredCheckExtracts, ignoredChecks } from './_routes/ignored-checks.ts'
import { isDroppedIn, predicatesOf, usedValues } from './_callers/role-predicates.ts'
import { changesBehind } from './_rows/guarded-changes.ts'
import { findLateChecks } from './_callers/late-checks.ts'
import { asksForCaller, findWeakRefusals, isChangedBefore } from './_handlers/refusals.ts'
import { defineRule, type Rule } from '../rule.ts'
import { findListChecks } from './_rows/list-checks.ts'
import { isWithin, spanOf } from '../../facts/span-index.ts'

const REJECTS = /^(?:reject|error|sendStatus|status|\w*Error)$/

/**
 * A question for a role in a handler whose answer changes nothing.
 * Facts: capire, "Events" (what a before handler returns is ignored; only req.reject, req.error and exceptions end a request), "Authentication" (req.user.is).
 * Impact: data and operations that the check should keep to others. After a change only what is not rolled back is left. What another system makes of a message, and
 * what a handler that is never called would check, is assumed.
 */
export const handlerCheckIneffective: Rule = defineRule({
  id: 'cap/handler-check-ineffective',
  impact: 'data',
  grades: { late: { impact: 'bounded' }, continued: { evidence: 'assumed' }, misspelt: { evidence: 'assumed' } },
  confidence: 'high',
  cwe: [863],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#req-reject',
  docsByVariant: { misspelt: 'https://cap.cloud.sap/docs/node.js/core-services#srv-before-request' },
  keywords: ['user.is', '.reject(', '.before(', 'forEach(async', 'req.error(', 'req.warn(', 'req.notify('],
  extracts: [...ignoredCheckExtracts],
  checks: {
    // a check of another file
    *'cap-root'(root) {
      if (root.test) return
      for (const { at, kind, written } of ignoredChecks(root))
        yield {
          at,
          variant: kind === 'answers' ? 'unused' : 'unawaited',
          confidence: 'medium',
          args: { check: `${written}(…)` },
        }
    },

    *'server-script'({ path, text, content: { facts }, budget }) {
      const handlers = findHandlers(facts)
      const predicates = predicatesOf(facts)
      const predicateOf = ({ callee }: CallValue): FunctionFact | undefined => {
        const fact = functionOf(callee) ?? handlerFunction(callee, facts)
        return fact !== undefined && predicates.has(fact) ? fact : undefined
      }
      const asking = facts.calls.filter((call) => asksForRole(call) || predicateOf(call) !== undefined)
      if (handlers.length === 0 && !facts.calls.some(({ callee }) => lastNameOf(callee) === 'then')) return
      const used = usedValues(facts, text)
      for (const { at: span, variant } of findLateChecks(facts, handlers, isDroppedIn(facts, text, used))) {
        const written = text.slice(span.start, span.end)
        const event = written.slice(1, -1).toUpperCase()
        yield { at: { file: path, span }, variant, confidence: 'medium', args: { event, written } }
      }
      const handlerAt = createHandlerReader(handlers)
      const weak = [...findWeakRefusals(text, facts, handlerAt, (count) => budget.step(count))]
      for (const { at, variant, isAssumed } of weak)
        yield { at: { file: path, span: at }, variant, confidence: 'medium', ...(isAssumed === true && { evidence: 'assumed' }) }
      for (const { at, variant, args } of findListChecks(text, facts, handlerAt, (count) => budget.step(count)))
        yield { at: { file: path, span: at }, variant, confidence: 'medium', args }
      const isReported = ({ inside }: Guard): boolean => weak.some(({ at }) => isWithin(at, inside))
      for (const call of asking) {
        budget.step(facts.guards.length)
        const handler = handlerAt(call.start)
        if (handler === undefined) continue
        const span = { start: call.start, end: call.end }
        const args = { check: `${excerptOf(text, call.callee)}(…)` }
        if (tellsOwnRights(handler, facts, used)) continue
        if (!used.has(call) || (handler.phase === 'before' && isAnswer(call, handler))) {
          yield { at: { file: path, span }, args, variant: 'unused' }
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
        if (guard !== undefined && isReported(guard)) continue
        if (guard !== undefined && handler.phase === 'before' && !rejectsWithin(guard, facts, (one) => asking.includes(one)))
          yield { at: { file: path, span: call.end <= guard.start ? spanOf(guard.test) : span }, args }
        else if (isLate(call, handler, facts)) yield { at: { file: path, span }, variant: 'late', confidence: 'medium' }
        else if (onlyNotes(call, handler, facts, isReported)) yield { at: { file: path, span }, args, variant: 'unused' }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Role check without effect in a before handler',
      message:
        'If {check} is false, the handler merely returns. CAP ignores the return value of a before handler and continues with the request.',
      why: 'Users whom the check should refuse can still execute the request: the check looks like a protection but has no effect.',
      fix: 'Reject the request if the check fails: if (!{check}) return req.reject(403). Or restrict the operation in the model with @requires or @restrict.',
      variants: {
        unused: {
          title: 'Role check without effect on the request',
          message: '{check} is called, but its result does not decide whether the request continues.',
        },
        late: {
          title: 'Access check after the data was changed',
          message: 'The check runs in an after handler, when the change has already been made.',
          why: 'A rejection at this point only rolls back changes made in the transaction of the request; other effects, such as messages already sent, remain.',
          fix: 'Move the check to a before handler, which reads the stored row if the check needs it, and reject the request there: return req.reject(403).',
        },
        unawaited: {
          title: 'Asynchronous check without await',
          message: 'The handler starts an asynchronous check and continues without waiting for its result.',
          why: 'CAP continues before the check can reject the request: users whom the check should refuse can still execute the request.',
          fix: 'Make the handler async and await the check: await check(…), or if (!(await check(…))) return req.reject(403). In loops, use for (const item of items) await check(item), or await Promise.all(items.map(check)).',
        },
        timer: {
          title: 'Access check in a deferred callback',
          message: 'The check runs in a timer or microtask callback, for which the handler does not wait.',
          fix: 'Move the check out of the callback into the handler itself.',
        },
        misspelt: {
          title: 'Handler registered for an unknown event',
          message: 'CAP event names are case-sensitive: the handler registered for {written} is never called.',
          why: 'Checks and validations in this handler never run.',
          fix: "Write the event in upper case: '{event}'.",
        },
        noted: {
          title: 'Access denied only by a message',
          message: 'Instead of rejecting the request, the handler only adds a message to the response.',
          why: 'CAP sends messages from req.info, req.warn and req.notify with a successful response: users whom the check should refuse can still execute the request.',
          fix: 'Reject the request instead: return req.reject(403).',
        },
        swallowed: {
          title: 'Rejection caught in the same handler',
          message: 'The rejection is thrown in a try block whose catch block does not end the request: the handler continues.',
          fix: 'Move the check before the try block, or rethrow the caught error at the end of the catch block: throw error.',
        },
        helper: {
          title: 'Rejection caught in the function that checks',
          message:
            'The exception is thrown in a try block of the same function, whose catch block does not rethrow it: the handler that calls the function continues without a result.',
          fix: 'Rethrow the caught error at the end of the catch block: throw error. Or check the result in the handler: if (!result) return req.reject(403).',
        },
        uncalled: {
          title: 'Rejection never called or thrown',
          message: 'This branch should reject the request, but it neither calls req.reject(…) nor throws an error.',
          fix: 'Reject the request in this branch: return req.reject(403). Or restrict the operation in the model with @requires or @restrict.',
        },
        returned: {
          title: 'Access check without effect in a before handler',
          message:
            'If the comparison with the user fails, the handler merely returns. CAP ignores the return value of a before handler and continues with the request.',
          fix: 'Replace this return with return req.reject(403), or restrict the rows in the model with a where condition in @restrict.',
        },
        list: {
          title: 'Check of a list that never rejects',
          message:
            '{written} is the result of SELECT.from, which is a list: an empty list is true as well, so !{written} never rejects the request.',
          why: 'A user for whom the query finds no row passes the check and can still execute the request, for example on a row of another user.',
          fix: 'Read one row with the key of the request and the owner: await SELECT.one.from(…).where({ … }). Or test the length: if (!{written}.length) return req.reject(403).',
        },
        promise: {
          title: 'Check of a query without await',
          message:
            '{written} is a query that the handler never runs: a query object is always true, so !{written} never rejects the request.',
          why: 'A user for whom the query would find no row passes the check and can still execute the request, for example on a row of another user.',
          fix: 'Await the query: const {written} = await SELECT.one.from(…).where({ … }).',
        },
        continued: {
          title: 'Handler continues after a failed check',
          message: 'If the check fails, the handler calls req.error(…), which only collects the error: the handler continues.',
          why: 'CAP rejects the request only after the handler has ended: what the handler has sent to other systems by then is not undone.',
          fix: 'Replace req.error(…) with return req.reject(…), which ends the handler.',
        },
      },
    },
    fr: {
      title: 'Contrôle de rôle sans effet dans un gestionnaire before',
      message:
        'Si {check} est faux, le gestionnaire se contente d’un return. CAP ignore la valeur de retour d’un gestionnaire before et poursuit le traitement de la requête.',
      why: 'Les utilisateurs que le contrôle devait bloquer peuvent tout de même exécuter la requête : le contrôle ressemble à une protection mais est sans effet.',
      fix: 'Rejetez la requête si le contrôle échoue : if (!{check}) return req.reject(403). Ou restreignez l’opération dans le modèle avec @requires ou @restrict.',
      variants: {
        unused: {
          title: 'Contrôle de rôle sans effet sur la requête',
          message: '{check} est appelé, mais le traitement de la requête se poursuit quel que soit son résultat.',
        },
        late: {
          title: 'Contrôle d’accès après la modification',
          message: 'Le contrôle a lieu dans un gestionnaire after, une fois la modification effectuée.',
          why: 'Un rejet à ce stade n’annule que les modifications faites dans la transaction de la requête ; d’autres effets, comme des messages déjà envoyés, demeurent.',
          fix: 'Déplacez le contrôle dans un gestionnaire before, qui lit la ligne enregistrée si le contrôle en a besoin, et rejetez-y la requête : return req.reject(403).',
        },
        unawaited: {
          title: 'Contrôle asynchrone sans await',
          message: 'Le gestionnaire lance un contrôle asynchrone et continue sans en attendre le résultat.',
          why: 'CAP poursuit le traitement avant que le contrôle puisse rejeter la requête : les utilisateurs que le contrôle devait bloquer peuvent tout de même exécuter la requête.',
          fix: 'Rendez le gestionnaire async et attendez le contrôle : await check(…), ou if (!(await check(…))) return req.reject(403). Dans une boucle, écrivez for (const item of items) await check(item), ou await Promise.all(items.map(check)).',
        },
        timer: {
          title: 'Contrôle d’accès dans un callback différé',
          message: 'Le contrôle s’exécute dans un callback de minuteur ou de microtâche que le gestionnaire n’attend pas.',
          fix: 'Sortez le contrôle du callback et placez-le directement dans le gestionnaire.',
        },
        misspelt: {
          title: 'Gestionnaire enregistré pour un événement inconnu',
          message:
            'Les noms d’événements de CAP sont sensibles à la casse : le gestionnaire enregistré pour {written} n’est jamais appelé.',
          why: 'Les contrôles et validations de ce gestionnaire ne s’exécutent jamais.',
          fix: "Écrivez le nom de l’événement en majuscules : '{event}'.",
        },
        noted: {
          title: 'Accès refusé par un simple message',
          message: 'Au lieu de rejeter la requête, le gestionnaire ne fait qu’ajouter un message à la réponse.',
          why: 'Les messages de req.info, req.warn et req.notify accompagnent une réponse réussie : les utilisateurs que le contrôle devait bloquer peuvent tout de même exécuter la requête.',
          fix: 'Rejetez plutôt la requête : return req.reject(403).',
        },
        swallowed: {
          title: 'Rejet intercepté dans le même gestionnaire',
          message: 'Le rejet a lieu dans un bloc try dont le bloc catch ne met pas fin à la requête : le gestionnaire continue.',
          fix: 'Déplacez le contrôle avant le bloc try, ou relancez l’erreur interceptée à la fin du bloc catch : throw error.',
        },
        helper: {
          title: 'Rejet intercepté dans la fonction de contrôle',
          message:
            'L’exception est levée dans un bloc try de la même fonction, dont le bloc catch ne la relance pas : le gestionnaire appelant continue sans résultat.',
          fix: 'Relancez l’erreur interceptée à la fin du bloc catch : throw error. Ou contrôlez le résultat dans le gestionnaire : if (!result) return req.reject(403).',
        },
        uncalled: {
          title: 'Rejet jamais exécuté',
          message: 'Cette branche devrait rejeter la requête, mais elle n’appelle pas req.reject(…) et ne lève aucune erreur.',
          fix: 'Rejetez la requête dans cette branche : return req.reject(403). Ou restreignez l’opération dans le modèle avec @requires ou @restrict.',
        },
        returned: {
          title: 'Contrôle d’accès sans effet dans un gestionnaire before',
          message:
            'Si la comparaison avec l’utilisateur échoue, le gestionnaire se contente d’un return. CAP ignore la valeur de retour d’un gestionnaire before et poursuit le traitement de la requête.',
          fix: 'Remplacez ce return par return req.reject(403), ou restreignez les lignes dans le modèle par une condition where dans @restrict.',
        },
        list: {
          title: 'Contrôle d’une liste qui ne rejette jamais',
          message:
            '{written} est le résultat de SELECT.from, donc une liste : une liste vide est vraie elle aussi, et !{written} ne rejette jamais la requête.',
          why: 'Un utilisateur pour lequel la requête ne trouve aucune ligne passe le contrôle et peut tout de même exécuter la requête, par exemple sur la ligne d’un autre utilisateur.',
          fix: 'Lisez une seule ligne avec la clé reçue et le propriétaire : await SELECT.one.from(…).where({ … }). Ou testez la longueur : if (!{written}.length) return req.reject(403).',
        },
        promise: {
          title: 'Contrôle d’une requête SELECT sans await',
          message:
            '{written} est une requête que le gestionnaire n’exécute jamais : un tel objet est toujours vrai, et !{written} ne rejette jamais.',
          why: 'Un utilisateur pour lequel la requête ne trouverait aucune ligne passe le contrôle et peut tout de même exécuter la requête, par exemple sur la ligne d’un autre utilisateur.',
          fix: 'Attendez la requête : const {written} = await SELECT.one.from(…).where({ … }).',
        },
        continued: {
          title: 'Gestionnaire qui continue après l’échec d’un contrôle',
          message:
            'Si le contrôle échoue, le gestionnaire appelle req.error(…), qui ne fait que collecter l’erreur : le gestionnaire continue.',
          why: 'CAP ne rejette la requête qu’à la fin du gestionnaire : ce qu’il a envoyé entre-temps à d’autres systèmes n’est pas annulé.',
          fix: 'Remplacez req.error(…) par return req.reject(…), qui met fin au gestionnaire.',
        },
      },
    },
  }),
})

/** An `on` handler that does nothing but answer which roles its caller has: there is nothing to refuse. */
function tellsOwnRights({ phase, fact }: HandlerFunction, { calls }: ScriptFacts, used: ReadonlySet<Value>): boolean {
  if (phase !== 'on' || fact === undefined) return false
  const own = calls.filter((call) => isWithin(call, fact))
  return (
    own.some((call) => asksForRole(call) && used.has(call)) &&
    own.every((call) => asksForRole(call) || isLogCall(call) || lastNameOf(call.callee) === 'reply')
  )
}

/** `!req.user.is('x')`, alone or among others. */
function isRefusal(test: Value, call: CallValue): boolean {
  if (test.kind === 'choice') return test.options.some((option) => isRefusal(option, call))
  if (test.kind !== 'operation') return false
  const [asked, other] = test.operands
  if (asked === undefined || (asked !== call && resolveValue(asked) !== call)) return false
  return test.operator === '!' || (/^===?$/.test(test.operator) && other !== undefined && constantOf(other) === false)
}

/** The guard ends the request; a function that it calls may do so as well. */
function rejectsWithin({ inside, start }: Guard, facts: ScriptFacts, isAsking: (call: CallValue) => boolean): boolean {
  const end = inside.end
  const calls = facts.calls.filter((call) => call.start >= start && call.end <= end && !isAsking(call))
  return calls.some(({ callee, kind }) => kind === 'new' || REJECTS.test(lastNameOf(callee) ?? '') || callee.kind === 'reference')
}

/** `if (!req.user.is('x')) req.reject(403)` where the change is done already. */
function isLate(call: CallValue, handler: HandlerFunction, facts: ScriptFacts): boolean {
  if (!isChangedBefore(handler)) return false
  return facts.guards.some(
    (guard) => isRefusal(guard.test, call) && (guard.exits || namesIn(guard, facts).some((name) => REJECTS.test(name))),
  )
}

/** `req.user.is('x') || req.info(…)`: a note, and the request goes on. In an on handler the user who lacks the role may get less behind it. */
function onlyNotes(
  call: CallValue,
  { fact, phase }: HandlerFunction,
  facts: ScriptFacts,
  isReported: (guard: Guard) => boolean,
): boolean {
  const guard = facts.guards.find((it) => !it.exits && it.function === fact && asksAlone(it.test, call))
  const names = guard === undefined || isReported(guard) ? [] : namesIn(guard, facts)
  if (guard === undefined || names.length === 0) return false
  if (phase === 'before') return names.every((name) => NOTES.test(name))
  return (
    phase === 'on' &&
    guard.test !== call &&
    names.every((name) => name === 'warn' || name === 'error') &&
    !facts.guards.some((other) => other !== guard && other.function === fact && asksForCaller(other.test)) &&
    facts.calls.some(
      ({ start, end, callee }) =>
        start >= guard.end && end <= (fact?.end ?? 0) && /^(?:UPDATE|DELETE|INSERT|UPSERT)$/.test(lastNameOf(callee) ?? ''),
    )
  )
}

const NOTES = /^(?:info|warn|notify|log|debug|trace)$/

/** `req.user.is('x')` or its contrary, and nothing beside it. */
function asksAlone(test: Value, call: CallValue): boolean {
  return test === call || (test.kind === 'operation' && test.operator === '!' && test.operands[0] === call)
}

function namesIn({ inside }: Guard, facts: ScriptFacts): readonly string[] {
  return facts.calls.flatMap((call) => (isWithin(call, inside) ? [lastNameOf(call.callee) ?? ''] : []))
}

/** `(req) => req.user.is('Approver')`: what a before handler returns is ignored. */
function isAnswer(call: CallValue, { fact }: HandlerFunction): boolean {
  return fact?.returns.some((value) => (value.kind === 'operation' ? value.operands : [value]).includes(call)) === true
}
