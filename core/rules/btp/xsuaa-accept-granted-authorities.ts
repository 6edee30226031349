import { textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A client that takes whatever scopes others grant it.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `authorities` (a key of the descriptor itself). */
export const xsuaaAcceptGrantedAuthorities: Rule = defineRule({
  id: 'btp/xsuaa-accept-granted-authorities',
  severity: 'INFO',
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
        yield { at: placeOf(node), args: { name }, ...(names.size > 1 && { severity: 'LOW' as const }) }
      }
    }
  },

  text: {
    en: {
      title: 'The client accepts every authority that it is granted',
      message: '"authorities" of {name} is "$ACCEPT_GRANTED_AUTHORITIES".',
      why: 'Whatever scope another application grants, now or later, is in the tokens of this client: who takes over the client has them all.',
      fix: 'List the scopes that are used: "authorities": ["$XSAPPNAME(application,<name>).<scope>"].',
    },
    fr: {
      title: 'Le client accepte toute autorisation qu’on lui accorde',
      message: '« authorities » de {name} vaut « $ACCEPT_GRANTED_AUTHORITIES ».',
      why: 'Tout scope qu’une autre application accorde, maintenant ou plus tard, figure dans les jetons de ce client : qui s’empare du client les a tous.',
      fix: 'Énumérez les scopes utilisés : « "authorities": ["$XSAPPNAME(application,<nom>).<scope>"] ».',
    },
  },
})
