import { binding, json, word, type PlacePen, type Places } from './place.ts'

/** The client secret of XSUAA as its service key holds it. */
const instance = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(pen.put(pen.shape('{b27}=')), ...safe)

/** Credentials in files of settings: of editors, requests and tests, and service keys wherever people paste them. */
export const CONFIGURATION_PLACES: Places = {
  'service key in an mtaext': (pen) => [
    'dev.mtaext',
    `_schema-version: "3.1"\nID: o.dev\nextends: o\nmodules:\n  - name: srv\n    properties:\n      UAA: '{"clientid":"sb-o!t1","clientsecret":"${instance(pen, '<secret>', '')}","url":"https://o.authentication.eu10.hana.ondemand.com"}'\n`,
  ],
  'service key in a page of documentation': (pen) => [
    'docs/setup.md',
    `# Key\n\n\`\`\`json\n{\n  "clientid": "sb-orders!t1",\n  "clientsecret": "${binding(pen, '<clientsecret>', '...')}",\n  "url": "https://o.authentication.eu10.hana.ondemand.com"\n}\n\`\`\`\n`,
  ],
  'service key in a here document': (pen) => [
    'tools/key.sh',
    `cat > default-env.json <<'EOF'\n{"VCAP_SERVICES":{"xsuaa":[{"credentials":{"clientid":"sb-o!t1","clientsecret":"${instance(pen, '$SECRET', '<secret>')}"}}]}}\nEOF\n`,
  ],
  'service key in an environment of Postman': (pen) => [
    'rest/dev.postman_environment.json',
    json({
      name: 'dev',
      values: [
        { key: 'clientid', value: 'sb-o!t1', enabled: true },
        { key: 'clientsecret', value: instance(pen, '', '{{secret}}'), type: 'secret', enabled: true },
      ],
    }),
  ],
  'oauth2 of Postman': (pen) => [
    'rest/a.postman_collection.json',
    json({
      auth: {
        type: 'oauth2',
        oauth2: [
          { key: 'clientSecret', value: word(pen, '{{clientSecret}}', ''), type: 'string' },
          { key: 'clientId', value: 'sb-o!t1', type: 'string' },
        ],
      },
    }),
  ],
  'service key in Terraform': (pen) => [
    'infra/d.tf',
    `resource "btp_subaccount_service_binding" "x" {\n  parameters = jsonencode({\n    clientsecret = "${instance(pen, '${var.secret}', '')}"\n    clientid     = "sb-o!t1"\n  })\n}\n`,
  ],
  'locals of Terraform': (pen) => [
    'infra/l.tf',
    `locals {\n  erp_user     = "SVC"\n  erp_password = "${pen.hide('${var.pw}', '')}"\n}\n`,
  ],
  'default of a variable of Terraform': (pen) => [
    'infra/v.tf',
    `variable "hana_password" {\n  type      = string\n  sensitive = true\n  default   = "${pen.hide('', '<password>')}"\n}\n`,
  ],
  'service key in values of Helm': (pen) => [
    'chart/values.yaml',
    `xsuaa:\n  clientid: sb-o!t1\n  clientsecret: ${instance(pen, '""', '{{ .Values.s }}')}\n  url: https://o.authentication.eu10.hana.ondemand.com\n`,
  ],
  'env list of Helm': (pen) => [
    'chart/values-prd.yaml',
    `env:\n  - name: DB_PASSWORD\n    value: "${pen.hide('', '$(DB_PW)')}"\n`,
  ],
  'config map': (pen) => [
    'k8s/cm.yaml',
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  ERP_USER: svc\n  ERP_PASSWORD: ${word(pen, '""', '$(PW)')}\n`,
  ],
  'env of a workflow': (pen) => [
    '.github/workflows/e.yml',
    `on: push\nenv:\n  CF_USERNAME: ops\n  CF_PASSWORD: ${word(pen, '${{ secrets.CF }}', "''")}\njobs: {}\n`,
  ],
  'run of a workflow': (pen) => [
    '.github/workflows/r.yml',
    `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: |\n          export HANA_PASSWORD='${word(pen, '${{ secrets.H }}', '$H')}'\n          npm run deploy\n`,
  ],
  'environment of Jenkins': (pen) => [
    'Jenkinsfile',
    `pipeline {\n  environment {\n    CF_USER = 'ops'\n    CF_PASSWORD = '${word(pen, '', '${params.PW}')}'\n  }\n}\n`,
  ],
  'string parameter of Jenkins': (pen) => [
    'Jenkinsfile',
    `parameters {\n  password(name: 'CF_PASSWORD', defaultValue: '${word(pen, '', '${PW}')}', description: 'password of the deployer')\n}\n`,
  ],
  'project of SoapUI': (pen) => [
    'test-soap/erp-soapui-project.xml',
    `<con:soapui-project xmlns:con="http://eviware.com/soapui/config"><con:credentials><con:username>SVC</con:username><con:password>${pen.hide('${#Project#pw}', '')}</con:password><con:authType>Basic</con:authType></con:credentials></con:soapui-project>\n`,
  ],
  'property of SoapUI': (pen) => [
    'soap/p-soapui-project.xml',
    `<con:soapui-project xmlns:con="http://eviware.com/soapui/config"><con:properties><con:property><con:name>password</con:name><con:value>${pen.hide('', '${#Env#pw}')}</con:value></con:property></con:properties></con:soapui-project>\n`,
  ],
  'user parameters of JMeter': (pen) => [
    'load/a.jmx',
    `<elementProp name="password" elementType="Argument">\n  <stringProp name="Argument.name">password</stringProp>\n  <stringProp name="Argument.value">${pen.hide('${pw}', '${__P(pw)}')}</stringProp>\n</elementProp>\n`,
  ],
  'authorization of JMeter': (pen) => [
    'load/b.jmx',
    `<elementProp name="" elementType="Authorization">\n  <stringProp name="Authorization.url">https://erp.corp.cloud</stringProp>\n  <stringProp name="Authorization.username">SVC</stringProp>\n  <stringProp name="Authorization.password">${pen.hide('${pw}', '')}</stringProp>\n</elementProp>\n`,
  ],
  'parameters of k6': (pen) => [
    'load/k6.js',
    `const params = { headers: { apikey: '${pen.key('', '${__ENV.KEY}')}' } }\nhttp.get(url, params)\n`,
  ],
  'environment of Insomnia': (pen) => [
    'rest/insomnia.json',
    json({
      _type: 'export',
      resources: [
        { _type: 'environment', data: { base_url: 'https://erp.corp.cloud', client_secret: pen.key('', '{{ _.s }}') } },
      ],
    }),
  ],
  'authentication of Insomnia': (pen) => [
    'rest/insomnia.yaml',
    `requests:\n  - url: https://erp.corp.cloud\n    authentication:\n      type: basic\n      username: SVC\n      password: ${word(pen, '"{{ _.pw }}"', '""')}\n`,
  ],
  'auth block of Bruno': (pen) => [
    'rest/a.bru',
    `auth:basic {\n  username: SVC\n  password: ${word(pen, '{{pw}}', '{{process.env.PW}}')}\n}\n`,
  ],
  'vars of Bruno': (pen) => [
    'rest/environments/dev.bru',
    `vars {\n  host: https://erp.corp.cloud\n  clientSecret: ${pen.key('{{process.env.S}}', '')}\n}\n`,
  ],
  'environment of Cypress': (pen) => ['cypress.env.json', json({ username: 'e', password: pen.hide('', '<password>') })],
  'env of the configuration of Cypress': (pen) => [
    'cypress.config.js',
    `module.exports = defineConfig({ env: { USERNAME: 'ops', PASSWORD: ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.PW', "''")} } })\n`,
  ],
  'credentials of Playwright': (pen) => [
    'playwright.config.ts',
    `export default defineConfig({ use: { httpCredentials: { username: 'ops', password: ${pen.either(`'${pen.put(pen.password())}'`, "process.env.PW ?? ''", 'pw')} } } })\n`,
  ],
  'authentication of wdi5': (pen) => [
    'wdio.conf.js',
    `exports.config = { capabilities: [{ 'wdi5:authentication': { provider: 'BTP', usernameSelector: '#u' }, 'wdi5:password': ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.wdi5_password', "''")} }] }\n`,
  ],
  'wdi5 in .env': (pen) => ['.env', `wdi5_username=ops@corp.cloud\nwdi5_password=${pen.hide('', '<password>')}\n`],
  'env of nodemon': (pen) => [
    'nodemon.json',
    json({ watch: ['srv'], env: { DB_USER: 'o', DB_PASSWORD: pen.hide('', '${PW}') } }),
  ],
  'env of launch.json': (pen) => [
    '.vscode/launch.json',
    `{\n  // local\n  "configurations": [{ "type": "node", "env": { "VCAP_APPLICATION": "{}", "ERP_PASSWORD": "${pen.hide('${env:PW}', '${input:pw}')}" } }]\n}\n`,
  ],
  'args of launch.json': (pen) => [
    '.vscode/launch.json',
    `{ "configurations": [{ "name": "x", "args": ["--user", "svc", "--password", "${pen.hide('${input:pw}', '${env:PW}')}"] }] }\n`,
  ],
  'settings of VS Code': (pen) => [
    '.vscode/settings.json',
    json({ 'sqltools.connections': [{ driver: 'SAPHana', server: 'h', username: 'O', password: pen.hide('', '${PW}') }] }),
  ],
  'variables of REST Client': (pen) => [
    '.vscode/settings.json',
    json({ 'rest-client.environmentVariables': { dev: { host: 'h', clientSecret: pen.key('', '{{$processEnv S}}') } } }),
  ],
  'tasks of VS Code': (pen) => [
    '.vscode/tasks.json',
    json({ tasks: [{ label: 'd', type: 'shell', command: `cf login -u ops -p ${word(pen, '${input:pw}', '$PW')}` }] }),
  ],
  'http-client.env.json': (pen) => [
    'rest/http-client.private.env.json',
    json({ dev: { host: 'h', username: 'SVC', password: pen.hide('', '{{pw}}') } }),
  ],
}
