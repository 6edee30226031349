import { defineRule, type Rule } from '../rule.ts'
import { gradeHit, wordStore } from './_flow-grade.ts'
import { wordPart } from './_matches.ts'

/**
 * A command of the operating system, or a part of one, that a client chooses.
 * Facts: Node.js 24, "child_process": exec and the option shell hand the text to a shell; execFile and spawn do not.
 * Impact: runs commands on the server with the permissions and credentials of the application.
 */
export const commandInjection: Rule = defineRule({
  id: 'cap/command-injection',
  impact: 'takeover',
  confidence: 'high',
  cwe: [78],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/OS_Command_Injection_Defense_Cheat_Sheet.html',
  on: 'flow',

  *check(hit) {
    yield {
      // an answer of another system
      ...gradeHit(hit, hit.origin === 'stored' && hit.weak ? { evidence: 'assumed' } : {}),
      args: {
        part: hit.origin === 'stored' ? wordPart(hit.quotedPart) : hit.quotedPart,
        sink: hit.quotedSink,
        kept: wordStore(hit),
      },
      ...(hit.origin === 'stored' && { variant: 'stored' }),
    }
  },

  text: () => ({
    en: {
      title: 'Command injection through request data',
      message: 'Data sent by the client ({part}){kept} becomes part of an operating system command ({sink}).',
      why: 'An attacker can run commands of their own on the server, with the application’s permissions and credentials. If a shell runs the command, ";" or "$( )" in that value is enough.',
      fix: 'Call execFile from node:child_process with a constant program and an array of arguments, without a shell (no "sh -c", "cmd /c" or shell: true), for example execFile("convert", [name]). Check the values against an allowlist or a pattern first.',
      variants: {
        stored: {
          title: 'Command injection through stored or remote data',
          message: 'Data written by clients or another system ({part}) becomes part of an operating system command ({sink}).',
        },
      },
    },
    fr: {
      title: 'Injection de commande par des données de la requête',
      message: 'Une donnée envoyée par le client ({part}){kept} est intégrée à une commande du système d’exploitation ({sink}).',
      why: 'Un attaquant peut exécuter ses propres commandes sur le serveur, avec les droits et les identifiants de l’application. Si un interpréteur de commandes (shell) exécute la commande, l’attaquant n’a qu’à y insérer ";" ou "$( )".',
      fix: 'Appelez execFile de node:child_process avec un programme constant et un tableau d’arguments, sans interpréteur de commandes (ni "sh -c", ni "cmd /c", ni shell: true), par exemple execFile("convert", [name]). Comparez d’abord les valeurs à une liste d’autorisation ou à un motif.',
      variants: {
        stored: {
          title: 'Injection de commande par des données stockées ou distantes',
          message:
            'Une donnée écrite par un client ou un autre système ({part}) est intégrée à une commande du système d’exploitation ({sink}).',
        },
      },
    },
  }),
})
