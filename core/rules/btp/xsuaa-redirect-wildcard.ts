import { at } from '../../parse/data.ts'
import {
  abandonedHosts,
  type Deployment,
  debuggingHostOf,
  findApprouterHost,
  hostsOfRedirect,
  readUrl,
  textItems,
  textOf,
  type ServiceInstance,
} from '../../model/deployment/index.ts'
import type { GradeFacts, Locale, Localized, RuleText } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** A host of the project’s own must be abandoned or taken over first. */
const OWN: GradeFacts = { impact: 'bounded', evidence: 'assumed' }
/** An open redirect on the host must forward what it gets. */
const REDIRECTED: GradeFacts = { impact: 'defence', evidence: 'assumed' }

/** The implicit grant sends the token itself, in the fragment of the URL. */
const TOKENS: Localized<Readonly<Record<string, string>>> = {
  en: {
    any: 'An attacker can trick users into opening a login link that redirects to another server, and receive their access tokens there: the implicit grant sends them with the redirect.',
    shared:
      'An attacker can register such a host and trick users into opening a login link that sends their access tokens there: the implicit grant needs no client secret.',
    domain:
      'An attacker who controls another matching host, for example an abandoned one, can receive your users’ access tokens (implicit grant).',
    debugging:
      'An attacker can trick users into opening a login link that sends their access tokens to this page (implicit grant), where its operator and other users of the page may get them.',
    local:
      'A program on the user’s computer that answers under such a name can receive the user’s access tokens (implicit grant).',
    path: 'Through an open redirect anywhere on this host, an attacker can receive your users’ access tokens (implicit grant).',
  },
  fr: {
    any: 'Un attaquant peut amener des utilisateurs à ouvrir un lien de connexion qui redirige vers un autre serveur, et y recevoir leurs jetons d’accès : le flux implicite les envoie avec la redirection.',
    shared:
      'Un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs jetons d’accès : le flux implicite n’exige pas de secret client.',
    domain:
      'Un attaquant qui contrôle un autre de ces hôtes, par exemple un hôte abandonné, peut recevoir les jetons d’accès que le flux implicite délivre à vos utilisateurs.',
    debugging:
      'Un attaquant peut amener des utilisateurs à ouvrir un lien de connexion qui envoie leurs jetons d’accès à cette page (flux implicite), où son exploitant et d’autres utilisateurs de la page peuvent les obtenir.',
    local:
      'Un programme de l’ordinateur de l’utilisateur qui répond sous un tel nom peut recevoir les jetons d’accès que le flux implicite lui délivre.',
    path: 'Au moyen d’une redirection ouverte située n’importe où sur cet hôte, un attaquant peut recevoir les jetons d’accès que le flux implicite délivre à vos utilisateurs.',
  },
}

/** Routing through an approuter is of use only with its grants. */
const CODES: Localized<string> = {
  en: 'Replace "implicit" in "grant-types" with "authorization_code" and "refresh_token", and log users in through an approuter. Replace this URI with that of the approuter: ',
  fr: 'Remplacez "implicit" dans "grant-types" par "authorization_code" et "refresh_token", et faites passer la connexion des utilisateurs par un approuter. Remplacez cette URI par celle de l’approuter : ',
}

/** A host for each tenant is a reason for a wildcard. */
const TENANTS: Localized<Pick<RuleText, 'fix'>> = {
  en: {
    fix: 'Replace this URI with that of the approuter, "https://{host}/login/callback". If each tenant has a host of its own, keep the wildcard in the host, use the path /login/callback, and suppress this finding.',
  },
  fr: {
    fix: 'Remplacez cette URI par celle de l’approuter, "https://{host}/login/callback". Si chaque locataire a son propre hôte, gardez le caractère générique dans l’hôte, utilisez le chemin /login/callback et masquez ce constat.',
  },
}

/**
 * Redirect URIs of an XSUAA client that allow hosts of others: by a wildcard, or as pages on which developers try logins.
 * Facts: SAP BTP, "Security Considerations for the SAP Authorization and Trust Management Service"; xs-security.json syntax.
 * Impact: an attacker acts with the codes or tokens of other users; a domain that customers share also takes the client secret, except with the implicit
 * grant; hosts of one’s own and of the user’s machine give little, every path of a host nothing without an open redirect. That an instance has the settings of a descriptor is a
 * guess where no application is bound to one.
 */
