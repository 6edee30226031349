import type { SapFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, type FamilyText } from './_consequences.ts'

const AS_APPLICATION = {
  en: 'request tokens as this application (with its client ID), and call the services that accept these tokens',
  fr: 'demander des jetons au nom de cette application (avec son identifiant client) et appeler les services qui acceptent ces jetons',
}
const DATABASE = { en: 'the database', fr: 'la base de données' }
const WHEREVER_VALID = { en: 'use this credential wherever it is valid', fr: 'utiliser ce secret partout où il est valable' }

/** Of SAP products and of what is deployed to SAP BTP.
 *  Facts: SAP BTP documentation, "Service Instance Secrets" and "Migrate from Instance Secrets to Binding Secrets" (an instance secret is
 *  invalidated by removing its credential type; a certificate is accepted until its binding is deleted); Cloud Foundry, "App manifest attribute reference" (variables). */
export const SAP_FAMILIES: Readonly<Record<SapFamily, Localized<FamilyText>>> = {
  'sap-instance-secret': readable(AS_APPLICATION, {
    en: 'Set "credential-types": ["binding-secret"] in "oauth2-configuration" of xs-security.json, update the service instance and recreate its bindings and keys: this revokes the secret.',
    fr: 'Indiquez "credential-types": ["binding-secret"] dans "oauth2-configuration" de xs-security.json, mettez l’instance de service à jour et recréez ses liaisons et clés de service : ce secret devient alors invalide.',
  }),
  'sap-client': readable(AS_APPLICATION, {
    en: 'Recreate the service key or binding that it belongs to (outside SAP BTP: replace it at the authorization server), and read the new secret from the binding or the environment.',
    fr: 'Supprimez et recréez la clé de service ou la liaison dont provient ce secret (hors de SAP BTP : remplacez-le auprès du serveur d’autorisation) et lisez le nouveau secret dans la liaison ou l’environnement.',
  }),
  'sap-identity': readable(AS_APPLICATION, {
    en: 'Replace the secret under "Client Authentication" of the application in the administration console, or recreate its binding; read the new one from the binding or the environment.',
    fr: 'Remplacez le secret sous "Client Authentication" de l’application dans la console d’administration, ou recréez sa liaison ; lisez le nouveau dans la liaison ou l’environnement.',
  }),
  'sap-certificate': readable(
    {
      en: 'request tokens as this application (with the certificate of the binding) until the certificate expires or the binding is deleted',
      fr: 'demander des jetons au nom de cette application (avec le certificat de la liaison) jusqu’à l’expiration du certificat ou la suppression de la liaison',
    },
    {
      en: 'Delete the service key or binding that it belongs to, and create a new one; read the new key from the binding at run time.',
      fr: 'Supprimez la clé de service ou la liaison dont provient cette clé, et recréez-la ; lisez la nouvelle clé dans la liaison à l’exécution.',
    },
  ),
  'sap-schema': readable(
    {
      en: 'log in to SAP HANA as this technical user, and read or change the data that this user has access to',
      fr: 'se connecter à SAP HANA avec cet utilisateur technique et lire ou modifier les données auxquelles il a accès',
    },
    {
      en: 'Delete the service key or binding that it belongs to, and create a new one; read the new password from the binding at run time.',
      fr: 'Supprimez la clé de service ou la liaison dont provient ce mot de passe, et recréez-la ; lisez le nouveau mot de passe dans la liaison à l’exécution.',
    },
    DATABASE,
  ),
  'sap-database': readable(
    {
      en: 'log in to SAP HANA as this user, and read or change everything that the user has privileges for',
      fr: 'se connecter à SAP HANA avec cet utilisateur et lire ou modifier tout ce que ses privilèges permettent',
    },
    {
      en: 'Change the user’s password, and read the new one from a service binding or the environment at run time.',
      fr: 'Changez le mot de passe de l’utilisateur et lisez le nouveau à l’exécution dans une liaison de service ou l’environnement.',
    },
    DATABASE,
  ),
  'sap-system': readable(
    {
      en: 'log in to it as this user, and call the remote-enabled function modules that this user is authorized for',
      fr: 's’y connecter avec cet utilisateur et appeler les modules fonction accessibles à distance pour lesquels il a des autorisations',
    },
    {
      en: 'Change the user’s password, and read the new one from a destination or the environment at run time.',
      fr: 'Changez le mot de passe de l’utilisateur et lisez le nouveau à l’exécution dans une destination ou l’environnement.',
    },
    { en: 'the SAP system', fr: 'le système SAP' },
  ),
  'sap-platform': readable(
    {
      en: 'log in to the platform as this user, and deploy, change or delete applications and services with this user’s permissions',
      fr: 'se connecter à la plateforme avec cet utilisateur et déployer, modifier ou supprimer des applications et des services avec ses droits',
    },
    {
      en: 'Change the user’s password, and let the command read the new one from a pipeline secret, for example "$PASSWORD".',
      fr: 'Changez le mot de passe de l’utilisateur et transmettez le nouveau à la commande depuis un secret du pipeline, par exemple avec "$PASSWORD".',
    },
  ),
  'sap-destination': readable(
    { en: 'log in there with this password', fr: 's’y connecter avec ce mot de passe' },
    {
      en: 'Change the password in the target system, and enter the new one in the destination in the SAP BTP cockpit, not in a project file.',
      fr: 'Changez le mot de passe dans le système cible et saisissez le nouveau dans la destination, dans le cockpit SAP BTP, et non dans un fichier du projet.',
    },
    { en: 'the target system of this destination', fr: 'le système cible de cette destination' },
  ),
  'sap-destination-client': readable(
    {
      en: 'request tokens with the client ID of this destination, and call its target system with these tokens',
      fr: 'demander des jetons avec l’identifiant client de cette destination et appeler son système cible avec ces jetons',
    },
    {
      en: 'Create a new client secret at the token service of the destination, delete this one, and enter the new one in the destination in the SAP BTP cockpit, not in a project file.',
      fr: 'Créez un nouveau secret client auprès du service de jetons de la destination, supprimez celui-ci et saisissez le nouveau dans la destination, dans le cockpit SAP BTP, et non dans un fichier du projet.',
    },
  ),
  'mta-value': readable(WHEREVER_VALID, {
    en: 'Change it where it was issued. Keep the new one in a user-provided service that the module requires, or in an .mtaext file outside version control.',
    fr: 'Changez ce secret là où il a été émis. Placez le nouveau dans un service de type "user-provided" que le module requiert, ou dans un fichier .mtaext hors de la gestion de versions.',
  }),
  'manifest-value': readable(WHEREVER_VALID, {
    en: 'Change it where it was issued. Use "((NAME))" in the manifest, and pass the new value with "cf push --var NAME=…" from a pipeline secret.',
    fr: 'Changez ce secret là où il a été émis. Utilisez "((NAME))" dans le manifeste et passez la nouvelle valeur avec "cf push --var NAME=…" depuis un secret du pipeline.',
  }),
  'set-env-value': readable(WHEREVER_VALID, {
    en: 'Change it where it was issued. Let the command read the new one from a pipeline secret, for example "$API_KEY", or bind a user-provided service.',
    fr: 'Changez ce secret là où il a été émis. Transmettez le nouveau à la commande depuis un secret du pipeline, par exemple avec "$API_KEY", ou liez un service de type "user-provided".',
  }),
  'ui5-tooling': readable(
    { en: 'use this credential there', fr: 'y utiliser ce secret' },
    {
      en: 'Change it in the backend system, and set the new value outside the project, in a variable that the middleware or task reads, such as FIORI_TOOLS_PASSWORD.',
      fr: 'Changez ce secret dans le système backend et indiquez la nouvelle valeur hors du projet, dans une variable d’environnement que lit le middleware ou la tâche, comme FIORI_TOOLS_PASSWORD.',
    },
    { en: 'the backend system', fr: 'le système backend' },
  ),
  'ui5-deployment': readable(
    {
      en: 'log in to it as this user, and replace the apps that this user may deploy',
      fr: 's’y connecter avec cet utilisateur et remplacer les applications qu’il a le droit de déployer',
    },
    {
      en: 'Change the user’s password, and set this variable in your shell or as a pipeline secret instead of in a project file.',
      fr: 'Changez le mot de passe de l’utilisateur et définissez cette variable dans votre shell ou comme secret du pipeline, et non dans un fichier du projet.',
    },
    { en: 'the ABAP system', fr: 'le système ABAP' },
  ),
  'cap-service': readable(WHEREVER_VALID, {
    en: 'Change it where it was issued. Bind the service in production; for local tests, "cds bind" stores a reference to a binding instead of the credential.',
    fr: 'Changez ce secret là où il a été émis. Liez le service en production ; pour les tests locaux, "cds bind" enregistre une référence à une liaison au lieu du secret.',
  }),
  'abap-code': readable(WHEREVER_VALID, {
    en: 'Change it where it was issued, and keep the new one in a communication arrangement, a destination or the secure storage of the system.',
    fr: 'Changez ce secret là où il a été émis et conservez le nouveau dans un accord de communication, une destination ou le stockage sécurisé du système.',
  }),
  'sap-sandbox': readable(
    {
      en: 'call the sandbox APIs of SAP Business Accelerator Hub in your name',
      fr: 'appeler en votre nom les API de bac à sable de SAP Business Accelerator Hub',
    },
    {
      en: 'Generate a new API key on api.sap.com, and read it from the environment or a destination.',
      fr: 'Générez une nouvelle clé d’API sur api.sap.com et lisez-la dans l’environnement ou une destination.',
    },
  ),
}
