import { toBase64 } from './draw.ts'
import type { TokenType } from './tokens-platform.ts'

const of = (make: string, ...names: readonly string[]): TokenType => ({ make, names })
const named = (make: string, ...names: readonly string[]): TokenType => ({ make, names, needsName: true })

/** Formats that are met less often. */
export const MORE_TOKENS: Readonly<Record<string, TokenType>> = {
  'aws bedrock short key': {
    make: (d) =>
      'bedrock-api-key-' + toBase64(`bedrock.amazonaws.com/?Action=CallWithBearerToken&X-Amz-Credential=${d.shape('{w60}')}`),
    names: ['AWS_BEARER_TOKEN_BEDROCK'],
  },
  'alibaba id': of('LTAI{l20}', 'ALIBABA_ACCESS_KEY_ID'),
  yandex: named('AQVN{u35}', 'YANDEX_API_KEY'),
  linode: named('{h64}', 'LINODE_TOKEN'),
  ovh: named('{w32}', 'OVH_APPLICATION_SECRET'),
  hetzner: named('{w64}', 'HCLOUD_TOKEN'),
  'gitlab build': of('glcbt-{u20}', 'JOB_TOKEN'),
  'gitlab mail': of('glimt-{u25}', 'MAIL_TOKEN'),
  'gitlab agent': of('glagent-{u50}', 'AGENT_TOKEN'),
  'gitlab application': of('gloas-{h64}', 'OAUTH_SECRET'),
  'gitlab scim': of('glsoat-{u20}', 'SCIM_TOKEN'),
  octopus: of('API-{U26}', 'OCTOPUS_API_KEY'),
  'docker organisation': of('dckr_oat_{u32}', 'DOCKER_TOKEN'),
  'sonar cloud': of('sqco_{w59}', 'SONAR_TOKEN'),
  'doppler service': of('dp.st.prd.{w43}', 'DOPPLER_TOKEN'),
  drone: named('{w32}', 'DRONE_TOKEN'),
  'mailgun signing': named('{h32}-{h8}-{h8}', 'MAILGUN_SIGNING_KEY'),
  'plaid access': of('access-production-{g}', 'PLAID_ACCESS_TOKEN'),
  paypal: { make: (d) => d.shape('access_token$production${l16}${h32}'), names: ['BRAINTREE_TOKEN'] },
  flutterwave: of('FLWSECK-{h32}-X', 'FLUTTERWAVE_SECRET'),
  gocardless: named('live_{u40}', 'GOCARDLESS_TOKEN'),
  lob: named('live_{h35}', 'LOB_API_KEY'),
  'newrelic browser': of('NRJS-{h19}', 'NEW_RELIC_BROWSER_KEY'),
  intercom: named('{w60}', 'INTERCOM_ACCESS_TOKEN', 'intercomToken'),
  salesforce: of('00D{w12}!AQ{r94}', 'SALESFORCE_SESSION'),
  snowflake: named('{w24}', 'SNOWFLAKE_PASSWORD'),
  looker: named('{w24}', 'LOOKER_CLIENT_SECRET'),
  '1password account key': of('A3-{U6}-{U11}-{U5}-{U5}-{U5}', 'OP_SECRET_KEY'),
  '1password service': {
    make: (d) =>
      'ops_' +
      toBase64(
        JSON.stringify({
          signInAddress: 'acme.1password.com',
          secretKey: d.shape('{w60}'),
          deviceUuid: d.shape('{l26}'),
          srpX: d.shape('{h64}'),
        }),
      ).replaceAll('=', ''),
    names: ['OP_SERVICE_ACCOUNT_TOKEN'],
  },
  facebook: of('EAAM{w120}', 'FB_ACCESS_TOKEN'),
  mapbox: {
    make: (d) =>
      `sk.${Buffer.from(JSON.stringify({ u: 'acme', a: d.shape('{l25}') })).toString('base64url')}.${d.shape('{u22}')}`,
    names: ['MAPBOX_TOKEN'],
  },
  'sentry organisation': {
    make: (d) =>
      `sntrys_${toBase64(JSON.stringify({ iat: 1_790_000_000.5, url: 'https://sentry.io', region_url: 'https://eu.sentry.io', org: 'acme' })).replaceAll('=', '')}_${d.shape('{b43}')}`,
    names: ['SENTRY_AUTH_TOKEN'],
  },
  'grafana legacy': {
    make: (d) => toBase64(JSON.stringify({ k: d.shape('{w32}'), n: 'orders-monitor', id: 1 })),
    names: ['GRAFANA_API_KEY'],
  },
}
