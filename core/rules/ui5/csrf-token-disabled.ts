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
 * An OData V2 model that neither fetches nor sends the CSRF token.
 * Facts: API of sap.ui.model.odata.v2.ODataModel: `tokenHandling` is true by default; "skipServerCache" handles the token as well. The server is what
 * enforces it: a model without token works only where the server does not require one.
 * Severity: a second fault is needed, a server that accepts writes without a token (MEDIUM).
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
      title: 'CSRF token disabled for an OData model',
      message: 'tokenHandling is false for this OData V2 model: it neither fetches nor sends the X-CSRF-Token header.',
      why: 'Writes then work only if the server accepts requests without a token, and a malicious site can send the same requests with the session of a logged-in user.',
      fix: 'Remove the setting (the default is true) or write "tokenHandling": true, and let the server or the approuter require the token for writes.',
    },
    fr: {
      title: 'Jeton CSRF désactivé pour un modèle OData',
      message: 'tokenHandling vaut false pour ce modèle OData V2 : il ne demande ni n’envoie l’en-tête X-CSRF-Token.',
      why: 'Les écritures ne fonctionnent alors que si le serveur accepte des requêtes sans jeton, et un site malveillant peut envoyer les mêmes requêtes avec la session d’un utilisateur connecté.',
      fix: 'Supprimez le réglage (true par défaut) ou écrivez "tokenHandling": true, et faites exiger le jeton par le serveur ou l’approuter pour les écritures.',
    },
  },
})
