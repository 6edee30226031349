import { textItems, textOf } from '../../model/deployment/index.ts'
import { at, itemsOf, type DataNode } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * An OAuth client that accepts all scopes that other applications grant it.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `authorities` (a key of the descriptor itself).
 * capire, "Multitenancy" and "SAP Event Mesh": cds add writes it for subscribers and for callbacks of the messaging service.
 * Impact: an attacker takes control of another application or gets the client's credentials first; where CAP wrote it for one application, it is worth knowing.
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
        const isWritten = names.size === 1 && isAsGenerated(config)
        yield { at: placeOf(node), args: { name }, ...(isWritten && { impact: 'hygiene' as const }) }
      }
    }
  },

  text: () => ({
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
  }),
})

/** Where CAP's templates need it: an application of several subscribers, or one that a messaging service calls back. */
function isAsGenerated(config: DataNode): boolean {
  if (textOf(at(config, 'tenant-mode')) === 'shared') return true
  return itemsOf(at(config, 'scopes')).some((scope) => textItems(at(scope, 'grant-as-authority-to-apps')).length > 0)
}
