import { computedResults } from './_computed-results.ts'
import { bodyWrappers, workedOutAndSent } from './_body-wrappers.ts'
import { ownRoutes } from './_foreign-requests.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A result of a test that the page works out from the answers of its user and sends: a score, whether they have passed.
 * Facts: OWASP Web Security Testing Guide 4.2, "Test Business Logic Data Validation"; SAPUI5 documentation, "Browser Security": what runs in the browser can be
 * changed by its user; CWE-602.
 * Impact: users give themselves any result. The service may work it out again, and nothing in the project says so.
 */
export const clientComputedResult: Rule = defineRule({
  id: 'ui5/client-computed-result',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [602],
  since: '0.3.0',
  docs: 'https://owasp.org/www-project-web-security-testing-guide/v42/4-Web_Application_Security_Testing/10-Business_Logic_Testing/01-Test_Business_Logic_Data_Validation',
  extracts: [computedResults, bodyWrappers, ownRoutes],
  on: 'ui5-app',

  *check(app, project) {
    for (const { file, value } of workedOutAndSent(app, computedResults, project)) {
      const { at: span, fields, answers } = value
      yield {
        at: { file, span },
        args: { fields: fields.join(', '), ...(answers !== undefined && { answers }) },
        groupKey: `${app.root} ${answers ?? ''}`,
        ...(answers !== undefined && { variant: 'answers' }),
      }
    }
  },

  text: () => ({
    en: {
      title: 'Test result computed in the client',
      message: 'The page computes the result of its user and sends it ({fields:and}); no server in this project computes it.',
      why: 'A user can send any result from the browser console or a proxy: full marks, or that the test was passed.',
      fix: 'Send the answers of the user alone, and let the server compute the result from them. If a service outside this project ignores what the page sends and computes it again, suppress this finding with that reason.',
      variants: {
        answers: {
          message:
            'The page compares what its user has answered with "{answers}" of the questions, computes the result and sends it ({fields:and}); no server in this project computes it.',
          why: 'A user can send any result from the browser console or a proxy, and read the right answers beforehand: the page gets them with the questions.',
          fix: 'Send the answers of the user alone, and let the server compute the result; remove "{answers}" from what the service returns before the test is over. If a service outside this project computes the result again, suppress this finding with that reason.',
        },
      },
    },
    fr: {
      title: 'Résultat d’un test calculé côté client',
      message:
        'La page calcule le résultat de son utilisateur et l’envoie ({fields:et}) ; aucun serveur de ce projet ne le calcule.',
      why: 'Un utilisateur peut envoyer n’importe quel résultat depuis la console du navigateur ou un proxy : la note maximale, ou la réussite du test.',
      fix: 'N’envoyez que les réponses de l’utilisateur et faites calculer le résultat par le serveur. Si un service hors de ce projet ignore ce que la page envoie et le recalcule, masquez ce constat en indiquant ce motif.',
      variants: {
        answers: {
          message:
            'La page compare les réponses de son utilisateur avec "{answers}" des questions, calcule le résultat et l’envoie ({fields:et}) ; aucun serveur de ce projet ne le calcule.',
          why: 'Un utilisateur peut envoyer n’importe quel résultat depuis la console du navigateur ou un proxy, et lire les bonnes réponses à l’avance : la page les reçoit avec les questions.',
          fix: 'N’envoyez que les réponses de l’utilisateur et faites calculer le résultat par le serveur ; retirez "{answers}" de ce que le service renvoie avant la fin du test. Si un service hors de ce projet recalcule le résultat, masquez ce constat en indiquant ce motif.',
        },
      },
    },
  }),
})
