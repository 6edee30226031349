import { wordArguments } from '../arguments.ts'
import { quoteWord } from '../quote.ts'
import type { Finding, Locale, Localized } from '../types.ts'
import { formatMessage } from './notices.ts'

/** How the steps of a flow are worded, for all rules on flow. */
export const FLOW_STEPS: Localized<Readonly<Record<string, string>>> = {
  en: {
    source: '{part} is chosen by the client.',
    call: 'The value is passed to {name}.',
    return: '{name} returns the value.',
    'call-unnamed': 'The value is passed to the function.',
    'return-unnamed': 'The function returns the value.',
    'call-constructor': 'The value is passed to the constructor.',
    'return-constructor': 'The constructor returns the object with the value.',
    'sink-address': 'The {sink} URL receives the value.',
    step: 'The value is passed on here.',
    join: 'The value becomes part of a text here.',
    sink: '{sink} receives the value.',
    'source-url': '{part} comes from the URL of the page, which the author of a link can choose.',
    'source-referrer': '{part} is the URL of the page that the user came from.',
    'source-window-message': '{part} is sent by another window.',
    'source-backend': '{part} comes from a backend, where other users may have written it.',
    'source-privileged': '{part} passes every authorization check.',
    'source-claims': '{part} decodes a token without verifying its signature.',
    'source-credentials': '{part} contains credentials.',
    'source-exchange': '{part} contains all headers of the request.',
    'source-credential': 'According to its name, {part} is a credential.',
    'source-storage': '{part} is read from the browser storage.',
    'source-imported': '{part} comes from a file or the clipboard, whose content someone else may have written.',
    'source-input': '{part} is entered by the user of the page.',
    'source-property': '{part} is a property set by the code that uses the control.',
    'source-unknown': 'The project does not show where the value comes from.',
    'source-error': '{part} comes from a caught exception.',
    'source-request-error': '{part} is the exception of an HTTP request.',
    'source-signed-error': '{part} is the exception of an HTTP request that is sent with credentials.',
    'source-destination-error':
      '{part} is the exception of an HTTP request to a destination, whose credentials are sent with it.',
    'source-stored': '{part} is stored data, which clients or other systems may have written.',
    'source-secret': '{part} is a credential.',
    'source-statement': '{part} is the text of an SQL statement.',
    'source-personal': 'According to the CDS model, {part} contains personal data.',
    'source-reply': '{part} is the result of the next handler.',
    'source-open-app': 'The Express app receives requests before CAP authenticates them.',
    'source-open-server': 'The Express app receives the requests of all callers.',
    load: 'The value is read here.',
  },
  fr: {
    source: '{part} est choisi par le client.',
    call: 'La valeur est transmise à {name}.',
    return: '{name} renvoie la valeur.',
    'call-unnamed': 'La valeur est transmise à la fonction.',
    'return-unnamed': 'La fonction renvoie la valeur.',
    'call-constructor': 'La valeur est transmise au constructeur.',
    'return-constructor': 'Le constructeur renvoie l’objet qui contient la valeur.',
    'sink-address': 'L’URL {sink} reçoit la valeur.',
    step: 'La valeur est transmise ici.',
    join: 'La valeur devient une partie d’un texte ici.',
    sink: '{sink} reçoit la valeur.',
    'source-url': '{part} vient de l’URL de la page, que l’auteur d’un lien peut choisir.',
    'source-referrer': '{part} est l’URL de la page d’où vient l’utilisateur.',
    'source-window-message': '{part} est envoyé par une autre fenêtre.',
    'source-backend': '{part} provient d’un backend, où d’autres utilisateurs ont pu l’écrire.',
    'source-privileged': '{part} satisfait à tous les contrôles d’autorisation.',
    'source-claims': '{part} décode un jeton sans en vérifier la signature.',
    'source-credentials': '{part} contient des données d’authentification.',
    'source-exchange': '{part} contient tous les en-têtes de la requête.',
    'source-credential': 'D’après son nom, {part} est une donnée d’authentification.',
    'source-storage': '{part} est lu dans le stockage du navigateur.',
    'source-imported': '{part} vient d’un fichier ou du presse-papiers, dont quelqu’un d’autre a pu écrire le contenu.',
    'source-input': '{part} est saisi par l’utilisateur de la page.',
    'source-property': '{part} est une propriété définie par le code qui utilise le contrôle.',
    'source-unknown': 'Le projet ne montre pas d’où vient la valeur.',
    'source-error': '{part} provient d’une exception interceptée.',
    'source-request-error': '{part} est l’exception d’une requête HTTP.',
    'source-signed-error': '{part} est l’exception d’une requête HTTP envoyée avec des identifiants.',
    'source-destination-error':
      '{part} est l’exception d’une requête HTTP vers une destination, dont les identifiants sont envoyés avec elle.',
    'source-stored': '{part} est une donnée stockée, que des clients ou d’autres systèmes ont pu écrire.',
    'source-secret': '{part} est une donnée d’authentification.',
    'source-statement': '{part} est le texte d’une instruction SQL.',
    'source-personal': 'D’après le modèle CDS, {part} contient des données personnelles.',
    'source-reply': '{part} est le résultat du gestionnaire suivant.',
    'source-open-app': 'L’application Express reçoit les requêtes avant que CAP ne les authentifie.',
    'source-open-server': 'L’application Express reçoit les requêtes de tous les appelants.',
    load: 'La valeur est lue ici.',
  },
}

