import { findGitIgnores } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Source maps and debug copies among the built files of an app that are part of the project.
 * Facts: UI5 Tooling 4, "Builder" (tasks generateResourcesJson, minify: `-dbg.js` and `.js.map` for each script).
 * Impact: code of a browser app is public anyway.
 */
export const sourceMapsShipped: Rule = defineRule({
  id: 'ui5/source-maps-shipped',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [540],
  since: '0.1.0',
  docs: 'https://ui5.github.io/cli/stable/pages/Builder/',
  on: 'project',

  *check({ builtSources, ui5Apps, files }) {
    if (builtSources.length === 0) return
    const ignored = findGitIgnores(files)
    for (const { folder, path, count } of builtSources) {
      // `app/shop/dist` is built of an app below `app/shop`
      const around = folder.slice(0, -'dist'.length)
      if (ignored.covers(path) || !ui5Apps.some(({ root, isUndeclared }) => !isUndeclared && `${root}/`.startsWith(around)))
        continue
      yield { at: { file: path }, args: { folder, count: String(count) } }
    }
  },

  text: () => ({
    en: {
      title: 'Source maps and debug sources in the build output',
      message:
        'The folder {folder} contains source maps or debug copies (files: {count}). If it is deployed as is, users can load them.',
      why: 'These files show comments, internal names and unused code, which makes vulnerabilities easier to find.',
      fix: 'Add {folder} to .gitignore and remove it from the repository: git rm -r --cached {folder}. If users should not get these files, delete **/*.map and **/*-dbg*.js in {folder} after each build.',
    },
    fr: {
      title: 'Source maps et sources de débogage dans le résultat du build',
      message:
        'Le dossier {folder} contient des source maps ou des copies de débogage (fichiers : {count}). Si ce dossier est déployé tel quel, les utilisateurs peuvent charger ces fichiers.',
      why: 'Ces fichiers révèlent des commentaires, des noms internes et du code inutilisé, ce qui facilite la recherche de vulnérabilités.',
      fix: 'Ajoutez {folder} à .gitignore et retirez-le du dépôt : git rm -r --cached {folder}. Si les utilisateurs ne doivent pas recevoir ces fichiers, supprimez **/*.map et **/*-dbg*.js dans {folder} après chaque build.',
    },
  }),
})
