import { defineRule, type Rule } from '../rule.ts'

/**
 * A module of Cloud Foundry that does not say which Node.js it needs: the build pack’s default moves to another major version by itself. Containers
 * name theirs in the image. Facts: Cloud Foundry documentation, Node.js build pack.
 */
export const enginesMissing: Rule = defineRule({
  id: 'npm/engines-missing',
  severity: 'INFO',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://docs.cloudfoundry.org/buildpacks/node/index.html',
  on: 'project',

  *check({ npm, files }) {
    for (const { file, folder, node, deployedBy, dependencies } of npm.packages) {
      const isContainer = deployedBy.some((path) => files.get(path)?.kind.role === 'dockerfile')
      const [by] = deployedBy
      const runs = dependencies.some(({ member }) => member === 'dependencies')
      if (node !== undefined || by === undefined || isContainer || !runs) continue
      yield { at: { file }, args: { by, folder: `${folder === '' ? '.' : folder}/` } }
    }
  },

  text: {
    en: {
      title: 'The deployed module does not name its Node.js version',
      message: '{by} deploys {folder}, whose package.json has no "engines.node": the build pack chooses the version.',
      why: 'The version that production runs changes with the platform, and nothing in the project tells whether it still gets fixes.',
      fix: 'Write "engines": { "node": "^22" } into this package.json, or another maintained line.',
    },
    fr: {
      title: 'Le module déployé n’indique pas sa version de Node.js',
      message: '{by} déploie {folder}, dont le package.json n’a pas « engines.node » : le buildpack choisit la version.',
      why: 'La version de production change avec la plateforme, et rien dans le projet n’indique si elle reçoit encore des correctifs.',
      fix: 'Écrivez « "engines": { "node": "^22" } » dans ce package.json, ou une autre branche maintenue.',
    },
  },
})
