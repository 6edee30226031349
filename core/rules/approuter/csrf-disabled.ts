import { placeOf, type Approuter, type Route } from '../../model/approuter/index.ts'
import { at } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { gradeDescriptor } from './_settings.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Paths of ABAP systems: gateway and ICF services ask for their own token. */
const ABAP_PATH = /(?:^|[/^(])sap\\?\//i

/** ABAP systems by the name of their destination, and the workflow services of the platform, whose API asks for X-CSRF-Token too. */
const BACKEND_WITH_TOKEN = /s4|es5|hana_?cloud_?erp|abap|^com\.sap\.(?:bpm|spa)\b|^bpm(?:workflow|rules)runtime/i

/** A route that changes state and takes the session cookie, with the approuter's CSRF check switched off.
 *  Facts: @sap/approuter 23.0.0 README, "csrfProtection": checked for every method but GET and HEAD, on routes that authenticate; ABAP systems check a token of their own. */
export const csrfDisabled: Rule = defineRule({
  id: 'approuter/csrf-disabled',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [352],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#csrf-protection',
  on: 'approuter',

  *check(approuter) {
    for (const route of approuter.routes) {
      const { target, purpose, source, writeMethods } = route
      if (route.csrfProtection || !route.authenticates || writeMethods.length === 0) continue
      if (target.kind !== 'destination' && target.kind !== 'service') continue
      if (purpose === 'ui5-runtime' || purpose === 'demo-data' || purpose === 'mtx-callback') continue
      const node = at(route.node, 'csrfProtection')
      yield {
        at: node === undefined ? route.place : placeOf(approuter.file, node),
        args: { source, methods: writeMethods.join(', '), target: target.name },
        ...grade(approuter, route),
        // generators write the same route into every app of a project
        sameAs: `${source} ${target.kind} ${target.name}`,
      }
    }
  },

  text: {
    en: {
      title: 'CSRF protection is off',
      message: 'Route {source} forwards {methods} to {target} without asking for a CSRF token.',
      why: 'The browser sends the session cookie with every request, also from a page of somebody else: that page can change data in the name of your user.',
      fix: 'Remove "csrfProtection": false. UI5 models fetch and send the token by themselves.',
      variants: {
        backend: {
          message:
            'Route {source} forwards {methods} to {target} without asking for a CSRF token; this kind of backend asks for one of its own.',
          why: 'The token of the backend protects its OData services; handlers that switch it off there are open to pages of somebody else.',
        },
      },
    },
    fr: {
      title: 'La protection CSRF est désactivée',
      message: 'La route {source} transmet {methods} à {target} sans exiger de jeton CSRF.',
      why: 'Le navigateur envoie le cookie de session avec chaque requête, même depuis la page d’un tiers : cette page peut modifier des données au nom de votre utilisateur.',
      fix: 'Supprimez « "csrfProtection": false ». Les modèles UI5 demandent et envoient le jeton eux-mêmes.',
      variants: {
        backend: {
          message:
            'La route {source} transmet {methods} à {target} sans exiger de jeton CSRF ; ce genre de backend exige le sien.',
          why: 'Le jeton du backend protège ses services OData ; les services qui le désactivent là-bas restent exposés aux pages de tiers.',
        },
      },
    },
  },
})

function grade(
  approuter: Approuter,
  { source, rewrite, target, authenticationType }: Route,
): Pick<Match, 'severity' | 'variant'> {
  if (ABAP_PATH.test(source) || ABAP_PATH.test(rewrite ?? '') || BACKEND_WITH_TOKEN.test(target.name))
    return { severity: 'LOW', variant: 'backend' }
  return { severity: gradeDescriptor(approuter, authenticationType === 'basic' ? 'MEDIUM' : 'HIGH') }
}
