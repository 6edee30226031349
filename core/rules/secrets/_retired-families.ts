import type { RetiredFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, type FamilyText } from './_consequences.ts'

/** Of credentials that their provider no longer issues or accepts: a new one of the same kind cannot be created.
 *  Facts: Atlassian, "Bitbucket Cloud transitions to API tokens" (creation ended on 2025-09-09, use on 2026-06-09) and
 *  "Manage API tokens for your Atlassian account" (those created before 2024-12-15 expired until 2026-05-12); Cloudflare, "API deprecations"
 *  (service keys, 2026-09-30); Microsoft, "Retirement of Office 365 connectors within Microsoft Teams"; JFrog, "Platform Deprecations" (API
 *  keys, Artifactory 7.98); Grafana, "Migrate API keys to service account tokens" (migrated keys keep working); Slack, "Legacy custom integrations:
 *  tokens"; Snowflake, "Planning for the deprecation of single-factor password sign-ins" (2025 and 2026, by type of user). */
export const RETIRED_FAMILIES: Readonly<Record<RetiredFamily, Localized<FamilyText>>> = {
  'bitbucket-app-password': {
    en: {
      why: 'Bitbucket Cloud stopped accepting app passwords on June 9, 2026. If this one still works, anyone who can read the project or its history can read or change source code and pipelines with the permissions of this password.',
      fix: 'Delete it here, and revoke it in the Bitbucket settings if it is still listed there. Create an Atlassian API token with as few Bitbucket scopes as possible instead, and store that as a pipeline secret.',
    },
    fr: {
      why: 'Bitbucket Cloud n’accepte plus les mots de passe d’application depuis le 9 juin 2026. Si celui-ci fonctionne encore, toute personne pouvant lire le projet ou son historique peut lire ou modifier le code source et les pipelines avec les droits de ce mot de passe.',
      fix: 'Supprimez ce mot de passe ici et révoquez-le dans les paramètres Bitbucket s’il y figure encore. Créez à la place un jeton d’API Atlassian avec le moins de droits Bitbucket possible et enregistrez-le comme secret du pipeline.',
    },
  },
  'expired-atlassian-token': {
    en: {
      why: 'Atlassian let the API tokens of this old format expire by May 12, 2026. If this one still works, anyone who can read the project or its history can act in Jira, Confluence and other Atlassian products as the owner of the token.',
      fix: 'Delete it here, and revoke it in the security settings of the Atlassian account if it is still listed there. Create a new API token with as few scopes as possible, and read that from the environment or a pipeline secret.',
    },
    fr: {
      why: 'Atlassian a fait expirer les jetons d’API de cet ancien format au plus tard le 12 mai 2026. Si celui-ci fonctionne encore, toute personne pouvant lire le projet ou son historique peut agir au nom du propriétaire du jeton dans Jira, Confluence et d’autres produits Atlassian.',
      fix: 'Supprimez ce jeton ici et révoquez-le dans les paramètres de sécurité du compte Atlassian s’il y figure encore. Créez un nouveau jeton d’API avec le moins de droits possible et lisez celui-ci dans l’environnement ou un secret du pipeline.',
    },
  },
  'origin-certificate': {
    en: {
      why: 'The Cloudflare API stopped accepting Origin CA keys on September 30, 2026. If this one still works, anyone who can read the project or its history can issue and revoke Origin CA certificates for your domains.',
      fix: 'Delete the key here, and change it in your Cloudflare profile if it is still listed there. Use an API token with the permission "SSL and Certificates: Edit" instead, read from the environment.',
    },
    fr: {
      why: 'L’API de Cloudflare n’accepte plus les clés Origin CA depuis le 30 septembre 2026. Si celle-ci fonctionne encore, toute personne pouvant lire le projet ou son historique peut émettre et révoquer des certificats Origin CA pour vos domaines.',
      fix: 'Supprimez la clé ici et changez-la dans votre profil Cloudflare si elle y figure encore. Utilisez plutôt un jeton d’API avec l’autorisation "SSL and Certificates: Edit", lu dans l’environnement.',
    },
  },
  'teams-webhook': {
    en: {
      why: 'Microsoft retired the Office 365 connectors in Teams in 2026. If this URL still works, anyone who can read the project or its history can post messages to the channel of this webhook, for example for phishing.',
      fix: 'Remove the connector from the channel and delete its URL here. Create a webhook with the Workflows app instead, and read its URL from the environment, a destination or a secret store.',
    },
    fr: {
      why: 'Microsoft a mis fin aux connecteurs Office 365 dans Teams en 2026. Si cette URL fonctionne encore, toute personne pouvant lire le projet ou son historique peut publier des messages dans le canal de ce webhook, par exemple pour de l’hameçonnage.',
      fix: 'Retirez le connecteur du canal et supprimez son URL ici. Créez plutôt un webhook avec l’application Workflows et lisez son URL dans l’environnement, une destination ou un gestionnaire de secrets.',
    },
  },
  'jfrog-key': readable(
    {
      en: 'download private packages and, if the key permits it, replace them with malicious ones',
      fr: 'télécharger des paquets privés et, si la clé le permet, les remplacer par des paquets malveillants',
    },
    {
      en: 'Revoke the API key in the JFrog Platform. Artifactory 7.98 and later cannot create API keys: generate an identity token instead, and store it as a pipeline secret.',
      fr: 'Révoquez la clé d’API dans la plateforme JFrog. Artifactory 7.98 et les versions ultérieures ne créent plus de clés d’API : générez plutôt un jeton d’identité et enregistrez-le comme secret du pipeline.',
    },
  ),
  'grafana-key': readable(
    {
      en: 'read or change dashboards and data sources with the permissions of this key',
      fr: 'lire ou modifier les tableaux de bord et les sources de données avec les droits de cette clé',
    },
    {
      en: 'Delete the key, or the token of the service account it was migrated to. Create a service account token with as few permissions as possible, and read it from the environment.',
      fr: 'Supprimez la clé, ou le jeton du compte de service vers lequel elle a été migrée. Créez un jeton de compte de service avec le moins de droits possible et lisez-le dans l’environnement.',
    },
  ),
  'slack-legacy-token': readable(
    {
      en: 'read and post messages in Slack with the permissions of the user or app to which this token belongs',
      fr: 'lire et publier des messages dans Slack avec les droits de l’utilisateur ou de l’application à qui appartient ce jeton',
    },
    {
      en: 'Revoke it with the API method auth.revoke. Slack no longer issues such tokens: create a Slack app with as few scopes as possible, and read its bot token from the environment.',
      fr: 'Révoquez ce jeton avec la méthode d’API auth.revoke. Slack n’émet plus de tels jetons : créez une application Slack avec le moins de droits possible et lisez son jeton de bot dans l’environnement.',
    },
  ),
  'snowflake-password': readable(
    {
      en: 'read, change or delete the data that this user has access to, unless Snowflake already requires a second factor',
      fr: 'lire, modifier ou supprimer les données auxquelles cet utilisateur a accès, sauf si Snowflake exige déjà un second facteur',
    },
    {
      en: 'Run "ALTER USER <user> UNSET PASSWORD", and let the application log in with a key pair or a programmatic access token that it reads from the environment.',
      fr: 'Exécutez "ALTER USER <utilisateur> UNSET PASSWORD" et connectez l’application avec une paire de clés ou un jeton d’accès programmatique, lu dans l’environnement.',
    },
  ),
}
