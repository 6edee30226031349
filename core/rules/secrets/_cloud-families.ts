import type { CloudFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE, REVOKE_IN_PIPELINE, type FamilyText } from './_consequences.ts'

/** Of cloud, hosting and network providers.
 *  Facts: AWS, "Temporary security credentials in IAM"; Azure Storage, "Grant limited access to Azure Storage resources using SAS"
 *  (revocation); Kubernetes, "Organizing Cluster Access"; Docker, "docker login" (credential helpers). */
export const CLOUD_FAMILIES: Readonly<Record<CloudFamily, Localized<FamilyText>>> = {
  cloud: readable(
    {
      en: 'use the cloud account with the permissions of this credential: read its data, delete resources, or create new ones at your expense',
      fr: 'utiliser le compte cloud avec les droits que donne ce secret : lire ses données, supprimer des ressources ou en créer de nouvelles à vos frais',
    },
    REVOKE,
  ),
  'temporary-cloud': readable(
    {
      en: 'use the AWS account until the session expires, together with the access key that belongs to this token',
      fr: 'utiliser le compte AWS jusqu’à l’expiration de la session, avec la clé d’accès qui va avec ce jeton',
    },
    {
      en: 'Revoke the active sessions of the role in IAM, and let the SDK get temporary credentials from the environment or an IAM role.',
      fr: 'Révoquez les sessions actives du rôle dans IAM et laissez le SDK obtenir des identifiants temporaires dans l’environnement ou par un rôle IAM.',
    },
  ),
  'key-id': {
    en: {
      why: 'The ID alone gives no access, but it names the key, and the secret that belongs to it is often stored in the same project or its history.',
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
      en: 'Replace the key in the Google Cloud console, restrict the new one to its APIs and websites, and read it from the environment.',
      fr: 'Remplacez la clé dans la console Google Cloud, limitez la nouvelle à ses API et à ses sites web et lisez-la dans l’environnement.',
    },
  ),
  'oauth-client': readable(
    {
      en: 'impersonate this application at the provider, and request tokens with its permissions',
      fr: 'se faire passer pour cette application auprès du fournisseur et demander des jetons avec ses droits',
    },
    {
      en: 'Create a new client secret at the provider and delete this one; read the new one from the environment or a secret store, on the server only.',
      fr: 'Créez un nouveau secret client chez le fournisseur et supprimez celui-ci ; lisez le nouveau dans l’environnement ou un gestionnaire de secrets, uniquement côté serveur.',
    },
  ),
  'refresh-token': readable(
    {
      en: 'request new access tokens for the user’s account until this token is revoked',
      fr: 'demander de nouveaux jetons d’accès au compte de l’utilisateur tant que ce jeton n’est pas révoqué',
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
    {
      en: 'Regenerate the key in the Azure portal. Use a managed identity instead, or read the new key from Key Vault or the environment.',
      fr: 'Régénérez la clé dans le portail Azure. Utilisez plutôt une identité managée, ou lisez la nouvelle clé dans Key Vault ou l’environnement.',
    },
  ),
  'azure-signature': readable(
    {
      en: 'use the Azure resource that the signature covers, with its permissions, until it expires',
      fr: 'utiliser la ressource Azure que couvre la signature, avec ses droits, jusqu’à son expiration',
    },
    {
      en: 'Delete the stored access policy that it refers to, or regenerate the key that it was signed with; issue short-lived signatures at run time.',
      fr: 'Supprimez la stratégie d’accès stockée à laquelle elle se rapporte, ou régénérez la clé qui l’a signée ; émettez des signatures de courte durée à l’exécution.',
    },
  ),
  'image-registry': readable(
    {
      en: 'pull private images from the registry and, if the credential permits it, replace them with malicious ones',
      fr: 'télécharger des images privées du registre et, si ce secret le permet, les remplacer par des images malveillantes',
    },
    {
      en: 'Change or revoke it at the registry. Use a credential helper ("credsStore" in Docker’s config.json) or a pipeline secret instead.',
      fr: 'Changez-le ou révoquez-le dans le registre. Utilisez plutôt un assistant d’authentification ("credsStore" dans le fichier config.json de Docker) ou un secret du pipeline.',
    },
  ),
  cluster: readable(
    {
      en: 'log in to the cluster with the permissions of this credential: read its Secrets, run workloads or delete resources',
      fr: 'se connecter au cluster avec les droits que donne ce secret : lire ses Secrets, lancer des charges de travail ou supprimer des ressources',
    },
    {
      en: 'Revoke it in the cluster (delete the token or its service account), create a new one, and keep it outside the project or as a pipeline secret.',
      fr: 'Révoquez-le dans le cluster (supprimez le jeton ou son compte de service), créez-en un nouveau et conservez-le hors du projet ou comme secret du pipeline.',
    },
  ),
  hosting: readable(
    {
      en: 'deploy to the hosting account, and read the environment variables and logs of its applications',
      fr: 'déployer sur le compte d’hébergement et lire les variables d’environnement et les journaux de ses applications',
    },
    REVOKE_IN_PIPELINE,
  ),
  edge: readable(
    {
      en: 'change the account with the permissions of this token, for example to redirect the traffic of your domains',
      fr: 'modifier le compte avec les droits de ce jeton, par exemple pour détourner le trafic de vos domaines',
    },
    REVOKE,
  ),
  tailnet: readable(
    {
      en: 'add devices to your Tailscale network or, with an API key, change its settings',
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
      en: 'read and write topics, or manage the Confluent Cloud account, with the permissions of this API key',
      fr: 'lire des topics et y écrire, ou gérer le compte Confluent Cloud, avec les droits de cette clé d’API',
    },
    REVOKE,
  ),
  infrastructure: readable(
    {
      en: 'change your infrastructure and read its state with the permissions of this token, including the secrets stored there',
      fr: 'modifier votre infrastructure et lire son état avec les droits de ce jeton, y compris les secrets qu’il contient',
    },
    REVOKE_IN_PIPELINE,
  ),
}
