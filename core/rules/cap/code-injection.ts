import { defineRule, type Rule } from '../rule.ts'
import type { FlowHit } from '../../flow/index.ts'
import { isXsScript } from '../../model/script/index.ts'
import type { Exposure, Localized } from '../../types.ts'
import { inEachLanguage } from '../../arguments.ts'
import { gradeHit, wordStore } from './_flow-grade.ts'
import { wordPart } from './_matches.ts'

const TEMPLATES: Localized<{ readonly why: string; readonly fix: string }> = {
  en: {
    why: 'With most template engines, an attacker can run JavaScript on the server through expressions in the template, for example to read credentials, change all users’ data or take over the application.',
    fix: 'Keep the template constant and pass the value to it as data, for example ejs.render(TEMPLATE, { name: value }).',
  },
  fr: {
    why: 'Avec la plupart des moteurs de gabarits, un attaquant peut exécuter du JavaScript sur le serveur au moyen d’expressions placées dans le gabarit, par exemple pour lire les identifiants, modifier les données de tous les utilisateurs ou prendre le contrôle de l’application.',
    fix: 'Gardez le gabarit constant et passez-lui la valeur comme donnée, par exemple ejs.render(TEMPLATE, { name: value }).',
  },
}

const TEMPLATE_DOCS = 'https://portswigger.net/web-security/server-side-template-injection'

const NO_SANDBOX = inEachLanguage({
  en: ' (neither vm nor vm2 is a secure sandbox)',
  fr: ' (ni vm ni vm2 n’est un bac à sable sûr)',
})

/**
 * Code or a template that a client chooses, run on the server.
 * Facts: ECMAScript (eval, Function); Node.js 24, "vm" ("not a security mechanism"); documentation of the template engines named.
 * Impact: runs code on the server; in a library of expressions only with a vulnerability of its own. A pattern of a regular expression runs no code, but may
 * take minutes to match (OWASP, "ReDoS"). Who writes the tables that XSJS scripts read is mostly not in the project.
 */
