import { defineRule, type Rule } from '../rule.ts'
import { gradeHit } from './_flow-grade.ts'

/**
 * Code or a template that a client chooses, run on the server.
 * Facts: ECMAScript (eval, Function); Node.js 24, "vm" ("not a security mechanism"); documentation of the template engines named.
 * A pattern of a regular expression runs no code, but may take minutes to match (OWASP, "ReDoS"): MEDIUM.
 * Severity: runs code on the server for any caller of the handler, HIGH; CRITICAL on a route that asks nobody who calls.
 */
export const codeInjection: Rule = defineRule({
  id: 'cap/code-injection',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [94],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Code_Injection',
  on: 'flow',

  *check(hit) {
    if (hit.sink === 'RegExp') {
      yield {
        ...gradeHit(hit, 'MEDIUM'),
        confidence: 'medium',
        args: { part: hit.quotedPart, sink: hit.sink },
        variant: 'pattern',
      }
      return
    }
    if (hit.detail === 'sandboxed') {
      yield {
        ...gradeHit(hit, 'MEDIUM'),
        confidence: 'medium',
        args: { part: hit.quotedPart, sink: hit.sink },
        variant: 'sandboxed',
      }
      return
    }
    yield {
      ...gradeHit(hit, hit.isOpen ? 'CRITICAL' : 'HIGH'),
      args: { part: hit.quotedPart, sink: hit.sink },
      ...(hit.origin === 'stored' && { variant: 'stored' }),
    }
  },

  text: {
    en: {
      title: 'Code injection through request data',
      message: '{part} from the request is run as code by {sink}.',
      why: 'An attacker can run JavaScript on the server: read credentials, change the data of all users and take over the application.',
      fix: 'Remove this call: select the operation by its name from a map of functions, or parse the value with JSON.parse. The vm module is not a sandbox.',
      variants: {
        stored: {
          title: 'Code injection through stored or remote data',
          message: '{part} contains data written by clients or another system, and is run as code by {sink}.',
        },
        sandboxed: {
          title: 'Expression injection through request data',
          message: '{part} from the request is evaluated as an expression by {sink}.',
          why: 'With a costly expression an attacker can block the process; in several versions of such libraries expressions could call functions of the server.',
          fix: 'Offer a list of formulas by name, or validate the expression with your own grammar and limit its length and run time.',
        },
        pattern: {
          title: 'Regular expression injection through request data',
          message: '{part} from the request becomes the pattern of a regular expression ({sink}).',
          why: 'With a pattern such as (a+)+$ an attacker can block the process for minutes, during which it answers no other request (ReDoS).',
          fix: 'Compare with includes or startsWith, or escape the value first: value.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&").',
        },
      },
    },
    fr: {
      title: 'Injection de code par des données de la requête',
      message: '{part}, reçu dans la requête, est exécuté comme du code par {sink}.',
      why: 'Un attaquant peut exécuter du JavaScript sur le serveur : lire les identifiants, modifier les données de tous les utilisateurs et prendre le contrôle de l’application.',
      fix: 'Supprimez cet appel : choisissez l’opération par son nom dans une table de fonctions, ou lisez la valeur avec JSON.parse. Le module vm n’est pas un bac à sable.',
      variants: {
        stored: {
          title: 'Injection de code par des données stockées ou distantes',
          message:
            '{part} contient des données écrites par des clients ou un autre système et est exécuté comme du code par {sink}.',
        },
        sandboxed: {
          title: 'Injection d’expression par des données de la requête',
          message: '{part}, reçu dans la requête, est évalué comme une expression par {sink}.',
          why: 'Avec une expression coûteuse, un attaquant peut bloquer le processus ; dans plusieurs versions de ces bibliothèques, une expression pouvait appeler des fonctions du serveur.',
          fix: 'Proposez une liste de formules par leur nom, ou validez l’expression avec votre propre grammaire et limitez sa longueur et sa durée d’exécution.',
        },
        pattern: {
          title: 'Injection d’expression régulière par des données de la requête',
          message: '{part}, reçu dans la requête, devient le motif d’une expression régulière ({sink}).',
          why: 'Avec un motif comme (a+)+$, un attaquant peut bloquer le processus pendant des minutes ; aucune autre requête n’est alors traitée (ReDoS).',
          fix: 'Comparez avec includes ou startsWith, ou échappez d’abord la valeur : value.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&").',
        },
      },
    },
  },
})
