import { drawJwt, toBase64 } from '../material/draw.ts'
import { js, json, text, word, type PlacePen, type Places } from './place.ts'

const textKey = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`"${pen.put(pen.random())}"`, ...safe)

/** What people leave behind in a hurry: tickets, hooks, seeds, snippets, exports, half a configuration. */
export const EVERYDAY_PLACES: Places = {
  'step of a runbook': (pen) => [
    'docs/runbook.md',
    `1. Open the cockpit.\n2. Log on with user DBADMIN and password ${pen.either(`\`${pen.put(pen.generated())}\``, '`<password>`', 'from the vault')}.\n`,
  ],
  'answer in a question list': (pen) => ['docs/faq.md', `**Which API key do we use?** \`${pen.key('<key>', 'yours')}\`\n`],
  'default credentials': (pen) => ['README.md', `Default credentials: \`${pen.user()}:${word(pen, '<password>', '***')}\`\n`],
  'user and password in brackets': (pen) => [
    'docs/demo.md',
    `Demo system (user: demo, password: ${word(pen, '<password>', 'see vault')}) is reset nightly.\n`,
  ],
  'password quoted in German': (pen) => [
    'docs/demo.md',
    `Bitte mit dem Kennwort „${word(pen, 'siehe Tresor', '<Kennwort>')}“ anmelden.\n`,
  ],
  'new password in a chat': (pen) => [
    'docs/chat.txt',
    `[10:12] Tom: the new password for QAS is ${word(pen, 'in KeePass', 'unknown')}\n`,
  ],
  'token in a curl of a page': (pen) => [
    'docs/api.md',
    `    curl -H "Authorization: Bearer ${pen.either(pen.put(drawJwt(pen)), '<token>', '$TOKEN')}" https://erp.corp.cloud\n`,
  ],
  'export of a cockpit': (pen) => [
    'docs/key.txt',
    `clientid      sb-orders!t12\nclientsecret  ${pen.key('<secret>', 'hidden')}\nurl           https://o.authentication.eu10.hana.ondemand.com\n`,
  ],
  'key value in a comment of HTML': (pen) => [
    'webapp/index.html',
    `<html><body><!-- TODO remove apiKey=${pen.key('<key>', '${key}')} --></body></html>\n`,
  ],
  'data attribute of a page': (pen) => [
    'webapp/index.html',
    `<html><body><div id="map" data-api-key="${pen.key('', '{{key}}')}"></div></body></html>\n`,
  ],
  'meta of a page': (pen) => [
    'webapp/index.html',
    `<html><head><meta name="api-token" content="${pen.key('', '{{token}}')}"></head></html>\n`,
  ],
  'inline script of a page': (pen) => [
    'webapp/index.html',
    `<html><script>window.config = { mapsKey: 1, clientSecret: "${pen.key('', '{{secret}}')}" }</script></html>\n`,
  ],
  'script address with a key': (pen) => [
    'webapp/index.html',
    `<html><script src="https://maps.corp.cloud/js?libraries=places&key=${pen.either(pen.put(pen.shape('AIza{u35}')), 'API_KEY', '{{key}}')}"></script></html>\n`,
  ],
  'hook of Git': (pen) => ['.husky/pre-push', `#!/bin/sh\nexport SONAR_TOKEN=${pen.key('$1', '"$T"')}\nnpm run scan\n`],
  'remote of Git': (pen) => [
    '.git-config.txt',
    `[remote "origin"]\n\turl = https://ci:${word(pen, '$TOKEN', '${TOKEN}')}@git.corp.cloud/o.git\n`,
  ],
  'git submodule': (pen) => [
    '.gitmodules',
    `[submodule "lib"]\n\tpath = lib\n\turl = https://oauth2:${pen.either(pen.put(pen.random()), '$TOKEN', '${TOKEN}')}@git.corp.cloud/lib.git\n`,
  ],
  'repository with a token': (pen) => [
    'package.json',
    json({
      name: 'o',
      repository: {
        type: 'git',
        url: `git+https://ci:${pen.either(pen.put(pen.random()), '${TOKEN}', '$TOKEN')}@git.corp.cloud/o.git`,
      },
    }),
  ],
  'seed of a database': (pen) => [
    'db/seed.js',
    `await INSERT.into('Systems').entries([{ name: 'QAS', user: 'SVC', password: ${js(pen, 'pw', "''")} }])\n`,
  ],
  'mock data in JSON': (pen) => [
    'webapp/localService/mockdata/Systems.json',
    json([{ ID: 1, Name: 'QAS', ClientSecret: pen.key('', '***') }]),
  ],
  'migration in SQL': (pen) => [
    'db/m.sql',
    `INSERT INTO "SYSTEMS" ("NAME","USER","PASSWORD") VALUES ('QAS','SVC','${pen.hide('', '?')}');\n`,
  ],
  'procedure with a connection': (pen) => [
    'db/src/c.hdbprocedure',
    `EXEC 'CONNECT TECH PASSWORD "${pen.hide(':pw', '<password>')}"';\n`,
  ],
  'configuration in a class of Java': (pen) => [
    'src/main/java/Cfg.java',
    `public class Cfg {\n  public static String getApiKey() {\n    return ${textKey(pen, 'System.getenv("K")', 'key')};\n  }\n}\n`,
  ],
  'builder of a JWT in Java': (pen) => [
    'src/main/java/J.java',
    `class J { String t = Jwts.builder().setSubject("x").signWith(SignatureAlgorithm.HS256, ${textKey(pen, 'key', 'env("K")')}).compact(); }\n`,
  ],
  'switch of Java': (pen) => [
    'src/main/java/S.java',
    `class S { String password(String s) { switch (s) { case "QAS": return ${text(pen, 'pw', 'null')}; default: return null; } } }\n`,
  ],
  'properties in a test of Java': (pen) => [
    'src/main/java/P.java',
    `@SpringBootTest(properties = {"erp.user=svc", "erp.password=${pen.hide('${pw}', '')}"})\nclass P {}\n`,
  ],
  'config of a Groovy script': (pen) => [
    'src/main/resources/script/c.groovy',
    `def props = message.getProperties()\ndef clientSecret = "${pen.key('${secret}', '')}"\n`,
  ],
  'Python notebook cell with a login': (pen) => [
    'notebooks/c.ipynb',
    json({
      cells: [{ cell_type: 'code', source: [`conn = dbapi.connect("h", 443, "SYSTEM", "${pen.hide('', '<password>')}")\n`] }],
    }),
  ],
  'magic of a notebook': (pen) => [
    'notebooks/d.ipynb',
    json({ cells: [{ cell_type: 'code', source: [`%env OPENAI_API_KEY=${pen.key('', '$KEY')}\n`] }] }),
  ],
  'output of a notebook': (pen) => [
    'notebooks/e.ipynb',
    json({
      cells: [
        { cell_type: 'code', outputs: [{ text: [`access_token: ${pen.either(pen.put(drawJwt(pen)), '***', '<token>')}\n`] }] },
      ],
    }),
  ],
  'YAML of Streamlit': (pen) => [
    '.streamlit/secrets.toml',
    `[hana]\nuser = "SYSTEM"\npassword = "${pen.hide('', '<password>')}"\n`,
  ],
  pyproject: (pen) => [
    'pyproject.toml',
    `[tool.corp]\nindex = "https://pypi.corp.cloud"\ntoken = "${pen.key('', '${TOKEN}')}"\n`,
  ],
  'tox environment': (pen) => [
    'tox.ini',
    `[testenv]\nsetenv =\n    ERP_USER = svc\n    ERP_PASSWORD = ${pen.hide('{env:PW}', '')}\n`,
  ],
  'constants of TypeScript': (pen) => [
    'srv/constants.ts',
    `export default {\n  API: { BASE: '/x', KEY_NAME: 'x', SECRET: ${js(pen, "''", 'env.S')} },\n} as const\n`,
  ],
  'environment of Angular': (pen) => [
    'src/environments/environment.prod.ts',
    `export const environment = { production: true, auth: { clientId: 'x', clientSecret: '${pen.key('', '#{s}#')}' } }\n`,
  ],
  'JSON in a script string': (pen) => [
    'srv/str.js',
    `const key = JSON.parse('{"clientid":"sb-o!t1","clientsecret":"${pen.key('', '<secret>')}"}')\n`,
  ],
  'JSON in a template string': (pen) => [
    'srv/tpl.ts',
    `const body = \`{"username":"svc","password":"${pen.hide('${pw}', '')}"}\`\n`,
  ],
  'form of a fetch': (pen) => [
    'srv/form.js',
    `await fetch(url, { method: 'POST', body: 'grant_type=password&username=svc&password=${pen.key("' + pw + '", '')}' })\n`,
  ],
  'URLSearchParams of a list': (pen) => [
    'srv/usp.js',
    `const p = new URLSearchParams([['client_id', 'x'], ['client_secret', ${js(pen, 'secret', 'env.S')}]])\n`,
  ],
  'append of FormData': (pen) => ['webapp/util/f.js', `oForm.append('password', ${js(pen, 'sPw', 'value')})\n`],
  'basic header by hand': (pen) => [
    'srv/hdr.js',
    `headers['Authorization'] = 'Basic ${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), '<base64>', '{basic}')}'\n`,
  ],
  'old and new value': (pen) => ['srv/cmp.js', `const oldPassword = ${js(pen, 'a', "''")}, user = 'svc'\n`],
  'ternary of stages': (pen) => ['srv/stage.ts', `const apiToken = isProd ? process.env.TOKEN : ${js(pen, 'devToken', "''")}\n`],
  'defaults of a function': (pen) => [
    'srv/def.ts',
    `export function connect(user = 'svc', password = ${js(pen, "''", 'env.PW')}) {}\n`,
  ],
  'option of yargs': (pen) => [
    'tools/y.js',
    `yargs.option('password', { alias: 'p', type: 'string', default: ${js(pen, "''", 'process.env.PW')} })\n`,
  ],
  'set of nconf': (pen) => ['srv/nconf.js', `nconf.set('erp:password', ${js(pen, 'pw', 'env.PW')})\n`],
  'ABAP: IF with a literal': (pen) => [
    'src/z1.prog.abap',
    `IF iv_token = ${pen.either(`'${pen.put(pen.random())}'`, 'mv_token', "''")}.\n  rv_ok = abap_true.\nENDIF.\n`,
  ],
  'ABAP: field symbol': (pen) => [
    'src/z2.prog.abap',
    `<ls_conf>-password = ${pen.either(`'${pen.put(pen.password())}'`, 'lv_pw', "''")}.\n`,
  ],
  'ABAP: MOVE': (pen) => [
    'src/z3.prog.abap',
    `MOVE ${pen.either(`'${pen.put(pen.password())}'`, 'lv_x', 'space')} TO lv_password.\n`,
  ],
  'ABAP: destination by hand': (pen) => [
    'src/z4.prog.abap',
    `cl_http_client=>create_by_url( EXPORTING url = 'https://svc:${pen.either(pen.put(pen.random()), '{ lv_pw }', '***')}@erp.corp.cloud' IMPORTING client = lo ).\n`,
  ],
  'PowerShell: splatting': (pen) => ['a.ps1', `$args = @{\n  User     = "svc"\n  Password = ${text(pen, '$pw', '$env:PW')}\n}\n`],
  'PowerShell: header': (pen) => [
    'b.ps1',
    `Invoke-RestMethod -Uri $u -Headers @{ "X-Api-Key" = ${textKey(pen, '$key', '$env:KEY')} }\n`,
  ],
  'bash: array': (pen) => ['c.sh', `declare -A cred=( [user]=svc [password]='${pen.hide('$1', '')}' )\n`],
  'bash: read of a here string': (pen) => [
    'd.sh',
    `docker login -u ci --password-stdin r.corp.cloud <<< "${pen.hide('$PW', '${PW}')}"\n`,
  ],
  'bash: echo into a login': (pen) => [
    'e.sh',
    `echo '${pen.hide('$PW', '<password>')}' | docker login -u ci --password-stdin r.corp.cloud\n`,
  ],
  'bash: sed of a placeholder': (pen) => ['f.sh', `sed -i "s/@@DB_PASSWORD@@/${word(pen, '$PW', '${PW}')}/" config.yaml\n`],
  'bash: psql variable': (pen) => ['g.sh', `PGPASSWORD='${pen.hide('$PW', '')}' psql -h pg -U app orders\n`],
  'ConfigMap of an ini': (pen) => [
    'k8s/ini.yaml',
    `kind: ConfigMap\ndata:\n  app.ini: |\n    [erp]\n    user = svc\n    password = ${word(pen, '${PW}', '')}\n`,
  ],
  'Kubernetes env of one line': (pen) => ['k8s/one.yaml', `env: [{ name: ERP_PASSWORD, value: "${pen.hide('', '$(PW)')}" }]\n`],
  'job of a Helm hook': (pen) => [
    'chart/templates/job.yaml',
    `args:\n  - -c\n  - hdbsql -n h:443 -u DBADMIN -p ${word(pen, '{{ .Values.pw }}', '$PW')} "select 1 from dummy"\n`,
  ],
  'output of Terraform': (pen) => ['infra/out.tf', `output "admin_password" {\n  value = "${pen.hide('${var.pw}', '')}"\n}\n`],
  'set block of Terraform': (pen) => [
    'infra/helm.tf',
    `set_sensitive {\n  name  = "auth.password"\n  value = "${pen.hide('${var.pw}', '')}"\n}\n`,
  ],
}
