import type { CloudFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE, REVOKE_IN_PIPELINE, type FamilyText } from './_consequences.ts'

const NEW_CLIENT_SECRET = {
  en: 'Create a new client secret at the provider and delete this one; read the new one from the environment or a secret store, on the server only.',
  fr: 'Créez un nouveau secret client chez le fournisseur et supprimez celui-ci ; lisez le nouveau dans l’environnement ou un gestionnaire de secrets, uniquement côté serveur.',
}
const REGENERATE_IN_AZURE = {
  en: 'Regenerate the key in the Azure portal, and read the new one from the environment or a secret store. An application that runs on Azure can use a managed identity instead.',
  fr: 'Régénérez la clé dans le portail Azure et lisez la nouvelle dans l’environnement ou un gestionnaire de secrets. Une application qui s’exécute sur Azure peut aussi utiliser une identité managée.',
}

/** Of cloud, hosting and network providers.
 *  Facts: AWS, "Temporary security credentials in IAM"; Azure Storage, "Grant limited access to Azure Storage resources using SAS"
 *  (revocation); Kubernetes, "Organizing Cluster Access"; Docker, "docker login" (credential helpers). */
export const CLOUD_FAMILIES: Readonly<Record<CloudFamily, Localized<FamilyText>>> = {
  cloud: readable(
    {
      en: 'use the cloud account with the permissions of this credential, for example to read data, delete resources or create new ones at your expense',
      fr: 'utiliser le compte cloud avec les droits que donne ce secret, par exemple pour lire des données, supprimer des ressources ou en créer de nouvelles à vos frais',
    },
    REVOKE,
  ),
  'cloud-key-pair': readable(
    {
      en: 'use the cloud account with this secret and the ID of the access key, for example to read data, delete resources or create new ones at your expense',
      fr: 'utiliser le compte cloud avec ce secret et l’identifiant de la clé d’accès, par exemple pour lire des données, supprimer des ressources ou en créer de nouvelles à vos frais',
    },
    {
      en: 'Delete the access key at the provider, create a new one, and read its ID and secret from the environment, a service binding or a secret store.',
      fr: 'Supprimez la clé d’accès chez le fournisseur, créez-en une nouvelle et lisez son identifiant et son secret dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
    },
  ),
  'cloud-application': readable(
    {
      en: 'call the OVHcloud API as this application if they also have its application key and a consumer key',
      fr: 'appeler l’API OVHcloud au nom de cette application si elle en possède aussi la clé d’application et une clé consommateur',
    },
    {
      en: 'Delete the application in your OVHcloud account, create a new one, and read its credentials from the environment, a service binding or a secret store.',
      fr: 'Supprimez l’application dans votre compte OVHcloud, créez-en une nouvelle et lisez ses identifiants dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
    },
  ),
  'temporary-cloud': readable(
    {
      en: 'use the AWS account with this token and the access key that belongs to it until the session expires',
      fr: 'utiliser le compte AWS avec ce jeton et la clé d’accès correspondante jusqu’à l’expiration de la session',
    },
    {
      en: 'Revoke the active sessions of the role in IAM, and let the SDK get temporary credentials from the environment or an IAM role.',
      fr: 'Révoquez les sessions actives du rôle dans IAM et laissez le SDK obtenir des identifiants temporaires dans l’environnement ou par un rôle IAM.',
    },
  ),
  'short-lived-token': readable(
    {
      en: 'act with the permissions of this token until it expires, which is mostly after an hour',
      fr: 'agir avec les droits de ce jeton jusqu’à son expiration, le plus souvent après une heure',
    },
    {
      en: 'Delete it here, revoke it if it is still valid, and let the program request a token at run time.',
      fr: 'Supprimez ce jeton ici, révoquez-le s’il est encore valide et laissez le programme en demander un à l’exécution.',
    },
  ),
  'key-id': {
    en: {
      why: 'The ID alone gives no access, but it identifies the key, and the secret that belongs to it is often stored in the same project or its history.',
      fix: 'Search the project and its history for the secret of this key, and replace both if it is there. Read the ID from the environment or the configuration of the deployment.',
    },
    fr: {
      why: 'L’identifiant seul ne donne aucun accès, mais il désigne la clé, et le secret correspondant se trouve souvent dans le même projet ou son historique.',
      fix: 'Cherchez le secret de cette clé dans le projet et son historique, et remplacez les deux s’il s’y trouve. Lisez l’identifiant dans l’environnement ou la configuration du déploiement.',
    },
  },
  'google-key': readable(
    {
      en: 'call every Google API that this key is allowed to use, at your expense',
      fr: 'appeler à vos frais toutes les API Google que cette clé autorise',
    },
    {
      en: 'Replace the key in the Google Cloud console, and restrict the new one to the necessary APIs and to your websites, apps or IP addresses; on a server, read it from the environment.',
      fr: 'Remplacez la clé dans la console Google Cloud et limitez la nouvelle aux API nécessaires et à vos sites web, applications ou adresses IP ; sur un serveur, lisez-la dans l’environnement.',
    },
  ),
  'oauth-application': readable(
    {
      en: 'request tokens as this application (with its client ID), and use its permissions at the provider',
      fr: 'demander des jetons au nom de cette application (avec son identifiant client) et utiliser ses droits auprès du fournisseur',
    },
    NEW_CLIENT_SECRET,
  ),
  'oauth-client': readable(
    {
      en: 'impersonate this application at the provider, and exchange intercepted authorization codes or stolen refresh tokens for access tokens',
      fr: 'se faire passer pour cette application auprès du fournisseur et échanger des codes d’autorisation interceptés ou des jetons de rafraîchissement volés contre des jetons d’accès',
    },
    NEW_CLIENT_SECRET,
  ),
  'refresh-token': readable(
    {
      en: 'request new access tokens for the user’s account (with the client credentials of the application) until this token expires or is revoked',
      fr: 'demander de nouveaux jetons d’accès au compte de l’utilisateur (avec les identifiants client de l’application) jusqu’à l’expiration ou la révocation de ce jeton',
    },
    {
      en: 'Revoke the application’s authorization in the settings of the user’s account, and keep the new token in a secret store on the server.',
      fr: 'Révoquez l’autorisation de l’application dans les paramètres du compte de l’utilisateur et conservez le nouveau jeton dans un gestionnaire de secrets côté serveur.',
    },
  ),
  'azure-key': readable(
    {
      en: 'use this Azure resource with the permissions of the key, for example to read or change its data',
      fr: 'utiliser cette ressource Azure avec les droits de la clé, par exemple pour lire ou modifier ses données',
    },
    REGENERATE_IN_AZURE,
  ),
  'azure-messaging-key': readable(
    {
      en: 'use this Azure resource with the permissions of the key, for example to send or receive messages',
      fr: 'utiliser cette ressource Azure avec les droits de la clé, par exemple pour envoyer ou recevoir des messages',
    },
    REGENERATE_IN_AZURE,
  ),
  'azure-signature': readable(
    {
      en: 'use the Azure resource that the signature covers, with the permissions it grants, as long as the signature is valid',
      fr: 'utiliser la ressource Azure que couvre la signature, avec les droits qu’elle donne, tant que la signature est valable',
    },
    {
      en: 'Delete the stored access policy that the signature refers to, or regenerate the key that it was signed with; issue short-lived signatures at run time.',
      fr: 'Supprimez la stratégie d’accès stockée à laquelle la signature se rapporte, ou régénérez la clé avec laquelle elle a été signée ; émettez des signatures de courte durée à l’exécution.',
    },
  ),
  'image-registry': readable(
    {
      en: 'pull private images from the registry and, if the credential permits it, replace them with malicious ones',
      fr: 'télécharger des images privées du registre et, si ce secret le permet, les remplacer par des images malveillantes',
    },
    {
      en: 'Change or revoke it at the registry, and use a credential helper ("credsStore" in Docker’s config.json) or a pipeline secret instead.',
      fr: 'Changez ou révoquez ce secret dans le registre et utilisez plutôt un assistant d’authentification ("credsStore" dans le fichier config.json de Docker) ou un secret du pipeline.',
    },
  ),
  cluster: readable(
    {
      en: 'use it with the permissions of this token, for example to read Secrets, run workloads or delete resources',
      fr: 'l’utiliser avec les droits de ce jeton, par exemple pour lire des Secrets, lancer des charges de travail ou supprimer des ressources',
    },
    {
      en: 'Delete the token or its service account in the cluster, create a new one, and keep the new token outside the project or as a pipeline secret.',
      fr: 'Supprimez le jeton ou son compte de service dans le cluster, créez-en un nouveau et conservez le nouveau jeton hors du projet ou comme secret du pipeline.',
    },
    { en: 'the cluster', fr: 'le cluster' },
  ),
  hosting: readable(
    {
      en: 'use the hosting account with the permissions of this credential, for example to deploy code or read the logs of its applications',
      fr: 'utiliser le compte d’hébergement avec les droits que donne ce secret, par exemple pour déployer du code ou lire les journaux de ses applications',
    },
    REVOKE_IN_PIPELINE,
  ),
  edge: readable(
    {
      en: 'change the configuration of the account with the permissions of this credential, for example to redirect the traffic of your domains',
      fr: 'modifier la configuration du compte avec les droits que donne ce secret, par exemple pour détourner le trafic de vos domaines',
    },
    REVOKE,
  ),
  tailnet: readable(
    {
      en: 'add devices to your Tailscale network or, with an API key, change the settings of the network',
      fr: 'ajouter des appareils à votre réseau Tailscale ou, avec une clé d’API, en modifier les paramètres',
    },
    {
      en: 'Revoke the key in the Tailscale admin console (Settings > Keys), create a new one, and read it from the environment or a secret store.',
      fr: 'Révoquez la clé dans la console d’administration Tailscale (Settings > Keys), créez-en une nouvelle et lisez-la dans l’environnement ou un gestionnaire de secrets.',
    },
  ),
  tunnel: readable(
    {
      en: 'open public tunnels with your ngrok account, under its domains',
      fr: 'ouvrir des tunnels publics avec votre compte ngrok, sous ses domaines',
    },
    {
      en: 'Reset the authtoken in the ngrok dashboard, and set the new one in the environment variable NGROK_AUTHTOKEN.',
      fr: 'Réinitialisez le jeton dans le tableau de bord ngrok et indiquez le nouveau dans la variable d’environnement NGROK_AUTHTOKEN.',
    },
  ),
  streaming: readable(
    {
      en: 'read and write topics, or manage resources in Confluent Cloud, if they have both parts of this API key (key and secret)',
      fr: 'lire des topics et y écrire, ou gérer des ressources Confluent Cloud, si elle possède les deux parties de cette clé d’API (clé et secret)',
    },
    REVOKE,
  ),
  infrastructure: readable(
    {
      en: 'change your infrastructure or read its state, which often contains secrets, with the permissions of this token',
      fr: 'modifier votre infrastructure ou lire son état, qui contient souvent des secrets, avec les droits de ce jeton',
    },
    REVOKE_IN_PIPELINE,
  ),
}
