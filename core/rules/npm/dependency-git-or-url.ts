import type { Dependency, NpmPackage } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const UNENCRYPTED = /^(?:http|git|git\+http):\/\//i
/** Everything that npm fetches with git: addresses, hosts by name, and `owner/name`, which is GitHub's. */
const GIT =
  /^(?:git(?:\+\w{3,5})?:|(?:github|gitlab|bitbucket|gist):|git@|https?:\/\/[^#?]{1,500}\.git(?:#|$)|[\w.-]{1,100}\/[\w.-]{1,100}(?:#|$))/i
const COMMIT = /^[\da-f]{7,64}$/i
/** A tag of a release: rarely moved, but movable. */
const TAG = /^(?:v?\d+(?:\.\d+){1,2}[\w.+-]{0,50}|semver:.{1,100})$/i
const LOOPBACK = /^https?:\/\/(?:localhost|127\.)/i

/**
 * A dependency from an address instead of a registry, by a reference that can move to other code, or over an unencrypted connection.
 * Facts: npm documentation, "package.json", sections "URLs as Dependencies" and "Git URLs as Dependencies".
 * Severity: MEDIUM, write access to the repository or a place on the network path is needed; LOW for tags, development, and with a lock file.
 */
export const dependencyGitOrUrl: Rule = defineRule({
  id: 'npm/dependency-git-or-url',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#git-urls-as-dependencies',
  on: 'project',

  *check({ npm }) {
    for (const it of npm.packages) {
      for (const dependency of it.dependencies) {
        const grade = dependency.member === 'peerDependencies' ? undefined : gradeOf(dependency, it)
        if (grade === undefined) continue
        const { name, range, start, end } = dependency
        yield { at: { file: it.file, span: { start, end } }, args: { package: name, address: range }, ...grade }
      }
    }
  },

  text: {
    en: {
      title: 'Git dependency not pinned to a commit',
      message:
        'The {package} package is installed from {address}, which specifies no commit: the content is that of this branch at installation time.',
      why: 'An attacker with write access to that repository can run code in your application and builds, without a release or an advisory.',
      fix: 'Pin a commit: end the address in package.json with "#" and the full 40-character commit hash that "git ls-remote" shows, or use a release from a registry.',
      variants: {
        default: {
          message:
            'The {package} package is installed from {address}, which specifies no commit: the content is that of the default branch at installation time.',
        },
        git: {
          title: 'Dependency fetched over an unencrypted connection',
          message: 'The {package} package is installed from {address}, over an unencrypted connection.',
          why: 'An attacker on the network path can replace the package and run code in your application and builds.',
          fix: 'Use git+https:// in the URL, ending with "#" and the full 40-character commit hash, or use a release from a registry.',
        },
        http: {
          title: 'Dependency fetched over an unencrypted connection',
          message: 'The {package} package is installed from {address}, over an unencrypted connection.',
          why: 'An attacker on the network path can replace the package and run code in your application and builds.',
          fix: 'Use https:// in the URL, or use a release from a registry.',
        },
        tag: {
          title: 'Git dependency pinned to a tag only',
          message: 'The {package} package is installed from {address}; a tag can be moved to another commit.',
        },
        range: {
          title: 'Git dependency on a range of tags',
          message:
            'The {package} package is installed from {address}; the installation takes the newest matching tag, and tags can be moved to other commits.',
        },
        archive: {
          title: 'Dependency on an archive URL without a version',
          message:
            'The {package} package is installed from {address}, which specifies no version: the content is whatever is there at installation time.',
          why: 'An attacker who can replace the file at that address can run code in your application and builds.',
          fix: 'Use the URL of an archive with a version in its name, as in {package}-1.2.3.tgz, or a release from a registry.',
        },
      },
    },
    fr: {
      title: 'Dépendance Git non épinglée à un commit',
      message:
        'Le paquet {package} est installé depuis {address}, sans commit : le contenu est celui de cette branche au moment de l’installation.',
      why: 'Un attaquant ayant accès en écriture à ce dépôt peut exécuter du code dans votre application et vos builds, sans version publiée ni avis de sécurité.',
      fix: 'Épinglez un commit : terminez l’adresse dans package.json par "#" et l’empreinte complète du commit (40 caractères, affichée par "git ls-remote"), ou utilisez une version d’un registre.',
      variants: {
        default: {
          message:
            'Le paquet {package} est installé depuis {address}, sans commit : le contenu est celui de la branche par défaut au moment de l’installation.',
        },
        git: {
          title: 'Dépendance récupérée par une connexion non chiffrée',
          message: 'Le paquet {package} est installé depuis {address}, par une connexion non chiffrée.',
          why: 'Un attaquant placé sur le réseau peut remplacer le paquet et exécuter du code dans votre application et vos builds.',
          fix: 'Utilisez git+https:// dans l’URL, terminée par "#" et l’empreinte complète du commit (40 caractères), ou utilisez une version d’un registre.',
        },
        http: {
          title: 'Dépendance récupérée par une connexion non chiffrée',
          message: 'Le paquet {package} est installé depuis {address}, par une connexion non chiffrée.',
          why: 'Un attaquant placé sur le réseau peut remplacer le paquet et exécuter du code dans votre application et vos builds.',
          fix: 'Utilisez https:// dans l’URL, ou utilisez une version d’un registre.',
        },
        tag: {
          title: 'Dépendance Git épinglée à une simple étiquette',
          message: 'Le paquet {package} est installé depuis {address} ; une étiquette peut être déplacée vers un autre commit.',
        },
        range: {
          title: 'Dépendance Git sur une plage d’étiquettes',
          message:
            'Le paquet {package} est installé depuis {address} ; l’installation prend la dernière étiquette correspondante, et les étiquettes peuvent être déplacées vers d’autres commits.',
        },
        archive: {
          title: 'Dépendance sur une URL d’archive sans version',
          message:
            'Le paquet {package} est installé depuis {address}, sans version : le contenu est celui qui s’y trouve au moment de l’installation.',
          why: 'Un attaquant qui peut remplacer le fichier à cette adresse peut exécuter du code dans votre application et vos builds.',
          fix: 'Utilisez l’URL d’une archive dont le nom porte une version, par exemple {package}-1.2.3.tgz, ou une version d’un registre.',
        },
      },
    },
  },
})

function gradeOf({ range, member }: Dependency, { locks }: NpmPackage): Pick<Match, 'severity' | 'variant'> | undefined {
  if (LOOPBACK.test(range)) return undefined
  // a lock file holds the commit or a hash, so that only an update brings other code
  const severity = locks.length > 0 || member === 'devDependencies' ? 'LOW' : undefined
  const isGit = GIT.test(range)
  if (UNENCRYPTED.test(range)) return { severity, variant: isGit ? 'git' : 'http' }
  if (!isGit && !/^https:\/\//i.test(range)) return undefined
  const hash = range.indexOf('#')
  const reference = hash === -1 ? '' : range.slice(hash + 1)
  if (COMMIT.test(reference)) return undefined
  if (!isGit)
    return /\d\.\d|[\da-f]{40}/.test(range.replace(/^https:\/\/[^/]{1,300}/i, '')) ? undefined : { severity, variant: 'archive' }
  if (TAG.test(reference)) return { severity: 'LOW', variant: reference.startsWith('semver:') ? 'range' : 'tag' }
  return reference === '' ? { severity, variant: 'default' } : { severity }
}
