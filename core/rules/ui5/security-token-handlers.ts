import { isConstant, pathsOf } from '../../facts/index.ts'
import type { FunctionFact, Value } from '../../facts/types.ts'
import { defineRule, type Rule } from '../rule.ts'

const SETTERS: ReadonlySet<string> = new Set([
  'module:sap/ui/security/Security setSecurityTokenHandlers',
  'global:sap ui getCore () getConfiguration () setSecurityTokenHandlers',
  'module:sap/ui/core/Configuration setSecurityTokenHandlers',
  'module:sap/ui/core/Core getConfiguration () setSecurityTokenHandlers',
])

/**
 * A handler that answers every request for a CSRF token with a constant.
 * Facts: API of module:sap/ui/security/Security: a handler returns a promise of headers, or undefined to leave it to the next one.
 * Impact: a second fault is needed, a server that accepts a constant token.
 */
export const securityTokenHandlers: Rule = defineRule({
  id: 'ui5/security-token-handlers',
  impact: 'defence',
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/api/module:sap/ui/security/Security',
  keywords: ['setSecurityTokenHandlers'],
  on: 'script',

  *check(file) {
    for (const call of file.content.facts.calls) {
      if (!pathsOf(call.callee).some((path) => SETTERS.has(path.join(' ')))) continue
      const [handlers] = call.args
      for (const item of handlers?.kind === 'array' ? handlers.items : []) {
        const handler = functionOf(item)
        if (handler === undefined || handler.returns.length === 0 || !handler.returns.every(isFixed)) continue
        yield { at: { file: file.path, span: { start: item.start, end: item.end } } }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Constant CSRF token in a security token handler',
      message: 'This security token handler returns a constant instead of the server’s CSRF token.',
      why: 'A server that accepts this constant does not verify the token: a malicious site may then be able to send the same requests with the user’s session (CSRF).',
      fix: 'Remove this handler: the OData V4 model then fetches the token if the service supports it. Or return the server’s token: (url) => fetch(url, { headers: { "X-CSRF-Token": "Fetch" } }).then((r) => ({ "X-CSRF-Token": r.headers.get("X-CSRF-Token") })).',
    },
    fr: {
      title: 'Jeton CSRF constant dans un gestionnaire de jetons',
      message: 'Ce gestionnaire de jetons de sécurité renvoie une constante à la place du jeton CSRF du serveur.',
      why: 'Un serveur qui accepte cette constante ne vérifie pas le jeton : un site malveillant pourrait alors envoyer les mêmes requêtes avec la session de l’utilisateur (CSRF).',
      fix: 'Supprimez ce gestionnaire : le modèle OData V4 demande alors lui-même le jeton, si le service le permet. Sinon, renvoyez celui du serveur : (url) => fetch(url, { headers: { "X-CSRF-Token": "Fetch" } }).then((r) => ({ "X-CSRF-Token": r.headers.get("X-CSRF-Token") })).',
    },
  }),
})

function functionOf(value: Value): FunctionFact | undefined {
  if (value.kind === 'function') return value.function
  if (value.kind !== 'reference' || value.binding?.definitions.length !== 1) return undefined
  const definition = value.binding.definitions[0]?.value
  return definition?.kind === 'function' ? definition.function : undefined
}

/** `Promise.resolve({ "X-CSRF-Token": "x" })`; `undefined` leaves it to the next handler. */
function isFixed(value: Value): boolean {
  if (value.kind === 'call' && pathsOf(value.callee).some((path) => path.join(' ') === 'global:Promise resolve'))
    return value.args[0] !== undefined && isFixed(value.args[0])
  if (value.kind === 'object')
    return value.fields.length > 0 && value.fields.every((field) => field.key !== undefined && isConstant(field.value))
  return value.kind === 'literal' && typeof value.value === 'string'
}
