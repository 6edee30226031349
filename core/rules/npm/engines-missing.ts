import { NODE_TARGET } from '../../model/npm/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * A Cloud Foundry module that does not specify its Node.js version: the default of the buildpack moves to the next major version. Containers
 * specify theirs in the image. Facts: Cloud Foundry documentation, Node.js build pack.
 * Impact: a choice that should be made; the default of the buildpack is maintained.
 */
export const enginesMissing: Rule = defineRule({
  id: 'npm/engines-missing',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://docs.cloudfoundry.org/buildpacks/node/index.html',
  on: 'project',

  *check({ npm, files }) {
    for (const { file, node, deployedBy, dependencies } of npm.packages) {
      const isContainer = deployedBy.some((path) => files.get(path)?.kind.role === 'dockerfile')
      const [by] = deployedBy
      const runs = dependencies.some(({ member }) => member === 'dependencies')
      if (node !== undefined || by === undefined || isContainer || !runs) continue
      yield { at: { file }, args: { by, file, target: NODE_TARGET } }
    }
  },

  text: () => ({
    en: {
      title: 'Node.js version not set for a deployed module',
      message: '{file}, which {by} deploys, does not set "engines.node": the buildpack chooses the Node.js version.',
      why: 'An update of the buildpack can change the major version of Node.js in production, and the project does not show which version runs there.',
      fix: 'Add "engines": { "node": "^{target}" } to {file}, or set another maintained version of Node.js with which you run your tests.',
    },
    fr: {
      title: 'Version de Node.js non définie pour un module déployé',
      message: '{file}, que {by} déploie, ne définit pas "engines.node" : le buildpack choisit la version de Node.js.',
      why: 'Une mise à jour du buildpack peut changer la version majeure de Node.js en production, et le projet n’indique pas celle qui y est utilisée.',
      fix: 'Ajoutez "engines": { "node": "^{target}" } à {file}, ou indiquez une autre version maintenue de Node.js avec laquelle vous exécutez vos tests.',
    },
  }),
})