export const codeInjection: Rule = defineRule({
  id: 'cap/code-injection',
  impact: 'takeover',
  grades: { pattern: { impact: 'bounded' }, sandboxed: { evidence: 'assumed' } },
  confidence: 'high',
  cwe: [94],
  since: '0.2.0',
  docs: 'https://owasp.org/www-community/attacks/Code_Injection',
  docsByVariant: {
    pattern: 'https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS',
    template: TEMPLATE_DOCS,
    'template-stored': TEMPLATE_DOCS,
  },
  on: 'flow',

  *check(hit, { reach }) {
    const part = hit.origin === 'stored' ? wordPart(hit.quotedPart) : hit.quotedPart
    const args = { part, sink: hit.quotedSink, kept: wordStore(hit), hint: hit.api.effects.has('sandbox') ? NO_SANDBOX : '' }
    if (hit.api.effects.has('pattern')) {
      yield {
        ...gradeHit(hit),
        confidence: 'medium',
        args,
        variant: 'pattern',
      }
      return
    }
    if (hit.detail === 'sandboxed') {
      yield {
        ...gradeHit(hit),
        confidence: 'medium',
        args,
        variant: 'sandboxed',
      }
      return
    }
    const variant = variantOf(hit)
    yield {
      // an answer of another system
      ...gradeHit(hit, hit.origin === 'stored' && hit.weak ? { evidence: 'assumed' } : {}),
      ...(hit.origin === 'stored' && isXsScript(hit.at.file) && { exposure: ofTable(reach.ofSink(hit)) }),
      args,
      ...(variant !== undefined && { variant }),
    }
  },

  text: () => ({
    en: {
      title: 'Code injection through request data',
      message: 'Data sent by the client ({part}){kept} is executed as code ({sink}).',
      why: 'An attacker can run JavaScript on the server, for example to read credentials, change all users’ data or take over the application.',
      fix: 'Remove this call{hint}: select the operation by its name from a Map of functions, or parse the value with JSON.parse.',
      variants: {
        stored: {
          title: 'Code injection through stored or remote data',
          message: 'Data written by clients or another system ({part}) is executed as code ({sink}).',
        },
        module: {
          title: 'Code injection through a module name from a client',
          message: 'Data sent by the client ({part}){kept} determines the module that import(…) loads and runs.',
          why: 'With a data: URL, an attacker can run their own JavaScript on the server, for example to read credentials, change all users’ data or take over the application.',
          fix: 'Look up the module by its name in a constant Map, for example new Map([["pdf", "./pdf.js"]]).get(name), and reject any other name.',
        },
        'template-stored': {
          title: 'Server-side template injection (SSTI)',
          message: 'Data written by clients or another system ({part}) is compiled as a template ({sink}).',
          why: TEMPLATES.en.why,
          fix: TEMPLATES.en.fix,
        },
        template: {
          title: 'Server-side template injection (SSTI)',
          message: 'Data sent by the client ({part}){kept} is compiled as a template ({sink}).',
          why: TEMPLATES.en.why,
          fix: TEMPLATES.en.fix,
        },
        sandboxed: {
          title: 'Expression injection through request data',
          message: 'Data sent by the client ({part}){kept} is evaluated as an expression ({sink}).',
          why: 'With a costly expression an attacker can block the process; in several versions of expression libraries, expressions could call functions on the server.',
          fix: 'Replace the expression with a name that selects one of your own formulas. If you have to accept expressions, validate them with your own grammar, limit their length and run time, and suppress this finding.',
        },
        pattern: {
          title: 'Regular expression injection through request data',
          message: 'Data sent by the client ({part}){kept} is used as the pattern of a regular expression ({sink}).',
          why: 'If the expression is matched against a long text, an attacker can send a pattern that backtracks heavily, such as (a+)+$, and block the process for minutes (ReDoS).',
          fix: 'Compare with includes or startsWith, or escape the value first: value.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&").',
        },
      },
    },
    fr: {
      title: 'Injection de code par des données de la requête',
      message: 'Une donnée envoyée par le client ({part}){kept} est exécutée en tant que code ({sink}).',
      why: 'Un attaquant peut exécuter du JavaScript sur le serveur, par exemple pour lire les identifiants, modifier les données de tous les utilisateurs ou prendre le contrôle de l’application.',
      fix: 'Supprimez cet appel{hint} : choisissez l’opération par son nom dans une Map de fonctions, ou analysez la valeur avec JSON.parse.',
      variants: {
        stored: {
          title: 'Injection de code par des données stockées ou distantes',
          message: 'Une donnée écrite par un client ou un autre système ({part}) est exécutée en tant que code ({sink}).',
        },
        module: {
          title: 'Injection de code par un nom de module venu du client',
          message: 'Une donnée envoyée par le client ({part}){kept} désigne le module que import(…) charge et exécute.',
          why: 'Avec une URL "data:", un attaquant peut exécuter son propre JavaScript sur le serveur, par exemple pour lire les identifiants, modifier les données de tous les utilisateurs ou prendre le contrôle de l’application.',
          fix: 'Cherchez le module par son nom dans une Map constante, par exemple new Map([["pdf", "./pdf.js"]]).get(name), et rejetez tout autre nom.',
        },
        'template-stored': {
          title: 'Injection de gabarit côté serveur (SSTI)',
          message: 'Une donnée écrite par un client ou un autre système ({part}) est compilée en tant que gabarit ({sink}).',
          why: TEMPLATES.fr.why,
          fix: TEMPLATES.fr.fix,
        },
        template: {
          title: 'Injection de gabarit côté serveur (SSTI)',
          message: 'Une donnée envoyée par le client ({part}){kept} est compilée en tant que gabarit ({sink}).',
          why: TEMPLATES.fr.why,
          fix: TEMPLATES.fr.fix,
        },
        sandboxed: {
          title: 'Injection d’expression par des données de la requête',
          message: 'Une donnée envoyée par le client ({part}){kept} est évaluée en tant qu’expression ({sink}).',
          why: 'Avec une expression coûteuse, un attaquant peut bloquer le processus ; dans plusieurs versions de bibliothèques d’évaluation d’expressions, une expression pouvait appeler des fonctions du serveur.',
          fix: 'Remplacez l’expression par un nom qui désigne l’une de vos propres formules. Si vous devez accepter des expressions, validez-les avec votre propre grammaire, limitez leur longueur et leur durée d’exécution, et masquez ce constat.',
        },
        pattern: {
          title: 'Injection d’expression régulière par des données de la requête',
          message: 'Une donnée envoyée par le client ({part}){kept} sert de motif à une expression régulière ({sink}).',
          why: 'Si l’expression est appliquée à un texte long, un attaquant peut envoyer un motif qui multiplie les retours arrière, comme (a+)+$, et bloquer le processus pendant plusieurs minutes (ReDoS).',
          fix: 'Comparez avec includes ou startsWith, ou échappez d’abord la valeur : value.replace(/[.*+?^${}()|[\\]\\\\]/g, "\\\\$&").',
        },
      },
    },
  }),
})

function variantOf({ detail, origin, api }: FlowHit): string | undefined {
  if (detail === 'template') return origin === 'stored' ? 'template-stored' : 'template'
  if (origin === 'stored') return 'stored'
  return api.effects.has('module') ? 'module' : undefined
}

/** What a table holds, users write at best, even where anyone reads it. */
function ofTable(exposure: Exposure): Exposure {
  return { ...exposure, evidence: 'assumed', ...(exposure.reach === 'anyone' && { reach: 'user' as const }) }
}
