import { findGitIgnores, findLocalFiles } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A file of bindings of somebody’s own machine that lies in the project and is not ignored. Its credentials, if it has any, are told by the rules of
 * `secrets` one by one. Facts: CAP documentation, "cds bind"; @sap/approuter 23.0.0 README, "default-env.json".
 */
export const localBindingFileCommitted: Rule = defineRule({
  id: 'btp/local-binding-file-committed',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [540],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-bind',
  on: 'project',

  *check({ files }) {
    const ignored = findGitIgnores(files)
    for (const { path, holds } of findLocalFiles(files)) {
      // those with credentials are told value by value
      if (holds !== 'bindings' || ignored.covers(path)) continue
      const isReference = path.endsWith('.cdsrc-private.json')
      yield { at: { file: path }, args: { file: path }, ...(isReference && { severity: 'LOW' }) }
    }
  },

  text: {
    en: {
      title: 'Bindings of a developer’s machine lie in the project',
      message: '{file} holds bindings of somebody’s own machine, and no .gitignore covers it.',
      why: 'It tells which services and addresses exist, and the next one who fills it in commits the keys with it.',
      fix: 'Remove it from the repository ("git rm --cached {file}") and add it to .gitignore.',
    },
    fr: {
      title: 'Les liaisons d’un poste de développement se trouvent dans le projet',
      message: '{file} contient les liaisons du poste de quelqu’un, et aucun .gitignore ne le couvre.',
      why: 'Il révèle quels services et adresses existent, et la prochaine personne qui le complète y versionnera les clés.',
      fix: 'Retirez-le du dépôt (« git rm --cached {file} ») et ajoutez-le à .gitignore.',
    },
  },
})
