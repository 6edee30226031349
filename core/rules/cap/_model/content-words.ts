type Words = Readonly<
  Record<string, { readonly title?: string; readonly message: string; readonly why: string; readonly fix: string }>
>

/** What is told of entities by what they hold: texts with vectors, credentials, data that all users may write. */
export const CONTENT_WORDS: Readonly<Record<'en' | 'fr', Words>> = {
  en: {
    knowledge: {
      message:
        'In the service {service}, {users:and} can write {entities:and}: rows with a vector ({element}), by which an assistant finds the texts that it answers from.',
      why: 'Any user can change or delete what the assistant answers other users, and plant instructions for the model in its texts (indirect prompt injection).',
      fix: 'Annotate {entities:and} with @readonly (handlers can still write the rows), or grant WRITE to the role that maintains these texts.',
    },
    added: {
      message:
        'In the service {service}, {users:and} can add rows to {entities:and}, beside those with a vector ({element}), by which an assistant finds its texts.',
      why: 'Any user can fill the table with rows of their own. They get no vector through this service, so that a search by vectors doesn’t find them.',
      fix: 'Annotate {entities:and} with @readonly (handlers can still write the rows), or grant WRITE to the role that maintains these texts.',
    },
    credentials: {
      title: 'Stored credential open to all users of a service',
      message:
        'In the service {service}, {users:and} can read and write {entities:and}: nothing limits this to a role, and code reads a credential ({element}) from these rows.',
      why: 'Every user can read the credential with a plain request and log in at the other system with it, or change the address that the application sends it to.',
      fix: "Keep the credential in a destination or the credential store. Until then, annotate {entities:and} with @restrict: [{ grant: '*', to: '<role>' }].",
    },
    whole: {
      message:
        'In the service {service}, {users:and} can write {entities:and} and, with it, the rows that it is composed of, although {restricted:and} requires {roles:or} to write these rows.',
      why: 'CAP checks the restrictions of the entity that a request names: a request to the whole creates, changes and deletes the rows of its compositions along with it.',
      fix: "Annotate {entities:and} in {service} with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }], for the role that may write the parts elsewhere, or with @readonly.",
    },
    everyone: {
      message:
        "{service} has @requires: 'authenticated-user' alone, and neither the model nor code limits {entities:and} to a role or to the rows of the user: all authenticated users can write them.",
      why: 'Every user and every technical client with a token for the application can create, change and delete these rows with a direct request, whatever pages they are shown.',
      fix: "Annotate {entities:and} with @readonly, or with @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }]. If every user may write these rows, state this: { grant: 'WRITE', to: 'authenticated-user' }.",
    },
  },
  fr: {
    knowledge: {
      message:
        'Dans le service {service}, {users:et} peuvent écrire dans {entities:et} : des lignes avec un vecteur ({element}), par lequel un assistant trouve les textes dont il tire ses réponses.',
      why: 'Tout utilisateur peut modifier ou supprimer ce que l’assistant répond aux autres, et placer dans ses textes des instructions pour le modèle (injection de prompt indirecte).',
      fix: 'Annotez {entities:et} avec @readonly (les gestionnaires peuvent toujours écrire ces lignes), ou accordez WRITE au rôle qui gère ces textes.',
    },
    added: {
      message:
        'Dans le service {service}, {users:et} peuvent ajouter des lignes à {entities:et}, à côté de celles qui portent un vecteur ({element}), par lequel un assistant trouve ses textes.',
      why: 'Tout utilisateur peut remplir la table de ses propres lignes. Ce service ne leur donne aucun vecteur : une recherche vectorielle ne les trouve pas.',
      fix: 'Annotez {entities:et} avec @readonly (les gestionnaires peuvent toujours écrire ces lignes), ou accordez WRITE au rôle qui gère ces textes.',
    },
    credentials: {
      title: 'Identifiant stocké ouvert à tous les utilisateurs d’un service',
      message:
        'Dans le service {service}, {users:et} peuvent lire et écrire {entities:et} : rien ne limite cela à un rôle, et le code lit un secret ({element}) dans ces lignes.',
      why: 'Tout utilisateur peut lire ce secret par une simple requête et se connecter avec lui à l’autre système, ou changer l’adresse à laquelle l’application l’envoie.',
      fix: "Gardez le secret dans une destination ou dans le credential store. En attendant, annotez {entities:et} avec @restrict: [{ grant: '*', to: '<rôle>' }].",
    },
    whole: {
      message:
        'Dans le service {service}, {users:et} peuvent écrire dans {entities:et} et, par là, dans les lignes dont ses compositions sont faites, alors que {restricted:et} exige {roles:ou} pour écrire ces lignes.',
      why: 'CAP vérifie les restrictions de l’entité que la requête désigne : une requête sur le tout crée, modifie et supprime avec lui les lignes de ses compositions.',
      fix: "Annotez {entities:et} dans {service} avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }], pour le rôle qui peut écrire les parties ailleurs, ou avec @readonly.",
    },
    everyone: {
      message:
        "{service} n’a que @requires: 'authenticated-user', et ni le modèle ni le code ne limite {entities:et} à un rôle ou aux lignes de l’utilisateur : tout utilisateur authentifié peut y écrire.",
      why: 'Tout utilisateur et tout client technique muni d’un jeton pour l’application peut créer, modifier et supprimer ces lignes par une requête directe, quelles que soient les pages qu’on lui montre.',
      fix: "Annotez {entities:et} avec @readonly, ou avec @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }]. Si tout utilisateur peut écrire ces lignes, indiquez-le : { grant: 'WRITE', to: 'authenticated-user' }.",
    },
  },
}
