import { isTrue, textItems, textOf } from '../../model/deployment/index.ts'
import { at } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Grants that OAuth 2.1 has dropped (RFC 9700, 2.1.2 and 2.4). */
const WEAK_GRANTS: ReadonlySet<string> = new Set(['implicit', 'password', 'resource_owner', 'resource_owner_password', 'ropc'])

/** Seconds: a week; the default is 12 hours, the most half a year. */
const LONG_REFRESH = 604_800

/** An OAuth client of the identity service that gives tokens away easily.
 *  Facts: SAP Cloud Identity Services, "Reference Information for the Identity Service of SAP BTP" (`public-client`, `token-policy`); RFC 9700. */
export const iasPublicClientOrImplicit: Rule = defineRule({
  id: 'btp/ias-public-client-or-implicit',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [287],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/btp-cloud-identity-services/blob/main/docs/Integrating-the-Service/reference-information-for-the-identity-service-of-sap-btp-9379444.md',
  on: 'deployment',

  *check({ services, placeOf }) {
    for (const { service, name, config } of services) {
      if (service !== 'identity') continue
      const client = at(config, 'oauth2-configuration')
      const grants = textItems(at(client, 'grant-types'))
      for (const { text, node } of grants)
        if (WEAK_GRANTS.has(text.toLowerCase())) yield { at: placeOf(node), args: { name, value: text } }
      const isPublic = at(client, 'public-client')
      if (isPublic !== undefined && isTrue(textOf(isPublic)) && !grants.some(({ text }) => /pkce/i.test(text)))
        yield { at: placeOf(isPublic), args: { name, value: 'true' }, variant: 'public' }
      const validity = at(client, 'token-policy', 'refresh-validity')
      if (validity !== undefined && Number(textOf(validity)) > LONG_REFRESH)
        yield { at: placeOf(validity), args: { name, value: textOf(validity) ?? '' }, variant: 'validity' }
    }
  },

  text: {
    en: {
      title: 'The OAuth client allows a weak grant',
      message: '"grant-types" of {name} lists "{value}".',
      why: 'With "implicit" tokens stand in addresses and histories, with "password" applications see the users’ passwords: either leaks what the login protects.',
      fix: 'Write "grant-types": ["authorization_code"] (and "client_credentials" or "refresh_token" where they are used).',
      variants: {
        public: {
          title: 'The OAuth client needs no secret',
          message: '{name} is a public client, and asks for no PKCE.',
          why: 'Whoever gets hold of an authorization code exchanges it for tokens: nothing proves that he is your application.',
          fix: 'Remove "public-client": true, or allow PKCE alone: "grant-types": ["authorization_code_pkce_s256"].',
        },
        validity: {
          title: 'Refresh tokens of the identity service live long',
          message: '"refresh-validity" of {name} is {value} seconds; the default is 43200.',
          why: 'A stolen refresh token gives new tokens until it ends, also after the user has logged out or left.',
          fix: 'Write the shortest time that works: "refresh-validity": 43200.',
        },
      },
    },
    fr: {
      title: 'Le client OAuth permet un flux faible',
      message: '« grant-types » de {name} contient « {value} ».',
      why: 'Avec « implicit », les jetons figurent dans les adresses et historiques ; avec « password », les applications voient les mots de passe : dans les deux cas fuit ce que la connexion protège.',
      fix: 'Écrivez « "grant-types": ["authorization_code"] » (et « client_credentials » ou « refresh_token » là où ils servent).',
      variants: {
        public: {
          title: 'Le client OAuth n’a besoin d’aucun secret',
          message: '{name} est un client public et n’exige pas PKCE.',
          why: 'Quiconque obtient un code d’autorisation l’échange contre des jetons : rien ne prouve qu’il est votre application.',
          fix: 'Supprimez « "public-client": true », ou n’autorisez que PKCE : « "grant-types": ["authorization_code_pkce_s256"] ».',
        },
        validity: {
          title: 'Les jetons de rafraîchissement du service d’identité vivent longtemps',
          message: '« refresh-validity » de {name} vaut {value} secondes ; la valeur par défaut est 43200.',
          why: 'Un jeton de rafraîchissement volé donne de nouveaux jetons jusqu’à son terme, même après que l’utilisateur s’est déconnecté ou est parti.',
          fix: 'Écrivez la durée la plus courte qui convient : « "refresh-validity": 43200 ».',
        },
      },
    },
  },
})
