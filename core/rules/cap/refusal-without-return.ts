import { excerptOf } from '../../facts/index.ts'
import { findOpenRefusals } from './_routes/open-refusals.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A route that refuses a request and goes on: nothing leaves the handler behind the answer, and the change that it should refuse is made.
 * Facts: Express 5, "Response methods" (they end the request-response cycle, not the function), "Writing middleware" (`next()` runs the next handler whatever was answered);
 * Node.js, `ERR_HTTP_HEADERS_SENT` (a second answer throws, when the change has been made).
 * Impact: callers whom the handler refuses change data all the same, by what it does for them; what follows may fail without what the condition asks for, so it is assumed.
 * A refused value is one that the caller may mostly send in another form.
 */
export const refusalWithoutReturn: Rule = defineRule({
  id: 'cap/refusal-without-return',
  impact: 'data',
  evidence: 'assumed',
  inOpenRoute: 'assumed',
  grades: { value: { impact: 'bounded', evidence: 'shown', inOpenRoute: 'shown' } },
  confidence: 'medium',
  cwe: [698, 863],
  since: '0.3.0',
  docs: 'https://expressjs.com/en/guide/routing.html#response-methods',
  keywords: ['.status(', '.sendStatus(', '.code(', '.json(', '.send('],
  prefilter: (text) => /\b(?:resp?|response|reply)\b/i.test(text),
  on: 'server-script',

  *check({ path, text, content: { facts }, budget }) {
    for (const { at, change, isOfCaller } of findOpenRefusals(text, facts, (count) => budget.step(count)))
      yield {
        at: { file: path, span: at },
        args: { change: `${excerptOf(text, change.callee)}(…)` },
        ...(!isOfCaller && { variant: 'value' }),
      }
  },

  text: () => ({
    en: {
      title: 'Access refused by a response, but the handler continues',
      message: 'After this response the handler does not return: it continues and calls {change}.',
      why: 'Sending a response does not end the function. Callers whom the check refuses get an error, but the handler still does for them what it should refuse.',
      fix: 'Return where the check fails: return res.status(403).send(…). Or put what follows into an else branch.',
      variants: {
        value: {
          title: 'Request refused by a response, but the handler continues',
          why: 'Sending a response does not end the function. A request that the check refuses gets an error, but its data is still processed and stored.',
          fix: 'Return where the check fails: return res.status(400).send(…). Or put what follows into an else branch.',
        },
      },
    },
    fr: {
      title: 'Accès refusé par une réponse, mais le gestionnaire continue',
      message: 'Après cette réponse, le gestionnaire ne se termine pas : il continue et appelle {change}.',
      why: 'Envoyer une réponse ne termine pas la fonction. Les appelants que le contrôle refuse reçoivent une erreur, mais le gestionnaire fait tout de même pour eux ce qu’il devrait refuser.',
      fix: 'Terminez la fonction lorsque le contrôle échoue : return res.status(403).send(…). Ou placez la suite dans une branche else.',
      variants: {
        value: {
          title: 'Requête refusée par une réponse, mais le gestionnaire continue',
          why: 'Envoyer une réponse ne termine pas la fonction. Une requête que le contrôle refuse reçoit une erreur, mais ses données sont tout de même traitées et enregistrées.',
          fix: 'Terminez la fonction lorsque le contrôle échoue : return res.status(400).send(…). Ou placez la suite dans une branche else.',
        },
      },
    },
  }),
})
