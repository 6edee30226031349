import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf } from '../../facts/index.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import { leadsToServer, type Approuter } from '../../model/approuter/index.ts'
import { phpFindings, type PhpFindings } from '../../model/php/index.ts'
import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import {
  authorizedRequests,
  constructionsOf,
  fieldOf,
  manifestModelsOf,
  requestSetups,
  tokenlessWrites,
  type Ui5App,
} from '../../model/ui5/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import { folderOf } from '../../paths.ts'
import type { Localized, Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const MODEL = 'sap/ui/model/odata/v2/ODataModel'
const SETTER = 'setTokenHandlingEnabled'

/** The `false` that a script gives an OData V2 model. */
const disabledTokens: Extract<Span & { readonly isCall: boolean }> = defineExtract({
  name: 'ui5-disabled-tokens',
  keywords: ['tokenHandling', 'setTokenHandlingEnabled'],
  inPages: true,
  *collect({ facts }) {
    for (const [{ start, end }, isCall] of settingsOf(facts)) yield { start, end, isCall }
  },
})

/** Modules that keep a login in a cookie, by their names: `require('express-session')`, `from '@fastify/secure-session'`. */
const cookieSessions: Extract<'cookie'> = defineExtract({
  name: 'ui5-cookie-sessions',
  keywords: ['-session', 'cookie-', '/cookie'],
  *collectText(text) {
    if (/(?:\brequire\(|\bfrom) {0,3}["'][\w@/-]{0,40}(?:-session|\bcookie)\b[\w-]{0,20}["']/.test(text)) yield 'cookie'
  },
})

function* settingsOf(facts: ScriptFacts): Generator<[value: Value, isCall: boolean]> {
  for (const { settings } of constructionsOf(facts, MODEL)) {
    const value = fieldOf(settings, 'tokenHandling')
    if (value !== undefined && constantOf(value) === false) yield [value, false]
  }
  for (const { callee, args } of facts.calls) {
    const [value] = args
    if (callee.kind === 'member' && callee.name === SETTER && value !== undefined && constantOf(value) === false)
      yield [value, true]
  }
}

/** "Session Security": requests other than those of OData models. */
const TRANSPORT =
  'https://github.com/SAP-docs/sapui5/blob/main/docs/05_Developing_Apps/transport-security-91f3e60.md#session-security'

/** How a request that is written by hand gets the token. */
const SEND_TOKEN: Localized<string> = {
  en: 'First send a GET request with the header "X-CSRF-Token": "Fetch" to the service. Then send the token from its response in the X-CSRF-Token header of this request. Make the server or the approuter require the token.',
  fr: 'Envoyez d’abord au service une requête GET avec l’en-tête "X-CSRF-Token": "Fetch", puis ajoutez à cette requête d’écriture un en-tête X-CSRF-Token avec le jeton reçu. Configurez le serveur ou l’approuter pour qu’il exige ce jeton.',
}

const SINKS = { fetch: 'fetch', jquery: 'jQuery', xhr: 'XMLHttpRequest' } as const

/** Whether the approuters of the project refuse such requests: the app gets an error then, and nobody else gets further. */
function requireTokens(approuters: readonly Approuter[]): boolean {
  const writable = approuters
    .filter(({ deployed }) => deployed)
    .flatMap(({ routes }) => routes.filter((route) => route.writeMethods.length > 0 && leadsToServer(route)))
  return writable.length > 0 && writable.every(({ csrfProtection, authenticates }) => csrfProtection && authenticates)
}

/**
 * An OData V2 model that neither fetches nor sends the CSRF token, or a request written by hand that changes something without one.
 * Facts: API of sap.ui.model.odata.v2.ODataModel: `tokenHandling` is true by default; "skipServerCache" handles the token as well. The server is what
 * enforces it: a request without token works only where the server does not require one. @sap/approuter 23 README, "CSRF protection": required by default.
 * Impact: another site makes the browser of a user send this request. One that a browser asks the server about before it sends it for another site (Fetch
 * standard, "CORS-preflight request") needs a CORS policy that is too broad as well.
 */
export const csrfTokenDisabled: Rule = defineRule({
  id: 'ui5/csrf-token-disabled',
  impact: 'bounded',
  reach: 'anyone',
  grades: { preflight: { impact: 'defence' }, unsimple: { impact: 'defence' } },
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/odata-v2-model-6c47b2b.md',
  docsByVariant: { request: TRANSPORT, preflight: TRANSPORT, unsimple: TRANSPORT },
  extracts: [disabledTokens, tokenlessWrites, requestSetups, authorizedRequests, cookieSessions],
  on: 'ui5-app',

  *check(app, { approuters, scripts, once }) {
    // the descriptor is where it is repaired, and its rule tells so
    const isTold = approuters.some((approuter) => serves(approuter, app) && acceptsWrites(approuter))
    const isByHeader = approuters.length === 0 && scripts.get(cookieSessions).length === 0 && tellsByHeader(app)
    for (const match of judge(app, approuters, isByHeader, () => once(phpFindings)))
      yield { ...match, ...(isTold && { impact: 'defence' }) }
  },

  text: () => ({
    en: {
      title: 'CSRF token handling disabled for an OData model',
      message: 'tokenHandling is false for this OData V2 model, which therefore neither fetches nor sends a CSRF token.',
      why: 'Writes then work only if the server accepts requests without a token: a malicious site may then be able to send write requests with a logged-in user’s session.',
      fix: 'Remove tokenHandling (the default is true), and make the server or the approuter require the token for writes.',
      variants: {
        setter: {
          message:
            'setTokenHandlingEnabled(false) is called on this OData V2 model, which then neither fetches nor sends a CSRF token.',
          fix: 'Remove this call (token handling is enabled by default), and make the server or the approuter require the token for writes.',
        },
        request: {
          title: 'Write request without a CSRF token',
          message: '{sink} sends this {method} request without an X-CSRF-Token header.',
          why: 'The request works only if the server accepts writes without a token. A form on a malicious site may then be able to send the same request with a logged-in user’s session.',
          fix: SEND_TOKEN.en,
        },
        preflight: {
          title: 'Write request without a CSRF token',
          message: '{sink} sends this {method} request without an X-CSRF-Token header.',
          why: 'The request works only if the server accepts writes without a token. A malicious site can then send it with a user’s session if the server also accepts another content type, or allows the site’s origin (CORS).',
          fix: SEND_TOKEN.en,
        },
        unsimple: {
          title: 'Write request without a CSRF token',
          message: '{sink} sends this {method} request without an X-CSRF-Token header.',
          why: 'The request works only if the server accepts writes without a token. A malicious site can then send it with a user’s session if the server also allows the site’s origin (CORS).',
          fix: SEND_TOKEN.en,
        },
      },
    },
    fr: {
      title: 'Gestion du jeton CSRF désactivée pour un modèle OData',
      message: 'tokenHandling vaut false pour ce modèle OData V2, qui ne récupère donc pas de jeton CSRF et n’en envoie pas.',
      why: 'Les écritures ne fonctionnent que si le serveur accepte des requêtes sans jeton : un site malveillant pourrait alors envoyer des écritures avec la session d’un utilisateur connecté.',
      fix: 'Supprimez tokenHandling (true par défaut) et configurez le serveur ou l’approuter pour qu’il exige le jeton lors des écritures.',
      variants: {
        setter: {
          message:
            'setTokenHandlingEnabled(false) est appelé sur ce modèle OData V2, qui ne récupère alors pas de jeton CSRF et n’en envoie pas.',
          fix: 'Supprimez cet appel (la gestion du jeton est activée par défaut) et configurez le serveur ou l’approuter pour qu’il exige le jeton lors des écritures.',
        },
        request: {
          title: 'Requête d’écriture sans jeton CSRF',
          message: '{sink} envoie cette requête {method} sans en-tête X-CSRF-Token.',
          why: 'La requête ne fonctionne que si le serveur accepte des écritures sans jeton. Un formulaire d’un site malveillant pourrait alors envoyer la même requête avec la session d’un utilisateur connecté.',
          fix: SEND_TOKEN.fr,
        },
        preflight: {
          title: 'Requête d’écriture sans jeton CSRF',
          message: '{sink} envoie cette requête {method} sans en-tête X-CSRF-Token.',
          why: 'La requête ne fonctionne que si le serveur accepte des écritures sans jeton. Un site malveillant peut alors l’envoyer avec la session d’un utilisateur si le serveur accepte aussi un autre type de contenu, ou autorise l’origine de ce site (CORS).',
          fix: SEND_TOKEN.fr,
        },
        unsimple: {
          title: 'Requête d’écriture sans jeton CSRF',
          message: '{sink} envoie cette requête {method} sans en-tête X-CSRF-Token.',
          why: 'La requête ne fonctionne que si le serveur accepte des écritures sans jeton. Un site malveillant peut alors l’envoyer avec la session d’un utilisateur si le serveur autorise aussi l’origine de ce site (CORS).',
          fix: SEND_TOKEN.fr,
        },
      },
    },
  }),
})

/** Its descriptor lies in the app, or the app below it; one router for all apps lies beside them. */
function serves({ file }: Approuter, { root }: Ui5App): boolean {
  const folder = folderOf(file)
  const isWithin = (path: string, around: string): boolean => around === '' || path === around || path.startsWith(`${around}/`)
  return isWithin(folder, root) || isWithin(root, folder)
}

/** A route without the check that changes something for users who are logged in. */
function acceptsWrites({ deployed, routes }: Approuter): boolean {
  return (
    deployed &&
    routes.some((route) => route.writeMethods.length > 0 && !route.csrfProtection && route.authenticates && leadsToServer(route))
  )
}

/** Who calls is said by a token in a header, which no other site makes a browser send: no session of the server, and no service of a descriptor, which may have one. */
function tellsByHeader(app: Ui5App): boolean {
  return manifestModelsOf(app).every(({ uri }) => uri === undefined) && app.scripts.get(authorizedRequests).length >= FEW_REQUESTS
}

const FEW_REQUESTS = 2

function* judge(app: Ui5App, approuters: readonly Approuter[], isByHeader: boolean, ofPhp: () => PhpFindings): Generator<Match> {
  for (const { file, settings } of manifestModelsOf(app)) {
    const node = at(settings, 'tokenHandling')
    if (node !== undefined && booleanOf(node) === false) yield { at: { file, span: node } }
  }
  for (const { file, value } of app.scripts.get(disabledTokens)) {
    const { start, end, isCall } = value
    yield { at: { file, span: { start, end } }, ...(isCall && { variant: 'setter' }) }
  }
  if (isByHeader || requireTokens(approuters)) return
  const setUp = new Set(app.scripts.get(requestSetups).map(({ value }) => value))
  for (const { file, value } of app.scripts.get(tokenlessWrites)) {
    const { at: span, via, method, isSimple, isOfPhp } = value
    if (setUp.has(via) || isDeveloperFile(file) || isToolFile(file)) continue
    const isOwnPhp = isOfPhp === true && ofPhp().count > 0
    // scripts that keep no login have no session that another site could use
    if (isOwnPhp && !ofPhp().keepsLogin) continue
    yield {
      at: { file, span },
      args: { sink: SINKS[via], method },
      variant: isSimple ? 'request' : method === 'POST' ? 'preflight' : 'unsimple',
      confidence: 'medium',
      // one server without tokens is one fault, however often it is called
      ...(isOwnPhp && { groupKey: 'php' }),
    }
  }
}
