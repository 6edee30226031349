import { defineRule, type Rule } from '../rule.ts'

/**
 * A dependency from a folder outside of the project, or from an archive that lies in it: nobody who reads the project sees that code, and no advisory
 * is told about it. Facts: npm documentation, "package.json", section "Local Paths".
 */
export const dependencyFileOutsideRoot: Rule = defineRule({
  id: 'npm/dependency-file-outside-root',
  severity: 'LOW',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://docs.npmjs.com/cli/configuring-npm/package-json#local-paths',
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
      title: 'Dependency from outside of the project',
      message: '{package} comes from {path}, which is not part of the project.',
      why: 'What is built depends on what happens to lie on that machine; nobody who reviews the project sees it.',
      fix: 'Make the folder a workspace of the project, or publish it to a registry.',
      variants: {
        archive: {
          title: 'Dependency from an archive in the project',
          message: '{package} comes from the archive {path}.',
          why: 'Nobody reads an archive in a review, and no advisory is ever told about it.',
          fix: 'Take the package from a registry, or put its sources into the project.',
        },
      },
    },
    fr: {
      title: 'Dépendance venue de l’extérieur du projet',
      message: '{package} vient de {path}, qui ne fait pas partie du projet.',
      why: 'Ce qui est construit dépend de ce qui se trouve par hasard sur la machine ; personne qui relit le projet ne le voit.',
      fix: 'Faites de ce dossier un espace de travail du projet, ou publiez-le dans un registre.',
      variants: {
        archive: {
          title: 'Dépendance venue d’une archive du projet',
          message: '{package} vient de l’archive {path}.',
          why: 'Personne ne lit une archive lors d’une relecture, et aucun avis n’en parle jamais.',
          fix: 'Prenez le paquet dans un registre, ou placez ses sources dans le projet.',
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
