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
  'github-app': readable(
    {
      en: 'read or change source code, pipelines or deployments with the permissions of this token, as long as it is valid',
      fr: 'lire ou modifier le code source, les pipelines ou les déploiements avec les droits de ce jeton, tant qu’il est valable',
    },
    {
      en: 'Revoke the token, or the authorization of the application in the GitHub settings, and let the application request a new token at run time.',
      fr: 'Révoquez le jeton, ou l’autorisation de l’application dans les paramètres GitHub, et laissez l’application demander un nouveau jeton à l’exécution.',
    },
  ),
  'gitlab-token': readable(
    {
      en: 'use GitLab with the permissions of this token: depending on its type, for example download code and packages, start pipelines or run their jobs',
      fr: 'utiliser GitLab avec les droits de ce jeton, par exemple (selon son type) pour télécharger du code et des paquets, lancer des pipelines ou en exécuter les jobs',
    },
    {
      en: 'Revoke or reset it in GitLab, and read the new value from the environment or a pipeline secret.',
      fr: 'Révoquez ou réinitialisez ce jeton dans GitLab et lisez la nouvelle valeur dans l’environnement ou un secret du pipeline.',
    },
  ),
  repository: readable(
    {
      en: 'read or change source code with the permissions of this token',
      fr: 'lire ou modifier le code source avec les droits de ce jeton',
    },
    REVOKE_IN_PIPELINE,
  ),
  session: readable(
    {
      en: 'act as the logged-in user until the session ends',
      fr: 'agir au nom de l’utilisateur connecté jusqu’à la fin de la session',
    },
    {
      en: 'Log out to end the session, and use an access token with as few permissions as possible instead, read from the environment or a pipeline secret.',
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
  'jenkins-secret': {
    en: {
      why: 'Jenkins encrypts this value with the keys of its own installation: anyone who also has its secrets folder, for example from a backup, can decrypt it.',
      fix: 'Remove it from the project, and create the credential in the credentials store of Jenkins, from an external secret store where possible. Replace it if the secrets folder of this Jenkins was ever copied or shared.',
    },
    fr: {
      why: 'Jenkins chiffre cette valeur avec les clés de sa propre installation : toute personne qui possède aussi son dossier secrets, par exemple dans une sauvegarde, peut la déchiffrer.',
      fix: 'Retirez-la du projet et créez ce secret dans le gestionnaire d’identifiants de Jenkins, si possible à partir d’un gestionnaire de secrets externe. Remplacez-le si le dossier secrets de ce Jenkins a été copié ou partagé.',
    },
  },
  'build-service': readable(
    {
      en: 'use the CI or coverage service with the permissions of this token, for example to start builds or upload forged reports',
      fr: 'utiliser le service d’intégration continue ou de couverture avec les droits de ce jeton, par exemple pour lancer des builds ou envoyer de faux rapports',
    },
    REVOKE_IN_PIPELINE,
  ),
  'code-analysis': readable(
    {
      en: 'read the findings, and often the source code, of your projects, or upload forged analyses, with the permissions of this token',
      fr: 'lire les résultats, et souvent le code source, de vos projets, ou envoyer de fausses analyses avec les droits de ce jeton',
    },
    REVOKE_IN_PIPELINE,
  ),
  'security-analysis': readable(
    {
      en: 'read the vulnerabilities found in your projects, or change projects and settings, with the permissions of this token',
      fr: 'lire les vulnérabilités trouvées dans vos projets ou modifier des projets et des paramètres avec les droits de ce jeton',
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
      en: 'read or change data in Jira, Confluence, Bitbucket or other Atlassian products with the permissions of this token',
      fr: 'lire ou modifier des données dans Jira, Confluence, Bitbucket ou d’autres produits Atlassian avec les droits de ce jeton',
    },
    {
      en: 'Revoke the token in the security settings of the Atlassian account (in Bitbucket: of the repository or workspace), and read a new one from the environment or a pipeline secret.',
      fr: 'Révoquez le jeton dans les paramètres de sécurité du compte Atlassian (dans Bitbucket : du dépôt ou de l’espace de travail), créez-en un nouveau et lisez celui-ci dans l’environnement ou un secret du pipeline.',
    },
  ),
  npm: readable(
    {
      en: 'install private packages, or publish malicious versions of yours, with the permissions of this credential',
      fr: 'installer des paquets privés ou publier des versions malveillantes des vôtres avec les droits que donne ce secret',
    },
    {
      en: 'Revoke it at the registry, create a new one, and refer to an environment variable that contains it, for example "${NPM_TOKEN}" in .npmrc.',
      fr: 'Révoquez ce secret auprès du registre, créez-en un nouveau et faites référence à une variable d’environnement qui le contient, par exemple "${NPM_TOKEN}" dans .npmrc.',
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
      fr: 'Changez ce mot de passe dans les paramètres du flux et utilisez à la place une variable d’environnement dans nuget.config, par exemple value="%NUGET_PASSWORD%".',
    },
  ),
  'maven-repository': readable(
    {
      en: 'log in to the server with this password, for example to download private artifacts or deploy malicious ones',
      fr: 'se connecter au serveur avec ce mot de passe, par exemple pour télécharger des artefacts privés ou en déployer de malveillants',
    },
    {
      en: 'Change it on the server, and use an environment variable in settings.xml instead, for example "${env.MAVEN_PASSWORD}".',
      fr: 'Changez ce mot de passe sur le serveur et utilisez à la place une variable d’environnement dans settings.xml, par exemple "${env.MAVEN_PASSWORD}".',
    },
  ),
}
