import { at } from '../../parse/data.ts'
import { gradeRedirect, textItems, textOf } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Redirect addresses of an XSUAA client that somebody else's page can be at.
 *  Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service"; xs-security.json syntax. */
export const xsuaaRedirectWildcard: Rule = defineRule({
  id: 'btp/xsuaa-redirect-wildcard',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, config, resolve } of services) {
      if (service !== 'xsuaa') continue
      const multitenant = textOf(at(config, 'tenant-mode')) === 'shared'
      for (const { text, node } of textItems(at(config, 'oauth2-configuration', 'redirect-uris'))) {
        const uri = resolve(text)
        const grade = gradeRedirect(uri, multitenant)
        if (grade === undefined) continue
        const { width, severity, domain, likely } = grade
        const variant = width === 'any' ? {} : { variant: width }
        yield { at: placeOf(node), args: { uri, domain }, severity, ...variant, ...(likely && { confidence: 'medium' as const }) }
      }
    }
  },

  text: {
    en: {
      title: 'The login may redirect to any host',
      message: 'The redirect address {uri} fits every host.',
      why: 'An attacker lures a user to a login link with his own address in it: XSUAA then sends the authorization code to his server.',
      fix: 'Name the host of the approuter: "https://<app>.<domain>/login/callback".',
      variants: {
        shared: {
          title: 'The login may redirect to a host that anybody can register',
          message: 'The redirect address {uri} fits every host under {domain}, a domain that all customers share.',
          why: 'Everybody with an account can take a host under {domain} and have the authorization codes of your users sent to it.',
        },
        domain: {
          title: 'The login may redirect to every host of a domain',
          message: 'The redirect address {uri} fits every host under {domain}.',
          why: 'A forgotten or taken-over host of this domain is enough to collect authorization codes.',
        },
        path: {
          title: 'The login may redirect to every path of a host',
          message: 'The redirect address {uri} fits every path of its host.',
          why: 'An open redirect anywhere on this host is enough to send authorization codes on.',
          fix: 'Name the path too: "/login/callback" for the approuter.',
        },
      },
    },
    fr: {
      title: 'La connexion peut rediriger vers n’importe quel hôte',
      message: 'L’adresse de redirection {uri} correspond à tous les hôtes.',
      why: 'Un attaquant attire un utilisateur vers un lien de connexion contenant sa propre adresse : XSUAA envoie alors le code d’autorisation à son serveur.',
      fix: 'Indiquez l’hôte de l’approuter : « "https://<app>.<domaine>/login/callback" ».',
      variants: {
        shared: {
          title: 'La connexion peut rediriger vers un hôte que chacun peut réserver',
          message:
            'L’adresse de redirection {uri} correspond à tous les hôtes sous {domain}, un domaine partagé par tous les clients.',
          why: 'Toute personne ayant un compte peut réserver un hôte sous {domain} et y recevoir les codes d’autorisation de vos utilisateurs.',
        },
        domain: {
          title: 'La connexion peut rediriger vers tous les hôtes d’un domaine',
          message: 'L’adresse de redirection {uri} correspond à tous les hôtes sous {domain}.',
          why: 'Un hôte oublié ou détourné de ce domaine suffit pour recueillir des codes d’autorisation.',
        },
        path: {
          title: 'La connexion peut rediriger vers tous les chemins d’un hôte',
          message: 'L’adresse de redirection {uri} correspond à tous les chemins de son hôte.',
          why: 'Une redirection ouverte n’importe où sur cet hôte suffit pour faire suivre les codes d’autorisation.',
          fix: 'Indiquez aussi le chemin : « /login/callback » pour l’approuter.',
        },
      },
    },
  },
})
