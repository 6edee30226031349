import type { CodeFamily } from '../../secrets/index.ts'
import type { Localized } from '../../types.ts'
import { readable, REVOKE_IN_PIPELINE, type FamilyText } from './_consequences.ts'

/** Of version control, pipelines and package registries.
 *  Facts: npm, "npmrc" (environment variables); NuGet, "nuget.config reference" (%NAME%); Maven, "Settings Reference" (${env.NAME}). */
export const CODE_FAMILIES: Readonly<Record<CodeFamily, Localized<FamilyText>>> = {
  code: readable(
    {
      en: 'read or change source code, pipelines or deployments with the permissions of this credential',
      fr: 'lire ou modifier le code source, les pipelines ou les déploiements avec les droits que donne ce secret',
    },
    REVOKE_IN_PIPELINE,
  ),
  session: readable(
    {
      en: 'act as the logged-in user until the session ends',
      fr: 'agir au nom de l’utilisateur connecté jusqu’à la fin de la session',
    },
    {
      en: 'Log out to end the session. Use an access token with as few permissions as possible instead, and read it from the environment or a pipeline secret.',
      fr: 'Déconnectez-vous pour mettre fin à la session et utilisez plutôt un jeton d’accès avec le moins de droits possible, lu dans l’environnement ou un secret du pipeline.',
    },
  ),
  pipeline: readable(
    {
      en: 'start builds or deployments and read their logs with the permissions of this credential',
      fr: 'lancer des builds ou des déploiements et lire leurs journaux avec les droits que donne ce secret',
    },
    REVOKE_IN_PIPELINE,
  ),
  'build-service': readable(
    {
      en: 'use the service with the permissions of this token, for example to start builds or upload forged reports',
      fr: 'utiliser le service avec les droits de ce jeton, par exemple pour lancer des builds ou envoyer de faux rapports',
    },
    REVOKE_IN_PIPELINE,
  ),
  'code-analysis': readable(
    {
      en: 'read the findings, and often the source code, of your projects, or upload forged analyses, with the permissions of this token',
      fr: 'lire les résultats, et souvent le code source, de vos projets ou envoyer de fausses analyses avec les droits de ce jeton',
    },
    REVOKE_IN_PIPELINE,
  ),
  'code-search': readable(
    {
      en: 'search and read the source code that the owner of this token has access to',
      fr: 'rechercher et lire le code source auquel le propriétaire de ce jeton a accès',
    },
    REVOKE_IN_PIPELINE,
  ),
  atlassian: readable(
    {
      en: 'read and change everything that the owner of this token has access to in Jira, Confluence and other Atlassian products',
      fr: 'lire et modifier tout ce à quoi le propriétaire de ce jeton a accès dans Jira, Confluence et d’autres produits Atlassian',
    },
    {
      en: 'Revoke the token in the security settings of the Atlassian account, create a new one, and read it from the environment or a pipeline secret.',
      fr: 'Révoquez le jeton dans les paramètres de sécurité du compte Atlassian, créez-en un nouveau et lisez-le dans l’environnement ou un secret du pipeline.',
    },
  ),
  npm: readable(
    {
      en: 'install private packages, or publish malicious versions of yours, with the permissions of this credential',
      fr: 'installer des paquets privés ou publier des versions malveillantes des vôtres avec les droits que donne ce secret',
    },
    {
      en: 'Revoke it at the registry, and use an environment variable instead, for example "${NPM_TOKEN}" in .npmrc.',
      fr: 'Révoquez-le auprès du registre et utilisez à la place une variable d’environnement, par exemple "${NPM_TOKEN}" dans .npmrc.',
    },
  ),
  publishing: readable(
    {
      en: 'publish malicious versions of the packages that this credential covers',
      fr: 'publier des versions malveillantes des paquets que couvre ce secret',
    },
    REVOKE_IN_PIPELINE,
  ),
  'package-repository': readable(
    {
      en: 'download private packages and, if the credential permits it, replace them with malicious ones',
      fr: 'télécharger des paquets privés et, si ce secret le permet, les remplacer par des paquets malveillants',
    },
    REVOKE_IN_PIPELINE,
  ),
  'nuget-feed': readable(
    {
      en: 'download private packages and, if the password permits it, publish malicious ones',
      fr: 'télécharger des paquets privés et, si ce mot de passe le permet, en publier de malveillants',
    },
    {
      en: 'Change it in the settings of the feed, and use an environment variable in nuget.config instead, for example value="%NUGET_PASSWORD%".',
      fr: 'Changez-le dans les paramètres du flux et utilisez à la place une variable d’environnement dans nuget.config, par exemple value="%NUGET_PASSWORD%".',
    },
  ),
  'maven-repository': readable(
    {
      en: 'download private artifacts and, if the password permits it, deploy malicious ones',
      fr: 'télécharger des artefacts privés et, si ce mot de passe le permet, en déployer de malveillants',
    },
    {
      en: 'Change it in the settings of the repository, and use an environment variable in settings.xml instead, for example "${env.MAVEN_PASSWORD}".',
      fr: 'Changez-le dans les paramètres du dépôt et utilisez à la place une variable d’environnement dans settings.xml, par exemple "${env.MAVEN_PASSWORD}".',
    },
  ),
}
