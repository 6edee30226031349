import { isTrue, textItems, textOf } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Grants that OAuth 2.1 no longer has (RFC 9700, 2.1.2 and 2.4). */
const WEAK_GRANTS: ReadonlySet<string> = new Set(['implicit', 'password', 'resource_owner', 'resource_owner_password', 'ropc'])

const REFERENCE =
  'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Integrating-the-Service/reference-information-for-the-identity-service-of-sap-btp-9379444.md'

/** Seconds: a week; the default is 12 hours, the maximum half a year. */
const LONG_REFRESH = 604_800

/**
 * An OAuth client of the identity service with insecure grants, without a secret, or with long-lived tokens.
 * Facts: SAP Cloud Identity Services, "Reference Information for the Identity Service of SAP BTP" (`public-client`, `token-policy`); RFC 9700.
 * Impact: with an intercepted code, token or password an attacker acts as that user.
 */
export const iasPublicClientOrImplicit: Rule = defineRule({
  id: 'btp/ias-public-client-or-implicit',
  impact: 'session',
  reach: 'anyone',
  // a code, token or password that somebody has to intercept
  evidence: 'assumed',
  grades: { validity: { impact: 'defence', evidence: 'shown' } },
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://www.rfc-editor.org/rfc/rfc9700.html#section-2.1.2',
  docsByVariant: {
    password: 'https://www.rfc-editor.org/rfc/rfc9700.html#section-2.4',
    public: REFERENCE,
    validity: REFERENCE,
  },
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config } of services) {
      if (service !== 'identity') continue
      const client = at(config, 'oauth2-configuration')
      const grants = textItems(at(client, 'grant-types'))
      for (const { text, node } of grants)
        if (WEAK_GRANTS.has(text.toLowerCase()))
          yield {
            at: placeOf(node),
            args: { name, value: text },
            ...(text.toLowerCase() === 'password' && { variant: 'password' }),
          }
      const isPublic = at(client, 'public-client')
      if (isPublic !== undefined && isTrue(textOf(isPublic)) && !grants.some(({ text }) => /pkce/i.test(text)))
        yield { at: placeOf(isPublic), args: { name, value: 'true' }, variant: 'public' }
      const validity = at(client, 'token-policy', 'refresh-validity')
      if (validity !== undefined && Number(textOf(validity)) > LONG_REFRESH)
        yield { at: placeOf(validity), args: { name, value: textOf(validity) ?? '' }, variant: 'validity' }
    }
  },

  text: () => ({
    en: {
      title: 'Insecure OAuth grant allowed',
      message: '"grant-types" of {name} lists "{value}".',
      why: 'With this grant, tokens appear in URLs and browser histories: an attacker who reads one can act as the user.',
      fix: 'Set "grant-types": ["authorization_code"] in {name}; add "client_credentials" or "refresh_token" only if they are used.',
      variants: {
        password: {
          why: 'With this grant, the application sees its users’ passwords: an attacker who compromises it can log in as these users wherever these passwords are valid.',
        },
        public: {
          title: 'Public OAuth client without PKCE',
          message: '"public-client" of {name} is true, and no grant type requires PKCE.',
          why: 'An attacker who intercepts an authorization code can exchange it for tokens: neither a secret nor PKCE binds it to your application.',
          fix: 'Remove "public-client": true, or allow PKCE only: "grant-types": ["authorization_code_pkce_s256"].',
        },
        validity: {
          title: 'Long-lived identity service refresh tokens',
          message: '"refresh-validity" of {name} is {value} seconds; the default is 43200.',
          why: 'An attacker with a stolen refresh token can obtain new tokens for the user until the refresh token expires.',
          fix: 'Set "refresh-validity": 43200 in {name}, or the shortest time that works.',
        },
      },
    },
    fr: {
      title: 'Flux OAuth non sécurisé autorisé',
      message: '"grant-types" de l’instance {name} contient "{value}".',
      why: 'Avec ce flux, des jetons apparaissent dans les URL et les historiques de navigation : un attaquant qui lit l’un de ces jetons peut agir au nom de l’utilisateur.',
      fix: 'Définissez "grant-types": ["authorization_code"] dans l’instance {name} ; n’ajoutez "client_credentials" ou "refresh_token" que s’ils sont utilisés.',
      variants: {
        password: {
          why: 'Avec ce flux, l’application voit les mots de passe de ses utilisateurs : un attaquant qui la compromet peut se connecter à leur place partout où ces mots de passe sont valables.',
        },
        public: {
          title: 'Client OAuth public sans PKCE',
          message: '"public-client" de l’instance {name} vaut true, et aucun flux autorisé n’exige PKCE.',
          why: 'Un attaquant qui intercepte un code d’autorisation peut l’échanger contre des jetons : ni secret ni PKCE ne le lie à votre application.',
          fix: 'Supprimez "public-client": true, ou n’autorisez que PKCE : "grant-types": ["authorization_code_pkce_s256"].',
        },
        validity: {
          title: 'Jetons de rafraîchissement IAS de longue durée',
          message: '"refresh-validity" de l’instance {name} vaut {value} secondes ; la valeur par défaut est 43200.',
          why: 'Un attaquant muni d’un jeton de rafraîchissement volé peut obtenir de nouveaux jetons pour l’utilisateur jusqu’à l’expiration de ce jeton de rafraîchissement.',
          fix: 'Définissez "refresh-validity": 43200 dans l’instance {name}, ou indiquez la durée la plus courte qui convient.',
        },
      },
    },
  }),
})
