import { excludesOf, type Ui5App } from '../../model/ui5/index.ts'
import { at, itemsOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const NAME = /(?:^|\/)(?:flpsandbox[^/]{0,60}\.html|fioriSandboxConfig\.json|changes_loader\.js)$/iu
const TEST = /(?:^|\/)(?:test|tests|localService)\//iu

/**
 * The sandbox of the launchpad among the files that are built or deployed; one finding per app.
 * Facts: UI5 Tooling, "Configuration": all below `webapp` is built but what `builder.resources.excludes` names; @sap-ux/deploy-tooling, `exclude`.
 */
export const flpSandboxShipped: Rule = defineRule({
  id: 'ui5/flp-sandbox-shipped',
  severity: 'LOW',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/sap.ushell',
  on: 'project',

  *check(project) {
    const sandboxes = [...project.files.keys()].filter((file) => NAME.test(file))
    if (sandboxes.length === 0) return
    for (const app of project.ui5Apps) {
      // without a descriptor of a build, nobody can say what is shipped
      if (app.manifest === undefined || app.tooling.length === 0) continue
      const excluded = excludesOf(app)
      const folder = app.manifest.file.slice(0, app.manifest.file.lastIndexOf('/') + 1)
      for (const file of sandboxes) {
        if (!file.startsWith(folder)) continue
        const path = file.slice(folder.length)
        // tests of an app that nobody deploys from here are not shipped
        if (TEST.test(`/${path}`) && !deploys(app)) continue
        if (excluded.some((pattern) => leavesOut(pattern, path))) continue
        yield { at: { file }, args: { file }, sameAs: app.root }
      }
    }
  },

  text: {
    en: {
      title: 'The sandbox of the launchpad is shipped with the app',
      message: '{file} is part of what is built.',
      why: 'The sandbox starts the app without the launchpad of production: with test data, test users and open settings, under the address of the real app.',
      fix: 'Move it to webapp/test and leave that out: builder.resources.excludes: ["/test/**"] in ui5.yaml, exclude: ["/test/"] in the deployment.',
    },
    fr: {
      title: 'Le bac à sable du launchpad est livré avec l’application',
      message: '{file} fait partie de ce qui est construit.',
      why: 'Le bac à sable démarre l’application sans le launchpad de production : avec données et utilisateurs de test et des réglages ouverts, sous l’adresse de la véritable application.',
      fix: 'Déplacez-le dans webapp/test et excluez ce dossier : builder.resources.excludes: ["/test/**"] dans ui5.yaml, exclude: ["/test/"] dans le déploiement.',
    },
  },
})

/** A deployment of its own, which takes what the build makes. */
function deploys({ tooling }: Ui5App): boolean {
  return tooling.some(({ root }) =>
    itemsOf(at(root, 'builder', 'customTasks')).some((task) => at(task, 'configuration', 'target') !== undefined),
  )
}

/** Patterns are paths (`/test/`), globs (`/test/**`) or expressions on paths; the folder or the name in one is enough. */
function leavesOut(pattern: string, path: string): boolean {
  const words = pattern.toLowerCase().split(/[^a-z0-9_.-]+/u)
  const segments = path.toLowerCase().split('/')
  return words.some((word) => word !== '' && (segments.includes(word) || (word.length > 5 && path.toLowerCase().includes(word))))
}
