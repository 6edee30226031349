import { readRemote, type Ui5Page } from '../../model/ui5/index.ts'
import { attributeOf, elementsOf } from '../../parse/markup.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An app with pages of its own for which nothing in the project sends a content security policy; one finding per app.
 * Facts: documentation of SAPUI5, "Content Security Policy". A launchpad, an ABAP system or the managed approuter decides for the apps that it serves;
 * `contentSecurityPolicy` is no member of a manifest.
 * Impact: missing defence in depth.
 */
export const cspMissing: Rule = defineRule({
  id: 'ui5/csp-missing',
  impact: 'defence',
  confidence: 'medium',
  cwe: [693],
  since: '0.1.0',
  docs: 'https://ui5.sap.com/#/topic/fe1a6dba940e479fb7c3bc753f92b28c',
  on: 'ui5-app',

  *check(app) {
    if (app.served !== 'unknown' || app.isLibrary) return
    const pages = app.pages.filter(({ test }) => !test)
    const [first] = pages
    if (first !== undefined && !pages.some(hasPolicy))
      yield { at: { file: first.file }, args: { page: first.file, policy: policyFor(first) } }
  },

  text: () => ({
    en: {
      title: 'Missing content security policy (CSP)',
      message:
        '{page} has no <meta http-equiv="Content-Security-Policy"> tag, and nothing in the project sends the policy as a header.',
      why: 'Without a policy, browsers run the scripts that an attacker injects through an XSS vulnerability; the recommended policy blocks inline scripts and scripts from hosts that it does not list.',
      fix: 'Add <meta http-equiv="Content-Security-Policy" content="{policy}"> to the <head> of {page}, before all scripts. Add other hosts in use, move inline scripts into files, and set data-sap-ui-async="true" on the bootstrap script.',
    },
    fr: {
      title: 'Absence de Content Security Policy (CSP)',
      message:
        '{page} n’a pas de balise <meta http-equiv="Content-Security-Policy">, et rien dans le projet n’envoie la politique dans un en-tête.',
      why: 'Sans politique, le navigateur exécute les scripts qu’un attaquant injecte au moyen d’une faille XSS ; la politique recommandée bloque les scripts intégrés à la page et ceux des hôtes qui n’y figurent pas.',
      fix: 'Ajoutez dans le <head> de {page}, avant tout script : <meta http-equiv="Content-Security-Policy" content="{policy}">. Ajoutez les autres hôtes que la page utilise, déplacez dans des fichiers les scripts intégrés à la page et indiquez data-sap-ui-async="true" sur le script d’amorçage.',
    },
  }),
})

/** What UI5 needs: inline styles, fonts and icons as data, and everything else from the app’s server and the host that UI5 is loaded from. */
function policyFor({ bootstrap }: Ui5Page): string {
  const remote = readRemote(bootstrap.src?.value ?? '')
  const own = remote === undefined ? "'self'" : `'self' https://${remote.host}`
  return `default-src ${own}; style-src ${own} 'unsafe-inline'; img-src ${own} data:; font-src ${own} data:`
}

function hasPolicy({ document }: Ui5Page): boolean {
  for (const element of elementsOf(document)) {
    const kind = element.name === 'meta' ? attributeOf(element, 'http-equiv')?.value.trim().toLowerCase() : undefined
    if (kind === 'content-security-policy' || kind === 'content-security-policy-report-only') return true
  }
  return false
}
