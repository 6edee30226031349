import {
  findApprouterHost,
  hasOwnDomain,
  hostsOfRedirect,
  isInternal,
  isLoopback,
  isTrue,
  providerOf,
  readUrl,
  textItems,
  textOf,
  type Application,
  type RedirectHosts,
} from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import type { Match } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Redirect URIs of the identity service that allow hosts of others, or are not encrypted.
 * Facts: SAP Cloud Identity Services, parameters of the service `identity`; @sap/approuter 23.0.0 README, "Authentication with Identity
 * Service (IAS)".
 * Impact: an attacker acts with the codes or tokens of other users; a domain that customers share also takes the client secret, except of a public or
 * implicit client; hosts of one’s own and of the user’s machine give little. After the logout no code is sent: what is left is phishing.
 */
export const iasRedirectWildcard: Rule = defineRule({
  id: 'btp/ias-redirect-wildcard',
  impact: 'session',
  // a link that starts a login
  reach: 'anyone',
  grades: {
    // a code is of no use without the client secret
    shared: { evidence: 'assumed' },
    beside: { evidence: 'assumed' },
    // a host must be abandoned, or a program run on the user’s computer
    domain: { impact: 'bounded', evidence: 'assumed' },
    local: { impact: 'bounded', evidence: 'assumed' },
    // an open redirect on the host must forward what it gets
    path: { impact: 'defence', evidence: 'assumed' },
    // an attacker on the network path, who also needs the client secret
    http: { reach: 'user', evidence: 'assumed' },
    logout: { impact: 'bounded' },
  },
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#authentication-with-identity-service-ias',
  on: 'deployment',

  *check(deployment) {
    const host = findApprouterHost(deployment) ?? '<approuter-host>'
    for (const { service, name, config, resolve } of deployment.services) {
      if (service !== 'identity') continue
      const client = at(config, 'oauth2-configuration')
      const needsNoSecret =
        isTrue(textOf(at(client, 'public-client'))) ||
        textItems(at(client, 'grant-types')).some(({ text }) => text === 'implicit')
      for (const key of ['redirect-uris', 'post-logout-redirect-uris']) {
        for (const { text, node } of textItems(at(client, key))) {
          const uri = resolve(text)
          const hosts = onOwnDomain(hostsOfRedirect(uri), uri, deployment.applications)
          const fault = key === 'redirect-uris' ? ofLogin(hosts, uri, needsNoSecret) : ofLogout(hosts)
          if (fault === undefined) continue
          const place = deployment.placeOf(node)
          const exact = `${uri.split('/*', 1)[0] ?? ''}/login/callback?authType=ias`
          const args = { uri: text, key, name, host, exact, domain: hosts?.domain ?? '' }
          // a host per tenant below the app’s own is how multitenant apps are addressed
          const isOfTenants = /^(?:domain|beside)/.test(fault.variant ?? '') && at(config, 'multi-tenant') !== undefined
          const groupKey = `${place.file} ${name} ${fault.variant ?? ''} ${key === 'redirect-uris' ? '' : (hosts?.width ?? '')}`
          yield { at: place, args, ...fault, ...(isOfTenants && { impact: 'hygiene' }), groupKey }
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Wildcard redirect URI for any host',
      message: 'The URI "{uri}" in "{key}" of {name} also matches hosts that you do not control.',
      why: 'An attacker can trick users into opening a login link that redirects to another server, and receive their authorization codes or tokens there.',
      fix: 'Replace this URI in "{key}" with that of the approuter: "https://{host}/login/callback?authType=ias".',
      variants: {
        shared: {
          title: 'Wildcard redirect URI on a shared domain',
          message: 'The URI "{uri}" in "{key}" of {name} also matches hosts under {domain} that other customers can register.',
          why: 'An attacker can register such a host and trick users into opening a login link that sends their authorization codes there; exchanging those codes also requires the client secret.',
        },
        sharedPublic: {
          title: 'Wildcard redirect URI on a shared domain',
          message: 'The URI "{uri}" in "{key}" of {name} also matches hosts under {domain} that other customers can register.',
          why: 'An attacker can register such a host and trick users into opening a login link that sends their authorization codes or tokens there; this client needs no secret.',
          fix: 'Replace this URI in "{key}" with the complete redirect URI of the application.',
        },
        beside: {
          title: 'Wildcard redirect URI without a dot behind the asterisk',
          message:
            'The URI "{uri}" in "{key}" of {name} has no dot behind the asterisk: it also matches other hosts whose names end with that of the application.',
          why: 'The default domain is shared: an attacker can register such a host and trick users into opening a login link that sends their authorization codes there; exchanging those codes also requires the client secret.',
        },
        besidePublic: {
          title: 'Wildcard redirect URI without a dot behind the asterisk',
          message:
            'The URI "{uri}" in "{key}" of {name} has no dot behind the asterisk: it also matches other hosts whose names end with that of the application.',
          why: 'The default domain is shared: an attacker can register such a host and trick users into opening a login link that sends their authorization codes or tokens there; this client needs no secret.',
        },
        domain: {
          title: 'Wildcard redirect URI for a whole domain',
          message: 'The URI "{uri}" in "{key}" of {name} matches all hosts of this pattern, not only that of the application.',
          why: 'An attacker who controls another matching host, for example an abandoned one, can receive your users’ authorization codes.',
        },
        local: {
          title: 'Wildcard redirect URI for hosts under localhost',
          message: 'The URI "{uri}" in "{key}" of {name} matches every host name under localhost, on the user’s own computer.',
          why: 'A program on the user’s computer that answers under such a name can receive the user’s authorization codes.',
        },
        path: {
          title: 'Wildcard path in a redirect URI',
          message: 'The URI "{uri}" in "{key}" of {name} matches every path of its host.',
          why: 'If an open redirect on this host passes on the query parameters, an attacker can receive your users’ authorization codes.',
          fix: 'Replace "{uri}" with the complete URI; for an approuter, this is "{exact}".',
        },
        logout: {
          title: 'Open redirect after logout',
          message: 'The URI "{uri}" in "{key}" of {name} also matches hosts or paths other than those of the post-logout page.',
          why: 'An attacker can send users a logout link of your identity service that leads to a phishing page.',
          fix: 'Replace this URI in "{key}" with that of the post-logout page, for example "https://{host}/logout.html".',
        },
        http: {
          title: 'Redirect URI with unencrypted HTTP',
          message: 'The URI "{uri}" in "{key}" of {name} uses unencrypted HTTP.',
          why: 'An attacker on the network path can read the authorization code and the application’s pages.',
          fix: 'Change "http://" to "https://" in this URI.',
        },
      },
    },
    fr: {
      title: 'URI de redirection à caractère générique pour tout hôte',
      message: 'L’URI "{uri}" dans "{key}" de l’instance {name} correspond aussi à des hôtes que vous ne contrôlez pas.',
      why: 'Un attaquant peut amener des utilisateurs à ouvrir un lien de connexion qui redirige vers un autre serveur, et y recevoir leurs codes d’autorisation ou leurs jetons.',
      fix: 'Remplacez cette URI dans "{key}" par celle de l’approuter : "https://{host}/login/callback?authType=ias".',
      variants: {
        shared: {
          title: 'URI de redirection à caractère générique sur un domaine partagé',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} correspond aussi à des hôtes sous {domain} que des tiers peuvent réserver.',
          why: 'Un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ; pour échanger ces codes, il lui faut aussi le secret du client OAuth.',
        },
        sharedPublic: {
          title: 'URI de redirection à caractère générique sur un domaine partagé',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} correspond aussi à des hôtes sous {domain} que des tiers peuvent réserver.',
          why: 'Un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ou leurs jetons ; ce client OAuth n’exige pas de secret.',
          fix: 'Remplacez cette URI dans "{key}" par l’URI de redirection complète de l’application.',
        },
        beside: {
          title: 'URI de redirection sans point après l’astérisque',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} n’a pas de point après l’astérisque : elle correspond aussi à d’autres hôtes dont le nom finit par celui de l’application.',
          why: 'Le domaine par défaut est partagé : un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ; les échanger exige aussi le secret du client OAuth.',
        },
        besidePublic: {
          title: 'URI de redirection sans point après l’astérisque',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} n’a pas de point après l’astérisque : elle correspond aussi à d’autres hôtes dont le nom finit par celui de l’application.',
          why: 'Le domaine par défaut est partagé : un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ou leurs jetons ; ce client OAuth n’exige pas de secret.',
        },
        domain: {
          title: 'URI de redirection à caractère générique pour tout un domaine',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} autorise tous les hôtes correspondant à ce motif, pas seulement celui de l’application.',
          why: 'Un attaquant qui contrôle un autre de ces hôtes, par exemple un hôte abandonné, peut recevoir les codes d’autorisation de vos utilisateurs.',
        },
        local: {
          title: 'URI de redirection à caractère générique sous localhost',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} correspond à tout nom d’hôte sous localhost, donc à l’ordinateur de l’utilisateur.',
          why: 'Un programme de l’ordinateur de l’utilisateur qui répond sous un tel nom peut recevoir ses codes d’autorisation.',
        },
        path: {
          title: 'Caractère générique dans le chemin d’une URI de redirection',
          message: 'L’URI "{uri}" dans "{key}" de l’instance {name} correspond à tout chemin de son hôte.',
          why: 'Si une redirection ouverte de cet hôte transmet les paramètres de la requête, un attaquant peut recevoir les codes d’autorisation de vos utilisateurs.',
          fix: 'Remplacez "{uri}" par l’URI complète ; pour un approuter, c’est "{exact}".',
        },
        logout: {
          title: 'Redirection ouverte après la déconnexion',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} correspond aussi à d’autres hôtes ou chemins que ceux de la page affichée après la déconnexion.',
          why: 'Un attaquant peut envoyer aux utilisateurs un lien de déconnexion qui passe par votre locataire IAS et mène à une page d’hameçonnage.',
          fix: 'Remplacez cette URI dans "{key}" par celle de la page affichée après la déconnexion, par exemple "https://{host}/logout.html".',
        },
        http: {
          title: 'URI de redirection en HTTP, sans chiffrement',
          message: 'L’URI "{uri}" dans "{key}" de l’instance {name} utilise HTTP, sans chiffrement.',
          why: 'Un attaquant placé sur le réseau peut lire le code d’autorisation et les pages de l’application.',
          fix: 'Remplacez "http://" par "https://" dans cette URI.',
        },
      },
    },
  }),
})

