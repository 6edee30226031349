import { findForeignHosts, type NpmProject } from '../../model/npm/index.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { namesOf } from './_messages.ts'

/**
 * Packages of a company that an installation may take from the public registry, because nothing in the project says where they belong. Told by the
 * lock file and the settings alone: no registry is asked. Facts: npm documentation, "scope"; OWASP, "Dependency Chain Abuse".
 */
export const dependencyConfusion: Rule = defineRule({
  id: 'npm/dependency-confusion',
  severity: 'HIGH',
  confidence: 'medium',
  cwe: [427],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/using-npm/scope#associating-a-scope-with-a-registry',
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
        args: { names: namesOf(served), host, scope },
        key: host,
      }
    }
    const siblings = findSiblings(npm, file)
    for (const { name, direct, isPrivate, start, end } of packages) {
      const folder = siblings.get(name)
      if (folder === undefined || !direct || isPrivate) continue
      yield { at: { file, span: { start, end } }, args: { names: name, folder }, variant: 'sibling' }
    }
  },

  text: {
    en: {
      title: 'Private packages are not bound to their registry',
      message:
        '{names} came from {host} when the lock file was written, yet no .npmrc of the project says that {scope} belongs there.',
      why: 'A machine without that personal setting asks the public registry; whoever registers the name there gets his code installed.',
      fix: 'Commit an .npmrc with "{scope}:registry=https://{host}/…", and register the scope at the public registry.',
      variants: {
        sibling: {
          title: 'A package of the project is taken from the registry',
          message: '{names} is a package of this project ({folder}), yet the lock file takes it from a registry.',
          why: 'Somebody else’s package of that name is installed instead of your own code.',
          fix: 'Name {folder} in "workspaces", or depend on it by "file:"; give it a scope that is yours.',
        },
      },
    },
    fr: {
      title: 'Des paquets privés ne sont pas liés à leur registre',
      message:
        '{names} provenaient de {host} quand le fichier de verrouillage a été écrit, mais aucun .npmrc du projet n’indique que {scope} s’y trouve.',
      why: 'Une machine sans ce réglage personnel interroge le registre public ; quiconque y enregistre le nom fait installer son code.',
      fix: 'Versionnez un .npmrc avec « {scope}:registry=https://{host}/… », et réservez la portée dans le registre public.',
      variants: {
        sibling: {
          title: 'Un paquet du projet est tiré du registre',
          message: '{names} est un paquet de ce projet ({folder}), mais le fichier de verrouillage le prend dans un registre.',
          why: 'Le paquet d’un tiers portant ce nom est installé à la place de votre propre code.',
          fix: 'Indiquez {folder} dans « workspaces », ou dépendez-en par « file: » ; donnez-lui une portée qui vous appartient.',
        },
      },
    },
  },
})

/** Workspaces of the lock file's folder that are never published: a registry's package of such a name is somebody else's. */
function findSiblings({ packages }: NpmProject, lockFile: string): ReadonlyMap<string, string> {
  const root = lockFile.slice(0, Math.max(0, lockFile.lastIndexOf('/')))
  const siblings = new Map<string, string>()
  for (const { name, folder, memberOf, isPrivate } of packages)
    if (name !== undefined && isPrivate && memberOf === root) siblings.set(name, folder)
  return siblings
}