export const xsuaaRedirectWildcard: Rule = defineRule({
  id: 'btp/xsuaa-redirect-wildcard',
  impact: 'session',
  // a link that starts a login
  reach: 'anyone',
  grades: {
    // a code is of no use without the client secret
    shared: { evidence: 'assumed' },
    beside: { evidence: 'assumed' },
    // whether somebody else can take the host, or it is one of theirs that the project doesn't name
    abandoned: { evidence: 'assumed' },
    'abandoned-implicit': { evidence: 'assumed' },
    // the page or whoever reads what it keeps must take up what was sent there
    debugging: { evidence: 'assumed' },
    'debugging-implicit': { evidence: 'assumed' },
    domain: OWN,
    'domain-implicit': OWN,
    local: OWN,
    'local-implicit': OWN,
    // a host per tenant below the app’s own is how multitenant apps are addressed
    tenants: { impact: 'hygiene' },
    'tenants-implicit': { impact: 'hygiene' },
    path: REDIRECTED,
    'path-implicit': REDIRECTED,
  },
  confidence: 'high',
  cwe: [601],
  since: '0.1.0',
  docs: 'https://help.sap.com/docs/btp/sap-business-technology-platform/application-security-descriptor-configuration-syntax',
  on: 'deployment',

  *check(deployment) {
    const host = findApprouterHost(deployment) ?? '<approuter-host>'
    for (const instance of deployment.services) {
      const { service, name, config, resolve } = instance
      if (service !== 'xsuaa') continue
      const isUnbound = isBoundNowhere(instance, deployment)
      const client = at(config, 'oauth2-configuration')
      const multitenant = textOf(at(config, 'tenant-mode')) === 'shared'
      const isImplicit = textItems(at(client, 'grant-types')).some(({ text }) => text === 'implicit')
      const items = textItems(at(client, 'redirect-uris'))
      const abandoned = abandonedHosts(
        items.map(({ text }) => resolve(text)),
        deployment,
      )
      for (const { text, node } of items) {
        const uri = resolve(text)
        const page = debuggingHostOf(uri)
        const hosts = page === undefined ? hostsOfRedirect(uri) : ({ width: 'debugging', domain: page, likely: false } as const)
        if (hosts === undefined) continue
        const { domain, likely } = hosts
        const isAbandoned = hosts.width === 'path' && abandoned.has(hostOf(uri))
        const width = isAbandoned ? 'abandoned' : hosts.width
        const place = deployment.placeOf(node)
        const origin = hosts.width === 'path' && !isAbandoned ? (uri.split('/*', 1)[0] ?? '') : `https://${host}`
        const variant = variantOf(width, isImplicit, multitenant)
        yield {
          at: place,
          args: { uri: text, name, host, domain, exact: `${origin}/login/callback` },
          ...(variant !== undefined && { variant }),
          ...(likely && { confidence: 'medium' }),
          ...(isUnbound && { evidence: 'guessed' as const }),
          groupKey: `${place.file} ${name} ${variant ?? width}`,
        }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Wildcard redirect URI for any host',
      message: 'The redirect URI "{uri}" in {name} also matches hosts that you do not control.',
      why: 'An attacker can trick users into opening a login link that redirects to another server, and receive their authorization codes there.',
      fix: 'Replace this URI with that of the approuter: "https://{host}/login/callback". If xs-app.json sets a "logoutPage", add the URI of that page.',
      variants: withTokens('en', {
        shared: {
          title: 'Wildcard redirect URI on a shared domain',
          message: 'The redirect URI "{uri}" in {name} also matches hosts under {domain} that other customers can register.',
          why: 'An attacker can register such a host and trick users into opening a login link that sends their authorization codes there; exchanging those codes also requires the client secret.',
        },
        beside: {
          title: 'Wildcard redirect URI without a dot behind the asterisk',
          message:
            'The redirect URI "{uri}" in {name} has no dot behind the asterisk: it also matches other hosts whose names end with that of the application.',
          why: 'The default domain is shared: an attacker can register such a host and trick users into opening a login link that sends their authorization codes there; exchanging those codes also requires the client secret.',
        },
        debugging: {
          title: 'Redirect URI of a public debugging page',
          message:
            'The redirect URI "{uri}" in {name} is a page of {domain}, on which developers try logins; you do not control it.',
          why: 'An attacker can trick users into opening a login link that sends their authorization codes to this page, where its operator and other users of the page may get them; exchanging them also requires the client secret.',
          fix: 'Remove "{uri}" from "redirect-uris". Try logins with an OAuth client of its own: a further service instance of a development space, with its own security descriptor.',
        },
        abandoned: {
          title: 'Redirect URI for a host that no application of the project has',
          message:
            'The redirect URI "{uri}" in {name} is for a host of a shared domain, but the approuter of this project gets another one ({host}).',
          why: 'If nobody holds this host, an attacker can register it and trick users into opening a login link that sends their authorization codes there; exchanging those codes also requires the client secret.',
          fix: 'Replace "{uri}" with the URI of the approuter: "{exact}". If the host belongs to another landscape of yours, use a security descriptor of its own there.',
        },
        domain: {
          title: 'Wildcard redirect URI for a whole domain',
          message: 'The redirect URI "{uri}" in {name} matches all hosts of this pattern, not only that of the application.',
          why: 'An attacker who controls another matching host, for example an abandoned one, can receive your users’ authorization codes.',
        },
        local: {
          title: 'Wildcard redirect URI for hosts under localhost',
          message: 'The redirect URI "{uri}" in {name} matches every host name under localhost, on the user’s own computer.',
          why: 'A program on the user’s computer that answers under such a name can receive the user’s authorization codes; exchanging those codes also requires the client secret.',
        },
        path: {
          title: 'Wildcard path in a redirect URI',
          message: 'The redirect URI "{uri}" in {name} matches every path of its host.',
          why: 'If an open redirect on this host passes on the query parameters, an attacker can receive your users’ authorization codes.',
          fix: 'Replace "{uri}" with the complete URI; for an approuter, this is "{exact}". If xs-app.json sets a "logoutPage", add the URI of that page.',
        },
      }),
    },
    fr: {
      title: 'URI de redirection à caractère générique pour tout hôte',
      message: 'L’URI de redirection "{uri}" dans {name} correspond aussi à des hôtes que vous ne contrôlez pas.',
      why: 'Un attaquant peut amener des utilisateurs à ouvrir un lien de connexion qui redirige vers un autre serveur, et y recevoir leurs codes d’autorisation.',
      fix: 'Remplacez cette URI par celle de l’approuter : "https://{host}/login/callback". Si xs-app.json définit "logoutPage", ajoutez l’URI de cette page.',
      variants: withTokens('fr', {
        shared: {
          title: 'URI de redirection à caractère générique sur un domaine partagé',
          message:
            'L’URI de redirection "{uri}" dans {name} correspond aussi à des hôtes sous {domain} que des tiers peuvent réserver.',
          why: 'Un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ; pour échanger ces codes, il lui faut aussi le secret du client OAuth.',
        },
        beside: {
          title: 'URI de redirection sans point après l’astérisque',
          message:
            'L’URI de redirection "{uri}" dans {name} n’a pas de point après l’astérisque : elle correspond aussi à d’autres hôtes dont le nom finit par celui de l’application.',
          why: 'Le domaine par défaut est partagé : un attaquant peut réserver un tel hôte et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ; les échanger exige aussi le secret client.',
        },
        debugging: {
          title: 'URI de redirection vers une page publique de débogage',
          message:
            'L’URI de redirection "{uri}" dans {name} est une page de {domain}, qui sert à essayer des connexions ; vous ne la contrôlez pas.',
          why: 'Un attaquant peut amener des utilisateurs à ouvrir un lien de connexion qui envoie leurs codes d’autorisation à cette page, où son exploitant et d’autres utilisateurs de la page peuvent les obtenir ; les échanger exige aussi le secret client.',
          fix: 'Retirez "{uri}" de "redirect-uris". Essayez les connexions avec un client OAuth distinct : une autre instance de service dans un espace de développement, avec son propre descripteur de sécurité.',
        },
        abandoned: {
          title: 'URI de redirection vers un hôte qu’aucune application du projet ne détient',
          message:
            'L’URI de redirection "{uri}" dans {name} désigne un hôte d’un domaine partagé, alors que l’approuter de ce projet en reçoit un autre ({host}).',
          why: 'Si personne ne détient cet hôte, un attaquant peut le réserver et amener des utilisateurs à ouvrir un lien de connexion qui y envoie leurs codes d’autorisation ; les échanger exige aussi le secret du client OAuth.',
          fix: 'Remplacez "{uri}" par l’URI de l’approuter : "{exact}". Si l’hôte appartient à un autre de vos environnements, utilisez-y un descripteur de sécurité distinct.',
        },
        domain: {
          title: 'URI de redirection à caractère générique pour tout un domaine',
          message:
            'L’URI de redirection "{uri}" dans {name} autorise tous les hôtes correspondant à ce motif, pas seulement celui de l’application.',
          why: 'Un attaquant qui contrôle un autre de ces hôtes, par exemple un hôte abandonné, peut recevoir les codes d’autorisation de vos utilisateurs.',
        },
        local: {
          title: 'URI de redirection à caractère générique sous localhost',
          message:
            'L’URI de redirection "{uri}" dans {name} correspond à tout nom d’hôte sous localhost, donc à l’ordinateur de l’utilisateur.',
          why: 'Un programme de l’ordinateur de l’utilisateur qui répond sous un tel nom peut recevoir ses codes d’autorisation ; pour échanger ces codes, il lui faut aussi le secret du client OAuth.',
        },
        path: {
          title: 'Caractère générique dans le chemin d’une URI de redirection',
          message: 'L’URI de redirection "{uri}" dans {name} correspond à tout chemin de son hôte.',
          why: 'Si une redirection ouverte de cet hôte transmet les paramètres de la requête, un attaquant peut recevoir les codes d’autorisation de vos utilisateurs.',
          fix: 'Remplacez "{uri}" par l’URI complète ; pour un approuter, c’est "{exact}". Si xs-app.json définit "logoutPage", ajoutez l’URI de cette page.',
        },
      }),
    },
  }),
})

