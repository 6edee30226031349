import { defineRule, type Rule } from '../rule.ts'

/**
 * A dependency from a folder outside the project, or from an archive in it: code that reviews don't see. Facts: npm documentation, "package.json", section "Local Paths".
 * Impact: whoever can write to that machine or archive chooses the code.
 */
export const dependencyFileOutsideRoot: Rule = defineRule({
  id: 'npm/dependency-file-outside-root',
  impact: 'takeover',
  reach: 'local',
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

  text: () => ({
    en: {
      title: 'Dependency installed from outside the project',
      message: 'The {package} package is installed from {path}, which is not part of the project.',
      why: 'The build uses whatever is at this path on the machine that runs it; reviews of this project do not cover that code.',
      fix: 'Move the folder into the project and set "{package}": "file:<path relative to this package.json>"; or publish the package to your private registry and use its version, as in "{package}": "^1.0.0".',
      variants: {
        archive: {
          title: 'Dependency installed from a local archive',
          message: 'The {package} package is installed from the archive {path}.',
          why: 'A code review does not show the content of an archive, so malicious code in it can remain unnoticed.',
          fix: 'Add the sources of the package to the project and set "{package}": "file:<path relative to this package.json>", or publish it to your private registry and use its version, as in "{package}": "^1.0.0".',
        },
      },
    },
    fr: {
      title: 'Dépendance installée depuis l’extérieur du projet',
      message: 'Le paquet {package} est installé depuis {path}, qui ne fait pas partie du projet.',
      why: 'Le build utilise ce qui se trouve à cet emplacement sur la machine où il s’exécute ; les revues de ce projet ne couvrent pas ce code.',
      fix: 'Déplacez le dossier dans le projet et définissez "{package}": "file:<chemin relatif à ce package.json>" ; ou publiez le paquet dans votre registre privé et utilisez sa version, par exemple "{package}": "^1.0.0".',
      variants: {
        archive: {
          title: 'Dépendance installée depuis une archive locale',
          message: 'Le paquet {package} est installé depuis l’archive {path}.',
          why: 'Une revue de code ne montre pas le contenu d’une archive : du code malveillant peut y passer inaperçu.',
          fix: 'Ajoutez les sources du paquet au projet et définissez "{package}": "file:<chemin relatif à ce package.json>", ou publiez-le dans votre registre privé et utilisez sa version, par exemple "{package}": "^1.0.0".',
        },
      },
    },
  }),
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
