import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The message or the stack of an exception as the answer to a client.
 * Facts: capire, "Error Responses" (4xx go out as they are, 5xx are replaced in production); Express 5, "Error handling".
 * Impact: tells of tables, hosts and paths, which helps a second attack.
 */
export const errorDetailsToClient: Rule = defineRule({
  id: 'cap/error-details-to-client',
  impact: 'bounded',
  confidence: 'medium',
  cwe: [209],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#error-responses',
  on: 'flow',

  *check(hit) {
    yield {
      ...gradeHit(hit),
      confidence: 'medium',
      args: { part: hit.quotedPart, sink: hit.quotedSink },
    }
  },

  text: {
    en: {
      title: 'Details of an exception sent to the client',
      message: '{sink} sends {part}, which comes from an exception, to the client.',
      why: 'Exceptions from databases, drivers and remote systems can reveal tables, hosts, file paths and versions, which helps an attacker refine an injection.',
      fix: 'Send a fixed text instead of {part}, such as "The request failed", and log the exception on the server: cds.log().error(…).',
    },
    fr: {
      title: 'Détails d’une exception envoyés au client',
      message: '{sink} envoie au client {part}, qui provient d’une exception.',
      why: 'Les exceptions des bases de données, des pilotes et des systèmes distants peuvent révéler des tables, des hôtes, des chemins de fichiers et des versions, ce qui aide un attaquant à affiner une injection.',
      fix: 'Envoyez un texte fixe au lieu de {part}, par exemple "La requête a échoué", et journalisez l’exception sur le serveur : cds.log().error(…).',
    },
  },
})
