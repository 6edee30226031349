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
 * A handler that answers the question for a CSRF token with the same text each time, or with nothing.
 * Facts: API of module:sap/ui/security/Security: a handler gives a promise of headers, or undefined to leave it to the next one.
 */
export const securityTokenHandlers: Rule = defineRule({
  id: 'ui5/security-token-handlers',
  severity: 'LOW',
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/model-instantiation-and-data-access-9613f1f.md',
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

  text: {
    en: {
      title: 'A token handler always gives the same token',
      message: 'This handler gives a fixed value in place of the server’s CSRF token.',
      why: 'A value that stands in the app is known to everybody: where the server takes it, a page of somebody else can send the same requests in the session of your user.',
      fix: 'Fetch the token from the server in the handler, or remove the handler: the model then fetches it by itself.',
    },
    fr: {
      title: 'Un gestionnaire de jeton donne toujours le même jeton',
      message: 'Ce gestionnaire donne une valeur fixe à la place du jeton CSRF du serveur.',
      why: 'Une valeur écrite dans l’application est connue de tous : là où le serveur l’accepte, la page d’un tiers peut envoyer les mêmes requêtes dans la session de votre utilisateur.',
      fix: 'Lisez le jeton sur le serveur dans le gestionnaire, ou supprimez le gestionnaire : le modèle le lit alors lui-même.',
    },
  },
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
