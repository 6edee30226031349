import type { Scripts } from '../../extracts/scripts.ts'
import type { FlowHit } from '../../flow/index.ts'
import { cdsWithin, type CapRoot } from '../../model/cap/index.ts'
import type { NpmProject } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { gradeHit } from './_flow-grade.ts'
import { fixedCatches } from './_xs/catches.ts'
import { isAround, isWithin } from '../../facts/span-index.ts'
import { developmentMessages, ownCatches, remoteCatches } from './_handlers/told-messages.ts'
import { defineRule, type Rule } from '../rule.ts'

/** XSJS has no `cds.log()`. Fact: SAP HANA XS JavaScript API Reference, "$.trace". */
const FIX_XSJS = {
  en: 'Send a fixed text instead of {part}, such as "The request failed", and write the exception to the trace of the server: $.trace.error(…).',
  fr: 'Envoyez un texte fixe au lieu de {part}, par exemple "La requête a échoué", et écrivez l’exception dans la trace du serveur : $.trace.error(…).',
}

const WHY_REQUEST = {
  en: 'As JSON, this exception contains the configuration of the request with its Authorization header. A client that makes the other system answer with an error receives the credentials of the destination.',
  fr: 'Au format JSON, cette exception contient la configuration de la requête avec son en-tête Authorization. Un client qui amène l’autre système à répondre par une erreur reçoit les identifiants de la destination.',
}

/**
 * The message or the stack of an exception as the answer to a client.
 * Facts: capire, "Error Responses" (4xx go out as they are, 5xx are replaced in production); Express 5, "Error handling". Tried in production with @sap/cds 6.8.4, 7.9.5 and
 * 8.9.10: with a status of 5xx that the handler gives itself (`req.error(500, text)`, `req.reject({ code: 500, message })`) the text goes out as it is, and is replaced only
 * without one; 9.0.4 and 9.9.3 replace both.
 * What CAP throws where another system answers with an error has enumerable properties: the address, the headers of the request without its Authorization, and the answer (@sap/cds
 * 7.9.5 and 9.9.3, libx/_runtime/remote/utils/client.js, `reason`).
 * Impact: tells of tables, hosts and paths, which helps a second attack; the exception of a request holds its headers, so the credentials of the destination.
 * Where the statements of an XSJS script are fixed or parameterized, there is nothing to inject, and the message tells names of tables and columns at most.
 */
