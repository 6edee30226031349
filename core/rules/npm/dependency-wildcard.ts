import type { Dependency, NpmPackage } from '../../model/npm/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Any version, whatever it is called: `*`, `x`, nothing, and the tags that move. */
const ANY = /^(?:\*|x|X|latest|next|beta|canary|dev)?$/
/** `>=n` and `>n`, with nothing that bounds it above. */
const UNBOUNDED = /^>=?\s{0,5}v?\d[\w.+-]{0,50}$/

/**
 * A dependency at run time that takes any version. Packages of the project itself, mirrors of a peer dependency, and what a folder resolves are left
 * alone. Facts: CAP documentation, "Node.js best practices" (managing dependencies).
 */
export const dependencyWildcard: Rule = defineRule({
  id: 'npm/dependency-wildcard',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1357],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/best-practices#managing-dependencies',
  on: 'project',

  *check({ npm }) {
    const own = new Set(npm.packages.map(({ name }) => name))
    for (const it of npm.packages) {
      for (const dependency of it.dependencies) {
        const { name, range, member, start, end } = dependency
        if (member !== 'dependencies' || own.has(name) || isPeer(dependency, it)) continue
        const isAny = ANY.test(range)
        if (!isAny && !UNBOUNDED.test(range)) continue
        const isLocked = it.locks.length > 0
        yield {
          at: { file: it.file, span: { start, end } },
          args: { package: name, range },
          ...(isLocked || !isAny ? { severity: 'LOW' } : {}),
          ...(isAny ? isLocked && { variant: 'locked' } : { variant: 'open' }),
          // one habit of one file
          sameAs: `${it.file} ${isAny}`,
        }
      }
    }
  },

  text: {
    en: {
      title: 'A dependency takes any version',
      message: '{package} is wanted as "{range}": any version that is ever published.',
      why: 'The next installation takes whatever is published then, a hostile or broken release included, and no advisory can be told to concern you or not.',
      fix: 'Write a range with an end: "{package}": "^<version>".',
      variants: {
        locked: {
          message: '{package} is wanted as "{range}"; the lock file alone holds a version.',
          why: 'The next update takes whatever is published then, the next major version included.',
        },
        open: {
          title: 'A range without an end',
          message: '{package} is wanted as "{range}": every later version too.',
          why: 'The next major version comes in by itself, with whatever it changes or brings in.',
        },
      },
    },
    fr: {
      title: 'Une dépendance accepte n’importe quelle version',
      message: '{package} est demandé en « {range} » : toute version publiée un jour.',
      why: 'La prochaine installation prend ce qui est alors publié, y compris une version hostile ou défectueuse, et aucun avis ne permet de savoir si vous êtes concerné.',
      fix: 'Écrivez une plage bornée : « "{package}": "^<version>" ».',
      variants: {
        locked: {
          message: '{package} est demandé en « {range} » ; seul le fichier de verrouillage fixe une version.',
          why: 'La prochaine mise à jour prend ce qui est alors publié, y compris la version majeure suivante.',
        },
        open: {
          title: 'Une plage sans borne supérieure',
          message: '{package} est demandé en « {range} » : toutes les versions suivantes aussi.',
          why: 'La version majeure suivante arrive d’elle-même, avec tout ce qu’elle change ou apporte.',
        },
      },
    },
  },
})

/** The package repeats what it asks of who uses it: an open range is right there. */
function isPeer({ name }: Dependency, { dependencies }: NpmPackage): boolean {
  return dependencies.some((other) => other.member === 'peerDependencies' && other.name === name)
}
