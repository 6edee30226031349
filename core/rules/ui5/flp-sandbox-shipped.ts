import { excludesOf, type Ui5App } from '../../model/ui5/index.ts'
import { at, itemsOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

const NAME = /(?:^|\/)(?:flpsandbox[^/]{0,60}\.html|fioriSandboxConfig\.json|changes_loader\.js)$/iu
const TEST = /(?:^|\/)(?:test|tests|localService)\//iu

/**
 * The launchpad sandbox among the files that are built or deployed; one finding per app.
 * Facts: UI5 Tooling, "Configuration": all below `webapp` is built but what `builder.resources.excludes` names; @sap-ux/deploy-tooling, `exclude`.
 * Severity: the default of SAP’s generators, and the backend still authenticates its callers (LOW).
 */
export const flpSandboxShipped: Rule = defineRule({
  id: 'ui5/flp-sandbox-shipped',
  severity: 'LOW',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://ui5.github.io/cli/stable/pages/Configuration/#exclude-resources',
  on: 'project',

  *check(project) {
    const sandboxes = [...project.files.keys()].filter((file) => NAME.test(file))
    if (sandboxes.length === 0) return
    for (const app of project.ui5Apps) {
      // nothing tells what is built
      if (app.manifest === undefined || app.tooling.length === 0) continue
      const excluded = excludesOf(app)
      const folder = app.manifest.file.slice(0, app.manifest.file.lastIndexOf('/') + 1)
      for (const file of sandboxes) {
        if (!file.startsWith(folder)) continue
        const path = file.slice(folder.length)
        // tests of an app that is not deployed from here are not shipped
        if (TEST.test(`/${path}`) && !deploys(app)) continue
        if (excluded.some((pattern) => leavesOut(pattern, path))) continue
        yield {
          at: { file },
          args: { file, pattern: TEST.test(`/${path}`) ? '/test/**' : `/${path}`, part: partOf(path) },
          ...(path.endsWith('.json') && { variant: 'config' }),
          groupKey: app.root,
        }
      }
    }
  },

  text: {
    en: {
      title: 'Launchpad sandbox included in the build',
      message: '{file} is not excluded from the build, so it is deployed with the app.',
      why: 'Anyone who can open the app can start it in the sandbox instead of the production launchpad, with test settings and without the launchpad’s role checks.',
      fix: 'Add "{pattern}" to builder.resources.excludes in ui5.yaml (and in ui5-deploy.yaml, if the build uses it). For a deployment task such as deploy-to-abap, also add "{part}" to "exclude" in its configuration.',
      variants: {
        config: {
          title: 'Launchpad sandbox configuration included in the build',
          why: 'Any user of the app can read this test configuration, which can contain apps, targets and test settings; a launchpad sandbox page deployed with the app would use it.',
        },
      },
    },
    fr: {
      title: 'Bac à sable du launchpad inclus dans le build',
      message: '{file} n’est pas exclu du build et est déployé avec l’application.',
      why: 'Toute personne ayant accès à l’application peut la démarrer dans le bac à sable au lieu du launchpad de production, avec des réglages de test et sans les contrôles de rôles du launchpad.',
      fix: 'Ajoutez "{pattern}" à builder.resources.excludes dans ui5.yaml (et dans ui5-deploy.yaml si le build l’utilise). Pour une tâche de déploiement comme deploy-to-abap, ajoutez aussi "{part}" à "exclude" dans sa configuration.',
      variants: {
        config: {
          title: 'Configuration du bac à sable du launchpad incluse dans le build',
          why: 'Tout utilisateur de l’application peut lire cette configuration de test, qui peut contenir des applications, des cibles et des réglages de test ; une page de bac à sable déployée avec l’application s’en servirait.',
        },
      },
    },
  },
})

/** What the deployment task has to find in a path to leave it out. */
function partOf(path: string): string {
  return TEST.test(`/${path}`) ? '/test/' : path.slice(path.lastIndexOf('/') + 1)
}

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