/**
 * How a flow keeps or passes on a value, by the first word of the name that the flow engine gives the store; `{0}` is the rest. The second sentence is for
 * a store without one.
 */
const STORES: Localized<Readonly<Record<string, readonly [named: string, unnamed?: string]>>> = {
  en: {
    model: ['The value is stored in the model "{0}".', 'The value is stored in the default model.'],
    control: ['The value is set on the control {0}.', 'The value is set on a control.'],
    component: ['The value is stored in the component of the app.'],
    property: ['The value is stored in a property of {0}.', 'The value is stored in a property of the control.'],
    element: ['The value is stored in a property of the custom element {0}.'],
    event: ['The value is passed on with the event {0}.', 'The value is passed on with an event.'],
    'own-event': ['The value is passed on with the event {0}.', 'The value is passed on with an event.'],
    'emitter-event': ['The value is passed on with the event {0}.', 'The value is passed on with an event.'],
    'service-event': ['The value is passed on with the event {0}.', 'The value is passed on with an event.'],
    'service-result': ['The value is returned as the result of {0}.', 'The value is returned as the result of the event.'],
    storage: ['The value is stored in the browser storage under "{0}".', 'The value is stored in the browser storage.'],
    module: ['The module exports the value.'],
    namespace: ['The value is stored in the namespace {0}.', 'The value is stored in a global namespace.'],
    global: ['The value is stored in the global variable {0}.', 'The value is stored in a global variable.'],
    rows: ['The value is stored in {0}.', 'The value is stored in the database.'],
    shown: ['The value is displayed in the page.'],
    log: ['The value is written to the log.'],
    handler: ['The value is passed to the handler {0}.', 'The value is passed to the handler.'],
    worker: ['The value is sent in a message between the page and its worker {0}.'],
    'request-field': ['The value is stored in the field {0} of the request.', 'The value is stored in a field of the request.'],
  },
  fr: {
    model: ['La valeur est conservée dans le modèle "{0}".', 'La valeur est conservée dans le modèle par défaut.'],
    control: ['La valeur est placée dans le contrôle {0}.', 'La valeur est placée dans un contrôle.'],
    component: ['La valeur est conservée dans le composant de l’application.'],
    property: ['La valeur est conservée dans une propriété de {0}.', 'La valeur est conservée dans une propriété du contrôle.'],
    element: ['La valeur est conservée dans une propriété de l’élément personnalisé {0}.'],
    event: ['La valeur est transmise par l’événement {0}.', 'La valeur est transmise par un événement.'],
    'own-event': ['La valeur est transmise par l’événement {0}.', 'La valeur est transmise par un événement.'],
    'emitter-event': ['La valeur est transmise par l’événement {0}.', 'La valeur est transmise par un événement.'],
    'service-event': ['La valeur est transmise par l’événement {0}.', 'La valeur est transmise par un événement.'],
    'service-result': ['La valeur est renvoyée comme résultat de {0}.', 'La valeur est renvoyée comme résultat de l’événement.'],
    storage: [
      'La valeur est conservée dans le stockage du navigateur sous "{0}".',
      'La valeur est conservée dans le stockage du navigateur.',
    ],
    module: ['Le module exporte la valeur.'],
    namespace: ['La valeur est conservée dans l’espace de noms {0}.', 'La valeur est conservée dans un espace de noms global.'],
    global: ['La valeur est conservée dans la variable globale {0}.', 'La valeur est conservée dans une variable globale.'],
    rows: ['La valeur est enregistrée dans {0}.', 'La valeur est enregistrée dans la base de données.'],
    shown: ['La valeur est affichée dans la page.'],
    log: ['La valeur est écrite dans le journal.'],
    handler: ['La valeur est transmise au gestionnaire {0}.', 'La valeur est transmise au gestionnaire.'],
    worker: ['La valeur est envoyée dans un message entre la page et son worker {0}.'],
    'request-field': [
      'La valeur est conservée dans le champ {0} de la requête.',
      'La valeur est conservée dans un champ de la requête.',
    ],
  },
}

