import type { PlainFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE, type FamilyText } from './_consequences.ts'

const READ_AT_RUN_TIME = {
  en: 'Change it, and read the new one from the environment, a service binding or a secret store at run time.',
  fr: 'Changez-le et lisez le nouveau à l’exécution dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
}

/** Of databases, secret stores and encryption, and those that only their name gives away.
 *  Facts: Kubernetes, "Secrets" (base64 is no encryption); 1Password, "About your Secret Key"; curl, "--config" and "--netrc". */
export const PLAIN_FAMILIES: Readonly<Record<PlainFamily, Localized<FamilyText>>> = {
  database: readable(
    {
      en: 'read, change or delete the data that this credential gives access to',
      fr: 'lire, modifier ou supprimer les données auxquelles ce secret donne accès',
    },
    {
      en: 'Change the password, or regenerate the key in the administration of the database, and read the new one from a service binding or the environment.',
      fr: 'Changez le mot de passe, ou régénérez la clé dans l’administration de la base de données, et lisez la nouvelle valeur dans une liaison de service ou dans l’environnement.',
    },
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
      en: 'decrypt the 1Password account if they also know its password: this key is the other half of its protection',
      fr: 'déchiffrer le compte 1Password si elle en connaît aussi le mot de passe : cette clé est l’autre moitié de sa protection',
    },
    {
      en: 'Regenerate the Secret Key in your profile on 1Password.com, and let programs use a service account token instead.',
      fr: 'Régénérez la Secret Key dans votre profil sur 1Password.com et faites utiliser aux programmes un jeton de compte de service.',
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
      en: 'use it wherever it is valid: values in a Secret are at most base64-encoded, not encrypted',
      fr: 's’en servir partout où il est valable : les valeurs d’un Secret sont tout au plus encodées en base64, pas chiffrées',
    },
    {
      en: 'Change the value where it is valid, and commit it only in encrypted form (SealedSecret, SOPS), or have it read from a secret store.',
      fr: 'Changez la valeur là où elle est valable et ne la versionnez que chiffrée (SealedSecret, SOPS), ou faites-la lire dans un gestionnaire de secrets.',
    },
  ),
  password: readable(
    { en: 'log in with it wherever it is valid', fr: 's’en servir partout où il est valable' },
    READ_AT_RUN_TIME,
  ),
  command: {
    en: {
      why: 'Anyone who can read the project or its history can log in with this password; a running command also shows it in the list of processes.',
      fix: 'Change the password, and let the command read the new one from a file outside the project or a pipeline secret, for example "$PASSWORD". Deleting the value here is not enough: the version history may still contain it.',
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut utiliser ce mot de passe ; une commande en cours l’affiche aussi dans la liste des processus.',
      fix: 'Changez le mot de passe et faites lire le nouveau par la commande dans un fichier hors du projet ou un secret du pipeline, par exemple "$PASSWORD". Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
    },
  },
  bearer: readable(
    {
      en: 'call the service with the permissions of this token until it expires or is revoked',
      fr: 'appeler le service avec les droits de ce jeton jusqu’à son expiration ou sa révocation',
    },
    {
      en: 'Revoke the token where it was issued, and request or read a new one at run time.',
      fr: 'Révoquez le jeton là où il a été émis ; demandez ou lisez-en un nouveau à l’exécution.',
    },
  ),
  'url-key': {
    en: {
      why: 'Anyone who can read the project or its history can use this key; URLs also end up in logs, browser histories and Referer headers.',
      fix: 'Revoke the key, read the new one from the environment or a destination, and send it in a header if the service allows it. Deleting the value here is not enough: the version history may still contain it.',
    },
    fr: {
      why: 'Toute personne pouvant lire le projet ou son historique peut utiliser cette clé ; les URL se retrouvent aussi dans les journaux, les historiques de navigation et les en-têtes Referer.',
      fix: 'Révoquez la clé, lisez la nouvelle dans l’environnement ou une destination, et envoyez-la dans un en-tête si le service le permet. Supprimer cette valeur ne suffit pas : l’historique des versions peut encore la contenir.',
    },
  },
  secret: readable(
    {
      en: 'use it for whatever it protects, for example to call an API or sign tokens',
      fr: 's’en servir pour ce qu’il protège, par exemple pour appeler une API ou signer des jetons',
    },
    READ_AT_RUN_TIME,
  ),
}
