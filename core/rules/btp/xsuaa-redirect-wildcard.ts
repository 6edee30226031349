import { at } from '../../parse/data.ts'
import { findApprouterHost, gradeRedirect, textItems, textOf } from '../../model/deployment/index.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Redirect URIs of an XSUAA client that allow hosts of others.
 * Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service"; xs-security.json syntax.
 * Severity: HIGH for any host; MEDIUM for a shared domain, as a code also needs the client secret, so HIGH with the implicit grant; LOW for a
 * domain of one's own, INFO for hosts of tenants and for paths.
 */
export const xsuaaRedirectWildcard: Rule = defineRule({
  id: 'btp/xsuaa-redirect-wildcard',
  severity: 'HIGH',
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check(deployment) {
    const host = findApprouterHost(deployment) ?? '<approuter-host>'
    for (const { service, name, config, resolve } of deployment.services) {
      if (service !== 'xsuaa') continue
      const client = at(config, 'oauth2-configuration')
      const multitenant = textOf(at(config, 'tenant-mode')) === 'shared'
      const isImplicit = textItems(at(client, 'grant-types')).some(({ text }) => text === 'implicit')
      for (const { text, node } of textItems(at(client, 'redirect-uris'))) {
        const uri = resolve(text)
        const grade = gradeRedirect(uri, multitenant)
        if (grade === undefined) continue
        const { width, domain, likely } = grade
        // the implicit grant sends the token itself, which needs no secret
        const severity = width === 'shared' && isImplicit ? 'HIGH' : grade.severity
        const place = deployment.placeOf(node)
        yield {
          at: place,
          args: { uri, name, host, domain, exact: `${uri.split('/*', 1)[0] ?? ''}/login/callback` },
          severity,
          ...(width !== 'any' && { variant: width }),
          ...(likely && { confidence: 'medium' }),
          groupKey: `${place.file} ${name} ${width} ${severity}`,
        }
      }
    }
  },

  text: {
    en: {
      title: 'Wildcard redirect URI for any host',
      message: 'The redirect URI "{uri}" in {name} matches any host.',
      why: 'An attacker can trick users into opening a login link that redirects to another server, and receive their authorization codes or tokens there.',
      fix: 'Replace "{uri}" with the URI of the approuter: "https://{host}/login/callback".',
      variants: {
        shared: {
          title: 'Wildcard redirect URI on a shared domain',
          message:
            'The redirect URI "{uri}" in {name} matches every host under {domain}, a domain on which all customers can register hosts.',
          why: 'An attacker can register a host under {domain} and trick users into opening a login link that sends their authorization codes there; exchanging those codes also requires the client secret.',
        },
        domain: {
          title: 'Wildcard redirect URI for a whole domain',
          message: 'The redirect URI "{uri}" in {name} matches every host under {domain}.',
          why: 'An attacker who takes over a forgotten host of this domain can receive your users’ authorization codes.',
        },
        path: {
          title: 'Wildcard path in a redirect URI',
          message: 'The redirect URI "{uri}" in {name} matches every path of its host.',
          why: 'Through an open redirect anywhere on this host, an attacker can receive your users’ authorization codes.',
          fix: 'Replace "{uri}" with the complete URI; for an approuter, this is "{exact}".',
        },
      },
    },
    fr: {
      title: 'URI de redirection à caractère générique pour tout hôte',
      message: 'L’URI de redirection "{uri}" dans {name} correspond à n’importe quel hôte.',
      why: 'Un attaquant peut amener des utilisateurs à ouvrir un lien de connexion qui redirige vers un autre serveur et y recevoir leurs codes d’autorisation ou leurs jetons.',
      fix: 'Remplacez "{uri}" par l’URI de l’approuter : "https://{host}/login/callback".',
      variants: {
        shared: {
          title: 'URI de redirection à caractère générique sur un domaine partagé',
          message:
            'L’URI de redirection "{uri}" dans {name} correspond à tout hôte sous {domain}, un domaine où tous les clients peuvent réserver des hôtes.',
          why: 'Un attaquant peut réserver un hôte sous {domain} et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ; pour échanger ces codes, il lui faut aussi le secret du client.',
        },
        domain: {
          title: 'URI de redirection à caractère générique pour tout un domaine',
          message: 'L’URI de redirection "{uri}" dans {name} correspond à tout hôte sous {domain}.',
          why: 'Un attaquant qui prend le contrôle d’un hôte oublié de ce domaine peut recevoir les codes d’autorisation de vos utilisateurs.',
        },
        path: {
          title: 'Caractère générique dans le chemin d’une URI de redirection',
          message: 'L’URI de redirection "{uri}" dans {name} correspond à tout chemin de son hôte.',
          why: 'Par une redirection ouverte n’importe où sur cet hôte, un attaquant peut recevoir les codes d’autorisation de vos utilisateurs.',
          fix: 'Remplacez "{uri}" par l’URI complète ; pour un approuter, c’est "{exact}".',
        },
      },
    },
  },
})
