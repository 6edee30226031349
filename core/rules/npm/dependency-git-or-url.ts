import type { Dependency, NpmPackage } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const UNENCRYPTED = /^(?:http|git|git\+http):\/\//i
/** Everything that npm fetches with git: addresses, hosts by name, and `owner/name`, which is GitHub's. */
const GIT =
  /^(?:git(?:\+\w{3,5})?:|(?:github|gitlab|bitbucket|gist):|git@|https?:\/\/[^#?]{1,500}\.git(?:#|$)|[\w.-]{1,100}\/[\w.-]{1,100}(?:#|$))/i
const COMMIT = /^[\da-f]{7,64}$/i
/** A tag of a release: meant to stay, yet it can be moved. */
const TAG = /^(?:v?\d+(?:\.\d+){1,2}[\w.+-]{0,50}|semver:.{1,100})$/i
const LOOPBACK = /^https?:\/\/(?:localhost|127\.)/i

/**
 * A dependency from an address instead of a registry, by a name that can mean other code tomorrow, or over a connection that anybody can change.
 * Facts: npm documentation, "package.json", sections "URLs as Dependencies" and "Git URLs as Dependencies".
 */
export const dependencyGitOrUrl: Rule = defineRule({
  id: 'npm/dependency-git-or-url',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/configuring-npm/package-json#git-urls-as-dependencies',
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
      title: 'Dependency from a branch',
      message: '{package} comes from {address}, whatever is there when it is installed.',
      why: 'Whoever can write to that branch decides what code runs in your application, without a release and without an advisory.',
      fix: 'Name a commit ("#<sha>"), or take a release from a registry.',
      variants: {
        http: {
          title: 'Dependency over an unencrypted connection',
          message: '{package} comes from {address}, over a connection without encryption.',
          why: 'Whoever stands between a build and that host decides what code runs in your application.',
          fix: 'Write the address with https, or take a release from a registry.',
        },
        tag: {
          title: 'Dependency from a tag of a repository',
          message: '{package} comes from {address}; a tag can be moved to other code.',
        },
        archive: {
          title: 'Dependency from an archive whose address names no version',
          message: '{package} comes from {address}, whatever is there when it is installed.',
          why: 'Whoever can write to that address decides what code runs in your application.',
          fix: 'Name an archive of one version, or take a release from a registry.',
        },
      },
    },
    fr: {
      title: 'Dépendance tirée d’une branche',
      message: '{package} vient de {address}, quel que soit le contenu au moment de l’installation.',
      why: 'Quiconque peut écrire dans cette branche décide du code qui s’exécute dans votre application, sans version publiée et sans avis.',
      fix: 'Indiquez un commit (« #<sha> »), ou prenez une version d’un registre.',
      variants: {
        http: {
          title: 'Dépendance sur une connexion non chiffrée',
          message: '{package} vient de {address}, sur une connexion sans chiffrement.',
          why: 'Quiconque se place entre une construction et cet hôte décide du code qui s’exécute dans votre application.',
          fix: 'Écrivez l’adresse avec https, ou prenez une version d’un registre.',
        },
        tag: {
          title: 'Dépendance tirée d’une étiquette d’un dépôt',
          message: '{package} vient de {address} ; une étiquette peut être déplacée vers un autre code.',
        },
        archive: {
          title: 'Dépendance tirée d’une archive dont l’adresse ne nomme aucune version',
          message: '{package} vient de {address}, quel que soit le contenu au moment de l’installation.',
          why: 'Quiconque peut écrire à cette adresse décide du code qui s’exécute dans votre application.',
          fix: 'Indiquez une archive d’une version précise, ou prenez une version d’un registre.',
        },
      },
    },
  },
})

function gradeOf({ range, member }: Dependency, { locks }: NpmPackage): Pick<Match, 'severity' | 'variant'> | undefined {
  if (LOOPBACK.test(range)) return undefined
  if (UNENCRYPTED.test(range)) return { variant: 'http' }
  const isGit = GIT.test(range)
  if (!isGit && !/^https:\/\//i.test(range)) return undefined
  const hash = range.indexOf('#')
  const reference = hash === -1 ? '' : range.slice(hash + 1)
  if (COMMIT.test(reference)) return undefined
  // a lock file holds the commit, so that only an update brings other code
  const isHeld = locks.length > 0
  if (!isGit)
    return /\d\.\d|[\da-f]{40}/.test(range.replace(/^https:\/\/[^/]{1,300}/i, ''))
      ? undefined
      : { severity: 'MEDIUM', variant: 'archive' }
  if (TAG.test(reference)) return { severity: isHeld ? 'LOW' : 'MEDIUM', variant: 'tag' }
  return isHeld || member === 'devDependencies' ? { severity: 'MEDIUM' } : {}
}
