import { gradeRedirect, isInternal, isLoopback, readUrl, textItems } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Addresses to which the identity service sends authorization codes, or users after the logout, that are too wide or not encrypted.
 *  Facts: SAP Cloud Identity Services, parameters of the service `identity`; @sap/approuter 23.0.0 README, IAS. */
export const iasRedirectWildcard: Rule = defineRule({
  id: 'btp/ias-redirect-wildcard',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, config, resolve } of services) {
      if (service !== 'identity') continue
      for (const key of ['redirect-uris', 'post-logout-redirect-uris']) {
        for (const { text, node } of textItems(at(config, 'oauth2-configuration', key))) {
          const uri = resolve(text)
          const grade = gradeRedirect(uri, at(config, 'multi-tenant') !== undefined)
          const url = readUrl(uri)
          const args = { uri, key, domain: grade?.domain ?? '' }
          if (grade !== undefined && grade.width !== 'path') {
            const variant = grade.width === 'any' ? {} : { variant: grade.width }
            yield { at: placeOf(node), args, severity: grade.severity, ...variant }
          } else if (url?.scheme === 'http' && !isLoopback(url.host) && !isInternal(url.host)) {
            yield { at: placeOf(node), args, severity: 'MEDIUM', variant: 'http' }
          } else if (grade !== undefined) {
            yield { at: placeOf(node), args, severity: grade.severity, variant: grade.width }
          }
        }
      }
    }
  },

  text: {
    en: {
      title: 'The identity service may redirect to any host',
      message: 'The address {uri} in "{key}" fits every host.',
      why: 'An attacker lures a user to a login link with his own address in it: the identity service then sends the authorization code to his server.',
      fix: 'Name the host of the approuter: "https://<app>.<domain>/login/callback?authType=ias".',
      variants: {
        shared: {
          title: 'The identity service may redirect to a host that anybody can register',
          message: 'The address {uri} in "{key}" fits every host under {domain}, a domain that all customers share.',
          why: 'Everybody with an account can take a host under {domain} and have the authorization codes of your users sent to it.',
        },
        domain: {
          title: 'The identity service may redirect to every host of a domain',
          message: 'The address {uri} in "{key}" fits every host under {domain}.',
          why: 'A forgotten or taken-over host of this domain is enough to collect authorization codes.',
        },
        path: {
          title: 'The identity service may redirect to every path of a host',
          message: 'The address {uri} in "{key}" fits every path of its host.',
          why: 'An open redirect anywhere on this host is enough to send authorization codes on.',
        },
        http: {
          title: 'The identity service redirects without encryption',
          message: 'The address {uri} in "{key}" is plain HTTP.',
          why: 'Whoever listens on the way reads the authorization code, and can log in as the user.',
          fix: 'Write https:// in this address.',
        },
      },
    },
    fr: {
      title: 'Le service d’identité peut rediriger vers n’importe quel hôte',
      message: 'L’adresse {uri} dans « {key} » correspond à tous les hôtes.',
      why: 'Un attaquant attire un utilisateur vers un lien de connexion contenant sa propre adresse : le service d’identité envoie alors le code d’autorisation à son serveur.',
      fix: 'Indiquez l’hôte de l’approuter : « "https://<app>.<domaine>/login/callback?authType=ias" ».',
      variants: {
        shared: {
          title: 'Le service d’identité peut rediriger vers un hôte que chacun peut réserver',
          message:
            'L’adresse {uri} dans « {key} » correspond à tous les hôtes sous {domain}, un domaine partagé par tous les clients.',
          why: 'Toute personne ayant un compte peut réserver un hôte sous {domain} et y recevoir les codes d’autorisation de vos utilisateurs.',
        },
        domain: {
          title: 'Le service d’identité peut rediriger vers tous les hôtes d’un domaine',
          message: 'L’adresse {uri} dans « {key} » correspond à tous les hôtes sous {domain}.',
          why: 'Un hôte oublié ou détourné de ce domaine suffit pour recueillir des codes d’autorisation.',
        },
        path: {
          title: 'Le service d’identité peut rediriger vers tous les chemins d’un hôte',
          message: 'L’adresse {uri} dans « {key} » correspond à tous les chemins de son hôte.',
          why: 'Une redirection ouverte n’importe où sur cet hôte suffit pour faire suivre les codes d’autorisation.',
        },
        http: {
          title: 'Le service d’identité redirige sans chiffrement',
          message: 'L’adresse {uri} dans « {key} » est en HTTP simple.',
          why: 'Quiconque écoute le trafic lit le code d’autorisation et peut se connecter à la place de l’utilisateur.',
          fix: 'Écrivez https:// dans cette adresse.',
        },
      },
    },
  },
})
