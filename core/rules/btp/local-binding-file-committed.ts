import { findLocalFiles } from '../../model/deployment/index.ts'
import { fileNameOf } from '../../paths.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A file with local bindings that lies in the project and is not ignored. Credentials in it are reported by the rules on secrets, one by one.
 * Facts: CAP documentation, "cds bind"; @sap/approuter 23.0.0 README, "default-env.json".
 * Impact: the file alone discloses names and addresses to whoever may read the repository.
 */
export const localBindingFileCommitted: Rule = defineRule({
  id: 'btp/local-binding-file-committed',
  impact: 'bounded',
  reach: 'privileged',
  usage: 'deployed',
  isOfRepository: true,
  confidence: 'high',
  cwe: [540],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/tools/cds-bind',
  on: 'project',

  *check({ files }) {
    for (const { path, holds } of findLocalFiles(files)) {
      // credentials are reported value by value
      if (holds === 'bindings') yield { at: { file: path }, args: { file: path, pattern: fileNameOf(path) } }
    }
  },

  text: () => ({
    en: {
      title: 'Local service bindings in the project',
      message: '{file} contains service bindings for local use, and no .gitignore file excludes it.',
      why: 'Once the file is committed, an attacker with read access to the repository can learn the names or URLs of the services in use, and any credentials that are added to the file later.',
      fix: 'Add the line "{pattern}" to .gitignore (create it if it does not exist). If the file was committed, also run "git rm --cached {file}".',
    },
    fr: {
      title: 'Liaisons de services locales dans le projet',
      message: '{file} contient des liaisons de services pour un usage local, et aucun fichier .gitignore ne l’exclut.',
      why: 'Une fois le fichier versionné, un attaquant qui peut lire le dépôt peut y trouver les noms ou les URL des services utilisés, et tout identifiant ajouté plus tard au fichier.',
      fix: 'Ajoutez la ligne "{pattern}" au fichier .gitignore (créez-le s’il n’existe pas). Si le fichier a été versionné, exécutez aussi "git rm --cached {file}".',
    },
  }),
})
