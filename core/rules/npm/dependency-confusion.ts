import { findForeignHosts, isOfNewYarn, managerOfLock, type NpmProject } from '../../model/npm/index.ts'
import { withoutUser, type LockedPackage } from '../../parse/lock/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { namesOf } from './_messages.ts'

/**
 * Private packages that an installation may take from the public registry, because the project maps their scope to no registry. Judged by the
 * lock file and the settings alone, without a request to a registry. Facts: npm documentation, "scope"; Yarn 4, "Settings (.yarnrc.yml)" (npmScopes; Yarn 2 and later read
 * no .npmrc); OWASP, "Dependency Chain Abuse".
 * Impact: code of whoever takes the name in the public registry; that the name is free and a machine lacks the mapping is not shown.
 */
export const dependencyConfusion: Rule = defineRule({
  id: 'npm/dependency-confusion',
  impact: 'takeover',
  reach: 'privileged',
  evidence: 'assumed',
  // what the lock file names comes from the public registry already
  grades: { sibling: { evidence: 'shown' } },
  confidence: 'medium',
  cwe: [427],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/using-npm/scope#associating-a-scope-with-a-registry',
  docsByVariant: {
    yarn: 'https://yarnpkg.com/configuration/yarnrc#npmScopes',
    sibling: 'https://docs.npmjs.com/cli/v11/using-npm/workspaces',
  },
  on: 'packages',

  *check(subject, { npm }): Generator<Match> {
    const { file, packages, lock } = subject
    if (lock === undefined) return
    for (const { host, packages: served, reason } of findForeignHosts(subject, npm)) {
      const [first] = served
      if (reason !== 'private-scope' || first === undefined) continue
      const scope = first.name.slice(0, first.name.indexOf('/'))
      yield {
        at: { file, span: { start: first.start, end: first.end } },
        args: { names: namesOf(served), host, scope, name: scope.slice(1), registry: registryOf(first, host, scope) },
        ...(isOfNewYarn(subject) && { variant: 'yarn' }),
        key: host,
      }
    }
    const manager = managerOfLock(subject, npm)
    const siblings = findSiblings(npm, file)
    for (const { name, direct, isPrivate, start, end } of packages) {
      const folder = siblings.get(name)
      if (folder === undefined || !direct || isPrivate) continue
      yield { at: { file, span: { start, end } }, args: { ...manager, names: name, folder }, variant: 'sibling' }
    }
  },

  text: () => ({
    en: {
      title: 'Dependency confusion: private scope without a registry',
      message:
        'The lock file resolves {names:and} from {host}, but no .npmrc in the project maps the scope {scope} to a registry.',
      why: 'When packages are added or updated, machines without that mapping in their own settings query the public registry: an attacker who owns this scope there can publish a package with this name and run code in your builds.',
      fix: 'Add "{scope}:registry={registry}" to the .npmrc file next to the lock file and commit it. Also reserve the scope in the public registry.',
      variants: {
        yarn: {
          message:
            'The lock file resolves {names:and} from {host}, but no .yarnrc.yml in the project maps the scope {scope} to a registry.',
          fix: 'Add npmScopes: { {name}: { npmRegistryServer: "{registry}" } } to the .yarnrc.yml file next to the lock file and commit it. Also reserve the scope in the public registry.',
        },
        sibling: {
          title: 'Dependency confusion: workspace resolved from a registry',
          message: '{names} is a private workspace of this project ({folder}), but the lock file resolves it from a registry.',
          why: 'The installed package is not your own code. An attacker who publishes a package with this name in the registry can run code in your builds.',
          fix: 'Make the version range in package.json match the version of {folder} (or write "*") and run "{install}", so that the lock file links to the workspace. Preferably, give the package a name in your own scope.',
        },
      },
    },
    fr: {
      title: 'Confusion de dépendances : scope privé sans registre',
      message:
        'Le fichier de verrouillage indique {host} comme source de {names:et}, mais aucun .npmrc du projet n’associe le scope {scope} à un registre.',
      why: 'Lors de l’ajout ou de la mise à jour de paquets, une machine dont les réglages n’associent pas ce scope à un registre interroge le registre public : un attaquant qui y possède le scope peut publier un paquet du même nom et faire exécuter son code pendant vos builds.',
      fix: 'Ajoutez "{scope}:registry={registry}" au fichier .npmrc situé à côté du fichier de verrouillage et versionnez ce .npmrc. Réservez aussi le scope dans le registre public.',
      variants: {
        yarn: {
          message:
            'Le fichier de verrouillage indique {host} comme source de {names:et}, mais aucun .yarnrc.yml du projet n’associe le scope {scope} à un registre.',
          fix: 'Ajoutez npmScopes: { {name}: { npmRegistryServer: "{registry}" } } au fichier .yarnrc.yml situé à côté du fichier de verrouillage et versionnez ce .yarnrc.yml. Réservez aussi le scope dans le registre public.',
        },
        sibling: {
          title: 'Confusion de dépendances : workspace récupéré depuis un registre',
          message:
            '{names} est un workspace privé de ce projet ({folder}), mais, d’après le fichier de verrouillage, il est récupéré depuis un registre.',
          why: 'Le paquet installé n’est pas votre code. Un attaquant qui publie un paquet de ce nom dans le registre peut faire exécuter son code pendant vos builds.',
          fix: 'Faites correspondre la plage de versions de package.json à la version de {folder} (ou écrivez "*"), puis exécutez "{install}" pour que le fichier de verrouillage référence le workspace. Donnez de préférence au paquet un nom dans votre propre scope.',
        },
      },
    },
  }),
})

/** The address of a registry, by that of an archive in it. */
function registryOf({ resolved = '' }: LockedPackage, host: string, scope: string): string {
  const address = withoutUser(resolved).replaceAll('%40', '@')
  const end = address.indexOf(`/${scope}`)
  return end === -1 ? `https://${host}/` : `https:${address.slice(address.indexOf('//'), end + 1)}`
}

/** Workspaces of the lock file's folder that are never published: a registry's package of such a name has another publisher. */
function findSiblings({ packages }: NpmProject, lockFile: string): ReadonlyMap<string, string> {
  const root = lockFile.slice(0, Math.max(0, lockFile.lastIndexOf('/')))
  const siblings = new Map<string, string>()
  for (const { name, folder, memberOf, isPrivate } of packages)
    if (name !== undefined && isPrivate && memberOf === root) siblings.set(name, folder)
  return siblings
}
