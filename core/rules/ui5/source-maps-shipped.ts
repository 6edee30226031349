import { findGitIgnores } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Source maps and debug copies among the built files of an app that are part of the project.
 *  Facts: UI5 Tooling 4, "Builder" (tasks generateResourcesJson, minify: `-dbg.js` and `.js.map` for each script). */
export const sourceMapsShipped: Rule = defineRule({
  id: 'ui5/source-maps-shipped',
  severity: 'INFO',
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
      if (ignored.covers(path) || !ui5Apps.some(({ root, isLoose }) => !isLoose && `${root}/`.startsWith(around))) continue
      yield { at: { file: path }, args: { folder, count: String(count) } }
    }
  },

  text: {
    en: {
      title: 'Built files hold the sources once more',
      message: '{folder} holds {count} source maps or debug copies; where it is deployed as it is, they are served too.',
      why: 'Comments, names and code that nobody reaches in the app are told to whoever asks for them.',
      fix: 'Keep {folder} out of the repository (.gitignore), and exclude "**/*.map" and "**/*-dbg.js" where it is deployed, unless you want them there.',
    },
    fr: {
      title: 'Les fichiers construits contiennent encore les sources',
      message:
        '{folder} contient {count} source maps ou copies de débogage ; là où il est déployé tel quel, elles sont servies aussi.',
      why: 'Commentaires, noms et code que rien n’atteint dans l’application sont livrés à qui les demande.',
      fix: 'Gardez {folder} hors du dépôt (.gitignore), et excluez « **/*.map » et « **/*-dbg.js » au déploiement, sauf si vous les y voulez.',
    },
  },
})
