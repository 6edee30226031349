import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf } from '../../facts/index.ts'
import type { ScriptFacts, Value } from '../../facts/types.ts'
import { constructionsOf, fieldOf, manifestModelsOf } from '../../model/ui5/index.ts'
import { at, booleanOf } from '../../parse/data.ts'
import type { Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

const MODEL = 'sap/ui/model/odata/v2/ODataModel'
const SETTER = 'setTokenHandlingEnabled'

/** The `false` that a script gives an OData V2 model. */
const disabledTokens: Extract<Span> = defineExtract({
  name: 'ui5-disabled-tokens',
  keywords: ['tokenHandling', 'setTokenHandlingEnabled'],
  inPages: true,
  *collect({ facts }) {
    for (const { start, end } of settingsOf(facts)) yield { start, end }
  },
})

function* settingsOf(facts: ScriptFacts): Generator<Value> {
  for (const { settings } of constructionsOf(facts, MODEL)) {
    const value = fieldOf(settings, 'tokenHandling')
    if (value !== undefined && constantOf(value) === false) yield value
  }
  for (const { callee, args } of facts.calls) {
    const [value] = args
    if (callee.kind === 'member' && callee.name === SETTER && value !== undefined && constantOf(value) === false) yield value
  }
}

/**
 * An OData V2 model that neither fetches nor sends the token against forged requests.
 * Facts: API of sap.ui.model.odata.v2.ODataModel: `tokenHandling` is true by default; "skipServerCache" handles the token as well. The server is what
 * enforces it: a model without token works only where the server does not ask for one.
 */
export const csrfTokenDisabled: Rule = defineRule({
  id: 'ui5/csrf-token-disabled',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/odata-v2-model-6c47b2b.md',
  extracts: [disabledTokens],
  on: 'ui5-app',

  *check(app) {
    for (const { file, settings } of manifestModelsOf(app)) {
      const node = at(settings, 'tokenHandling')
      if (node !== undefined && booleanOf(node) === false) yield { at: { file, span: node } }
    }
    for (const { file, value } of app.scripts.get(disabledTokens)) yield { at: { file, span: value } }
  },

  text: {
    en: {
      title: 'The OData model sends no CSRF token',
      message: 'tokenHandling is false.',
      why: 'The app writes only where the server asks for no token: a page of somebody else can then send the same requests in the session of your user.',
      fix: 'Remove tokenHandling: false, and let the server ask for the token.',
    },
    fr: {
      title: 'Le modèle OData n’envoie pas de jeton CSRF',
      message: 'tokenHandling vaut false.',
      why: 'L’application n’écrit que là où le serveur ne demande pas de jeton : la page d’un tiers peut alors envoyer les mêmes requêtes dans la session de votre utilisateur.',
      fix: 'Supprimez tokenHandling: false, et faites demander le jeton par le serveur.',
    },
  },
})
