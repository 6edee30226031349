import type { Writers } from '../material/sample.ts'

/** Sentences, tables and comments that speak of credentials and hold none. */
export const SENTENCE_QUIET: Writers = {
  'what a key is for': () => [
    'docs/keys.md',
    `The API key is part of the header \`X-Api-Key2\`. An API key (see https://help.corp.cloud/Docs/aB3dE5gH7) is required.\nAPI key = required, 40 characters.\n`,
  ],
  'lifetime and rules': () => [
    'docs/rules.md',
    `The access token is valid for 3600 seconds. Password: min. 12 characters, A-Z, a-z, 0-9.\nThe password policy is ISO27001-Annex-A9. Client secret rotation: every 90 days (Q3-2026).\n`,
  ],
  'names and places of secrets': (pen) => [
    'docs/places.md',
    `Secret name: OrdersSecret2024\nToken endpoint: https://${pen.host()}/oauth/token\nClient secret id: ${pen.guid()}\nAPI key ID: A1B2C3D4E5F6G7H8\nThe token is stored in tokenStore2Redis.\n`,
  ],
  'commits and versions': (pen) => [
    'CHANGELOG.md',
    `- fix token refresh: ${pen.shape('{h40}')}\n- password reset - ${pen.shape('{h8}')}\n- API key rotation → v2.14.3-rc.1 (${pen.guid()})\n- secret scanning is now sap-cloud-sdk-3.21.0\n`,
  ],
  'identifiers of code': () => [
    'docs/code.md',
    `The token is \`getAccessToken2Async\`. API key: \`apiKeyForTenant2\`. The secret → \`readSecret_v2\`.\nPassword - see \`PasswordField12\`; the password is \`user.password2Hash\`.\n`,
  ],
  'cells of tables': (pen) => [
    'docs/fields.md',
    `| Field | Type | Example |\n|---|---|---|\n| API key | String(40) | see vault |\n| Client secret | CHAR64_NOT_NULL | - |\n| Token | ${pen.guid()} | Edm.String |\n`,
  ],
  'German and French': () => [
    'docs/texte.md',
    `Der API-Schlüssel ist im BTP-Cockpit2024 hinterlegt. Passwort: mindestens 8 Zeichen. Schlüssel = Primaerschluessel_2.\nZugangsdaten: siehe Tresor / KeePass2024\nLa clé d’API est dans le coffre. Mot de passe : 12 caractères au moins. Le jeton est valable 3600s.\nIdentifiants : voir le coffre / KeePass2024\n`,
  ],
  'columns of a text': () => [
    'docs/options.txt',
    `token            string, required\nAPI key          see the cockpit\npassword         see the vault\nsecret           client-credentials\n`,
  ],
  'comments of code': () => [
    'srv/comments.js',
    `// token is refreshed by refreshToken2(), password: see .env\n// api key: process.env.API_KEY, secret = config.secretV2\n/* password - taken from credentials.password2 */\nconst a = { token: token2Value, password: passwordV2Hash }\nconst b = x ? token : secondTokenOfTenant2\n`,
  ],
  'strings of programs': () => [
    'srv/strings.js',
    `log.info('token is expired: ' + id)\nlog.info(\`client secret: \${mask(secret)}\`)\nthrow new Error('password: must contain A-Z, 0-9 and one of !?')\nconst t = 'api key = {apiKey}'\nconst u = "token: " + token2Value\n`,
  ],
  'headings above texts': () => [
    'docs/headings.md',
    `### Client secret\n\nRotate-it-every-90-days-in-Q3\n\n## API key\n\`OrdersApiKeyService2024\`\n\n**Token**\nhttps://corp.cloud/aB3dE5gH7jK9\n`,
  ],
  'user and what is no password': () => [
    'docs/user.md',
    `Client ID / Client Secret: sb-orders!t12 / see the cockpit\nUser/password: SVC_ERP / ********\nCredentials: alice@corp.cloud / in KeePass2024\nuser/token: name / value\n`,
  ],
  'elements of a page': () => [
    'docs/page.html',
    `<b>API key:</b> required<br><strong>Password</strong>: PasswordPolicy2024<br><dt>Client secret</dt><dd>from the cockpit</dd><em>Token:</em> OAuth2-Bearer-JWT\n`,
  ],
  'templates of Helm': () => [
    'chart/templates/s.yaml',
    `a: {{ .Values.db.password | default "" | quote }}\nb: {{ default "changeme" .Values.db.password }}\nc: {{ .Values.secretName | default "orders-secret-2024" }}\nd: {{ required "password" .Values.password }}\n`,
  ],
  'comparisons of names': () => [
    'tools/compare.py',
    `if headers.get("X-Token") != "Bearer":\n    pass\nif request.args.get("token") == "csrf-token":\n    pass\nif (name.equals("password") || token.equals("access_token")) {}\n`,
  ],
}
