import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An OAuth client that accepts all scopes that other applications grant it.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `authorities` (a key of the descriptor itself).
 * Impact: none, the guides of CAP write it; with several applications of a project, it takes control of another one first.
 */
export const xsuaaAcceptGrantedAuthorities: Rule = defineRule({
  id: 'btp/xsuaa-accept-granted-authorities',
  impact: 'defence',
  reach: 'user',
  confidence: 'high',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    const clients = services.filter(({ service }) => service === 'xsuaa')
    const names = new Set(clients.map(({ name, mta }) => `${mta?.file ?? ''} ${name}`))
    for (const { name, config } of clients) {
      for (const { text, node } of textItems(at(config, 'authorities'))) {
        if (text !== '$ACCEPT_GRANTED_AUTHORITIES') continue
        yield { at: placeOf(node), args: { name }, ...(names.size === 1 && { impact: 'hygiene' as const }) }
      }
    }
  },

  text: {
    en: {
      title: 'OAuth client accepting all granted authorities',
      message: '"authorities" in {name} contains "$ACCEPT_GRANTED_AUTHORITIES".',
      why: 'Every scope that another application grants this client, now or later, is included in its client-credentials tokens: an attacker who obtains its credentials has all of these scopes.',
      fix: 'Replace $ACCEPT_GRANTED_AUTHORITIES with the scopes that are used: "authorities": ["$XSAPPNAME(application,<granting app>).<scope>"].',
    },
    fr: {
      title: 'Client OAuth acceptant toutes les autorisations accordées',
      message: '"authorities" dans {name} contient "$ACCEPT_GRANTED_AUTHORITIES".',
      why: 'Tout scope qu’une autre application accorde à ce client, maintenant ou plus tard, figure dans ses jetons client_credentials : un attaquant qui obtient ses identifiants dispose de tous ces scopes.',
      fix: 'Remplacez $ACCEPT_GRANTED_AUTHORITIES par les scopes utilisés : "authorities": ["$XSAPPNAME(application,<application qui accorde>).<scope>"].',
    },
  },
})
