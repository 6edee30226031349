import { json, word, type PlacePen, type Places } from './place.ts'

const text = (pen: PlacePen, value: string, ...safe: readonly string[]): string => pen.either(`"${pen.put(value)}"`, ...safe)

/** Places of further tools around SAP BTP. */
export const TOOL_PLACES: Places = {
  'parameters of an mtaext': (pen) => [
    'prod.mtaext',
    `_schema-version: "3.1"\nID: orders.prod\nextends: orders\nresources:\n  - name: erp\n    parameters:\n      config:\n        user: svc\n        password: ${pen.hide('${erp-password}', '""')}\n`,
  ],
  'cf cups -p as JSON': (pen) => ['cups.sh', `cf cups erp -p '{"user":"svc","password":"${pen.hide("'$PW'", '<password>')}"}'\n`],
  'cf cups -p over lines': (pen) => [
    'cups2.sh',
    `cf create-user-provided-service erp -p "{\\"username\\":\\"svc\\",\\"password\\":\\"${pen.either(pen.put(pen.generated()), '$PW', '${PW}')}\\"}"\n`,
  ],
  'cf create-service -c': (pen) => [
    'cs.sh',
    `cf create-service postgresql-db small db -c '{"admin":{"password":"${pen.hide('<pw>', '')}"}}'\n`,
  ],
  'cf bind-service -c': (pen) => ['bs.sh', `cf bind-service srv api -c '{"clientsecret":"${pen.key('$S', '<secret>')}"}'\n`],
  'btp create with parameters': (pen) => [
    'btp.sh',
    `btp create services/instance --name erp --parameters '{"destinations":[{"Name":"ERP","Password":"${pen.hide('<pw>', '')}"}]}'\n`,
  ],
  'btp login over lines': (pen) => [
    'btp2.sh',
    `btp login --url https://cli.btp.cloud.sap \\\n  --subdomain orders --user ops@corp.cloud \\\n  --password '${pen.hide('$BTP_PW', '${BTP_PW}')}'\n`,
  ],
  'cf_password of the provider': (pen) => [
    'infra/cf.tf',
    `provider "cloudfoundry" {\n  api_url  = "https://api.cf.eu10.hana.ondemand.com"\n  user     = "ops@corp.cloud"\n  password = ${text(pen, pen.password(), 'var.cf_password', 'data.vault.cf')}\n}\n`,
  ],
  tfvars: (pen) => ['infra/prod.tfvars', `globalaccount = "corp"\nbtp_password  = "${pen.hide('', '<password>')}"\n`],
  'tfvars as JSON': (pen) => ['infra/prod.tfvars.json', json({ region: 'eu10', db_password: pen.hide('', '<password>') })],
  'bind of Helm': (pen) => [
    'chart/values.yaml',
    `srv:\n  bindings:\n    erp:\n      credentials:\n        user: svc\n        password: ${pen.hide('""', '"{{ .Values.pw }}"')}\n`,
  ],
  'registry of Helm': (pen) => [
    'chart/values-prod.yaml',
    `imageCredentials: { registry: r.corp.cloud, username: ci, password: ${word(pen, '""', '${PW}')} }\n`,
  ],
  'with of an action': (pen) => [
    '.github/workflows/d.yml',
    `on: push\njobs:\n  d:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: corp/cf-deploy@v1\n        with:\n          cf_username: ci\n          cf_password: ${pen.hide('${{ secrets.CF_PW }}', '${{ inputs.pw }}')}\n`,
  ],
  'withEnv of Jenkins': (pen) => [
    'Jenkinsfile',
    `node {\n  withEnv(['CF_USER=ci', 'CF_PASSWORD=${pen.either(pen.put(pen.generated()), '${PW}', "' + pw + '")}']) { sh 'cf login' }\n}\n`,
  ],
  'step of piper': (pen) => [
    'Jenkinsfile',
    `cloudFoundryDeploy script: this, username: 'ci', password: ${pen.either(`'${pen.put(pen.password())}'`, 'env.PW', 'pw')}\n`,
  ],
  'task of Azure': (pen) => [
    'azure-pipelines.yml',
    `steps:\n  - task: Docker@2\n    inputs:\n      containerRegistry: r\n      password: ${pen.hide('$(registryPassword)', '${{ parameters.pw }}')}\n`,
  ],
  '.npmrc with user and password': (pen) => [
    '.npmrc',
    `//npm.corp.cloud/:username=ci\n//npm.corp.cloud/:_password=${pen.either(pen.put(Buffer.from(pen.generated()).toString('base64')), '${NPM_PW}', '')}\n`,
  ],
  netrc: (pen) => ['.netrc', `machine git.corp.cloud\n  login ci\n  password ${word(pen, '$PW', '<password>')}\n`],
  'netrc on one line': (pen) => ['.netrc', `machine git.corp.cloud login ci password ${word(pen, '$PW', '<password>')}\n`],
  pgpass: (pen) => ['.pgpass', `db.corp.cloud:5432:orders:app:${word(pen, '$PW', '<password>')}\n`],
  'server of settings.xml': (pen) => [
    'settings.xml',
    `<settings><servers><server><id>nexus</id><username>ci</username><password>${pen.hide('${env.NEXUS_PW}', '')}</password></server></servers></settings>\n`,
  ],
  'gradle.properties': (pen) => ['gradle.properties', `nexusUsername=ci\nnexusPassword=${pen.hide('', '${NEXUS_PW}')}\n`],
  'init.gradle': (pen) => [
    'init.gradle',
    `maven {\n  url 'https://nexus.corp.cloud'\n  credentials {\n    username 'ci'\n    password ${pen.either(`'${pen.put(pen.password())}'`, "System.getenv('PW')", 'nexusPassword')}\n  }\n}\n`,
  ],
  'gradle with Kotlin': (pen) => [
    'build.gradle.kts',
    `credentials {\n  username = "ci"\n  password = ${text(pen, pen.password(), 'System.getenv("PW")', 'providers.gradleProperty("pw").get()')}\n}\n`,
  ],
  'connection of appsettings': (pen) => [
    'appsettings.Production.json',
    json({
      ConnectionStrings: {
        Orders: `Server=db;Database=o;User Id=app;Password=${pen.either(pen.put(pen.generated()), '{pw}', '')};`,
      },
    }),
  ],
  'environment of Postman': (pen) => [
    'prod.postman_environment.json',
    json({ values: [{ key: 'client_secret', value: pen.key('', '{{secret}}'), type: 'secret', enabled: true }] }),
  ],
  'basic of Postman': (pen) => [
    'c.postman_collection.json',
    json({ auth: { type: 'basic', basic: [{ key: 'password', value: pen.hide('{{pw}}', ''), type: 'string' }] } }),
  ],
  'value before key of Postman': (pen) => [
    'd.postman_collection.json',
    json({ auth: { type: 'basic', basic: [{ type: 'string', value: pen.hide('{{pw}}', ''), key: 'password' }] } }),
  ],
  'variable of .http': (pen) => [
    'requests/o.http',
    `@host = https://${pen.host()}\n@password = ${pen.hide('{{$dotenv PW}}', '')}\n`,
  ],
  'form of .http': (pen) => [
    'requests/t.http',
    `POST https://${pen.host()}/oauth/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials&client_id=orders&client_secret=${pen.key('{{secret}}', '{{$dotenv S}}')}\n`,
  ],
  'body of .http': (pen) => [
    'requests/l.http',
    `POST https://${pen.host()}/login\nContent-Type: application/json\n\n{ "user": "svc", "password": "${pen.hide('{{pw}}', '')}" }\n`,
  ],
  'environment of Insomnia': (pen) => [
    'insomnia.json',
    json({ resources: [{ _type: 'environment', data: { base: 'https://h', client_secret: pen.key('', '{{ secret }}') } }] }),
  ],
  'authorization of JMeter': (pen) => [
    'load.jmx',
    `<elementProp name="" elementType="Authorization"><stringProp name="Authorization.url">https://h</stringProp><stringProp name="Authorization.username">svc</stringProp><stringProp name="Authorization.password">${pen.hide('${__P(pw)}', '${pw}')}</stringProp></elementProp>\n`,
  ],
  'credentials of SoapUI': (pen) => [
    'orders-soapui-project.xml',
    `<con:credentials><con:username>svc</con:username><con:password>${pen.hide('${#Project#pw}', '')}</con:password></con:credentials>\n`,
  ],
  'environment of Newman': (pen) => [
    'nm.sh',
    `newman run orders.json --global-var password=${pen.either(pen.put(pen.generated()), '$PW', '"$PW"')} --env-var user=svc\n`,
  ],
  'cypress.env.json': (pen) => ['cypress.env.json', json({ user: 'svc', password: pen.hide('', '<password>') })],
  'cypress.config.js': (pen) => [
    'cypress.config.js',
    `module.exports = defineConfig({ env: { username: 'svc', password: ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.PW', "''")} } })\n`,
  ],
  'wdi5 login': (pen) => [
    'webapp/wdio.conf.js',
    `exports.config = { capabilities: [{ 'wdi5:authentication': { provider: 'BTP', username: 'svc', password: ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.PW', "''")} } }] }\n`,
  ],
  'environment of wdi5': (pen) => [
    'e2e.sh',
    `wdi5_username=svc wdi5_password='${pen.hide('$PW', '${PW}')}' npx wdio run wdio.conf.js\n`,
  ],
  'playwright.config.ts': (pen) => [
    'playwright.config.ts',
    `export default defineConfig({ use: { httpCredentials: { username: 'svc', password: ${pen.either(`'${pen.put(pen.password())}'`, "process.env.PW ?? ''", "''")} } } })\n`,
  ],
  'script of k6': (pen) => [
    'load/k6.js',
    `const credentials = \`svc:${pen.either(pen.put(pen.generated()), '${__ENV.PW}', '${pw}')}\`\nconst encoded = encoding.b64encode(credentials)\n`,
  ],
  'headers of k6': (pen) => [
    'load/k6b.js',
    `http.get(url, { headers: { apikey: ${pen.either(`'${pen.put(pen.random())}'`, '__ENV.KEY', "''")} } })\n`,
  ],
  '.cdsrc-private.json': (pen) => [
    '.cdsrc-private.json',
    json({
      requires: {
        '[hybrid]': {
          erp: { kind: 'odata', credentials: { url: 'https://h', username: 'svc', password: pen.hide('', '<pw>') } },
        },
      },
    }),
  ],
  'destinations of default-env.json': (pen) => [
    'default-env.json',
    json({ destinations: [{ name: 'erp', url: 'https://h', username: 'svc', password: pen.hide('', '<password>') }] }),
  ],
  'default-services.json': (pen) => [
    'approuter/default-services.json',
    json({
      uaa: { url: 'https://h', clientid: 'sb-orders!t12', clientsecret: pen.key('', '<secret>'), xsappname: 'orders!t12' },
    }),
  ],
  'xs-security with a credential': (pen) => [
    'xs-security.json',
    json({
      xsappname: 'orders',
      'oauth2-configuration': { 'credential-types': ['binding-secret'] },
      clientsecret: pen.key('', '<s>'),
    }),
  ],
  'proxy of ui5.yaml': (pen) => [
    'ui5.yaml',
    `server:\n  customMiddleware:\n    - name: ui5-middleware-simpleproxy\n      afterMiddleware: compression\n      configuration:\n        baseUri: https://h\n        username: svc\n        password: ${pen.hide('env:PW', '${env.PW}')}\n`,
  ],
  'backend of fiori-tools': (pen) => [
    'ui5.yaml',
    `server:\n  customMiddleware:\n    - name: fiori-tools-proxy\n      configuration:\n        backend:\n          - path: /sap\n            url: https://h\n            auth: { user: svc, pass: ${word(pen, 'env:PW', '${PW}')} }\n`,
  ],
  'credentials of a deploy task': (pen) => [
    'ui5-deploy.yaml',
    `builder:\n  customTasks:\n    - name: deploy-to-abap\n      configuration:\n        target: { url: https://h }\n        credentials:\n          username: env:U\n          password: ${pen.hide('env:P', '')}\n`,
  ],
  '.ui5deployrc': (pen) => [
    '.ui5deployrc',
    json({ conn: { server: 'https://h' }, auth: { user: 'svc', pwd: pen.hide('', '${PW}') } }),
  ],
  'headers of karma': (pen) => [
    'karma.conf.js',
    `module.exports = (config) => config.set({ proxies: { '/sap': { target: 'https://h', auth: ${pen.either(`'svc:${pen.put(pen.generated())}'`, 'process.env.AUTH', "user + ':' + pw")} } } })\n`,
  ],
  'Markdown code': (pen) => [
    'docs/setup.md',
    `# Setup\n\n\`\`\`sh\nexport ERP_PASSWORD=${word(pen, '<password>', '...')}\nnpm start\n\`\`\`\n`,
  ],
  'Markdown JSON': (pen) => [
    'docs/env.md',
    `\`\`\`json\n{ "user": "svc", "password": "${word(pen, '<password>', '***')}" }\n\`\`\`\n`,
  ],
  'Markdown code that is indented': (pen) => [
    'docs/ind.md',
    `Run:\n\n    export CLIENT_SECRET="${pen.key('<secret>', '...')}"\n    npm start\n`,
  ],
  'code of a list in Markdown': (pen) => [
    'docs/list.md',
    `1. Set the password:\n\n   \`\`\`yaml\n   password: ${word(pen, '<password>', 'your-password')}\n   \`\`\`\n`,
  ],
  'output of a notebook': (pen) => [
    'b.ipynb',
    json({
      cells: [
        {
          cell_type: 'code',
          source: [`os.environ["API_KEY"] = ${pen.either(`"${pen.put(pen.random())}"`, 'key', 'getpass()')}\n`],
        },
      ],
    }),
  ],
  'magic of a notebook': (pen) => [
    'c.ipynb',
    json({ cells: [{ cell_type: 'code', source: [`%env API_TOKEN=${pen.key('{token}', '$TOKEN')}\n`] }] }),
  ],
  'export of a shell': (pen) => ['env.sh', `export ERP_USER=svc ERP_PASSWORD=${word(pen, '$1', '${PW}')}\n`],
  'declare of a shell': (pen) => ['env2.sh', `declare -x CLIENT_SECRET='${pen.key('$1', '')}'\nreadonly API_TOKEN="$2"\n`],
  'default of a shell': (pen) => ['env3.sh', `: "\${DB_PASSWORD:=${word(pen, '$PW', '${PW}')}}"\n`],
  '$env of PowerShell': (pen) => [
    'e.ps1',
    `$env:ERP_PASSWORD = ${pen.either(`'${pen.put(pen.password())}'`, '$pw', '$args[0]')}\n`,
  ],
  '-Password of PowerShell': (pen) => [
    'f.ps1',
    `Connect-Erp -User svc -Password ${pen.either(`'${pen.put(pen.password())}'`, '$pw', '$env:PW')} -Url https://h\n`,
  ],
  'SetEnvironmentVariable of PowerShell': (pen) => [
    'g.ps1',
    `[Environment]::SetEnvironmentVariable("ERP_PASSWORD", ${text(pen, pen.password(), '$pw', '$env:PW')}, "User")\n`,
  ],
  'splatting of PowerShell': (pen) => [
    'h.ps1',
    `$params = @{\n  User     = 'svc'\n  Password = ${pen.either(`'${pen.put(pen.password())}'`, '$pw', '$env:PW')}\n}\n`,
  ],
  'set of a batch file': (pen) => ['s.bat', `@echo off\nset ERP_PASSWORD=${word(pen, '%1', '%PW%')}\nnpm start\n`],
  'set in quotes of a batch file': (pen) => ['s2.cmd', `set "ERP_PASSWORD=${word(pen, '%1', '%PW%')}"\n`],
  'variable of a Makefile': (pen) => [
    'Makefile',
    `ERP_PASSWORD := ${word(pen, '$(PW)', '$(shell cat pw)')}\n\nrun:\n\tnpm start\n`,
  ],
  'default of a Makefile': (pen) => ['Makefile', `DB_PASSWORD ?= ${word(pen, '$(PW)', '')}\n`],
  'recipe of a Makefile': (pen) => ['Makefile', `deploy:\n\tcf login -u ci -p ${word(pen, '$(PW)', '$$PW')}\n`],
  'unit with quotes': (pen) => ['o.service', `[Service]\nEnvironment=PORT=4004 "DB_PASSWORD=${word(pen, '%i', '${PW}')}"\n`],
  'basic of nginx': (pen) => [
    'nginx.conf',
    `proxy_set_header X-Api-Key ${pen.either(`"${pen.put(pen.random())}"`, '$api_key', '"${API_KEY}"')};\n`,
  ],
  'vars of Ansible': (pen) => [
    'group_vars/prod.yml',
    `erp_user: svc\nerp_password: ${pen.hide('"{{ vault_erp_password }}"', '!vault |')}\nansible_ssh_pass: "{{ x }}"\n`,
  ],
  'section of an ini file': (pen) => ['db.ini', `[database]\nuser = app\npassword = ${pen.hide('%(pw)s', '')}\n`],
  'TOML file': (pen) => ['config.toml', `[database]\nuser = "app"\npassword = "${pen.hide('', '${PW}')}"\n`],
  'inline table of TOML': (pen) => ['config2.toml', `erp = { user = "svc", password = "${pen.hide('', '${PW}')}" }\n`],
  'env of launch.json': (pen) => [
    '.vscode/launch.json',
    json({ configurations: [{ type: 'node', env: { ERP_USER: 'svc', ERP_PASSWORD: pen.hide('${env:PW}', '${input:pw}') } }] }),
  ],
  'settings of VS Code': (pen) => [
    '.vscode/settings.json',
    json({ 'rest-client.environmentVariables': { prod: { user: 'svc', password: pen.hide('', '{{$dotenv PW}}') } } }),
  ],
  'connections of SQLTools': (pen) => [
    '.vscode/settings.json',
    json({ 'sqltools.connections': [{ driver: 'SAPHana', server: 'h', username: 'DBADMIN', password: pen.hide('', '<pw>') }] }),
  ],
  'http-client.env.json': (pen) => [
    'http-client.env.json',
    json({ prod: { host: 'https://h', password: pen.hide('', '<pw>') } }),
  ],
  'run configuration of JetBrains': (pen) => [
    '.run/srv.run.xml',
    `<configuration name="srv"><envs><env name="ERP_PASSWORD" value="${pen.hide('$PW$', '')}" /></envs></configuration>\n`,
  ],
  'web servers of JetBrains': (pen) => [
    '.idea/webServers.xml',
    `<fileTransfer host="h" port="22" username="svc" password="${pen.hide('', '$PW$')}" />\n`,
  ],
  'literal of ABAP': (pen) => [
    'src/z.prog.abap',
    `CONSTANTS gc_password TYPE string VALUE ${pen.either(`'${pen.put(pen.password())}'`, 'IS INITIAL', "''")}.\n`,
  ],
  'value of Spring': (pen) => [
    'src/main/java/V.java',
    `class V { @Value("\${erp.password:${word(pen, '', '#{null}')}}") String password; }\n`,
  ],
  'map of Groovy': (pen) => [
    'src/g.groovy',
    `def creds = [user: 'svc', password: ${pen.either(`'${pen.put(pen.password())}'`, "System.getenv('PW')", 'pw')}]\n`,
  ],
  'environment of Python': (pen) => ['t.py', `os.environ["ERP_PASSWORD"] = ${text(pen, pen.password(), 'getpass()', 'pw')}\n`],
  'default of getenv': (pen) => ['t2.py', `password = os.getenv("ERP_PASSWORD", ${text(pen, pen.password(), '""', 'None')})\n`],
  'setdefault of Python': (pen) => [
    't3.py',
    `os.environ.setdefault("CLIENT_SECRET", ${text(pen, pen.random(), 'secret', '""')})\n`,
  ],
  'connection of hdbcli': (pen) => [
    't4.py',
    `conn = dbapi.connect(address="h", port=443, user="DBADMIN", password=${text(pen, pen.password(), 'pw', 'os.environ["PW"]')})\n`,
  ],
  'docker run -e': (pen) => [
    'dr.sh',
    `docker run -d -e POSTGRES_PASSWORD=${word(pen, '$PW', '"$PW"')} -p 5432:5432 postgres:16\n`,
  ],
  'docker build --build-arg': (pen) => [
    'db.sh',
    `docker build --build-arg NPM_TOKEN=${pen.key('$NPM_TOKEN', '"$T"')} -t orders .\n`,
  ],
  'compose environment list': (pen) => [
    'compose.yaml',
    `services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD=${word(pen, '${PW}', '${PW:?}')}\n`,
  ],
  'compose environment map': (pen) => [
    'compose.prod.yaml',
    `services:\n  db:\n    environment:\n      POSTGRES_PASSWORD: ${pen.hide('${PW}', '${PW:-}')}\n`,
  ],
  'default of compose': (pen) => [
    'compose.dev.yaml',
    `services:\n  db:\n    environment:\n      DB_PASSWORD: \${DB_PASSWORD:-${word(pen, '', '$PW')}}\n`,
  ],
  'gh secret set': (pen) => ['gh.sh', `gh secret set CF_PASSWORD --body "${pen.hide('$PW', '${PW}')}"\n`],
  'kubectl literal': (pen) => [
    'kc.sh',
    `kubectl create secret generic erp --from-literal=user=svc --from-literal=password=${word(pen, '$PW', '"$PW"')}\n`,
  ],
  'helm --set': (pen) => [
    'hs.sh',
    `helm upgrade orders ./chart --set db.password=${word(pen, '$PW', '"$PW"')} --set replicas=2\n`,
  ],
  'az keyvault': (pen) => [
    'kv.sh',
    `az keyvault secret set --vault-name v --name db --value "${pen.either(pen.put(pen.random()), '$PW', '${PW}')}"\n`,
  ],
  'aws secretsmanager': (pen) => [
    'sm.sh',
    `aws secretsmanager create-secret --name db --secret-string '{"password":"${word(pen, '<pw>', '')}"}'\n`,
  ],
  'snyk auth': (pen) => ['sn.sh', `snyk auth ${pen.either(pen.put(pen.guid()), '$SNYK_TOKEN', '"$T"')}\n`],
  'git credential store': (pen) => [
    '.git-credentials',
    `https://ci:${pen.either(pen.put(pen.random()), '<token>', '$T')}@git.corp.cloud\n`,
  ],
  'sapcontrol of an administrator': (pen) => [
    'sc.sh',
    `sapcontrol -nr 00 -user sidadm '${pen.hide('$PW', '${PW}')}' -function GetProcessList\n`,
  ],
  'R3trans of an RFC client': (pen) => [
    'sapnwrfc.ini',
    `DEST=ERP\nASHOST=h\nSYSNR=00\nUSER=SVC\nPASSWD=${pen.hide('', '<pw>')}\n`,
  ],
  'connection of node-rfc': (pen) => [
    'srv/rfc.js',
    `new Client({ user: 'SVC', passwd: ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.PW', 'pw')}, ashost: 'h', sysnr: '00' })\n`,
  ],
  'properties of JCo': (pen) => [
    'ERP.jcoDestination',
    `jco.client.ashost=h\njco.client.user=SVC\njco.client.passwd=${pen.hide('', '<pw>')}\n`,
  ],
  'abapGit in a script': (pen) => ['ag.sh', `abap_user=SVC abap_password=${word(pen, '$PW', '"$PW"')} npx abaplint-deploy\n`],
  'mbt with an environment': (pen) => [
    'package.json',
    json({ scripts: { deploy: `cf login -u ci -p ${word(pen, '$CF_PW', '%CF_PW%')} && cf deploy mta_archives/o.mtar` } }),
  ],
}