export const errorDetailsToClient: Rule = defineRule({
  id: 'cap/error-details-to-client',
  impact: 'bounded',
  // what callers without a login learn is as little, but more may ask
  inOpenRoute: 'assumed',
  grades: {
    // the other system has to answer with an error
    request: { impact: 'takeover', evidence: 'assumed' },
    returned: { impact: 'takeover', evidence: 'assumed' },
    // nothing by itself: a statement that takes texts would have to be elsewhere
    fixed: { impact: 'defence' },
  },
  confidence: 'medium',
  cwe: [209],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/node.js/events#error-responses',
  // the whole stack of an exception is told there
  yieldsTo: ['cap/error-sanitization-off'],
  extracts: [fixedCatches, developmentMessages, ownCatches, remoteCatches],
  on: 'flow',

  *check(hit, { scripts, capRoots, npm }) {
    if (hit.detail === 'server-fault' && !sendsServerFaults(hit, capRoots, npm)) return
    // in a text there is its message alone
    const isWhole = hit.marks.has('own-names')
    // its headers are called as none of its own properties is
    const isRequest = hit.origin === 'request-error' && !hit.concatenated && !isWhole
    const isReturned = hit.detail === 'returned'
    // as JSON other exceptions say next to nothing
    const isText = hit.detail === 'returned-text' && !isWhole && !isRequest
    if ((isReturned && !isRequest) || (isText && !tellsText(hit, scripts)) || tellsNothing(hit, scripts)) return
    yield {
      ...gradeHit(hit),
      confidence: 'medium',
      args: { part: hit.quotedPart, sink: hit.quotedSink },
      ...(isReturned || (isRequest && hit.detail === 'returned-text')
        ? { variant: 'returned', groupKey: `returned ${hit.at.file}` }
        : isText
          ? { variant: 'answer', groupKey: `answer ${hit.at.file}` }
          : hit.detail === 'returned-text'
            ? { variant: 'result', groupKey: `result ${hit.at.file}` }
            : isRequest
              ? { variant: 'request' }
              : hit.detail === 'server-fault'
                ? // handlers of a service repeat it
                  { variant: 'server', groupKey: `server ${hit.at.file}` }
                : xsFacts(hit, scripts)),
    }
  },

  text: () => ({
    en: {
      title: 'Details of an exception sent to the client',
      message: '{sink} sends {part}, which comes from an exception, to the client.',
      why: 'Exceptions from databases, drivers and remote systems can reveal tables, hosts, file paths and versions, which helps an attacker refine an injection.',
      fix: 'Send a fixed text instead of {part}, such as "The request failed", and log the exception on the server: cds.log().error(…).',
      variants: {
        xsjs: { fix: FIX_XSJS.en },
        server: {
          message:
            '{sink} sends {part}, which comes from an exception, to the client: before version 9, @sap/cds replaces the text only of a 5xx error that has no status of its own.',
          fix: 'Send a fixed text instead of {part}, such as "The request failed", and log the exception on the server: cds.log().error(…). Or upgrade @sap/cds to version 9, which replaces these texts in production.',
        },
        fixed: {
          why: 'The statements before it are fixed or take values as parameters, so the exception reveals names of tables and columns at most. That helps an attacker who finds another vulnerability.',
          fix: FIX_XSJS.en,
        },
        answer: {
          message: 'The handler returns {part}, which comes from an exception, as a part of its result.',
          fix: 'Return a fixed text instead of {part}, such as "The request failed", or reject the request with it, and log the exception on the server: cds.log().error(…).',
        },
        result: {
          message: 'The handler returns {part}, an exception with its message and stack, as its result.',
          fix: 'Reject the request with a fixed text instead: return req.reject(500, "The request failed"), and log {part} on the server: cds.log().error(…).',
        },
        returned: {
          title: 'Exception of an HTTP request returned to the client',
          message: 'The handler returns {part}, the whole exception of an HTTP request, as its result.',
          why: WHY_REQUEST.en,
          fix: 'Reject the request with a fixed text instead: return req.reject(502, "The request failed"), and log the message of {part} on the server.',
        },
        request: {
          title: 'Exception of an HTTP request sent to the client',
          message: '{sink} sends {part}, the whole exception of an HTTP request, to the client.',
          why: WHY_REQUEST.en,
          fix: 'Send a fixed text instead of {part}, such as "The request failed", and log its message and status on the server: error.message, error.response?.status.',
        },
      },
    },
    fr: {
      title: 'Détails d’une exception envoyés au client',
      message: '{sink} envoie au client {part}, qui provient d’une exception.',
      why: 'Les exceptions des bases de données, des pilotes et des systèmes distants peuvent révéler des tables, des hôtes, des chemins de fichiers et des versions, ce qui aide un attaquant à affiner une injection.',
      fix: 'Envoyez un texte fixe au lieu de {part}, par exemple "La requête a échoué", et journalisez l’exception sur le serveur : cds.log().error(…).',
      variants: {
        xsjs: { fix: FIX_XSJS.fr },
        server: {
          message:
            '{sink} envoie au client {part}, qui provient d’une exception : avant la version 9, @sap/cds ne remplace que le texte d’une erreur 5xx à laquelle le code n’a pas donné de statut.',
          fix: 'Envoyez un texte fixe au lieu de {part}, par exemple "La requête a échoué", et journalisez l’exception : cds.log().error(…). Ou passez à la version 9 de @sap/cds, qui remplace ces textes en production.',
        },
        fixed: {
          why: 'Les instructions qui précèdent sont fixes ou reçoivent les valeurs en paramètres : l’exception révèle tout au plus des noms de tables et de colonnes, ce qui aide un attaquant qui trouve une autre vulnérabilité.',
          fix: FIX_XSJS.fr,
        },
        answer: {
          message: 'Le gestionnaire renvoie {part}, qui provient d’une exception, comme partie de son résultat.',
          fix: 'Renvoyez un texte fixe au lieu de {part}, par exemple "La requête a échoué", ou rejetez la requête avec ce texte, et journalisez l’exception sur le serveur : cds.log().error(…).',
        },
        result: {
          message: 'Le gestionnaire renvoie comme résultat {part}, une exception avec son message et sa pile d’appels.',
          fix: 'Rejetez plutôt la requête avec un texte fixe : return req.reject(500, "La requête a échoué"), et journalisez {part} sur le serveur : cds.log().error(…).',
        },
        returned: {
          title: 'Exception d’une requête HTTP renvoyée au client',
          message: 'Le gestionnaire renvoie comme résultat {part}, l’exception complète d’une requête HTTP.',
          why: WHY_REQUEST.fr,
          fix: 'Rejetez plutôt la requête avec un texte fixe : return req.reject(502, "La requête a échoué"), et journalisez le message de {part} sur le serveur.',
        },
        request: {
          title: 'Exception d’une requête HTTP envoyée au client',
          message: '{sink} envoie au client {part}, l’exception complète d’une requête HTTP.',
          why: WHY_REQUEST.fr,
          fix: 'Envoyez un texte fixe au lieu de {part}, par exemple "La requête a échoué", et journalisez son message et son statut sur le serveur : error.message, error.response?.status.',
        },
      },
    },
  }),
})

