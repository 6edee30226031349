import { listNames } from '../../arguments.ts'
import { excludesOf, type Ui5App } from '../../model/ui5/index.ts'
import { at, itemsOf } from '../../parse/data.ts'
import type { Localized, RuleText } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'

const NAME = /(?:^|\/)(?:flpsandbox[^/]{0,60}\.html|fioriSandboxConfig\.json|changes_loader\.js)$/iu
const TEST = /(?:^|\/)(?:test|tests|localService)\//iu

const CONFIG: Localized<Pick<RuleText, 'title' | 'why'>> = {
  en: {
    title: 'Launchpad sandbox configuration included in the build',
    why: 'Any user of the app can read this test configuration, which can contain apps, targets and test settings; a launchpad sandbox page deployed with the app would use it.',
  },
  fr: {
    title: 'Configuration du bac à sable du launchpad incluse dans le build',
    why: 'Tout utilisateur de l’application peut lire cette configuration de test, qui peut contenir des applications, des cibles et des réglages de test ; une page de bac à sable déployée avec l’application s’en servirait.',
  },
}
/** A deployment task leaves files out by its own configuration. */
const DEPLOYED: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Add "{pattern}" to builder.resources.excludes in {configs:and}, and "{part}" to "exclude" in the configuration of the deployment task.',
  },
  fr: {
    fix: 'Ajoutez "{pattern}" à builder.resources.excludes dans {configs:et}, et "{part}" à "exclude" dans la configuration de la tâche de déploiement.',
  },
}

/**
 * The launchpad sandbox among the files that are built or deployed; one finding per app.
 * Facts: UI5 Tooling, "Configuration": all below `webapp` is built but what `builder.resources.excludes` names; @sap-ux/deploy-tooling, `exclude`.
 * Impact: the backend still authenticates its callers.
 */
export const flpSandboxShipped: Rule = defineRule({
  id: 'ui5/flp-sandbox-shipped',
  impact: 'hygiene',
  // a file for tests by its name, but among what is built or deployed
  usage: 'deployed',
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
          args: {
            file,
            pattern: TEST.test(`/${path}`) ? '/test/**' : `/${path}`,
            part: partOf(path),
            configs: listNames(app.tooling.map((config) => config.file)),
          },
          ...variantOfCases(path.endsWith('.json') && 'config', deploys(app) && 'deployed'),
          groupKey: app.root,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Launchpad sandbox included in the build',
      message: '{file} is not excluded from the build, so it is deployed with the app.',
      why: 'Anyone who can open the app can start it in the sandbox instead of the production launchpad, with test settings and without the launchpad’s role checks.',
      fix: 'Add "{pattern}" to builder.resources.excludes in {configs:and}.',
      variants: { config: CONFIG.en, deployed: DEPLOYED.en, 'config-deployed': { ...CONFIG.en, ...DEPLOYED.en } },
    },
    fr: {
      title: 'Bac à sable du launchpad inclus dans le build',
      message: '{file} n’est pas exclu du build et est déployé avec l’application.',
      why: 'Toute personne ayant accès à l’application peut la démarrer dans le bac à sable au lieu du launchpad de production, avec des réglages de test et sans les contrôles de rôles du launchpad.',
      fix: 'Ajoutez "{pattern}" à builder.resources.excludes dans {configs:et}.',
      variants: { config: CONFIG.fr, deployed: DEPLOYED.fr, 'config-deployed': { ...CONFIG.fr, ...DEPLOYED.fr } },
    },
  }),
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