/** What a binding to an instance is called whose offering the descriptor doesn't tell. */
const MAY_BE_LOGIN = /uaa|auth|secur|login|sso|identity/i

/** A descriptor that nothing names, in a project whose applications are bound to other services alone: an instance with its settings may be there for none of them. */
function isBoundNowhere({ mta, place }: ServiceInstance, { applications }: Deployment): boolean {
  if (mta !== undefined || !place.file.endsWith('.json') || applications.length === 0) return false
  return !applications.some(({ bindings }) =>
    bindings.some(({ name, service }) => service === 'xsuaa' || (service === undefined && MAY_BE_LOGIN.test(name))),
  )
}

/** `my-app.example.com` of `https://my-app.example.com/**`. */
function hostOf(uri: string): string {
  return readUrl(uri.split('/*', 1)[0] ?? '')?.host ?? ''
}

function variantOf(width: string, isImplicit: boolean, multitenant: boolean): string | undefined {
  const name = (width === 'domain' || width === 'beside') && multitenant ? 'tenants' : width
  if (isImplicit) return `${name}-implicit`
  return name === 'any' ? undefined : name
}

type Variants = Readonly<Record<string, Partial<RuleText>>>

/** The cases of codes, and the same of tokens. */
function withTokens(locale: Locale, texts: Variants): Variants {
  const codes: Variants = { ...texts, tenants: { ...texts['domain'], ...TENANTS[locale] } }
  const tokens = {
    ...TOKENS[locale],
    beside: TOKENS[locale].shared,
    abandoned: TOKENS[locale].shared,
    tenants: TOKENS[locale].domain,
  }
  const implicit = Object.entries(tokens).map(([name, why]) => [
    `${name}-implicit`,
    { ...codes[name], why, fix: `${CODES[locale]}"{exact}".` },
  ])
  return { ...codes, ...Object.fromEntries(implicit) }
}
