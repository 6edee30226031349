import { forwardsToken, textItems, type Destination } from '../../model/deployment/index.ts'
import { capSecurityOf } from '../../model/authorization/index.ts'
import { at, itemsOf, membersOf } from '../../parse/data.ts'
import type { Project } from '../subjects.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Scopes of other applications in the tokens of this one, that nothing here asks for or hands on.
 *  Facts: SAP BTP, "Application Security Descriptor Configuration Syntax", `foreign-scope-references`; `uaa.user` is what a token exchange needs. */
export const xsuaaForeignScopes: Rule = defineRule({
  id: 'btp/xsuaa-foreign-scopes',
  severity: 'LOW',
  confidence: 'medium',
  cwe: [250],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, destinations, placeOf }, project) {
    const used = usedScopes(project)
    const handsOn = destinations.some(carriesUser)
    for (const { service, name, config } of services) {
      if (service !== 'xsuaa') continue
      for (const { text, node } of textItems(at(config, 'foreign-scope-references'))) {
        const args = { name, scope: text }
        if (text === '$ACCEPT_GRANTED_SCOPES') yield { at: placeOf(node), args, severity: 'INFO', variant: 'all' }
        else if (text !== 'uaa.user' && !handsOn && !used.has(lastName(text))) yield { at: placeOf(node), args }
      }
    }
  },

  text: {
    en: {
      title: 'Tokens carry scopes of other applications',
      message:
        '"foreign-scope-references" of {name} takes {scope}; nothing in this project uses it, and no destination hands the user’s token on.',
      why: 'Who steals a token of this application can use it for the other one too.',
      fix: 'Remove {scope} from "foreign-scope-references".',
      variants: {
        all: {
          title: 'Tokens carry every scope that others grant',
          message: '"foreign-scope-references" of {name} is {scope}.',
          why: 'Whatever scope another application grants, now or later, is in the users’ tokens of this one.',
          fix: 'List the scopes that are used.',
        },
      },
    },
    fr: {
      title: 'Les jetons portent des scopes d’autres applications',
      message:
        '« foreign-scope-references » de {name} prend {scope} ; rien dans ce projet ne l’utilise, et aucune destination ne transmet le jeton de l’utilisateur.',
      why: 'Qui vole un jeton de cette application peut aussi s’en servir pour l’autre.',
      fix: 'Supprimez {scope} de « foreign-scope-references ».',
      variants: {
        all: {
          title: 'Les jetons portent tout scope que d’autres accordent',
          message: '« foreign-scope-references » de {name} vaut {scope}.',
          why: 'Tout scope qu’une autre application accorde, maintenant ou plus tard, figure dans les jetons des utilisateurs de celle-ci.',
          fix: 'Énumérez les scopes utilisés.',
        },
      },
    },
  },
})

function lastName(scope: string): string {
  return scope.slice(scope.lastIndexOf('.') + 1)
}

function carriesUser(destination: Destination): boolean {
  const authentication = destination.property('Authentication')?.text ?? ''
  return (
    forwardsToken(destination) ||
    /^(?:OAuth2(?:UserTokenExchange|JWTBearer|SAMLBearerAssertion)|PrincipalPropagation)$/i.test(authentication)
  )
}

/** Names of scopes that routes and models ask for. */
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
