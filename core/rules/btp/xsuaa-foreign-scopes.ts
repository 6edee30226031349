import { forwardsToken, textItems, type Destination } from '../../model/deployment/index.ts'
import { capSecurityOf } from '../../model/authorization/index.ts'
import { at, itemsOf, membersOf } from '../../parse/data.ts'
import type { Project } from '../subjects.ts'
import { defineRule, type Rule } from '../rule.ts'
import { lastName } from '../../paths.ts'

/**
 * Scopes of other applications in the tokens of this one that nothing here checks or forwards.
 * Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `foreign-scope-references`; `uaa.user` is what a token exchange
 * needs.
 * Impact: least privilege: it takes a stolen token first.
 */
export const xsuaaForeignScopes: Rule = defineRule({
  id: 'btp/xsuaa-foreign-scopes',
  impact: 'defence',
  reach: 'user',
  grades: { all: { impact: 'hygiene' } },
  confidence: 'medium',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, destinations, placeOf }, project) {
    const used = usedScopes(project)
    const forwardsUser = destinations.some(carriesUser)
    for (const { service, name, config } of services) {
      if (service !== 'xsuaa') continue
      for (const { text, node } of textItems(at(config, 'foreign-scope-references'))) {
        const args = { name, scope: text }
        if (text === '$ACCEPT_GRANTED_SCOPES') yield { at: placeOf(node), args, variant: 'all' }
        else if (text !== 'uaa.user' && !forwardsUser && !used.has(lastName(text))) yield { at: placeOf(node), args }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Unused scopes of other applications in user tokens',
      message:
        '"foreign-scope-references" of {name} lists {scope}, but nothing in this project checks that scope, and no destination forwards the user token.',
      why: 'An attacker who steals a user token of this application can also call the other application with it.',
      fix: 'Remove {scope} from "foreign-scope-references" of {name}.',
      variants: {
        all: {
          title: 'All granted scopes of other applications in user tokens',
          message: '"foreign-scope-references" of {name} contains {scope}.',
          why: 'Every scope that another application grants, now or later, is included in the tokens of users who have it: an attacker with such a token can call that application too.',
          fix: 'Replace $ACCEPT_GRANTED_SCOPES with the scopes that are used: "foreign-scope-references": ["$XSAPPNAME(application,<xsappname>).<scope>"].',
        },
      },
    },
    fr: {
      title: 'Scopes inutilisés d’autres applications dans les jetons d’utilisateur',
      message:
        '"foreign-scope-references" dans {name} contient {scope}, alors que rien ne vérifie ce scope dans le projet et qu’aucune destination ne transmet le jeton de l’utilisateur.',
      why: 'Un attaquant qui vole un jeton d’utilisateur de cette application peut aussi appeler l’autre application avec ce jeton.',
      fix: 'Supprimez {scope} de "foreign-scope-references" dans {name}.',
      variants: {
        all: {
          title: 'Jetons d’utilisateur avec tous les scopes accordés par d’autres applications',
          message: '"foreign-scope-references" dans {name} contient {scope}.',
          why: 'Tout scope accordé par une autre application, maintenant ou plus tard, figure dans les jetons des utilisateurs qui en disposent : un attaquant muni d’un tel jeton peut aussi appeler l’autre application.',
          fix: 'Remplacez $ACCEPT_GRANTED_SCOPES par les scopes utilisés : "foreign-scope-references": ["$XSAPPNAME(application,<xsappname>).<scope>"].',
        },
      },
    },
  }),
})

function carriesUser(destination: Destination): boolean {
  const authentication = destination.property('Authentication')?.text ?? ''
  return (
    forwardsToken(destination) ||
    /^(?:OAuth2(?:UserTokenExchange|JWTBearer|SAMLBearerAssertion)|PrincipalPropagation)$/i.test(authentication)
  )
}

/** Names of scopes that routes and models require. */
function usedScopes({ files, capRoots }: Project): ReadonlySet<string> {
  const names = new Set(capSecurityOf(capRoots).roles.keys())
  for (const { kind, content } of files.values()) {
    if (kind.role !== 'xs-app' || content.as !== 'data') continue
    for (const route of itemsOf(at(content.roots[0], 'routes'))) {
      const scope = at(route, 'scope')
      // one, a list, or one for each method
      const lists = [scope, ...membersOf(scope).map(({ value }) => value)]
      for (const list of lists) {
        const items = list?.kind === 'string' ? [String(list.value)] : textItems(list).map(({ text }) => text)
        for (const text of items) names.add(lastName(text))
      }
    }
  }
  return names
}
