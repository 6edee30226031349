import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { ScriptFacts } from '../../facts/types.ts'
import { defineRule, type Rule } from '../rule.ts'

const MODULE =
  /(?:^|\/)localService\/[^/]{0,60}mock[^/]{0,60}$|(?:^|\/)(?:init)?mockserver$|^sap\/ui\/core\/util\/MockServer$|^sap\/fe\/mockserver/iu
/** The module that UI5 starts first. */
const ON_INIT = /^data-sap-ui-on-?init$/iu
/** A file that is the mock itself, wherever it lies. */
const MOCK_FILE = /mock[^/]{0,60}\.[cm]?[jt]s$/iu

/**
 * Productive code that loads the mock server.
 * Facts: API of sap.ui.core.util.MockServer: it answers every request of the page itself, for tests.
 * Impact: a leftover of development that an attacker gains nothing by.
 */
export const mockserverInProduction: Rule = defineRule({
  id: 'ui5/mockserver-in-production',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/mock-server-69d3cbd.md',
  keywords: ['mockserver'],

  checks: {
    *html({ path, content }) {
      if (isMockFile(path)) return
      const elements = [...elementsOf(content.document)]
      const loads = elements.flatMap((element) => (element.name === 'script' ? (attributeOf(element, 'src') ?? []) : []))
      if (loads.some(({ value }) => SANDBOX.test(value))) return
      for (const { value, valueSpan } of loads) {
        const module = value.trim().replace(/\.js(?:[?#].{0,200})?$/u, '')
        if (MODULE.test(module)) yield { at: { file: path, span: valueSpan }, args: { file: path, module }, variant: 'element' }
      }
      for (const { name, value, valueSpan } of elements.flatMap(({ attributes }) => attributes)) {
        const module = ON_INIT.test(name) ? value.trim().replace(/^module:/u, '') : ''
        if (MODULE.test(module)) yield { at: { file: path, span: valueSpan }, args: { file: path, module }, variant: 'start' }
      }
    },

    *script({ path, content: { facts } }) {
      // the generated launcher of a test suite
      if (isMockFile(path) || isTestLauncher(facts)) return
      for (const { source, start, end, kind } of facts.imports) {
        const module = kind === 'jquery-sap' ? source.replaceAll('.', '/') : source
        if (MODULE.test(module)) yield { at: { file: path, span: { start, end } }, args: { file: path, module: source } }
      }
    },
  },

  text: () => ({
    en: {
      title: 'Mock server loaded in production code',
      message: '{file} loads the mock server module {module}.',
      why: 'If the mock server is deployed with the app, it can answer requests in place of the backend: users then see test data, and what they enter is not saved.',
      fix: 'Remove {module} and the code that uses it from {file}; start the mock server only from a page in webapp/test, and add "/localService/**" and "/test/**" to builder.resources.excludes in ui5.yaml.',
      variants: {
        element: {
          fix: 'Remove the <script> element for {module} from {file}; start the mock server only from a page in webapp/test, and add "/localService/**" and "/test/**" to builder.resources.excludes in ui5.yaml.',
        },
        start: {
          fix: 'Replace {module} in {file} with the module that starts the app, such as sap/ui/core/ComponentSupport; start the mock server only from a page in webapp/test, and add "/localService/**" and "/test/**" to builder.resources.excludes in ui5.yaml.',
        },
      },
    },
    fr: {
      title: 'Serveur simulé (mock server) chargé dans du code de production',
      message: '{file} charge le module de serveur simulé {module}.',
      why: 'Si le serveur simulé est déployé avec l’application, il peut répondre à la place du backend : les utilisateurs voient alors des données de test, et leurs saisies ne sont pas enregistrées.',
      fix: 'Supprimez de {file} le chargement de {module} et le code qui l’utilise ; ne démarrez le serveur simulé que depuis une page de webapp/test, et ajoutez "/localService/**" et "/test/**" à builder.resources.excludes dans ui5.yaml.',
      variants: {
        element: {
          fix: 'Supprimez de {file} l’élément <script> qui charge {module} ; ne démarrez le serveur simulé que depuis une page de webapp/test, et ajoutez "/localService/**" et "/test/**" à builder.resources.excludes dans ui5.yaml.',
        },
        start: {
          fix: 'Remplacez {module} dans {file} par le module qui démarre l’application, comme sap/ui/core/ComponentSupport ; ne démarrez le serveur simulé que depuis une page de webapp/test, et ajoutez "/localService/**" et "/test/**" à builder.resources.excludes dans ui5.yaml.',
        },
      },
    },
  }),
})

const SANDBOX = /ushell\/bootstrap\/sandbox|\/qunit|thirdparty\/qunit/u

function isTestLauncher({ imports }: ScriptFacts): boolean {
  return imports.some(({ source }) => /(?:^|\/)(?:qunit|opaQunit|Opa5|sinon)(?:-|$)|^sap\/ui\/(?:qunit|test)\//u.test(source))
}

function isMockFile(path: string): boolean {
  return MOCK_FILE.test(path) || /mock[^/]{0,60}\.html?$/iu.test(path)
}
