import {
  accessesOf,
  constantOf,
  resolveValue,
  isOnTheWay,
  type CallValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { packageOf } from '../../model/cap/index.ts'
import { createDevelopmentReader, isToolFile } from '../../model/script/index.ts'
import { booleanOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Pages that document an API (Swagger UI, Redoc), served to everyone in production.
 * Facts: cds-swagger-ui-express 0.11.0, cds-plugin.js (registers itself unless `cds.swagger` is false; to be installed with --save-dev);
 * swagger-ui-express 5.0.1 and redoc-express 2.1.3,
 * @scalar/express-api-reference 0.8, README.
 * Impact: the pages help an attacker to find operations but give access to none.
 */
export const apiDocsInProduction: Rule = defineRule({
  id: 'cap/api-docs-in-production',
  impact: 'defence',
  reach: 'anyone',
  confidence: 'high',
  cwe: [200],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/protocols/openapi#swagger-ui',
  keywords: ['swagger-ui-express', 'redoc-express', 'express-api-reference'],

  checks: {
    *'cap-root'(root, { npm }) {
      const own = packageOf(root, npm)
      const configurations = root.productive()
      if (own === undefined || !root.deployed || configurations.length === 0) return
      if (configurations.some((configuration) => booleanOf(configuration.value('swagger')?.node) === false)) return
      for (const { name, member, nameSpan } of own.dependencies)
        if (name === PLUGIN && member === 'dependencies')
          yield { at: { file: own.file, span: nameSpan }, args: { package: name, file: own.file } }
    },

    *'server-script'({ path, content: { facts }, budget }) {
      if (isToolFile(path)) return
      const isForDevelopers = createDevelopmentReader(facts)
      for (const call of facts.calls) {
        budget.step()
        const name = pageOf(call)
        if (name === undefined) continue
        budget.step(facts.calls.length + facts.guards.length)
        if (!isServedToAll(call, facts) || isForDevelopers(call) || isConditional(call, facts)) continue
        yield {
          at: { file: path, span: { start: call.start, end: call.end } },
          args: { package: name, file: path },
          variant: 'code',
        }
      }
    },
  },

  text: () => ({
    en: {
      title: 'API documentation served in production',
      message:
        '{package} is in "dependencies" of {file}: as a CAP plugin, it serves Swagger UI at /$api-docs, even in production.',
      why: 'An unauthenticated attacker who reaches the application can read a full description of the documented entities, operations and parameters, which helps them find targets.',
      fix: 'Move {package} to "devDependencies" in {file}. Or disable it in the same file: "cds": { "[production]": { "swagger": false } }.',
      variants: {
        code: {
          message:
            'The documentation page of {package} is registered unconditionally, without authentication middleware in front of it.',
          fix: "Register the page only outside production: if (process.env.NODE_ENV !== 'production'). Or put authentication middleware in front of it.",
        },
      },
    },
    fr: {
      title: 'Documentation d’API exposée en production',
      message:
        '{package} figure dans "dependencies" de {file} : en tant que plugin CAP, il expose Swagger UI sous /$api-docs, y compris en production.',
      why: 'Un attaquant non authentifié qui peut accéder à l’application peut lire la description complète des entités, opérations et paramètres documentés, ce qui l’aide à trouver des cibles.',
      fix: 'Déplacez {package} vers "devDependencies" dans {file}. Ou désactivez-le dans le même fichier : "cds": { "[production]": { "swagger": false } }.',
      variants: {
        code: {
          message:
            'La page de documentation de {package} est ajoutée à l’application sans condition, et aucun middleware d’authentification ne la précède.',
          fix: "N’ajoutez la page que hors production : if (process.env.NODE_ENV !== 'production'). Ou faites-la précéder d’un middleware d’authentification.",
        },
      },
    },
  }),
})

const PLUGIN = 'cds-swagger-ui-express'

/** What makes the page, by package: a call of the module itself, or of a function of it. */
const PAGES: ReadonlyMap<string, string | undefined> = new Map([
  ['swagger-ui-express', 'setup'],
  [PLUGIN, undefined],
  ['redoc-express', undefined],
  ['@scalar/express-api-reference', 'apiReference'],
])

const stepsOf = (steps: readonly string[]): string => steps.filter((step) => step !== 'default').join('.')

function pageOf({ callee }: CallValue): string | undefined {
  for (const { root, steps } of accessesOf(callee)) {
    const name = root.replace(/^module:/, '')
    if (name !== root && PAGES.has(name) && stepsOf(steps) === (PAGES.get(name) ?? '')) return name
  }
  return undefined
}

/** `app.use('/docs', swagger.serve, swagger.setup(document))`: nothing else, which might authenticate, comes before it. */
function isServedToAll(call: CallValue, { calls }: ScriptFacts): boolean {
  const around = calls.find(({ args }) => args.some((arg) => arg === call || resolveValue(arg) === call))
  const name = around && lastNameOf(around.callee)
  if (around === undefined || (name !== 'use' && name !== 'get')) return false
  return around.args.every(
    (arg) => resolveValue(arg) === call || typeof constantOf(arg) === 'string' || isStatic(arg) || isHarmless(arg),
  )
}

/** Middlewares of packages that let every caller pass. */
const HARMLESS = new Set([
  'helmet',
  'cors',
  'compression',
  'morgan',
  'body-parser',
  '@sap/cds-odata-v2-adapter-proxy',
  '@cap-js-community/odata-v2-adapter',
])

function isHarmless(value: Value): boolean {
  const given = resolveValue(value)
  return given.kind === 'call' && accessesOf(given.callee).some(({ root }) => HARMLESS.has(root.replace(/^module:/, '')))
}

/** The files of the page itself: `swagger.serve`, `swagger.serveFiles(…)`. */
function isStatic(value: Value): boolean {
  const given = resolveValue(value)
  const callee = given.kind === 'call' ? given.callee : given
  return accessesOf(callee).some(({ root, steps }) => root === 'module:swagger-ui-express' && stepsOf(steps).startsWith('serve'))
}

/** Some condition, of an environment variable or of the configuration, decides whether it is served. */
function isConditional({ start }: CallValue, { guards }: ScriptFacts): boolean {
  return guards.some((guard) => isOnTheWay(guard, start))
}
