import { attributeOf, elementsOf } from '../../parse/markup.ts'
import type { ScriptFacts } from '../../facts/types.ts'
import { defineRule, type Rule } from '../rule.ts'

const MODULE =
  /(?:^|\/)localService\/[^/]{0,60}mock[^/]{0,60}$|(?:^|\/)(?:init)?mockserver$|^sap\/ui\/core\/util\/MockServer$|^sap\/fe\/mockserver/iu
/** The module that the bootstrap starts with. */
const ON_INIT = /^data-sap-ui-on-?init$/iu
/** A file that is the mock itself, wherever it lies. */
const MOCK_FILE = /mock[^/]{0,60}\.[cm]?[jt]s$/iu

/**
 * Productive code that loads the mock server.
 * Facts: API of sap.ui.core.util.MockServer: it answers every request of the page itself, for tests.
 */
export const mockserverInProduction: Rule = defineRule({
  id: 'ui5/mockserver-in-production',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [489],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/a87ca843bcee469f82a9072927a7dcdb',
  keywords: ['mockserver'],

  checks: {
    *html({ path, content }) {
      if (isMockFile(path)) return
      const elements = [...elementsOf(content.document)]
      const loads = elements.flatMap((element) => (element.name === 'script' ? (attributeOf(element, 'src') ?? []) : []))
      if (loads.some(({ value }) => SANDBOX.test(value))) return
      for (const { value, valueSpan } of loads) {
        const module = value.trim().replace(/\.js(?:[?#].{0,200})?$/u, '')
        if (MODULE.test(module)) yield { at: { file: path, span: valueSpan }, args: { file: path, module } }
      }
      for (const { name, value, valueSpan } of elements.flatMap(({ attributes }) => attributes)) {
        const module = ON_INIT.test(name) ? value.trim().replace(/^module:/u, '') : ''
        if (MODULE.test(module)) yield { at: { file: path, span: valueSpan }, args: { file: path, module } }
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

  text: {
    en: {
      title: 'The mock server is part of the app',
      message: '{file} loads {module}.',
      why: 'The mock server ships with the app and can be started in it: it answers requests in place of the backend, with test data, and what a user enters never arrives.',
      fix: 'Start the mock server from test/ or from a page of its own there, and exclude both from the build.',
    },
    fr: {
      title: 'Le serveur simulé fait partie de l’application',
      message: '{file} charge {module}.',
      why: 'Le serveur simulé est livré avec l’application et peut y être démarré : il répond aux requêtes à la place du backend, avec des données de test, et ce que saisit un utilisateur n’arrive jamais.',
      fix: 'Démarrez le serveur simulé depuis test/ ou depuis une page à lui, et excluez les deux de la construction.',
    },
  },
})

const SANDBOX = /ushell\/bootstrap\/sandbox|\/qunit|thirdparty\/qunit/u

function isTestLauncher({ imports }: ScriptFacts): boolean {
  return imports.some(({ source }) => /(?:^|\/)(?:qunit|opaQunit|Opa5|sinon)(?:-|$)|^sap\/ui\/(?:qunit|test)\//u.test(source))
}

function isMockFile(path: string): boolean {
  return MOCK_FILE.test(path) || /mock[^/]{0,60}\.html?$/iu.test(path)
}