/** What the table does not know. */
const SOME_STORE: Localized<string> = { en: 'The value is stored.', fr: 'La valeur est conservée.' }

/** The sentence for a store, by the name that the flow engine gives it; a rule may have one of its own, `store-module`. */
export function wordStore(store: string, locale: Locale, own: Readonly<Record<string, string>> = {}): string {
  const [kind = ''] = store.split(/[\s:]/, 1)
  const special = own[`store-${kind}`]
  if (special !== undefined) return special
  const [named, unnamed] = STORES[locale][kind] ?? []
  const name = nameOfStore(kind, store.slice(kind.length + 1))
  const sentence = name === '' ? (unnamed ?? named) : named
  return sentence?.replace('{0}', () => name) ?? SOME_STORE[locale]
}

/** `control/messageReceived`, `class Note`, `Jobs[]`, `simulate messages`, `@Channel.NAME`: the name alone. */
function nameOfStore(kind: string, rest: string): string {
  const name = kind === 'own-event' ? rest.slice(rest.indexOf('/') + 1) : rest
  const written = name
    .replace(/^class |^#|\[\]$| (?:messages|answers)$/g, '')
    .replaceAll(/(^|\/)@/g, '$1')
    .replace(/(?:^|\/)\*$/, '')
    .trim()
  // the sentences on models and the storage have quotes of their own
  return kind === 'model' || kind === 'storage' || !/^[a-z]+$/.test(written) ? written : `"${written}"`
}

/**
 * A step into or out of a function is worded by its name, which the flow engine gives as `function` where there is none, and as `addEventListener:message`
 * for what it hands to an event; a sink `data:` is the address that begins so.
 */
export function stepKeyOf(step: string, name: string | undefined, sink?: string): string {
  if (step === 'sink' && sink?.endsWith(':') === true) return 'sink-address'
  if (name === undefined || (step !== 'call' && step !== 'return')) return step
  if (name === 'function' || name.includes(':')) return `${step}-unnamed`
  return name === 'constructor' ? `${step}-constructor` : step
}

/** A function as it is called. */
export function wordFunction(name: string): string {
  return /^[\w$]+$/.test(name) ? `${name}()` : name
}

/** The sentence for a step of a flow; `own` are those that the rule has for steps, by their keys. */
export function wordStep(
  { step, args: values }: NonNullable<Finding['flow']>[number],
  own: Readonly<Record<string, string>>,
  locale: Locale,
): string {
  const { name, part, sink } = values
  const key = stepKeyOf(step, name, sink)
  if (key === 'store') return wordStore(name ?? '', locale, own)
  return formatMessage(own[key] ?? FLOW_STEPS[locale][key] ?? key, {
    ...wordArguments(values, locale),
    ...(name !== undefined && { name: wordFunction(name) }),
    ...(part !== undefined && { part: quoteWord(part) }),
    ...(sink !== undefined && { sink: quoteWord(sink.replaceAll('.[]', '[…]')) }),
  })
}
