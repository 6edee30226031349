import { gradeHit } from './_flow-grade.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * The message or the stack of an exception as the answer to a client.
 * Facts: capire, "Error Responses" (4xx go out as they are, 5xx are replaced in production); Express 5, "Error handling".
 * Severity: tells of tables, hosts and paths, which helps a second attack, LOW.
 */
export const errorDetailsToClient: Rule = defineRule({
  id: 'cap/error-details-to-client',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [209],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#error-responses',
  on: 'flow',

  *check(hit) {
    yield {
      ...gradeHit(hit, 'LOW'),
      confidence: 'medium',
      args: { part: hit.quotedPart, sink: hit.quotedSink },
    }
  },

  text: {
    en: {
      title: 'Details of an exception sent to the client',
      message: '{sink} sends {part}, which comes from a caught exception, to the client.',
      why: 'Error messages from databases, drivers and remote systems can reveal tables, hosts, paths and versions, which helps an attacker refine an injection.',
      fix: 'Log the exception with cds.log().error(error) and send a fixed text: req.reject(400, "ORDER_FAILED") or res.status(500).send("Internal error").',
    },
    fr: {
      title: 'Détails d’une exception envoyés au client',
      message: '{sink} envoie au client {part}, qui provient d’une exception interceptée.',
      why: 'Les messages d’erreur des bases de données, des pilotes et des systèmes distants peuvent révéler des tables, des hôtes, des chemins et des versions, ce qui aide un attaquant à affiner une injection.',
      fix: 'Journalisez l’exception avec cds.log().error(error) et envoyez un texte fixe : req.reject(400, "ORDER_FAILED") ou res.status(500).send("Internal error").',
    },
  },
})
