import { findUnknownKeys, placeOf } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Keys in the wrong place, and keys that never existed. */
const VARIANTS: ReadonlyMap<string, string> = new Map([
  ['httpHeaders', 'headers'],
  ['csrfProtection', 'csrf'],
  ['requiredScopes', 'scopes'],
  ['forwardAuthToken', 'token'],
])

/** A key that the approuter does not know: a standalone approuter does not start with it, and the intended setting is not in effect.
 *  Facts: @sap/approuter 20.10.0 and 23.0.0, xs-app-schema.json: no other keys are allowed.
 *  Impact: none, the approuter rejects the descriptor at its start. */
export const schemaViolation: Rule = defineRule({
  id: 'approuter/schema-violation',
  impact: 'hygiene',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#xs-appjson-configuration-file',
  on: 'approuter',

  *check(approuter) {
    for (const { member, path } of findUnknownKeys(approuter.root)) {
      const variant = VARIANTS.get(member.key)
      yield {
        at: placeOf(approuter.file, member.keySpan),
        args: { key: member.key, place: path === '' ? 'xs-app.json' : `"${path}"` },
        ...(variant !== undefined && { variant }),
        groupKey: `${path} ${member.key}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unknown key in xs-app.json',
      message: '"{key}" is not a valid key in {place}.',
      why: 'A standalone approuter rejects the file and does not start.',
      fix: 'Remove "{key}" from {place}, or replace it with the valid key that you intended.',
      variants: {
        headers: {
          message: '"httpHeaders" is an environment variable, not a key of xs-app.json.',
          fix: 'Rename "httpHeaders" to "responseHeaders" and write each header as { "name": "<header>", "value": "<value>" }.',
        },
        csrf: {
          message: '"csrfProtection" is a key of a route and not valid directly in {place}.',
          fix: 'Remove this "csrfProtection". It is true by default on every route; set it on a route if needed.',
        },
        scopes: {
          message: '"requiredScopes" is not a valid key in {place}: the key for scopes is "scope".',
          fix: 'Replace "requiredScopes" with "scope" on the route, with a scope that xs-security.json declares: "scope": "$XSAPPNAME.Admin".',
        },
        token: {
          message: '"forwardAuthToken" is a property of a destination, not a valid key in {place}.',
          fix: 'Remove "forwardAuthToken" from {place}. If the backend needs the user token, set "forwardAuthToken": true on the destination in the "destinations" variable, or "HTML5.ForwardAuthToken": true in the destination service.',
        },
      },
    },
    fr: {
      title: 'Clé inconnue dans xs-app.json',
      message: '"{key}" n’est pas une clé valide dans {place}.',
      why: 'Un approuter autonome rejette le fichier et ne démarre pas.',
      fix: 'Supprimez la clé "{key}" de {place}, ou remplacez-la par la clé correcte.',
      variants: {
        headers: {
          message: '"httpHeaders" est une variable d’environnement, et non une clé de xs-app.json.',
          fix: 'Renommez "httpHeaders" en "responseHeaders" et écrivez chaque en-tête sous la forme { "name": "<en-tête>", "value": "<valeur>" }.',
        },
        csrf: {
          message: '"csrfProtection" est une clé de route : elle n’est pas admise directement dans {place}.',
          fix: 'Supprimez cette clé "csrfProtection". Elle vaut true par défaut sur chaque route ; définissez-la sur une route si nécessaire.',
        },
        scopes: {
          message: '"requiredScopes" n’est pas une clé valide dans {place} : la clé des scopes est "scope".',
          fix: 'Remplacez "requiredScopes" par "scope" sur la route, avec un scope déclaré dans xs-security.json : "scope": "$XSAPPNAME.Admin".',
        },
        token: {
          message: '"forwardAuthToken" est une propriété de destination, et non une clé valide dans {place}.',
          fix: 'Supprimez "forwardAuthToken" de {place}. Si le backend a besoin du jeton de l’utilisateur, définissez "forwardAuthToken": true sur la destination dans la variable "destinations", ou "HTML5.ForwardAuthToken": true dans le service de destinations.',
        },
      },
    },
  }),
})
