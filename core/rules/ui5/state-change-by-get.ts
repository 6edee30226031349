import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { resolveValue, type CallValue } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { leadingTextOf, splitWords } from '../../model/script/index.ts'
import type { Span } from '../../types.ts'
import { addressesByFunction, getRequestOf, isGet, isHandlerCall, namesIn, type GetRequest } from './_get-addresses.ts'
import { defineRule, type Rule } from '../rule.ts'

interface Call {
  readonly at: Span
  /** The function or entity, as it is written. */
  readonly name: string
}

/** Words that begin the names of functions which change or send something, in the languages that services are written in. */
const CHANGES: ReadonlySet<string> = new Set(
  (
    'send delete remove create update approve reject cancel release submit save change reset lock unlock confirm assign transfer reopen activate deactivate ' +
    'senden loeschen genehmigen ablehnen anlegen aendern freigeben stornieren ' +
    'enviar envia excluir exclui apagar aprovar aprobar rejeitar rechazar cancelar criar crear atualizar actualizar alterar gravar salvar guardar eliminar borrar ' +
    'trocar cambiar envoyer supprimer valider inviare invia eliminare elimina'
  ).split(' '),
)
/** Verbs that are no nouns, so that they tell the same behind what is changed: `FileDeleteSet`; not `OrderRelease`. */
const CHANGES_BEHIND: ReadonlySet<string> = new Set(
  'send delete remove approve reject senden loeschen genehmigen ablehnen enviar excluir apagar aprovar aprobar rejeitar rechazar eliminar borrar supprimer envoyer eliminare'.split(
    ' ',
  ),
)
/** In front of the verb: prefixes of a namespace, of a customer, of a kind. */
const PREFIX = /^(?:[a-z]|z[a-z]{1,3}|fn|fi|func?|function|do|execute?)$/
/** What is read about a change. */
const ABOUT =
  /^(?:history|log|logs|reasons?|status|types?|texts?|list|count|options?|info|possible|allowed|help|preview|rights?|values?|dates?|by|on|at)$/

/** Calls of functions by GET, and reads whose path has parameters and a name that says what is changed. */
const callsByGet: Extract<Call> = defineExtract({
  name: 'ui5-changes-by-get',
  withFlow: true,
  prefilter: (text) =>
    /\.callFunction\(|\.read\(\s{0,40}["'`]\/\w{1,80}\(|\/sap\/(?:bc|opu)\/|[?&](?:(?:i|iv|p)_)?(?:action|method|oper|cmd|command|event|func|task)\w{0,6}=/i.test(
      text,
    ),
  *collect({ facts }) {
    let known: ReturnType<typeof addressesByFunction> | undefined
    const addresses = (): ReturnType<typeof addressesByFunction> => (known ??= addressesByFunction(facts.calls))
    for (const call of facts.calls) {
      const name = nameOfCall(call)
      const [path] = call.args
      if (path !== undefined && name !== undefined && saysChange(name)) yield { at: { start: path.start, end: path.end }, name }
      const sent = name === undefined ? getRequestOf(call) : undefined
      const changed = sent && changeOf(sent, addresses)
      if (sent !== undefined && changed !== undefined) yield { at: sent.at, name: changed }
    }
  },
})

/** What a request changes by its address; a handler with parameters does what the only request of `cancelInvoice: function () { … }` is for. */
function changeOf(
  { address, function: within }: GetRequest,
  addresses: () => ReturnType<typeof addressesByFunction>,
): string | undefined {
  const named = namesIn(address).find((name) => saysChange(name))
  if (named !== undefined || !isHandlerCall(address)) return named
  const own = within.name.slice(within.name.lastIndexOf('.') + 1)
  return saysChange(own) && addresses().get(within)?.size === 1 ? own : undefined
}

function nameOfCall({ callee, args: [path, settings] }: CallValue): string | undefined {
  if (callee.kind !== 'member' || path === undefined) return undefined
  switch (lastNameOf(callee)) {
    case 'callFunction':
      // Fact: API reference of SAPUI5, sap.ui.model.odata.v2.ODataModel: the method is GET where none is given
      return isGet(settings && resolveValue(settings), ['method'])
        ? /^\/(\w{2,80})/.exec(leadingTextOf(path).text)?.[1]
        : undefined
    case 'read':
      return /^\/(\w{2,80})\(\w{1,80}=/.exec(leadingTextOf(path).text)?.[1]
    default:
      return undefined
  }
}

/** `SendMail`, `P_EnviaEmail`, `ZApproveOrder`, `FileDeleteSet`; not `ChangeHistory`, `DeleteReasons`. */
function saysChange(name: string): boolean {
  const words = splitWords(name).map((word) => word.toLowerCase())
  while (words.length > 1 && PREFIX.test(words[0] ?? '')) words.shift()
  if (CHANGES.has(words[0] ?? '')) return !words.slice(1).some((word) => ABOUT.test(word))
  const [last = '', before = ''] = words.toReversed()
  return CHANGES_BEHIND.has(/^(?:set|entity)$/.test(last) ? before : last)
}

/**
 * A function that changes or sends something is called by GET, which no service asks a CSRF token for.
 * Facts: RFC 9110, 9.2.1 (safe methods); SAP Gateway, "Cross-Site Request Forgery Protection" (only modifying requests need a token); API reference of SAPUI5,
 * sap.ui.model.odata.v2.ODataModel, callFunction.
 * Impact: a link on another site makes the call with the session of a user. What the function does only its name says.
 */
export const stateChangeByGet: Rule = defineRule({
  id: 'ui5/state-change-by-get',
  impact: 'bounded',
  reach: 'anyone',
  evidence: 'assumed',
  confidence: 'low',
  cwe: [352, 650],
  since: '0.3.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html#do-not-use-get-requests-for-state-changing-operations',
  extracts: [callsByGet],
  on: 'ui5-app',

  *check({ root, scripts }, { capRoots }) {
    // CAP takes functions by GET and actions by POST alone: the model of the project tells which one it is
    if (capRoots.some(({ services }) => services.length > 0)) return
    for (const { file, value } of scripts.get(callsByGet))
      yield { at: { file, span: value.at }, args: { name: value.name }, groupKey: `${root} ${value.name}` }
  },

  text: () => ({
    en: {
      title: 'State-changing service call sent with GET',
      message: 'The app calls "{name}" with GET, so the service requires no CSRF token for it.',
      why: 'A link on another site can make the call with the session of a signed-in user: browsers send cookies with GET requests that open a page.',
      fix: 'Define "{name}" for POST in the service (HttpMethod="POST" in SAP Gateway, an action in CAP), and call it with method: "POST": the model then sends a CSRF token.',
    },
    fr: {
      title: 'Appel de service modifiant l’état par GET',
      message: 'L’application appelle "{name}" par GET : le service n’exige donc pas de jeton CSRF.',
      why: 'Un lien sur un autre site peut déclencher l’appel avec la session d’un utilisateur connecté : les navigateurs envoient les cookies avec les requêtes GET qui ouvrent une page.',
      fix: 'Définissez "{name}" pour POST dans le service (HttpMethod="POST" dans SAP Gateway, une action dans CAP) et appelez-la avec method: "POST" : le modèle envoie alors un jeton CSRF.',
    },
  }),
})
