import type { Writers } from '../material/sample.ts'

/** What looks like the forms of later readers: columns, prompts, branches, joined texts, without a credential. */
export const FURTHER_QUIET: Writers = {
  'columns of a data file': (pen) => [
    'db/data/a.orders-Systems.csv',
    `ID;name;password;tokenType;apiKey\n1;QAS;initial;Bearer;see vault\n2;PRD;;JWT2024;\n3;${pen.guid()};Password1;;none\n`,
  ],
  'columns of a table of fields': () => [
    'docs/fields.csv',
    `field,type,secret,password policy\nclientsecret,String(80),yes,min 12 characters\ntoken,LargeString,no,rotates every 90 days\n`,
  ],
  'codes and texts in rows': (pen) => [
    'db/init.sql',
    `INSERT INTO SETTINGS VALUES(1,'client_secret','Client secret of the service','see vault');\nINSERT INTO SETTINGS (ID, CODE, LABEL_ID) VALUES ('${pen.guid()}','api_key','i18n.apiKeyLabel2024');\nINSERT INTO I18N VALUES ('password','Passwort','es'),('token','Anmeldetoken','de');\nSELECT 'token', SESSION_USER FROM DUMMY;\n`,
  ],
  'codes and texts in records': (pen) => [
    'db/codes.json',
    `[{ "code": "client_secret", "descr": "Client secret", "guid": "${pen.guid()}" }, { "name": "password", "type": "Edm.String", "valueHelp": "PasswordHelp2024" }, { "key": "token", "id": "${pen.random()}" }]\n`,
  ],
  'a code list with keys': (pen) => [
    'db/data/a.orders-Types.csv',
    `code;name;ID\napi_key;API key;${pen.guid()}\npassword;Password of the user;${pen.random()}\n`,
  ],
  'what a fake gives in a test': () => [
    'tests/test_login.py',
    `async def fake(key):\n    return Oauth2Config(\n        authorize_url="https://as.museum-haus.de/oauth/authorize",\n        token_url="https://as.museum-haus.de/oauth/token",\n        client_id="pay-client-1",\n        client_secret="pay-secret-1",\n    )\n`,
  ],
  'arguments of a call': (pen) => [
    'srv/n.js',
    `store('client_secret', '${pen.guid()}', 1)\nlabels.push({ field: 'password', css: 'fieldPassword2024Wide' })\n`,
  ],
  'cells beside a label': () => [
    'docs/api.html',
    `<table><tr><th>Password</th><td>String(40)</td></tr><tr><td>Token</td><td>OAuth2.0-Bearer</td></tr><tr><td>API key</td><td><code>X-API-Key</code></td></tr></table>\n`,
  ],
  'steps of Gherkin': () => [
    'features/login.feature',
    `Scenario Outline: login\n  When I enter the password "<password>"\n  And I type password "wrong"\n  Then I see "Password1 is not valid"\n  Examples:\n    | user | password |\n    | a | <from env> |\n    | b | $PASSWORD |\n`,
  ],
  'rows of Robot Framework': () => [
    'suite.robot',
    `*** Variables ***\n\${PASSWORD_FIELD}    id=password1\n\${LOGIN_TOKEN}    \${EMPTY}\n*** Keywords ***\nLogin\n    Input Password    id=pw    \${PASSWORD}\n`,
  ],
  'prompts that a variable answers': () => [
    'l.exp',
    `expect "Password:"\nsend "$env(PASSWORD)\\r"\nexpect {\n  "assword:" { send -- "$pw\\r" }\n}\n`,
  ],
  'arguments that a comment names': () => [
    'src/main/java/C.java',
    `class C { void a() { call("a", /* token */ "bearer", /* password */ null, /* secret */ "orders-secret"); } }\n`,
  ],
  'branches of labels': () => [
    'webapp/util/formatter.js',
    `const api = {\n  getPasswordState(v) { switch (v) { case 1: return 'Error'; default: return 'None' } },\n  getToken(t) { if (!t) { return 'token' } return t.value },\n  getSecret(n) { return n === 1 ? 'secretOne' : 'secretTwo' },\n}\nconst password = bNew ? "passwordNew" : "passwordOld"\n`,
  ],
  'members of labels': () => [
    'webapp/util/labels.js',
    `const password = { de: 'Kennwort', en: 'Password', fr: 'Mot de passe' }[lang]\nconst token = { a: 'TokenA', b: 'TokenB' }[kind]\n`,
  ],
  'names that are unpacked': () => [
    'tools/k.py',
    `USER_KEY, PASSWORD_KEY = "user", "password"\nTOKEN, SECRET = range(2)\nuser, password = login.split(":")\nname, token = parts[0], parts[1]\n`,
  ],
  'schemes by name': () => [
    'srv/auth.js',
    `const schemes = ['Basic', 'Bearer', 'ApiKey']\npassport.use('basic', 'challenge-realm')\nif (type === 'Basic' && 'Authorization' in headers) next()\nconst auth = 'Bearer' + ' ' + token\nres.set('WWW-Authenticate', 'Basic realm="orders:2024"')\n`,
  ],
  'joined texts of variables': () => [
    'srv/url.js',
    `const a = host + '?apikey=' + apiKey + '&x=1'\nconst b = 'token=' + '{token}' + '&scope=read'\nconst c = 'https://' + user + ':' + pw + '@' + host\nconst d = btoa(user + ':' + '')\nconst e = btoa('id:' + 'name')\nconst f = Buffer.from(\`\${user}:\${password}\`).toString('base64')\nconst g = 'https://user:' + password + '@' + host\n`,
  ],
  'addresses that are filled in': () => [
    'srv/new-url.js',
    `url.password = credentials.password\nurl.searchParams.set('apikey', process.env.KEY)\nurl.searchParams.set('token_type', 'access_token_v2')\nurl.searchParams.append('passwordPolicy', 'strong2024')\nnew URLSearchParams({ grant_type: 'client_credentials', client_secret, apikey: '' })\nheaders['x-csrf-token'] = 'Fetch'\nheaders.set('X-API-Key', \`\${key}\`)\n`,
  ],
  'defaults that are none': () => [
    'tools/d.py',
    `os.environ.setdefault("PASSWORD", "")\npassword = os.getenv("PASSWORD", None)\ntoken = os.environ.get("TOKEN", "<token>")\nsecret = cfg.get("secret", fallback="changeme")\n`,
  ],
  'variables of other shells': () => [
    'q.ps1',
    `$env:PASSWORD = $config.password\n$env:TOKEN = $args[1]\n$secret = Get-Secret -Name orders-2024 -AsPlainText\nConnect-Erp -Password $cred.GetNetworkCredential().Password\n`,
  ],
  'defaults of a Makefile': () => ['Makefile', `PASSWORD ?= $(shell pass show orders)\nTOKEN ?=\nSECRET_NAME := orders-2024\n`],
  'commands that ask or refer': () => [
    'x.sh',
    `htpasswd -c .htpasswd admin2024\nnet use Z: \\\\files\\share /user:CORP\\svc\nsnyk auth\ngh secret set PASSWORD < pw.txt\necho "$USER:$PW" | chpasswd\naz keyvault secret set --name db --file pw.txt\nsapcontrol -nr 00 -function GetProcessList\n`,
  ],
  'headers by their variables': () => [
    'nginx.conf',
    `proxy_set_header X-Api-Key $http_x_api_key;\nproxy_set_header Authorization $http_authorization;\nadd_header X-Token-Type "bearer-v2";\n`,
  ],
}
