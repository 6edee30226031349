import { CODE_CARRIERS, SETTING_CARRIERS, carry, carrySafe, type Carrier } from './carriers.ts'
import type { Draw } from './draw.ts'
import { writeSample, type Pen, type Sample } from './sample.ts'

const CARRIERS: Readonly<Record<string, Carrier>> = { ...SETTING_CARRIERS, ...CODE_CARRIERS }

const PASSWORD_NAMES = [
  'password',
  'Password',
  'passwd',
  'pwd',
  'passphrase',
  'kennwort',
  'dbPassword',
  'db_password',
  'userPassword',
  'adminPwd',
  'smtpPassword',
  'keystorePassword',
  'ftp_password',
  'proxyPassword',
  'erpPasswd',
  'defaultPassword',
  'PASSWORD_PROD',
  'passwordS4',
  'sftpPass',
  'motDePassePassword',
]
const SECRET_NAMES = [
  'clientSecret',
  'client_secret',
  'apiKey',
  'api_key',
  'apikey',
  'accessToken',
  'access_token',
  'authToken',
  'auth_token',
  'secretKey',
  'secret_key',
  'signingSecret',
  'jwtSecret',
  'encryptionKey',
  'webhookSecret',
  'bearerToken',
  'accessKey',
  'sessionSecret',
  'appSecret',
  'refreshToken',
  'subscriptionKey',
  'consumerSecret',
  'sharedSecret',
  'serviceToken',
  'cookieSecret',
  'API_TOKEN',
]

/** A name that says credential, and a value that could be one. */
export function writeGeneric(seed: string, draw: Draw, count: number): Sample[] {
  return Array.from({ length: count }, (_, at) => {
    const [where, carrier] = draw.one(Object.entries(CARRIERS))
    const isPassword = draw.below(2) === 0
    const name = draw.one(isPassword ? PASSWORD_NAMES : SECRET_NAMES)
    const value = isPassword ? (pen: Pen) => pen.one([pen.human, pen.generated])() : secretValue
    return writeSample('generic', `${name} in ${where} ${at}`, carry(carrier, name, value), seed)
  })
}

function secretValue(pen: Pen): string {
  return pen.shape(
    pen.one([
      '{h32}',
      '{h40}',
      '{h64}',
      '{w24}',
      '{w32}',
      '{w40}',
      '{u43}',
      '{b43}=',
      '{l28}',
      '{U26}',
      '{w12}-{w12}-{w8}',
      '{w20}.{w16}',
    ]),
  )
}

/** Values that are none, whatever their name. */
const SAFE_VALUES: Readonly<Record<string, (pen: Pen) => string>> = {
  'a placeholder in brackets': () => '<password>',
  'a placeholder that asks': () => 'your-password-here',
  'a placeholder in capitals': () => 'YOUR_API_KEY',
  'a template of Handlebars': () => '{{password}}',
  'a variable of a shell': () => '${PASSWORD}',
  'a placeholder of Ant': () => '@PASSWORD@',
  stars: () => '********',
  crosses: () => 'xxxxxxxxxxxx',
  'an empty value': () => '',
  'a word for nothing': (pen) => pen.one(['null', 'none', 'undefined', 'true', 'false']),
  'a reference to a vault': () => 'vault:secret/data/orders#password',
  'a reference to env': () => 'env:ERP_PASSWORD',
  'an encrypted value': (pen) => `ENC[AES256_GCM,data:${pen.shape('{b24}')},iv:${pen.shape('{b20}')},type:str]`,
  'a word to change': (pen) =>
    pen.one(['changeme', 'change-me', 'CHANGE_ME', 'replace-me', 'replaceme', 'insert-here', 'todo', 'dummy', 'example']),
}

/** Names that hold a word of credentials and mean something else, with what they hold. */
const SAFE_NAMES: Readonly<Record<string, (pen: Pen) => string>> = {
  passwordLabel: () => 'Enter password',
  password_hint: () => 'At least 8 characters',
  passwordPlaceholder: () => 'Type your password',
  tokenUrl: (pen) => `https://${pen.host()}/oauth/token`,
  tokenEndpoint: () => '/oauth/token',
  authUrl: (pen) => `https://${pen.host()}`,
  authType: () => 'OAuth2ClientCredentials',
  authenticationMethod: () => 'BasicAuthentication',
  secretName: () => 'orders-db-credentials',
  existingSecret: () => 'orders-sftp',
  secret_ref: () => 'orders-uaa-binding',
  credentialsId: () => 'cf-deploy-prod-user',
  publicKey: (pen) => pen.shape('{b64}'),
  primaryKey: () => 'OrderID',
  foreignKey: () => 'Customer_ID2',
  keyCode: () => 'Enter',
  keyword: () => 'sales2026orders',
  keyboardShortcut: () => 'Ctrl+Shift+F12',
  csrfToken: () => 'Fetch',
  xsrfCookieName: () => 'XSRF-TOKEN2',
  apiKeyHeader: () => 'x-api-key-v2',
  accessTokenField: () => 'access_token_v2',
  passwordField: () => 'j_password',
  passwordFile: () => '/run/secrets/db_password1',
  secretPath: () => 'kv/data/orders/v1',
  tokenType: () => 'Bearer2026',
  integrity: (pen) => `sha512-${pen.shape('{b86}==')}`,
  checksum: (pen) => pen.shape('{h64}'),
  gitCommit: (pen) => pen.shape('{h40}'),
  etag: (pen) => pen.shape('{h32}'),
  tenantId: (pen) => pen.guid(),
  clientId: (pen) => `sb-orders!t${pen.shape('{d5}')}`,
  instanceGuid: (pen) => pen.guid(),
  sha256: (pen) => pen.shape('{h64}'),
  passwordMinLength: () => '12',
  passwordPolicy: () => 'strong2',
  author: () => 'Alice Miller 2026',
  authorizationGroup: () => 'ZGRP0001',
  keyId: (pen) => pen.shape('{h40}'),
  tokenLifetime: () => '43200',
  buildId: (pen) => pen.shape('{w32}'),
  secretKeyRef: () => 'db-secret1',
  sessionName: () => 'orders.sid1',
  passwordResetLink: (pen) => `https://${pen.host()}/reset`,
  passwordRegex: () => '^(?=.*[A-Z]).{8,}$',
  tokenizer: () => 'standard_v2',
  tokenHeader: () => 'X-CSRF-Token',
}

export function writeGenericTwins(seed: string, draw: Draw, count: number): Sample[] {
  const samples: Sample[] = []
  for (let at = 0; at < count; at++) {
    const [where, carrier] = draw.one(Object.entries(CARRIERS))
    if (at % 2 === 0) {
      const [what, value] = draw.one(Object.entries(SAFE_VALUES))
      const name = draw.one([...PASSWORD_NAMES, ...SECRET_NAMES])
      samples.push(writeSample('generic', `${what} for ${name} in ${where} ${at}`, carrySafe(carrier, name, value), seed))
    } else {
      const [name, value] = draw.one(Object.entries(SAFE_NAMES))
      samples.push(writeSample('generic', `${name} in ${where} ${at}`, carrySafe(carrier, name, value), seed))
    }
  }
  return samples
}
