import { defineRule, type Rule } from '../rule.ts'

/** Tools that build, test or watch: nothing of them runs in production. `sqlite3` is CAP’s database of development. */
const TOOLS: ReadonlySet<string> = new Set(
  (
    '@sap/cds-dk @sap/eslint-plugin-cds @sap/ux-ui5-tooling @ui5/cli @ui5/linter @cap-js/cds-typer @cap-js/cds-test @wdio/cli chai cypress eslint grunt ' +
    'grunt-cli gulp husky jasmine jest karma karma-ui5 lint-staged mbt mocha newman nock nodemon npm-run-all nyc playwright prettier qunit sinon sqlite3 ' +
    'supertest ts-jest ts-node ts-node-dev tslint tsx typescript vitest webpack webpack-cli'
  ).split(' '),
)

/** Tools among the run-time dependencies of what is deployed. Facts: CAP documentation, deployment (`npm ci --omit=dev`). */
export const devToolInProduction: Rule = defineRule({
  id: 'npm/dev-tool-in-production',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/guides/deploy/to-cf',
  on: 'project',

  *check({ npm }) {
    for (const { file, folder, dependencies, deployedBy } of npm.packages) {
      const [by] = deployedBy
      if (by === undefined) continue
      for (const { name, member, nameSpan } of dependencies) {
        if (member !== 'dependencies' || !TOOLS.has(name)) continue
        yield {
          at: { file, span: { start: nameSpan.start, end: nameSpan.end } },
          args: { package: name, folder: `${folder === '' ? '.' : folder}/`, by },
        }
      }
    }
  },

  text: {
    en: {
      title: 'A development tool is deployed',
      message: '{package} is in "dependencies" of {folder}, which {by} deploys.',
      why: 'Hundreds of packages come with it into production: each may have a weakness, and gives an intruder tools to work with.',
      fix: 'Move {package} to "devDependencies".',
    },
    fr: {
      title: 'Un outil de développement est déployé',
      message: '{package} figure dans « dependencies » de {folder}, que {by} déploie.',
      why: 'Des centaines de paquets arrivent avec lui en production : chacun peut avoir une faille, et offre des outils à un intrus.',
      fix: 'Déplacez {package} dans « devDependencies ».',
    },
  },
})
