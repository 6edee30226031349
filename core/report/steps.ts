import type { Locale, Localized } from '../types.ts'
import { formatMessage } from './notices.ts'

/** How the steps of a flow are worded, for all rules on flow. */
export const FLOW_STEPS: Localized<Readonly<Record<string, string>>> = {
  en: {
    source: '{part} is chosen by the client.',
    call: 'The value is passed to {name}.',
    return: '{name} returns the value.',
    step: 'The value is used here.',
    sink: '{sink} receives the value.',
    'source-url': '{part} comes from the URL of the page, which a link can set.',
    'source-referrer': '{part} is the URL of the page that links here.',
    'source-window-message': '{part} is sent by another window.',
    'source-backend': '{part} is data of a backend, which other users may have written.',
    'source-privileged': '{part} passes every authorization check.',
    'source-claims': '{part} decodes a token without verifying its signature.',
    'source-credentials': '{part} contains credentials.',
    'source-exchange': '{part} contains all headers of the request.',
    'source-credential': 'According to its name, {part} is a credential.',
    'source-storage': '{part} is read from the storage of the browser.',
    'source-imported': '{part} is in a file or the clipboard, which someone else may have created.',
    'source-input': '{part} is entered by the user of the page.',
    'source-property': '{part} is a property set by the code that uses the control.',
    'source-unknown': 'The project does not show where the value comes from.',
    'source-error': '{part} comes from a caught exception.',
    'source-stored': '{part} is stored data, which clients or other systems may have written.',
    'source-secret': '{part} is a credential.',
    'source-statement': '{part} is the text of an SQL statement.',
    'source-personal': 'According to the CDS model, {part} contains personal data.',
    'source-reply': '{part} is the result of the next handler.',
    'source-open-app': 'The Express app receives requests before CAP authenticates them.',
    store: 'The value is stored in {name}.',
    load: 'The value is read again here.',
  },
  fr: {
    source: '{part} est choisi par le client.',
    call: 'La valeur est transmise à {name}.',
    return: '{name} renvoie la valeur.',
    step: 'La valeur est utilisée ici.',
    sink: '{sink} reçoit la valeur.',
    'source-url': '{part} vient de l’URL de la page, qu’un lien peut fixer.',
    'source-referrer': '{part} est l’URL de la page qui renvoie ici.',
    'source-window-message': '{part} est envoyé par une autre fenêtre.',
    'source-backend': '{part} est une donnée d’un backend, que d’autres utilisateurs ont pu écrire.',
    'source-privileged': '{part} satisfait à tous les contrôles d’autorisation.',
    'source-claims': '{part} décode un jeton sans en vérifier la signature.',
    'source-credentials': '{part} contient des données d’authentification.',
    'source-exchange': '{part} contient tous les en-têtes de la requête.',
    'source-credential': 'D’après son nom, {part} est une donnée d’authentification.',
    'source-storage': '{part} est lu dans le stockage du navigateur.',
    'source-imported': '{part} vient d’un fichier ou du presse-papiers, que quelqu’un d’autre a pu créer.',
    'source-input': '{part} est saisi par l’utilisateur de la page.',
    'source-property': '{part} est une propriété fixée par le code qui utilise le contrôle.',
    'source-unknown': 'Le projet ne montre pas d’où vient la valeur.',
    'source-error': '{part} provient d’une exception interceptée.',
    'source-stored': '{part} est une donnée stockée, que des clients ou d’autres systèmes ont pu écrire.',
    'source-secret': '{part} est une donnée d’authentification.',
    'source-statement': '{part} est le texte d’une instruction SQL.',
    'source-personal': 'D’après le modèle CDS, {part} contient des données personnelles.',
    'source-reply': '{part} est le résultat du gestionnaire suivant.',
    'source-open-app': 'L’application Express reçoit les requêtes avant que CAP ne les authentifie.',
    store: 'La valeur est conservée dans {name}.',
    load: 'La valeur est relue ici.',
  },
}

/** What is said of a value that a flow puts somewhere, by the first word of the name that the flow engine gives the place; `{name}` is the rest. */
const STORES: Localized<Readonly<Record<string, string>>> = {
  en: {
    model: 'The value is written to the model {name}.',
    control: 'The value is set on the control {name}.',
    component: 'The value is stored in the component of the app.',
    property: 'The value is stored in a property of {name}.',
    element: 'The value is stored in a property of {name}.',
    event: 'The value is passed with the event {name}.',
    'own-event': 'The value is passed with the event {name}.',
    'emitter-event': 'The value is passed with the event {name}.',
    'service-event': 'The value is sent with the event {name}.',
    'service-result': 'The value is the result of the event {name}.',
    'request-field': 'The value is stored in the property {name} of the request.',
    storage: 'The value is written to the web storage {name}.',
    module: 'The module exports the value.',
    namespace: 'The value is stored in the namespace {name}.',
    global: 'The value is stored in the global variable {name}.',
    rows: 'The value is written to rows of {name}.',
    shown: 'The value is rendered.',
    log: 'The value is written to the log.',
    handler: 'The value is passed to the handler {name}.',
    worker: 'The value is sent in a message of the worker {name}.',
  },
  fr: {
    model: 'La valeur est écrite dans le modèle {name}.',
    control: 'La valeur est affectée au contrôle {name}.',
    component: 'La valeur est conservée dans le composant de l’application.',
    property: 'La valeur est conservée dans une propriété de {name}.',
    element: 'La valeur est conservée dans une propriété de {name}.',
    event: 'La valeur est transmise avec l’événement {name}.',
    'own-event': 'La valeur est transmise avec l’événement {name}.',
    'emitter-event': 'La valeur est transmise avec l’événement {name}.',
    'service-event': 'La valeur est envoyée avec l’événement {name}.',
    'service-result': 'La valeur est le résultat de l’événement {name}.',
    'request-field': 'La valeur est conservée dans la propriété {name} de la requête.',
    storage: 'La valeur est écrite dans le stockage web {name}.',
    module: 'Le module exporte la valeur.',
    namespace: 'La valeur est conservée dans l’espace de noms {name}.',
    global: 'La valeur est conservée dans la variable globale {name}.',
    rows: 'La valeur est écrite dans des lignes de {name}.',
    shown: 'La valeur est affichée.',
    log: 'La valeur est écrite dans le journal.',
    handler: 'La valeur est transmise au gestionnaire {name}.',
    worker: 'La valeur est envoyée dans un message du worker {name}.',
  },
}

/** The step that puts a value into a store; a store that the table does not know is called by its name. */
export function wordStore(store: string, locale: Locale): string {
  const [kind = ''] = store.split(/[\s:]/, 1)
  const words = STORES[locale][kind]
  if (words === undefined) return formatMessage(FLOW_STEPS[locale]['store'] ?? '', { name: store })
  const name = store
    .slice(kind.length + 1)
    .replace(/^class /, '')
    .replace(/(?:^|\/)\*$/, '')
    .replace(/ (?:answers|messages)$/, '')
  return formatMessage(name === '' ? words.replace(/(?: (?:of|de))? \{name\}/, '') : words, { name })
}