/** Beside an application on a domain of the owner nobody else can register a host. */
function onOwnDomain(
  hosts: RedirectHosts | undefined,
  uri: string,
  applications: readonly Application[],
): RedirectHosts | undefined {
  if (hosts?.width !== 'beside') return hosts
  const provider = providerOf(uri, applications)
  const meant = provider === undefined ? applications.filter(({ isApprouter }) => isApprouter) : [provider]
  return meant.length > 0 && meant.every(hasOwnDomain) ? { ...hosts, width: 'domain' } : hosts
}

type Fault = Pick<Match, 'variant' | 'impact' | 'evidence'>

function ofLogin(hosts: RedirectHosts | undefined, uri: string, needsNoSecret: boolean): Fault | undefined {
  const url = readUrl(uri)
  const isUnencrypted = url?.scheme === 'http' && !isLoopback(url.host) && !isInternal(url.host)
  if (isUnencrypted && (hosts === undefined || hosts.width === 'path')) return { variant: 'http' }
  if (hosts === undefined) return undefined
  if (hosts.width === 'any') return {}
  const { width } = hosts
  return { variant: (width === 'shared' || width === 'beside') && needsNoSecret ? `${width}Public` : width }
}

/** After the logout no code is sent: what is left is phishing. */
function ofLogout(hosts: RedirectHosts | undefined): Fault | undefined {
  if (hosts === undefined) return undefined
  if (hosts.width === 'any') return { variant: 'logout' }
  return { variant: 'logout', ...(hosts.width === 'shared' ? { evidence: 'assumed' } : { impact: 'hygiene' }) }
}
