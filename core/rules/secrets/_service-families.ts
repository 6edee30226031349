import type { ServiceFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE, type FamilyText } from './_consequences.ts'

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
      en: 'create, change or delete the Slack apps of the user to whom this token belongs',
      fr: 'créer, modifier ou supprimer les applications Slack de l’utilisateur à qui appartient ce jeton',
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
  email: readable(
    {
      en: 'send email from your domains, for example for phishing, and read the recipients’ data stored in the account',
      fr: 'envoyer des courriels depuis vos domaines, par exemple pour de l’hameçonnage, et lire les données des destinataires conservées dans le compte',
    },
    REVOKE,
  ),
  support: readable(
    {
      en: 'read your customers’ data and conversations, and reply to customers in your name',
      fr: 'lire les données et les conversations de vos clients et leur répondre en votre nom',
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
      en: 'read customers and orders, or change the shop, with the permissions of this token',
      fr: 'lire les clients et les commandes ou modifier la boutique avec les droits de ce jeton',
    },
    REVOKE,
  ),
  banking: readable(
    {
      en: 'read the accounts and transactions of the bank customers that this credential covers',
      fr: 'lire les comptes et les transactions des clients bancaires que couvre ce secret',
    },
    REVOKE,
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
      en: 'use the service with the permissions of this credential',
      fr: 'utiliser le service avec les droits que donne ce secret',
    },
    REVOKE,
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
      fr: 'lire les données de supervision de vos systèmes ou modifier alertes et paramètres avec les droits que donne ce secret',
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
      en: 'read or change the monitoring of your systems or, with a key that only sends data, send forged telemetry at your expense',
      fr: 'lire ou modifier la supervision de vos systèmes ou, avec une clé qui ne sert qu’à l’envoi, envoyer de fausses données de télémétrie à vos frais',
    },
    REVOKE,
  ),
  'feature-flags': readable(
    {
      en: 'read your feature flags and their rules or, with an API token, change them',
      fr: 'lire vos indicateurs de fonctionnalité et leurs règles ou, avec un jeton d’API, les modifier',
    },
    REVOKE,
  ),
  public: {
    en: {
      why: 'The provider designed this key for browsers and apps: anyone who has it can send requests with its limited permissions and use up your quota.',
      fix: 'Restrict it in the provider’s console to your URLs and to as few scopes as possible, and read it from the configuration of the deployment, so that it can be changed without a new release.',
    },
    fr: {
      why: 'Le fournisseur a conçu cette clé pour les navigateurs et les applications : toute personne qui la possède peut envoyer des requêtes avec ses droits limités et épuiser votre quota.',
      fix: 'Limitez-la dans la console du fournisseur à vos URL et à aussi peu de droits que possible, et lisez-la dans la configuration du déploiement, pour pouvoir la changer sans nouvelle version.',
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
      en: 'send requests to the AI service at your expense, and access the data that the account stores there if the key permits it',
      fr: 'envoyer des requêtes au service d’IA à vos frais et accéder aux données que le compte y conserve, dans la limite des droits de la clé',
    },
    {
      en: 'Revoke the key, create a new one, and call the service from a backend that reads it from the environment or a destination.',
      fr: 'Révoquez la clé, créez-en une nouvelle et appelez le service depuis un backend qui la lit dans l’environnement ou une destination.',
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
