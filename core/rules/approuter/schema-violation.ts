import { findUnknownKeys, placeOf } from '../../model/approuter/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Keys that stand in the wrong place, or that were never any. */
const VARIANTS: ReadonlyMap<string, string> = new Map([
  ['httpHeaders', 'headers'],
  ['csrfProtection', 'csrf'],
  ['requiredScopes', 'scopes'],
])

/** A key that the approuter does not know: an approuter of one's own does not start with it, and what it was meant to set is not set.
 *  Facts: @sap/approuter 20.10.0 and 23.0.0, xs-app-schema.json: no other keys are allowed. */
export const schemaViolation: Rule = defineRule({
  id: 'approuter/schema-violation',
  severity: 'INFO',
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
        sameAs: `${path} ${member.key}`,
      }
    }
  },

  text: {
    en: {
      title: 'The approuter does not know this key',
      message: '"{key}" is no key of {place}.',
      why: 'What it was meant to protect is not protected, or the approuter does not start and the next best setting takes its place.',
      fix: 'Remove "{key}" or correct its name.',
      variants: {
        headers: {
          message: '"httpHeaders" is an environment variable, no key of xs-app.json.',
          fix: 'Write "responseHeaders": [{ "name": "…", "value": "…" }].',
        },
        csrf: {
          message: '"csrfProtection" is a key of a route, not of {place}.',
          fix: 'Write it into the routes, where it is true by default.',
        },
        scopes: {
          message: '"requiredScopes" is no key of {place}: the route asks for no scope.',
          fix: 'Write "scope": "$XSAPPNAME.<scope>".',
        },
      },
    },
    fr: {
      title: 'L’approuter ne connaît pas cette clé',
      message: '« {key} » n’est pas une clé de {place}.',
      why: 'Ce qu’elle devait protéger ne l’est pas, ou bien l’approuter ne démarre pas et le premier réglage venu la remplace.',
      fix: 'Supprimez « {key} » ou corrigez son nom.',
      variants: {
        headers: {
          message: '« httpHeaders » est une variable d’environnement, pas une clé de xs-app.json.',
          fix: 'Écrivez « "responseHeaders": [{ "name": "…", "value": "…" }] ».',
        },
        csrf: {
          message: '« csrfProtection » est une clé d’une route, pas de {place}.',
          fix: 'Écrivez-la dans les routes, où elle vaut true par défaut.',
        },
        scopes: {
          message: '« requiredScopes » n’est pas une clé de {place} : la route ne demande aucun scope.',
          fix: 'Écrivez « "scope": "$XSAPPNAME.<scope>" ».',
        },
      },
    },
  },
})
