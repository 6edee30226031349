import type { PlainFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE, type FamilyText } from './_consequences.ts'

const READ_AT_RUN_TIME = {
  en: 'Change it, and read the new one from the environment, a service binding or a secret store at run time.',
  fr: 'Changez cette valeur et lisez la nouvelle à l’exécution dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
}

/** Of databases, secret stores and encryption, and those that only their name gives away.
 *  Facts: Kubernetes, "Secrets" (base64 is no encryption); 1Password, "About your Secret Key"; curl, "--config" and "--netrc". */
export const PLAIN_FAMILIES: Readonly<Record<PlainFamily, Localized<FamilyText>>> = {
  database: readable(
    {
      en: 'log in to it and read, change or delete the data that this account has access to',
      fr: 's’y connecter et lire, modifier ou supprimer les données auxquelles ce compte a accès',
    },
    {
      en: 'Change the password on the server, and read the new one from a service binding or the environment.',
      fr: 'Changez le mot de passe sur le serveur et lisez le nouveau dans une liaison de service ou dans l’environnement.',
    },
    { en: 'the database', fr: 'la base de données' },
  ),
  'data-platform': readable(
    {
      en: 'read, change or delete the data and settings that this credential gives access to',
      fr: 'lire, modifier ou supprimer les données et les paramètres auxquels ce secret donne accès',
    },
    REVOKE,
  ),
  'secret-store': readable(
    {
      en: 'read every secret that this token gives access to',
      fr: 'lire tous les secrets auxquels ce jeton donne accès',
    },
    {
      en: 'Revoke the token, change the secrets that it gives access to, and inject the new token into the environment at run time.',
      fr: 'Révoquez le jeton, changez les secrets auxquels il donne accès et injectez le nouveau jeton dans l’environnement à l’exécution.',
    },
  ),
  'onepassword-key': readable(
    {
      en: 'decrypt the data of the 1Password account if they also know its password: this key is the other half of the protection',
      fr: 'déchiffrer les données du compte 1Password si elle en connaît aussi le mot de passe : cette clé est l’autre moitié de la protection',
    },
    {
      en: 'Regenerate the Secret Key in your profile on 1Password.com, and let programs use a service account token instead.',
      fr: 'Régénérez la clé secrète (Secret Key) dans votre profil sur 1Password.com et utilisez plutôt dans vos programmes un jeton de compte de service.',
    },
  ),
  'file-encryption': readable(
    {
      en: 'decrypt every file that was encrypted for this key',
      fr: 'déchiffrer tous les fichiers chiffrés pour cette clé',
    },
    {
      en: 'Create a new key pair, change the secrets in the files encrypted for this one, and keep the new key in a secret store.',
      fr: 'Créez une nouvelle paire de clés, changez les secrets des fichiers chiffrés pour celle-ci et conservez la nouvelle clé dans un gestionnaire de secrets.',
    },
  ),
  'kubernetes-secret': readable(
    {
      en: 'use this credential wherever it is valid: values in a Secret are at most base64-encoded, not encrypted',
      fr: 'utiliser cette valeur partout où elle est valable : les valeurs d’un Secret sont tout au plus encodées en base64, pas chiffrées',
    },
    {
      en: 'Change the value where it is valid, and commit it only in encrypted form (SealedSecret, SOPS), or have it read from a secret store.',
      fr: 'Changez la valeur là où elle est valable et ne la versionnez que chiffrée (SealedSecret, SOPS), ou faites-la lire dans un gestionnaire de secrets.',
    },
  ),
  password: readable(
    {
      en: 'log in with this password wherever it is valid',
      fr: 'se connecter avec ce mot de passe partout où il est valable',
    },
    READ_AT_RUN_TIME,
  ),
  command: {
    en: {
      why: 'Anyone who can read the project or its history can use this password; while the command runs, the list of processes may show it, too.',
      fix: 'Change the password, and let the command read the new one from a file outside the project or a pipeline secret, for example "$PASSWORD". Deleting the value here is not enough: the version history may still contain it.',
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut utiliser ce mot de passe ; pendant l’exécution de la commande, il peut aussi apparaître dans la liste des processus.',
      fix: 'Changez le mot de passe et transmettez le nouveau à la commande depuis un fichier hors du projet ou un secret du pipeline, par exemple avec "$PASSWORD". Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
    },
  },
  bearer: readable(
    {
      en: 'call the services that accept this token, with its permissions, until it expires or is revoked',
      fr: 'appeler les services qui acceptent ce jeton, avec ses droits, jusqu’à son expiration ou sa révocation',
    },
    {
      en: 'Revoke the token where it was issued, and request or read a new one at run time.',
      fr: 'Révoquez le jeton là où il a été émis et obtenez-en un nouveau à l’exécution.',
    },
  ),
  'json-web-token': readable(
    {
      en: 'call the services that accept this token, with its permissions, until it expires',
      fr: 'appeler les services qui acceptent ce jeton, avec ses droits, jusqu’à son expiration',
    },
    {
      en: 'Request a new token at run time instead. If this one is still valid, revoke it where it was issued or, where that is not possible, replace the key that signed it.',
      fr: 'Demandez plutôt un nouveau jeton à l’exécution. Si celui-ci est encore valable, révoquez-le là où il a été émis ou, si ce n’est pas possible, remplacez la clé qui l’a signé.',
    },
  ),
  'url-key': {
    en: {
      why: 'Anyone who can read the project or its history can use this credential; URLs also end up in logs, browser histories and Referer headers.',
      fix: 'Replace it where it was issued, read the new value from the environment or a destination, and send it in a header if the service allows it. Deleting the value here is not enough: the version history may still contain it.',
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut utiliser ce secret ; les URL se retrouvent aussi dans les journaux, les historiques de navigation et les en-têtes Referer.',
      fix: 'Remplacez ce secret là où il a été émis, lisez la nouvelle valeur dans l’environnement ou une destination, et envoyez-la dans un en-tête si le service le permet. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
    },
  },
  secret: readable(
    {
      en: 'use this secret wherever it is valid, for example to call an API or sign tokens',
      fr: 'utiliser ce secret partout où il est valable, par exemple pour appeler une API ou signer des jetons',
    },
    READ_AT_RUN_TIME,
  ),
}
