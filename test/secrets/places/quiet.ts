import { drawSecret } from '../../secret-values.ts'
import type { Writers } from '../material/sample.ts'
import { json } from './place.ts'

/** Names and words of credentials around what is none: texts, ids, hashes, public keys, schemas, documentation. */
export const QUIET: Writers = {
  'texts of the user interface': () => [
    'webapp/i18n/i18n_de.properties',
    `login.password=Kennwort\nlogin.passwordHint=Mindestens 8 Zeichen, 1 Ziffer\nerror.token=Token abgelaufen: bitte neu anmelden (F5)\napiKey=API-Schlüssel2\n`,
  ],
  'labels of a view': () => [
    'webapp/view/L.view.xml',
    `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m"><Label text="Password:" labelFor="idPassword1"/><Input id="idPassword1" type="Password" placeholder="Enter password123" value="{login>/password}"/></mvc:View>\n`,
  ],
  'metadata of OData': () => [
    'webapp/localService/metadata.xml',
    `<EntityType Name="User"><Property Name="Password" Type="Edm.String" MaxLength="40" sap:label="Password2"/><Property Name="AccessToken" Type="Edm.String"/></EntityType>\n`,
  ],
  'schema of OpenAPI': () => [
    'srv/external/api.yaml',
    `components:\n  securitySchemes:\n    apiKey:\n      type: apiKey\n      in: header\n      name: X-API-Key-V2\n  schemas:\n    Login:\n      properties:\n        password:\n          type: string\n          format: password\n          description: Password of user0815\n          example: string\n`,
  ],
  'elements of CDS': () => [
    'db/s.cds',
    `entity Users { key ID : UUID; password : String(120) @title: 'Password1'; tokenHash : String default 'none'; apiKey : String @Core.Computed; }\n`,
  ],
  'identifiers in paths': (pen) => [
    'webapp/util/groups.js',
    `const open = (id) => fetch('https://directory.corp.cloud/v1/groups/${pen.shape('[0-9a-f]{32}')}/' + id)\nconst page = (no) => \`https://portal.corp.cloud/viewer/${pen.shape('[0-9a-f]{32}')}/\${no}\`\n`,
  ],
  'hashes in a lock file': (pen) => [
    'pnpm-lock.yaml',
    `packages:\n  /token-key@1.0.0:\n    resolution: {integrity: sha512-${pen.shape('{b86}')}==}\n    engines: {node: '>=18'}\n`,
  ],
  'public keys': (pen) => [
    'config/keys.json',
    json({
      verificationkey: drawSecret('public-key', pen.shape('{w8}')),
      publicKey: pen.shape('{b64}'),
      certificate: drawSecret('certificate', pen.shape('{w8}')),
    }),
  ],
  'ids by names with key': (pen) => [
    'config/ids.yaml',
    `keyId: ${pen.guid()}\nkms_key_id: ${pen.guid()}\nsecretId: orders-db\ntokenId: ${pen.shape('{h24}')}\naccessKeyId: orders-reader\n`,
  ],
  'names of secrets': () => [
    'k8s/d.yaml',
    `env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef:\n        name: orders-db-2024\n        key: password\nvolumes:\n  - name: secret-volume1\n    secret:\n      secretName: orders-tls-2024\n`,
  ],
  'look-ups by name': () => [
    'srv/a.js',
    `const pw = await vault.read('secret/data/orders/password1')\nconst token = localStorage.getItem('orders.accessToken.v2')\nconst secret = getSecret('orders-client-secret-2024')\nconst key = process.env['API_KEY_V2']\n`,
  ],
  'names of options': () => [
    'tools/cli.py',
    `parser.add_argument("--password", help="Password for user1", required=True)\nparser.add_argument("--api-key", dest="api_key2", metavar="API_KEY1")\npassword = click.option("--password", prompt=True, hide_input=True)\n`,
  ],
  'errors of Java': () => [
    'src/main/java/E.java',
    `class E { static final String PASSWORD_EXPIRED = "error.password.expired.1"; String m = "Password must have 8 characters"; void a() { log.info("token {} refreshed in 25ms", id); throw new AuthException("Invalid token: E4711"); } }\n`,
  ],
  'tests of a form': () => [
    'webapp/test/unit/l.js',
    `QUnit.test("password", (assert) => { assert.strictEqual(o.getType(), "Password"); assert.equal(validate("short1"), "passwordTooShort2"); });\n`,
  ],
  'usage text of a shell': () => [
    'deploy.sh',
    `usage() { echo "usage: $0 -u USER -p PASSWORD [--token TOKEN]"; }\nread -rsp "Password for $USER: " PASSWORD\n: "\${API_TOKEN:?API_TOKEN is missing}"\nif [ -z "$PASSWORD" ]; then echo "PASSWORD not set1"; fi\n`,
  ],
  'options with -p of other programs': () => [
    'run.sh',
    `mkdir -p build/reports2024\nssh -p 2222 svc@host1\ndocker run -p 8080:8080 orders:1.2.3\ncp -p a.txt B2024x.txt\ntar -xpf archive2024.tar\nnpx cds-typer -p ./Models2024\nps -p 12345 -u root\ngit log -p Release2024..HEAD\n`,
  ],
  'variables of curl': () => [
    'c.sh',
    `curl -u "$USER:$PASSWORD" https://h.corp.cloud\ncurl -H "Authorization: Bearer $(cf oauth-token)" https://h.corp.cloud\ncurl -u : --negotiate https://h.corp.cloud\ncurl --user-agent "Mozilla/5.0:Orders24" https://h.corp.cloud\n`,
  ],
  'regular expressions': () => [
    'srv/r.ts',
    `const SECRET = /(?:password|token)=([^&]{8,})/\nexport const mask = (t: string) => t.replace(/"password":"[^"]+"/, '"password":"***"').replace(/Bearer [\\w.]+/, 'Bearer [redacted]')\n`,
  ],
  'routes of login': () => [
    'srv/routes.js',
    `app.post('/password/reset', resetPassword)\napp.get('/oauth/token', (q, r) => r.json({ token_type: 'bearer', scope: 'orders.read1' }))\nrouter.use('/api/v1/tokens/:tokenId', auth('jwt-bearer1'))\n`,
  ],
  'types of authentication': () => [
    'srv/t.ts',
    `type AuthMode = 'password' | 'client_secret_post' | 'private_key_jwt'\nconst AUTH: Record<string, string> = { password: 'PasswordCredential1', token: 'TokenCredential2' }\nexport const clientAuthMethod = 'client_secret_basic'\n`,
  ],
  'grammar of credentials': () => [
    'docs/api.md',
    `Send \`Authorization: Bearer <token>\` or \`Authorization: Basic <base64(user:password)>\`.\n\n\`password\`: at least 12 characters. \`token\`: a JWT (RFC7519).\n\nThe secret key is stored in Vault2; the API key header is \`X-API-Key\`.\n`,
  ],
  'features by name': () => [
    'config/features.json',
    json({
      passwordReset: 'enabled1',
      tokenRefresh: 'auto2',
      secretRotation: '30days',
      apiKeyRotation: 'P30D',
      passwordStrength: 'medium3',
      tokenIssuer: 'https://a.accounts.cloud/',
    }),
  ],
  'colors and sizes as tokens': () => [
    'webapp/tokens.js',
    `export const token = { colorPrimary: '#1677ff', borderRadius8: '8px' }\nexport const tokens = ['sapBrandColor1', 'sapTextColor2']\n`,
  ],
  'columns of a table': () => [
    'docs/columns.md',
    '| Field | Type | Password |\n|---|---|---|\n| name | String(40) | not stored |\n| pin | Integer | optional2 |\n',
  ],
  'queries with names': () => [
    'srv/q.js',
    `const rows = await SELECT.from('Users').columns('name', 'passwordHash1').where({ token: req.params.token })\nconst sql = 'SELECT password FROM users WHERE name = ?'\n`,
  ],
  'documented calls': () => [
    'src/C.cs',
    `/// <summary>new NetworkCredential("user", "password")</summary>\n/// <param name="password">The password of user1.</param>\nclass C { public string PasswordHash { get; set; } = ""; }\n`,
  ],
  'names of claims': () => [
    'srv/claims.go',
    `package main\n\nconst tokenHeader = "X-Auth-Token-V2"\nvar passwordKey = contextKey("password-key-1")\n\ntype Login struct {\n\tPassword string \`json:"password" validate:"min=8"\`\n\tToken    string \`json:"access_token,omitempty"\`\n}\n`,
  ],
  'switch of credentials': () => [
    'webapp/c.js',
    `switch (sType) { case "password": return "passwordInput1"; case "token": return "tokenInput2"; }\nif (sField === "clientSecret") { sText = "Client Secret2"; }\n`,
  ],
  'calls with two texts': () => [
    'webapp/d.js',
    `MessageBox.show("Login", "Your password expired2");\noRouter.navTo("login", "Password1Reset");\noView.byId("password1", "tokenInput2");\nassert.equal(user, "Alice2024x");\n`,
  ],
}