/** What says most of an exception; of its code or name a client learns next to nothing. */
const TELLS = /\.(?:message|stack)$|\.response(?:\.(?:data|body))?$/

/** Its message, alone or in a text; and the JSON of what CAP throws where another system answers with an error. */
function tellsText({ steps, part, concatenated, marks }: FlowHit, scripts: Pick<Scripts, 'of'>): boolean {
  if (TELLS.test(part) || (concatenated && !marks.has('json'))) return true
  const from = steps[0]?.at
  const start = from?.span?.start
  return from !== undefined && start !== undefined && scripts.of(from.file, remoteCatches).some((one) => isAround(one, start))
}

/** What only developers get, or a text of the script itself. */
function tellsNothing({ steps, part }: FlowHit, scripts: Pick<Scripts, 'of'>): boolean {
  const from = steps[0]?.at
  const span = from?.span
  if (from === undefined || span === undefined) return false
  const isIn = (extract: typeof ownCatches): boolean => scripts.of(from.file, extract).some((one) => isWithin(span, one))
  return isIn(developmentMessages) || (part.endsWith('.message') && isIn(ownCatches))
}

/** All versions of CAP that the project may run with hand out the text of a status of 500 and more that code gives itself. */
function sendsServerFaults({ at: { file } }: FlowHit, capRoots: readonly CapRoot[], npm: NpmProject): boolean {
  const root = capRoots.find(({ files }) => files.some(({ path }) => path === file))
  return root !== undefined && cdsWithin(root, npm, '<9.0.0-0')
}

/** Scripts of XS classic repeat their `catch` in each function: those that tell hardly anything are one finding for all of them, the others one for each file. */
function xsFacts({ at: { file }, steps }: FlowHit, scripts: Pick<Scripts, 'of'>): Pick<Match, 'variant' | 'groupKey'> {
  if (!/\.xsjs(?:lib)?$/i.test(file)) return {}
  const from = steps[0]?.at
  const isFixed =
    from?.span !== undefined && scripts.of(from.file, fixedCatches).some((one) => isAround(one, from.span?.start ?? -1))
  return isFixed ? { variant: 'fixed', groupKey: 'fixed' } : { variant: 'xsjs', groupKey: `xsjs ${file}` }
}
