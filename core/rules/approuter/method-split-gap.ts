import { findMethodGaps, placeOf } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A protected route that names its methods, and a later one to the same backend that takes the others and asks for less.
 *  Facts: @sap/approuter 23.0.0, lib/middleware/path-rewriter.js: a route whose methods don't fit is passed over, and the search goes on. */
export const methodSplitGap: Rule = defineRule({
  id: 'approuter/method-split-gap',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [650],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#routes',
  on: 'approuter',

  *check(approuter) {
    for (const { strict, lax, method, missing } of findMethodGaps(approuter)) {
      const node = at(strict.node, 'httpMethods')
      yield {
        at: node === undefined ? strict.place : placeOf(approuter.file, node),
        args: { source: strict.source, next: lax.source, method },
        ...(missing === 'login' && { variant: 'login' }),
        sameAs: `${strict.source} ${lax.source} ${strict.target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'Another method slips past the protected route',
      message: '{method} is not among the methods of route {source}, so {next} takes it, and asks for no scope.',
      why: 'The scope that is asked for on the way in is not asked for {method}: every user who is logged in may send it.',
      fix: 'Remove "httpMethods" from the protected route, add {method} to it, or ask for the same scope in {next}.',
      variants: {
        login: {
          message: '{method} is not among the methods of route {source}, so {next} takes it, and asks for no login.',
          why: 'Anybody may send {method} to what other methods protect.',
        },
      },
    },
    fr: {
      title: 'Une autre méthode échappe à la route protégée',
      message: '{method} ne fait pas partie des méthodes de la route {source} ; {next} la prend donc, sans demander de scope.',
      why: 'Le scope exigé pour les autres méthodes ne l’est pas pour {method} : tout utilisateur connecté peut l’envoyer.',
      fix: 'Supprimez « httpMethods » de la route protégée, ajoutez-y {method}, ou exigez le même scope dans {next}.',
      variants: {
        login: {
          message:
            '{method} ne fait pas partie des méthodes de la route {source} ; {next} la prend donc, sans demander de connexion.',
          why: 'N’importe qui peut envoyer {method} à ce que les autres méthodes protègent.',
        },
      },
    },
  },
})
