import type { Dependency } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const UNENCRYPTED = /^(?:http|git|git\+http):\/\//i
const URLS = 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#urls-as-dependencies'

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
 * Impact: whoever can write to the repository, or sits on the network path of a plain connection, chooses the code.
 */
export const dependencyGitOrUrl: Rule = defineRule({
  id: 'npm/dependency-git-or-url',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#git-urls-as-dependencies',
  docsByVariant: { archive: URLS, http: URLS },
  on: 'project',

  *check({ npm }) {
    for (const it of npm.packages) {
      for (const dependency of it.dependencies) {
        const found = dependency.member === 'peerDependencies' ? undefined : movingPartOf(dependency)
        if (found === undefined) continue
        const { name, range, start, end } = dependency
        yield {
          at: { file: it.file, span: { start, end } },
          args: { package: name, address: range, ...addressesOf(range) },
          ...found,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Git dependency not pinned to a commit',
      message: 'The {package} package is installed from {address}, which specifies a branch or tag instead of a commit.',
      why: 'An attacker with write access to that repository can change the code that the next installation or update fetches, and so run code in your builds and application.',
      fix: 'Set "{package}": "{base}#<commit>" in package.json, with the full 40-character commit hash, or use a version from a registry.',
      variants: {
        default: {
          message: 'The {package} package is installed from {address}, which specifies no commit: the default branch is used.',
        },
        git: {
          title: 'Dependency fetched over an unencrypted connection',
          message: 'The {package} package is installed from {address}, over an unencrypted connection.',
          why: 'Unless a lock file pins the content of the package, an attacker on the network path can replace it and run code in your builds and application.',
        },
        http: {
          title: 'Dependency fetched over an unencrypted connection',
          message: 'The {package} package is installed from {address}, over an unencrypted connection.',
          why: 'Unless a lock file pins the content of the package, an attacker on the network path can replace it and run code in your builds and application.',
          fix: 'Set "{package}": "{secure}" in package.json, or use a version from a registry.',
        },
        tag: {
          title: 'Git dependency pinned to a tag only',
          message: 'The {package} package is installed from {address}; a tag can be moved to another commit.',
        },
        range: {
          title: 'Git dependency on a range of tags',
          message:
            'The {package} package is installed from {address}, which selects the newest matching tag; tags can be moved to other commits.',
        },
        archive: {
          title: 'Dependency on an archive URL without a version',
          message: 'The {package} package is installed from {address}, an address without a version.',
          why: 'Unless a lock file pins the hash of the archive, an attacker who can replace it at that address can run code in your builds and application.',
          fix: 'Use the URL of an archive with a version in its name, as in {package}-1.2.3.tgz, and commit the lock file, which holds its hash; or use a version from a registry.',
        },
      },
    },
    fr: {
      title: 'Dépendance Git non épinglée à un commit',
      message: 'Le paquet {package} est installé depuis {address}, qui désigne une branche ou une étiquette au lieu d’un commit.',
      why: 'Un attaquant ayant accès en écriture à ce dépôt peut modifier le code que récupère la prochaine installation ou mise à jour, et donc exécuter du code dans vos builds et votre application.',
      fix: 'Définissez "{package}": "{base}#<commit>" dans package.json, avec l’empreinte complète du commit (40 caractères), ou utilisez une version publiée dans un registre.',
      variants: {
        default: {
          message:
            'Le paquet {package} est installé depuis {address}, qui n’indique aucun commit : la branche par défaut est utilisée.',
        },
        git: {
          title: 'Dépendance récupérée via une connexion non chiffrée',
          message: 'Le paquet {package} est installé depuis {address} via une connexion non chiffrée.',
          why: 'À moins qu’un fichier de verrouillage ne fixe le contenu du paquet, un attaquant placé sur le réseau peut le remplacer et exécuter du code dans vos builds et votre application.',
        },
        http: {
          title: 'Dépendance récupérée via une connexion non chiffrée',
          message: 'Le paquet {package} est installé depuis {address} via une connexion non chiffrée.',
          why: 'À moins qu’un fichier de verrouillage ne fixe le contenu du paquet, un attaquant placé sur le réseau peut le remplacer et exécuter du code dans vos builds et votre application.',
          fix: 'Définissez "{package}": "{secure}" dans package.json, ou utilisez une version publiée dans un registre.',
        },
        tag: {
          title: 'Dépendance Git épinglée à une simple étiquette',
          message: 'Le paquet {package} est installé depuis {address} ; une étiquette peut être déplacée vers un autre commit.',
        },
        range: {
          title: 'Dépendance Git définie par une plage d’étiquettes',
          message:
            'Le paquet {package} est installé depuis {address}, qui sélectionne l’étiquette correspondante la plus récente ; les étiquettes peuvent être déplacées vers d’autres commits.',
        },
        archive: {
          title: 'Dépendance installée depuis une URL sans version',
          message: 'Le paquet {package} est installé depuis {address}, une adresse sans version.',
          why: 'À moins qu’un fichier de verrouillage ne fixe l’empreinte de l’archive, un attaquant qui peut la remplacer à cette adresse peut exécuter du code dans vos builds et votre application.',
          fix: 'Utilisez l’URL d’une archive dont le nom porte une version, par exemple {package}-1.2.3.tgz, et versionnez le fichier de verrouillage, qui en contient l’empreinte ; ou utilisez une version publiée dans un registre.',
        },
      },
    },
  }),
})

/** What the fix writes: the address without its reference and with TLS, of a repository and of an archive. */
function addressesOf(range: string): Record<'base' | 'secure', string> {
  const [address = ''] = range.split('#')
  return { base: address.replace(UNENCRYPTED, 'git+https://'), secure: address.replace(UNENCRYPTED, 'https://') }
}

/** What may bring other code one day; undefined: nothing. */
function movingPartOf({ range }: Dependency): Pick<Match, 'variant'> | undefined {
  if (LOOPBACK.test(range)) return undefined
  const isGit = GIT.test(range)
  if (UNENCRYPTED.test(range)) return { variant: isGit ? 'git' : 'http' }
  if (!isGit && !/^https:\/\//i.test(range)) return undefined
  const hash = range.indexOf('#')
  const reference = hash === -1 ? '' : range.slice(hash + 1)
  if (COMMIT.test(reference)) return undefined
  if (!isGit) return /\d\.\d|[\da-f]{40}/.test(range.replace(/^https:\/\/[^/]{1,300}/i, '')) ? undefined : { variant: 'archive' }
  if (TAG.test(reference)) return { variant: reference.startsWith('semver:') ? 'range' : 'tag' }
  return reference === '' ? { variant: 'default' } : {}
}
