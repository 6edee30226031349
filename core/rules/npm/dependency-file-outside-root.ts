import { defineRule, type Rule } from '../rule.ts'

/**
 * A dependency from a folder outside the project, or from an archive in it: code that neither reviews nor advisory lookups see. Facts: npm documentation, "package.json", section "Local Paths".
 * Severity: LOW, hygiene: an attacker needs write access to that machine or archive first.
 */
export const dependencyFileOutsideRoot: Rule = defineRule({
  id: 'npm/dependency-file-outside-root',
  severity: 'LOW',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/v11/configuring-npm/package-json#local-paths',
  on: 'project',

  *check({ npm }) {
    for (const { file, folder, dependencies } of npm.packages) {
      for (const { name, range, start, end } of dependencies) {
        const [, path] = /^(?:file|link|portal):(.{1,1000})$/.exec(range) ?? []
        if (path === undefined) continue
        const isArchive = /\.(?:tgz|tar\.gz)$/i.test(path)
        if (!isArchive && !leavesProject(folder, path)) continue
        yield { at: { file, span: { start, end } }, args: { package: name, path }, ...(isArchive && { variant: 'archive' }) }
      }
    }
  },

  text: {
    en: {
      title: 'Dependency installed from outside the project',
      message: 'The {package} package is installed from {path}, which is not part of the project.',
      why: 'The build depends on whatever is on that machine: code that no review and no advisory lookup covers.',
      fix: 'Move the folder into the project and set "{package}": "file:<relative path>" in this package.json; or publish the package to your private registry and use its version, as in "{package}": "^1.0.0".',
      variants: {
        archive: {
          title: 'Dependency installed from an archive in the project',
          message: 'The {package} package is installed from the archive {path}.',
          why: 'The content of an archive is not visible in a review, and no advisory lookup recognizes it.',
          fix: 'Publish the package to your private registry and use its version, as in "{package}": "^1.0.0", or add its sources to the project and set "{package}": "file:<path of the folder>".',
        },
      },
    },
    fr: {
      title: 'Dépendance installée depuis l’extérieur du projet',
      message: 'Le paquet {package} est installé depuis {path}, qui ne fait pas partie du projet.',
      why: 'Le build dépend de ce qui se trouve sur la machine : du code qui échappe à toute revue et à toute recherche d’avis de sécurité.',
      fix: 'Déplacez le dossier dans le projet et définissez "{package}": "file:<chemin relatif>" dans ce package.json ; ou publiez le paquet dans votre registre privé et utilisez sa version, par exemple "{package}": "^1.0.0".',
      variants: {
        archive: {
          title: 'Dépendance installée depuis une archive du projet',
          message: 'Le paquet {package} est installé depuis l’archive {path}.',
          why: 'Le contenu d’une archive n’est pas visible en revue, et aucune recherche d’avis de sécurité ne le reconnaît.',
          fix: 'Publiez le paquet dans votre registre privé et utilisez sa version, par exemple "{package}": "^1.0.0", ou ajoutez ses sources au projet et définissez "{package}": "file:<chemin du dossier>".',
        },
      },
    },
  },
})

function leavesProject(folder: string, path: string): boolean {
  if (/^(?:\/|~|[a-z]:)/i.test(path)) return true
  let depth = folder === '' ? 0 : folder.split('/').length
  for (const segment of path.split(/[\\/]/)) {
    if (segment === '..') depth--
    else if (segment !== '.' && segment !== '') depth++
    if (depth < 0) return true
  }
  return false
}
