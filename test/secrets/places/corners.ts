import { toBase64 } from '../material/draw.ts'
import { js, jsKey, json, text, word, type PlacePen, type Places } from './place.ts'

const textKey = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`"${pen.put(pen.random())}"`, ...safe)

/** A last set, drawn when the readers knew those of all other families. */
export const CORNER_PLACES: Places = {
  'nested credentials of cds': (pen) => [
    'package.json',
    json({
      cds: {
        requires: {
          auth: {
            credentials: {
              clientid: 'sb-o!t1',
              clientsecret: pen.key('', '<secret>'),
              url: 'https://o.authentication.eu10.hana.ondemand.com',
            },
          },
        },
      },
    }),
  ],
  'profile of .cdsrc.yaml': (pen) => [
    '.cdsrc.yaml',
    `requires:\n  S4:\n    '[hybrid]':\n      credentials:\n        username: SVC\n        password: ${pen.hide('""', '${PW}')}\n`,
  ],
  'proxy of ui5.yaml with headers': (pen) => [
    'ui5.yaml',
    `server:\n  customMiddleware:\n    - name: fiori-tools-proxy\n      configuration:\n        backend:\n          - path: /sap\n            url: https://erp.corp.cloud\n            apiKey: ${pen.key('env:KEY', '${KEY}')}\n`,
  ],
  'deploy task of ui5-deploy.yaml': (pen) => [
    'ui5-deploy.yaml',
    `builder:\n  customTasks:\n    - name: deploy-to-abap\n      configuration:\n        credentials:\n          username: SVC\n          password: "${pen.hide('env:PW', '')}"\n`,
  ],
  Gruntfile: (pen) => [
    'Gruntfile.js',
    `grunt.initConfig({ nwabap_ui5uploader: { options: { conn: { server: 'https://erp' }, auth: { user: 'SVC', pwd: ${js(pen, "grunt.option('pwd')", 'pw')} } } } })\n`,
  ],
  'hdbconnection file': (pen) => [
    'db/cfg/a.hdbconnection.json',
    json({ host: 'h', port: 30015, user: 'SYSTEM', password: pen.hide('', '<password>') }),
  ],
  'xs-security with a secret': (pen) => [
    'xs-security.json',
    json({
      xsappname: 'o',
      'oauth2-configuration': { 'credential-types': ['binding-secret'], 'client-secret': pen.key('', '<secret>') },
    }),
  ],
  'broker in an MTA': (pen) => [
    'mta.yaml',
    `ID: o\nmodules:\n  - name: broker\n    properties:\n      SBF_BROKER_CREDENTIALS: '{"broker": "${word(pen, '~{pw}', '')}"}'\n`,
  ],
  'parameters of a service instance': (pen) => [
    'mta.yaml',
    `ID: o\nresources:\n  - name: pg\n    parameters:\n      config: { engine_version: "15", admin_password: "${pen.hide('${pw}', '')}" }\n`,
  ],
  'cf target in a Makefile': (pen) => [
    'Makefile',
    `login:\n\tcf login -a $(API) -u ops -p ${word(pen, '$(PW)', '$$PW')} -o o -s s\n`,
  ],
  'variable of a Makefile': (pen) => ['Makefile', `CF_PASSWORD := ${word(pen, '$(PW)', '')}\n`],
  Taskfile: (pen) => ['Taskfile.yml', `vars:\n  ERP_PASSWORD: '${pen.hide('{{.PW}}', '')}'\ntasks: {}\n`],
  justfile: (pen) => ['justfile', `erp_password := "${pen.hide('', '$PW')}"\n`],
  Procfile: (pen) => ['Procfile', `web: DB_PASSWORD=${word(pen, '$PW', '${PW}')} node srv\n`],
  'systemd unit': (pen) => [
    'deploy/orders.service',
    `[Service]\nEnvironment="ERP_PASSWORD=${pen.hide('${PW}', '')}"\nExecStart=/usr/bin/node srv\n`,
  ],
  'nginx proxy header': (pen) => [
    'nginx/default.conf',
    `location / {\n  proxy_set_header Authorization "Basic ${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), '$basic', '${BASIC}')}";\n}\n`,
  ],
  'prometheus scrape': (pen) => [
    'prometheus.yml',
    `scrape_configs:\n  - job_name: o\n    basic_auth:\n      username: prom\n      password: ${pen.hide('${PW}', '""')}\n`,
  ],
  'alertmanager webhook': (pen) => [
    'alertmanager.yml',
    `receivers:\n  - slack_configs:\n      - api_url: https://hooks.slack.com/services/${pen.either(pen.put(pen.shape('T{U8}/B{U10}/{w24}')), '$HOOK', '<path>')}\n`,
  ],
  'grafana data source': (pen) => [
    'grafana/ds.yaml',
    `datasources:\n  - name: pg\n    secureJsonData:\n      password: ${pen.hide('$PG_PW', '${PW}')}\n`,
  ],
  'values of a sub chart': (pen) => [
    'chart/values.yaml',
    `postgresql:\n  auth:\n    postgresPassword: "${pen.hide('', '{{ .Values.pw }}')}"\n`,
  ],
  'sealed by hand': (pen) => [
    'k8s/opaque.json',
    json({ apiVersion: 'v1', kind: 'Secret', data: { 'client-secret': pen.either(pen.put(toBase64(pen.generated())), '', '') } }),
  ],
  'GitLab with a curl header': (pen) => [
    '.gitlab-ci.yml',
    `x:\n  script:\n    - >\n      curl -H "JOB-TOKEN: ${pen.key('$CI_JOB_TOKEN', '${T}')}" https://git.corp.cloud\n`,
  ],
  'Azure variable group': (pen) => [
    'azure-pipelines.yml',
    `variables:\n- name: cfPassword\n  value: '${pen.hide('$(cf)', '')}'\n`,
  ],
  'Jenkins credentials binding by hand': (pen) => [
    'Jenkinsfile',
    `def creds = new UsernamePasswordCredentialsImpl(CredentialsScope.GLOBAL, 'cf', 'CF', 'ops', ${js(pen, 'pw', 'params.PW')})\n`,
  ],
  'Terraform local-exec': (pen) => [
    'infra/x.tf',
    `provisioner "local-exec" {\n  command = "cf login -u ops -p ${word(pen, '${var.pw}', '$PW')}"\n}\n`,
  ],
  'Java properties in a string': (pen) => [
    'src/main/java/A.java',
    `class A { void a(Properties p) { p.load(new StringReader("user=svc\\npassword=${pen.hide('" + pw + "', '${pw}')}\\n")); } }\n`,
  ],
  'Java switch expression': (pen) => [
    'src/main/java/B.java',
    `class B { String secret(String s) { return switch (s) { case "QAS" -> ${textKey(pen, 'env("S")', 'null')}; default -> null; }; } }\n`,
  ],
  'Java WebClient header': (pen) => [
    'src/main/java/C.java',
    `class C { Object o = WebClient.builder().defaultHeader("x-api-key", ${textKey(pen, 'key', 'env("K")')}).build(); }\n`,
  ],
  'Java assertion of a login': (pen) => [
    'src/main/java/D.java',
    `class D { boolean ok(String u, String password) { return "admin".equals(u) && ${text(pen, 'PW', 'expected')}.equals(password); } }\n`,
  ],
  'Python environ update': (pen) => [
    'tools/a.py',
    `os.environ.update({"ERP_USER": "svc", "ERP_PASSWORD": ${text(pen, 'pw', 'getpass()')}})\n`,
  ],
  'Python pytest fixture': (pen) => [
    'tools/b.py',
    `@pytest.fixture\ndef api_token():\n    return ${textKey(pen, 'os.environ["T"]', 'None')}\n`,
  ],
  'Python subprocess': (pen) => [
    'tools/c.py',
    `subprocess.run(["cf", "login", "-u", "ops", "-p", ${text(pen, 'pw', 'os.environ["PW"]')}])\n`,
  ],
  'Python typed constant': (pen) => ['tools/d.py', `CLIENT_SECRET: Final[str] = ${textKey(pen, 'os.environ["S"]', '""')}\n`],
  'JavaScript class static': (pen) => ['srv/a.js', `class Erp { static #password = ${js(pen, "''", 'process.env.PW')} }\n`],
  'JavaScript Object.assign': (pen) => [
    'srv/b.js',
    `Object.assign(config.erp, { user: 'svc', password: ${js(pen, 'pw', 'env.PW')} })\n`,
  ],
  'JavaScript getter': (pen) => [
    'srv/c.js',
    `module.exports = { get apiKey() { return ${jsKey(pen, 'process.env.KEY', 'key')} } }\n`,
  ],
  'JavaScript arrow': (pen) => ['srv/d.ts', `export const getToken = (): string => ${jsKey(pen, 'token', 'env.T')}\n`],
  'TypeScript decorator': (pen) => [
    'srv/e.ts',
    `@Module({ imports: [JwtModule.register({ secret: ${jsKey(pen, 'env.S', 'constants.secret')}, signOptions: {} })] })\nexport class A {}\n`,
  ],
  'UI5 fragment of code': (pen) => [
    'webapp/util/a.js',
    `oModel.setHeaders({ "APIKey": ${textKey(pen, 'sKey', 'that.key')}, "Accept": "application/json" })\n`,
  ],
  'XML view custom data': (pen) => [
    'config/app.xml',
    `<parameters><param name="clientSecret">${pen.key('${secret}', '')}</param></parameters>\n`,
  ],
}
