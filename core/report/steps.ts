import type { Localized } from '../types.ts'

/** How the steps of a flow are worded, for all rules on flow. */
export const FLOW_STEPS: Localized<Readonly<Record<string, string>>> = {
  en: {
    source: '{part} is chosen by the client.',
    call: 'The value is passed to {name}.',
    return: '{name} returns the value.',
    step: 'The value goes on here.',
    sink: '{sink} receives the value.',
    'source-url': '{part} comes from the address of the page, which a link sets.',
    'source-window-message': '{part} is sent by another window.',
    'source-backend': '{part} is data of a backend, which other users may have written.',
    'source-storage': '{part} is read from the storage of the browser.',
    'source-imported': '{part} is in a file or the clipboard, which somebody else may have made.',
    'source-input': '{part} is entered by the user of the page.',
    'source-property': '{part} is a property set by the code that uses the control.',
    'source-unknown': 'Nothing in the project tells where the value comes from.',
    store: 'The value is kept in: {name}.',
    load: 'The value is read again here.',
  },
  fr: {
    source: '{part} est choisi par le client.',
    call: 'La valeur est transmise à {name}.',
    return: '{name} renvoie la valeur.',
    step: 'La valeur continue ici.',
    sink: '{sink} reçoit la valeur.',
    'source-url': '{part} vient de l’adresse de la page, fixée par un lien.',
    'source-window-message': '{part} est envoyé par une autre fenêtre.',
    'source-backend': '{part} est une donnée d’un backend, que d’autres utilisateurs ont pu écrire.',
    'source-storage': '{part} est lu dans le stockage du navigateur.',
    'source-imported': '{part} vient d’un fichier ou du presse-papiers, que quelqu’un d’autre a pu créer.',
    'source-input': '{part} est saisi par l’utilisateur de la page.',
    'source-property': '{part} est une propriété fixée par le code qui utilise le contrôle.',
    'source-unknown': 'Rien dans le projet ne dit d’où vient la valeur.',
    store: 'La valeur est conservée dans : {name}.',
    load: 'La valeur est relue ici.',
  },
}
