import { type Dependency, type NpmPackage } from '../../model/npm/index.ts'
import type { Localized } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'

/** Any version, whatever it is called: `*`, `x`, nothing, and the tags that move. */
const ANY = /^(?:\*|x|X|latest|next|beta|canary|dev)?$/
/** What names no version at all; tags are how tools of development are kept up to date. */
const STAR = /^(?:\*|x|X)?$/
const LOCKED: Localized<string> = {
  en: 'The next update fetches the latest release, even if it is malicious or incompatible.',
  fr: 'La prochaine mise à jour prend la dernière version publiée, même si elle est malveillante ou incompatible.',
}
/** `>=n` and `>n`, with nothing that bounds it above. */
const UNBOUNDED = /^>=?\s{0,5}v?\d[\w.+-]{0,50}$/

/**
 * A run-time dependency with an unbounded version range, or one of development with none. Packages of the project itself, mirrors of a peer dependency and local folders are not
 * reported. Facts: CAP documentation, "Node.js best practices" (managing dependencies).
 * Impact: code of whoever publishes the next release, with nothing that holds it back; of development it is a choice.
 */
export const dependencyWildcard: Rule = defineRule({
  id: 'npm/dependency-wildcard',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  grades: { development: { impact: 'hygiene' } },
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#dependencies',
  on: 'project',

  *check({ npm }) {
    const own = new Set(npm.packages.map(({ name }) => name))
    for (const it of npm.packages) {
      for (const dependency of it.dependencies) {
        const { name, range, member, start, end } = dependency
        if (own.has(name) || isPeer(dependency, it)) continue
        if (member === 'devDependencies' && STAR.test(range)) {
          const at = { file: it.file, span: { start, end } }
          yield {
            at,
            args: { ...it.manager, package: name, range },
            variant: 'development',
            groupKey: `${it.file} development`,
          }
        }
        if (member !== 'dependencies') continue
        const isAny = ANY.test(range)
        if (!isAny && !UNBOUNDED.test(range)) continue
        const isLocked = it.locks.length > 0
        yield {
          at: { file: it.file, span: { start, end } },
          args: { ...it.manager, package: name, range },
          ...(isAny ? variantOfCases(!STAR.test(range) && 'tag', isLocked && 'locked') : { variant: 'open' }),
          // one habit of one file
          groupKey: `${it.file} ${isAny}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unbounded version range of a dependency',
      message: 'The {package} package has the range "{range}", which accepts any release, and no lock file pins one.',
      why: 'The next installation fetches the latest release, even if it is malicious or incompatible.',
      fix: 'Set "{package}": "^<version>" in package.json, with a version that you have tested ("{list} {package}" shows the installed version), and run "{install}".',
      variants: {
        locked: {
          message: 'The {package} package has the range "{range}", which accepts any release; only the lock file pins one.',
          why: LOCKED.en,
        },
        tag: {
          title: 'Tag instead of a version range for a dependency',
          message:
            'The {package} package is declared with "{range}", a tag that its publisher can move to any version, and no lock file pins one.',
        },
        'tag-locked': {
          title: 'Tag instead of a version range for a dependency',
          message:
            'The {package} package is declared with "{range}", a tag that its publisher can move to any version; only the lock file pins one.',
          why: LOCKED.en,
        },
        open: {
          title: 'Version range without an upper bound',
          message: 'The {package} package has the range "{range}", which also accepts every later major version.',
          why: 'The next installation or update can bring in a new major version without a review, with breaking changes and new dependencies.',
        },
        development: {
          title: 'Unbounded version range of a development dependency',
          message: 'In devDependencies, the {package} package has the range "{range}", which accepts any release.',
          why: 'The next installation or update fetches the latest release, even if it is malicious, and can run its install scripts on the machines that build the project.',
        },
      },
    },
    fr: {
      title: 'Plage de versions illimitée pour une dépendance',
      message:
        'Le paquet {package} est déclaré avec la plage "{range}", qui accepte n’importe quelle version stable, et aucun fichier de verrouillage n’en fixe une.',
      why: 'La prochaine installation prend la dernière version publiée, même si elle est malveillante ou incompatible.',
      fix: 'Définissez "{package}": "^<version>" dans package.json avec une version que vous avez testée ("{list} {package}" affiche la version installée), puis exécutez "{install}".',
      variants: {
        locked: {
          message:
            'Le paquet {package} est déclaré avec la plage "{range}", qui accepte n’importe quelle version stable ; seul le fichier de verrouillage en fixe une.',
          why: LOCKED.fr,
        },
        tag: {
          title: 'Étiquette au lieu d’une plage de versions pour une dépendance',
          message:
            'Le paquet {package} est déclaré avec "{range}", une étiquette que son éditeur peut déplacer vers n’importe quelle version, et aucun fichier de verrouillage n’en fixe une.',
        },
        'tag-locked': {
          title: 'Étiquette au lieu d’une plage de versions pour une dépendance',
          message:
            'Le paquet {package} est déclaré avec "{range}", une étiquette que son éditeur peut déplacer vers n’importe quelle version ; seul le fichier de verrouillage en fixe une.',
          why: LOCKED.fr,
        },
        open: {
          title: 'Plage de versions sans borne supérieure',
          message:
            'Le paquet {package} est déclaré avec la plage "{range}", qui accepte aussi toutes les versions majeures suivantes.',
          why: 'La prochaine installation ou mise à jour peut introduire sans revue une nouvelle version majeure, avec des changements incompatibles et de nouvelles dépendances.',
        },
        development: {
          title: 'Plage de versions illimitée pour une dépendance de développement',
          message:
            'Dans devDependencies, le paquet {package} est déclaré avec la plage "{range}", qui accepte n’importe quelle version stable.',
          why: 'La prochaine installation ou mise à jour prend la dernière version publiée, même si elle est malveillante, et peut exécuter ses scripts d’installation sur les machines de build.',
        },
      },
    },
  }),
})

/** The package repeats one of its peer dependencies, where an open range is correct. */
function isPeer({ name }: Dependency, { dependencies }: NpmPackage): boolean {
  return dependencies.some((other) => other.member === 'peerDependencies' && other.name === name)
}
