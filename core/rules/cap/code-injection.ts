import { defineRule, type Rule } from '../rule.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { Localized } from '../../types.ts'
import { inEachLanguage } from '../../arguments.ts'
import { gradeHit } from './_flow-grade.ts'
import { wordPart } from './_matches.ts'

const TEMPLATES: Localized<{ readonly why: string; readonly fix: string }> = {
  en: {
    why: 'With most template engines, an attacker can run JavaScript on the server through expressions in the template: read credentials, change all users’ data and take over the application.',
    fix: 'Keep the template constant and pass the value to it as data, for example ejs.render(TEMPLATE, { name: value }).',
  },
  fr: {
    why: 'Avec la plupart des moteurs de gabarits, un attaquant peut exécuter du JavaScript sur le serveur par des expressions dans le gabarit : lire les identifiants, modifier les données de tous les utilisateurs et prendre le contrôle de l’application.',
    fix: 'Gardez le gabarit constant et passez-lui la valeur comme donnée, par exemple ejs.render(TEMPLATE, { name: value }).',
  },
}

const NO_SANDBOX = inEachLanguage({
  en: ' (neither vm nor vm2 is a secure sandbox)',
  fr: ' (ni vm ni vm2 n’est un bac à sable sûr)',
})

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
    const part = hit.origin === 'stored' ? wordPart(hit.quotedPart) : hit.quotedPart
    const args = { part, sink: hit.quotedSink, hint: /\bVM2?\b/i.test(hit.sink) ? NO_SANDBOX : '' }
    if (hit.sink === 'RegExp') {
      yield {
        ...gradeHit(hit, 'MEDIUM'),
        confidence: 'medium',
        args,
        variant: 'pattern',
      }
      return
    }
    if (hit.detail === 'sandboxed') {
      yield {
        ...gradeHit(hit, 'MEDIUM'),
        confidence: 'medium',
        args,
        variant: 'sandboxed',
      }
      return
    }
    const variant = variantOf(hit)
    yield {
      ...gradeHit(hit, hit.isOpen ? 'CRITICAL' : 'HIGH'),
      args,
      ...(variant !== undefined && { variant }),
    }
  },

  text: {
    en: {
      title: 'Code injection through request data',
      message: '{sink} runs {part} from the request as code.',
      why: 'An attacker can run JavaScript on the server: read credentials, change all users’ data and take over the application.',
      fix: 'Remove this call{hint}: select the operation by its name from a map of functions, or parse the value with JSON.parse.',
      variants: {
        stored: {
          title: 'Code injection through stored or remote data',
          message: '{sink} runs {part}, which contains data written by clients or another system, as code.',
        },
        module: {
          title: 'Code injection through the name of a module',
          message: '{part} from the request names the module that import(…) loads and runs.',
          fix: 'Look up the module by its name in a constant map, for example new Map([["pdf", "./pdf.js"]]).get(name), and reject any other name.',
        },
        'template-stored': {
          title: 'Server-side template injection (SSTI)',
          message: '{sink} compiles {part}, which contains data written by clients or another system, as a template.',
          why: TEMPLATES.en.why,
          fix: TEMPLATES.en.fix,
        },
        template: {
          title: 'Server-side template injection (SSTI)',
          message: '{sink} compiles {part} from the request as a template.',
          why: TEMPLATES.en.why,
          fix: TEMPLATES.en.fix,
        },
        sandboxed: {
          title: 'Expression injection through request data',
          message: '{sink} evaluates {part} from the request as an expression.',
          why: 'With a costly expression an attacker can block the process; in several versions of such libraries, expressions could call functions on the server.',
          fix: 'Replace the expression with a name that selects one of your own formulas. If you have to accept expressions, validate them with your own grammar, limit their length and run time, and suppress this finding.',
        },
        pattern: {
          title: 'Regular expression injection through request data',
          message: '{part} from the request is used as the pattern of a regular expression ({sink}).',
          why: 'With a pattern that backtracks heavily, such as (a+)+$ on a long text, an attacker can block the process for minutes, during which it answers no other request (ReDoS).',
          fix: 'Compare with includes or startsWith, or escape the value first: value.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&").',
        },
      },
    },
    fr: {
      title: 'Injection de code par des données de la requête',
      message: '{sink} exécute {part}, reçu dans la requête, en tant que code.',
      why: 'Un attaquant peut exécuter du JavaScript sur le serveur : lire les identifiants, modifier les données de tous les utilisateurs et prendre le contrôle de l’application.',
      fix: 'Supprimez cet appel{hint} : choisissez l’opération par son nom dans une table de fonctions, ou analysez la valeur avec JSON.parse.',
      variants: {
        stored: {
          title: 'Injection de code par des données stockées ou distantes',
          message:
            '{sink} exécute en tant que code {part}, qui contient des données écrites par des clients ou un autre système.',
        },
        module: {
          title: 'Injection de code par le nom d’un module',
          message: '{part}, reçu dans la requête, désigne le module que import(…) charge et exécute.',
          fix: 'Cherchez le module par son nom dans une table constante, par exemple new Map([["pdf", "./pdf.js"]]).get(name), et rejetez tout autre nom.',
        },
        'template-stored': {
          title: 'Injection de gabarit côté serveur (SSTI)',
          message:
            '{sink} compile en tant que gabarit {part}, qui contient des données écrites par des clients ou un autre système.',
          why: TEMPLATES.fr.why,
          fix: TEMPLATES.fr.fix,
        },
        template: {
          title: 'Injection de gabarit côté serveur (SSTI)',
          message: '{sink} compile {part}, reçu dans la requête, en tant que gabarit.',
          why: TEMPLATES.fr.why,
          fix: TEMPLATES.fr.fix,
        },
        sandboxed: {
          title: 'Injection d’expression par des données de la requête',
          message: '{sink} évalue {part}, reçu dans la requête, en tant qu’expression.',
          why: 'Avec une expression coûteuse, un attaquant peut bloquer le processus ; dans plusieurs versions de bibliothèques de ce type, une expression pouvait appeler des fonctions du serveur.',
          fix: 'Remplacez l’expression par un nom qui choisit l’une de vos formules. Si vous devez accepter des expressions, validez-les avec votre propre grammaire, limitez leur longueur et leur durée d’exécution, et masquez ce constat.',
        },
        pattern: {
          title: 'Injection d’expression régulière par des données de la requête',
          message: '{part}, reçu dans la requête, sert de motif à une expression régulière ({sink}).',
          why: 'Avec un motif à retours arrière multiples, comme (a+)+$ sur un texte long, un attaquant peut bloquer le processus pendant plusieurs minutes, sans qu’aucune autre requête soit traitée (ReDoS).',
          fix: 'Comparez avec includes ou startsWith, ou échappez d’abord la valeur : value.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&").',
        },
      },
    },
  },
})

function variantOf({ detail, origin, sink }: FlowHit): string | undefined {
  if (detail === 'template') return origin === 'stored' ? 'template-stored' : 'template'
  if (origin === 'stored') return 'stored'
  return sink === 'import' ? 'module' : undefined
}
