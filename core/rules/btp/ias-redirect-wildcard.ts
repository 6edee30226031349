import {
  findApprouterHost,
  gradeRedirect,
  isInternal,
  isLoopback,
  isTrue,
  readUrl,
  textItems,
  textOf,
  type RedirectGrade,
} from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import type { Match, Severity } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/**
 * Redirect URIs of the identity service that allow hosts of others, or are not encrypted.
 * Facts: SAP Cloud Identity Services, parameters of the service `identity`; @sap/approuter 23.0.0 README, "Authentication with Identity
 * Service (IAS)".
 * Severity: HIGH for any host; MEDIUM for a shared domain, as a code also needs the client secret, so HIGH for public and implicit clients;
 * LOW for a domain of one's own; after the logout no code is sent, one level lower.
 */
export const iasRedirectWildcard: Rule = defineRule({
  id: 'btp/ias-redirect-wildcard',
  severity: 'HIGH',
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
          const grade = gradeRedirect(uri, at(config, 'multi-tenant') !== undefined)
          const fault = key === 'redirect-uris' ? ofLogin(grade, uri, needsNoSecret) : ofLogout(grade)
          if (fault === undefined) continue
          const place = deployment.placeOf(node)
          const exact = `${uri.split('/*', 1)[0] ?? ''}/login/callback?authType=ias`
          const args = { uri: text, key, name, host, exact, domain: grade?.domain ?? '' }
          yield { at: place, args, ...fault, groupKey: `${place.file} ${name} ${fault.variant ?? ''} ${fault.severity}` }
        }
      }
    }
  },

  text: {
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
        domain: {
          title: 'Wildcard redirect URI for a whole domain',
          message: 'The URI "{uri}" in "{key}" of {name} matches all hosts of this pattern, not only that of the application.',
          why: 'An attacker who controls another matching host, for example an abandoned one, can receive your users’ authorization codes.',
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
        domain: {
          title: 'URI de redirection à caractère générique pour tout un domaine',
          message:
            'L’URI "{uri}" dans "{key}" de l’instance {name} autorise tous les hôtes correspondant à ce motif, pas seulement celui de l’application.',
          why: 'Un attaquant qui contrôle un autre de ces hôtes, par exemple un hôte abandonné, peut recevoir les codes d’autorisation de vos utilisateurs.',
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
  },
})

type Fault = Pick<Match, 'variant'> & { readonly severity: Severity }

function ofLogin(grade: RedirectGrade | undefined, uri: string, needsNoSecret: boolean): Fault | undefined {
  const url = readUrl(uri)
  const isUnencrypted = url?.scheme === 'http' && !isLoopback(url.host) && !isInternal(url.host)
  if (isUnencrypted && (grade === undefined || grade.width === 'path')) return { severity: 'MEDIUM', variant: 'http' }
  if (grade === undefined) return undefined
  if (grade.width === 'any') return { severity: grade.severity }
  if (grade.width === 'shared' && needsNoSecret) return { severity: 'HIGH', variant: 'sharedPublic' }
  return { severity: grade.severity, variant: grade.width }
}

/** After the logout no code is sent: what is left is phishing. */
function ofLogout(grade: RedirectGrade | undefined): Fault | undefined {
  if (grade === undefined) return undefined
  const severity = grade.width === 'any' ? 'MEDIUM' : grade.width === 'shared' ? 'LOW' : 'INFO'
  return { severity, variant: 'logout' }
}
