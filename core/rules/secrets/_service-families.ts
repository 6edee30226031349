import type { ServiceFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE, REVOKE_IN_PIPELINE, type FamilyText } from './_consequences.ts'

const REPLACE_WEBHOOK = {
  en: 'Delete the webhook at the provider, create a new one, and read its URL from the environment, a destination or a secret store.',
  fr: 'Supprimez le webhook chez le fournisseur et créez-en un nouveau ; lisez son URL dans l’environnement, une destination ou un gestionnaire de secrets.',
}

/** Of messaging, payment, AI and other services. */
export const SERVICE_FAMILIES: Readonly<Record<ServiceFamily, Localized<FamilyText>>> = {
  messaging: readable(
    {
      en: 'use the messaging account with the permissions of this credential, for example to send phishing messages in your name',
      fr: 'utiliser le compte de messagerie avec les droits que donne ce secret, par exemple pour envoyer des messages d’hameçonnage en votre nom',
    },
    REVOKE,
  ),
  'slack-connection': readable(
    {
      en: 'open connections as this Slack app, and receive the messages and events sent to it',
      fr: 'ouvrir des connexions au nom de cette application Slack et recevoir les messages et événements qui lui sont destinés',
    },
    REVOKE,
  ),
  'slack-configuration': readable(
    {
      en: 'use Slack with the permissions of this token as long as it is valid or, if it is a configuration token, create, change or delete Slack apps',
      fr: 'utiliser Slack avec les droits de ce jeton tant qu’il est valable ou, si c’est un jeton de configuration, créer, modifier ou supprimer des applications Slack',
    },
    {
      en: 'Revoke it with the API method auth.revoke. Request a new one from Slack, and keep it in a secret store that the application updates at each renewal.',
      fr: 'Révoquez ce jeton avec la méthode d’API auth.revoke. Demandez-en un nouveau à Slack et conservez-le dans un gestionnaire de secrets que l’application met à jour à chaque renouvellement.',
    },
  ),
  telephony: readable(
    {
      en: 'send messages and make calls at your expense through the Twilio account, if they also have the matching SID or secret',
      fr: 'envoyer des messages et passer des appels à vos frais avec le compte Twilio, si elle possède aussi le SID ou le secret correspondant',
    },
    REVOKE,
  ),
  webhook: readable(
    {
      en: 'post messages to the channel of this webhook, for example for phishing',
      fr: 'publier des messages dans le canal de ce webhook, par exemple pour de l’hameçonnage',
    },
    REPLACE_WEBHOOK,
  ),
  'slack-webhook': readable(
    {
      en: 'post messages to the Slack channel or start the Slack workflow that this URL belongs to, for example for phishing',
      fr: 'publier des messages dans le canal Slack ou lancer le flux de travail Slack auquel mène cette URL, par exemple pour de l’hameçonnage',
    },
    REPLACE_WEBHOOK,
  ),
  'webhook-signature': readable(
    {
      en: 'forge webhook calls that your application accepts as genuine, for example a confirmed payment or order',
      fr: 'forger des appels de webhook que votre application accepte comme authentiques, par exemple un paiement ou une commande confirmés',
    },
    {
      en: 'Generate a new signing secret at the provider, and read it from the environment or a secret store.',
      fr: 'Générez un nouveau secret de signature chez le fournisseur et lisez-le dans l’environnement ou un gestionnaire de secrets.',
    },
  ),
  captcha: readable(
    {
      en: 'ask whether answers to this CAPTCHA are right, under the name of your site; it neither solves the CAPTCHA nor opens data',
      fr: 'vérifier, au nom de votre site, les réponses à ce CAPTCHA ; cela ne permet ni de résoudre le CAPTCHA ni de lire des données',
    },
    {
      en: 'Create a new pair of keys at the provider, and read the secret key from the environment or a secret store.',
      fr: 'Créez une nouvelle paire de clés chez le fournisseur et lisez la clé secrète dans l’environnement ou un gestionnaire de secrets.',
    },
  ),
  email: readable(
    {
      en: 'use the email account with the permissions of this credential, for example to send phishing emails from your domains or read recipients’ data',
      fr: 'utiliser le compte d’envoi de courriels avec les droits que donne ce secret, par exemple pour envoyer des courriels d’hameçonnage depuis vos domaines ou lire les données des destinataires',
    },
    REVOKE,
  ),
  support: readable(
    {
      en: 'read your customers’ data and conversations, or reply to customers in your name, with the permissions of this token',
      fr: 'lire les données et les conversations de vos clients ou leur répondre en votre nom avec les droits de ce jeton',
    },
    REVOKE,
  ),
  payment: readable(
    {
      en: 'read customer data, or initiate payments and refunds, with the permissions of this credential',
      fr: 'lire des données de clients ou lancer des paiements et des remboursements avec les droits que donne ce secret',
    },
    REVOKE,
  ),
  shop: readable(
    {
      en: 'read the data of customers and orders, or change the shop, with the permissions of this credential',
      fr: 'lire les données des clients et des commandes ou modifier la boutique avec les droits que donne ce secret',
    },
    REVOKE,
  ),
  banking: readable(
    {
      en: 'call the Plaid API in your name (with your client ID) and, with a user’s access token, read that user’s bank accounts and transactions',
      fr: 'appeler l’API Plaid en votre nom (avec votre identifiant client) et, avec le jeton d’accès d’un utilisateur, lire les comptes bancaires et les transactions de celui-ci',
    },
    REVOKE,
  ),
  'bank-access': readable(
    {
      en: 'read the bank accounts and transactions of the user to whom this token belongs, if they also have your Plaid client ID and secret',
      fr: 'lire les comptes bancaires et les transactions de l’utilisateur à qui appartient ce jeton, si elle possède aussi votre identifiant client et votre secret Plaid',
    },
    {
      en: 'Replace it with the API endpoint /item/access_token/invalidate, and keep the new token in a database or secret store on the server.',
      fr: 'Remplacez ce jeton au moyen de l’API (/item/access_token/invalidate) et conservez le nouveau jeton dans une base de données ou un gestionnaire de secrets côté serveur.',
    },
  ),
  shipping: readable(
    {
      en: 'buy shipping labels at your expense, and read the addresses of your customers',
      fr: 'acheter des étiquettes d’expédition à vos frais et lire les adresses de vos clients',
    },
    REVOKE,
  ),
  service: readable(
    {
      en: 'use this service in your name with the permissions of this credential',
      fr: 'utiliser ce service en votre nom avec les droits que donne ce secret',
    },
    REVOKE,
  ),
  media: readable(
    {
      en: 'upload, replace or delete the files of this account, and read the private ones',
      fr: 'envoyer, remplacer ou supprimer les fichiers de ce compte et lire ceux qui sont privés',
    },
    REVOKE,
  ),
  'customer-data': readable(
    {
      en: 'read or change the customer data in your HubSpot account with the permissions of this token',
      fr: 'lire ou modifier les données de clients de votre compte HubSpot avec les droits de ce jeton',
    },
    {
      en: 'Rotate the token in the settings of its app in HubSpot, and read the new value from the environment, a service binding or a secret store.',
      fr: 'Renouvelez le jeton dans les paramètres de son application dans HubSpot et lisez la nouvelle valeur dans l’environnement, une liaison de service ou un gestionnaire de secrets.',
    },
  ),
  'application-session': readable(
    {
      en: 'call the Salesforce API as the logged-in user until the session ends',
      fr: 'appeler l’API Salesforce au nom de l’utilisateur connecté jusqu’à la fin de la session',
    },
    {
      en: 'End the session under "Session Management" in the Salesforce setup, and let the application request an access token with OAuth at run time.',
      fr: 'Mettez fin à la session sous "Session Management" dans la configuration Salesforce et laissez l’application demander à l’exécution un jeton d’accès OAuth.',
    },
  ),
  'search-index': readable(
    {
      en: 'use your Algolia application with the permissions of this key, for example to read, change or delete records if it is an admin key',
      fr: 'utiliser votre application Algolia avec les droits de cette clé, par exemple pour lire, modifier ou supprimer des enregistrements si c’est une clé d’administration',
    },
    {
      en: 'Replace the key in the Algolia dashboard, and read the new one from the environment or a secret store on the server. In the browser, use a search-only key.',
      fr: 'Remplacez la clé dans le tableau de bord Algolia et lisez la nouvelle dans l’environnement ou un gestionnaire de secrets côté serveur. Dans le navigateur, utilisez une clé limitée à la recherche.',
    },
  ),
  identity: readable(
    {
      en: 'manage users, groups and applications in your Okta organization with the permissions of the token’s owner',
      fr: 'gérer les utilisateurs, les groupes et les applications de votre organisation Okta avec les droits du propriétaire du jeton',
    },
    REVOKE,
  ),
  monitoring: readable(
    {
      en: 'read the monitoring data of your systems, or change alerts and settings, with the permissions of this credential',
      fr: 'lire les données de supervision de vos systèmes ou modifier des alertes et des paramètres avec les droits que donne ce secret',
    },
    REVOKE,
  ),
  ingestion: readable(
    {
      en: 'send forged telemetry to your account, at your expense',
      fr: 'envoyer à vos frais de fausses données de télémétrie vers votre compte',
    },
    REVOKE,
  ),
  'monitoring-or-ingestion': readable(
    {
      en: 'use the monitoring account with the permissions of this key, for example to read its data or send forged telemetry at your expense',
      fr: 'utiliser le compte de supervision avec les droits que donne cette clé, par exemple pour en lire les données ou envoyer à vos frais de fausses données de télémétrie',
    },
    REVOKE,
  ),
  'error-tracking': readable(
    {
      en: 'use your Sentry organization with the permissions of this token, for example to read error reports or upload releases',
      fr: 'utiliser votre organisation Sentry avec les droits de ce jeton, par exemple pour lire des rapports d’erreurs ou publier des versions',
    },
    REVOKE_IN_PIPELINE,
  ),
  'feature-flags': readable(
    {
      en: 'read your feature flags and their rules or, with an access token, change them',
      fr: 'lire vos indicateurs de fonctionnalité et leurs règles ou, avec un jeton d’accès, les modifier',
    },
    REVOKE,
  ),
  public: {
    en: {
      why: 'The provider designed this token for browsers and apps: anyone who has it can send requests with its limited permissions and use up your quota.',
      fix: 'Restrict the token in the provider’s console to your URLs and to as few scopes as possible, and read it from the configuration of the deployment, so that it can be changed without a new release.',
    },
    fr: {
      why: 'Le fournisseur a conçu ce jeton pour les navigateurs et les applications : toute personne qui le possède peut envoyer des requêtes avec ses droits limités et épuiser votre quota.',
      fix: 'Limitez ce jeton dans la console du fournisseur à vos URL et à aussi peu de droits que possible, et lisez-le dans la configuration du déploiement, pour pouvoir le changer sans nouvelle version.',
    },
  },
  'public-ingestion': {
    en: {
      why: 'The provider designed this key to be visible in browsers: anyone who has it can send events to your account, which distorts your data and uses up your quota.',
      fix: 'Read the key from the configuration of the deployment instead of the source code, so that each environment has its own and it can be changed without a new release.',
    },
    fr: {
      why: 'Le fournisseur a conçu cette clé pour être visible dans le navigateur : toute personne qui la possède peut envoyer des événements à votre compte, ce qui fausse vos données et épuise votre quota.',
      fix: 'Lisez la clé dans la configuration du déploiement plutôt que dans le code source, pour que chaque environnement ait la sienne et qu’elle puisse être changée sans nouvelle version.',
    },
  },
  ai: readable(
    {
      en: 'use the AI service at your expense, and access the data that the account stores there, with the permissions of this credential',
      fr: 'utiliser le service d’IA à vos frais et accéder aux données que le compte y conserve, avec les droits que donne ce secret',
    },
    {
      en: 'Revoke it, create a new one, and call the service from a backend that reads the new value from the environment or a destination.',
      fr: 'Révoquez ce secret, créez-en un nouveau et appelez le service depuis un backend qui lit la nouvelle valeur dans l’environnement ou une destination.',
    },
  ),
  'temporary-ai': readable(
    {
      en: 'send requests to Amazon Bedrock at your expense until the key expires, after twelve hours at most',
      fr: 'envoyer des requêtes à Amazon Bedrock à vos frais jusqu’à l’expiration de la clé, au plus tard après douze heures',
    },
    {
      en: 'Generate short-term keys at run time instead, and revoke the session that created this one if it is still valid.',
      fr: 'Générez plutôt les clés temporaires à l’exécution et révoquez la session qui a créé celle-ci si elle est encore valable.',
    },
  ),
  'ai-data': readable(
    {
      en: 'read or change the models, datasets or records stored in the account, with the permissions of this credential',
      fr: 'lire ou modifier les modèles, jeux de données ou enregistrements conservés dans le compte, avec les droits que donne ce secret',
    },
    REVOKE,
  ),
}
