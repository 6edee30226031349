import { drawJwt, toBase64 } from '../material/draw.ts'
import { binding, js, jsKey, json, text, word, type PlacePen, type Places } from './place.ts'

const textKey = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(`"${pen.put(pen.random())}"`, ...safe)
const basic = (pen: PlacePen, user: string, ...safe: readonly string[]): string =>
  pen.either(pen.put(toBase64(`${user}:${pen.password()}`)), ...safe)

/** Credentials as they stand in the repositories of teams around SAP BTP. */
export const EVERYDAY_DRAW: Places = {
  'default-env.json with an HDI container': (pen) => [
    'db/default-env.json',
    json({
      VCAP_SERVICES: {
        hana: [
          {
            label: 'hana',
            plan: 'hdi-shared',
            name: 'orders-db',
            tags: ['hana', 'database', 'relational'],
            credentials: {
              host: `${pen.guid()}.hana.prod-eu10.hanacloud.ondemand.com`,
              port: '443',
              driver: 'com.sap.db.jdbc.Driver',
              schema: 'ORDERS_1',
              hdi_user: 'ORDERS_1_DT',
              hdi_password: pen.either(pen.put(pen.shape('{A1}{a1}{p126}')), '<hdi-password>', ''),
              user: 'ORDERS_1_RT',
              password: pen.either(pen.put(pen.shape('{A1}{a1}{p126}')), '<password>', ''),
            },
          },
        ],
      },
    }),
  ],
  'default-env.json of an approuter': (pen) => [
    'app/router/default-env.json',
    json({
      PORT: 5000,
      VCAP_SERVICES: {
        xsuaa: [
          {
            label: 'xsuaa',
            plan: 'application',
            credentials: {
              'credential-type': 'binding-secret',
              clientid: 'sb-orders!t18421',
              clientsecret: binding(pen, '<clientsecret of the binding>', '{{clientsecret}}', ''),
              url: 'https://orders-dev.authentication.eu10.hana.ondemand.com',
              xsappname: 'orders!t18421',
              tenantid: pen.guid(),
            },
          },
        ],
      },
      destinations: [{ name: 'srv-api', url: 'http://localhost:4004', forwardAuthToken: true }],
    }),
  ],
  'mtaext for a second landscape': (pen) => [
    'mtaext/qas.mtaext',
    `_schema-version: "3.2"\nID: orders.qas\nextends: orders\n\nresources:\n  - name: orders-destination\n    parameters:\n      config:\n        init_data:\n          subaccount:\n            existing_destinations_policy: update\n            destinations:\n              - Name: S4_QAS\n                Type: HTTP\n                URL: https://${pen.host()}\n                ProxyType: Internet\n                Authentication: OAuth2ClientCredentials\n                clientId: sb-s4!b2201\n                clientSecret: ${pen.key('${s4-secret}', '~{s4-key/clientsecret}', '<to be set at deploy time>')}\n                tokenServiceURL: https://${pen.host()}/oauth/token\n`,
  ],
  'destinations in a folded scalar of manifest.yml': (pen) => [
    'manifest.yml',
    `---\napplications:\n- name: orders-approuter\n  memory: 128M\n  path: app\n  env:\n    TENANT_HOST_PATTERN: "^(.*)-orders.cfapps.eu10.hana.ondemand.com"\n    destinations: >\n      [\n        {"name":"erp", "url":"https://${pen.host()}", "username":"${pen.user()}", "password":"${pen.hide('((erp-password))', '')}"}\n      ]\n  services:\n  - orders-uaa\n`,
  ],
  'SMTP properties of an MTA module': (pen) => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: orders\nversion: 1.4.0\nmodules:\n  - name: orders-mailer\n    type: nodejs\n    path: gen/mailer\n    properties:\n      SMTP_HOST: smtp.corp.cloud\n      SMTP_PORT: 587\n      SMTP_USER: no-reply@corp.cloud\n      SMTP_PASS: ${pen.hide('${smtp-pass}', '~{smtp/pass}', '""')}\n    requires:\n      - name: orders-db\n`,
  ],
  'mail service of cds.requires': (pen) => [
    'package.json',
    json({
      name: 'orders',
      version: '2.1.0',
      dependencies: { '@sap/cds': '^8', nodemailer: '^6' },
      cds: {
        requires: {
          mail: {
            impl: 'srv/mail.js',
            credentials: { host: 'smtp.corp.cloud', port: 465, auth: { user: 'no-reply', pass: pen.hide('', '<set in .env>') } },
          },
        },
      },
    }),
  ],
  'XSUAA key as JSON in .env.hybrid': (pen) => [
    '.env.hybrid',
    `# cf service-key orders-uaa local\nXSUAA_KEY={"clientid":"sb-orders!t99","clientsecret":"${binding(pen, '', '<clientsecret>')}","url":"https://orders.authentication.eu10.hana.ondemand.com","identityzone":"orders"}\nNODE_ENV=development\n`,
  ],
  '.env of a Fiori deployment': (pen) => [
    'app/orders/.env',
    `# used by ui5-deploy.yaml\nUI5_DEPLOY_CLIENT=100\nXYZ_USER=${pen.user()}\nXYZ_PASSWORD=${pen.hide('', '<your password>', '${SAP_PW}')}\n`,
  ],
  'sandbox key in .env.test': (pen) => [
    'tests/.env.test',
    `LOG_LEVEL=debug\nS4_SANDBOX_URL=https://sandbox.api.sap.com/s4hanacloud/sap/opu/odata/sap\nS4_SANDBOX_APIKEY="${pen.key('', 'get-it-from-api.sap.com', '${API_HUB_KEY}')}"\n`,
  ],
  'test destination of the Cloud SDK': (pen) => [
    'tests/business-partner.spec.ts',
    `import { registerDestination } from '@sap-cloud-sdk/connectivity'\n\nbeforeAll(async () => {\n  await registerDestination({\n    name: 'S4_TEST',\n    url: 'https://${pen.host()}',\n    authentication: 'BasicAuthentication',\n    username: '${pen.user()}',\n    password: ${js(pen, 'process.env.S4_TEST_PW!', "''", 'testCredentials.password')}\n  })\n})\n`,
  ],
  'credentials.json of the test utilities': (pen) => [
    'tests/credentials.json',
    json({
      credentials: [
        { alias: 'ERP_TEST_SYSTEM', username: pen.user(), password: pen.hide('', '<password>') },
        { alias: 'MOCK', username: '', password: '' },
      ],
    }),
  ],
  'credentials.yml of integration tests': (pen) => [
    'integration-tests/src/test/resources/credentials.yml',
    `---\ncredentials:\n- alias: "ErpQueryEndpoint"\n  username: "${pen.user()}"\n  password: "${pen.hide('', '<password>', '${ERP_PW}')}"\n`,
  ],
  'DefaultHttpDestination with basicCredentials': (pen) => [
    'srv/src/test/java/com/corp/orders/ErpClientTest.java',
    `class ErpClientTest {\n  private static final HttpDestination ERP = DefaultHttpDestination\n      .builder("https://${pen.host()}")\n      .basicCredentials("${pen.user()}", ${text(pen, 'System.getenv("ERP_PW")', 'PASSWORD', 'config.password()')})\n      .build();\n}\n`,
  ],
  'ABAP: proxy of cl_http_client': (pen) => [
    'src/zcl_http_out.clas.abap',
    `    cl_http_client=>create(\n      EXPORTING\n        host          = 'api.corp.cloud'\n        proxy_host    = 'proxy.corp.cloud'\n        proxy_service = '8080'\n        proxy_user    = 'PRXSVC'\n        proxy_passwd  = ${js(pen, 'mv_proxy_pw', 'ls_proxy-passwd')}\n      IMPORTING\n        client        = lo_client ).\n`,
  ],
  'ABAP: form field of a token request': (pen) => [
    'src/zcl_token.clas.abap',
    `    lo_request->set_form_field( i_name = 'grant_type' i_value = 'client_credentials' ).\n    lo_request->set_form_field( i_name = 'client_id' i_value = 'sb-orders!t21' ).\n    lo_request->set_form_field( i_name = 'client_secret' i_value = ${jsKey(pen, 'lv_secret', 'ms_config-secret')} ).\n`,
  ],
  'ABAP: constants with lengths for FTP': (pen) => [
    'src/z_ftp_upload.prog.abap',
    `REPORT z_ftp_upload.\n\nCONSTANTS: gc_host(60) TYPE c VALUE 'ftp.corp.cloud',\n           gc_user(30) TYPE c VALUE 'sapftp',\n           gc_pass(30) TYPE c ${pen.either(`VALUE '${pen.put(pen.password())}'`, 'VALUE IS INITIAL', "VALUE ''")},\n           gc_dest     TYPE rfcdes-rfcdest VALUE 'SAPFTPA'.\n`,
  ],
  'API key of a V4 model in manifest.json': (pen) => [
    'app/partners/webapp/manifest.json',
    json({
      'sap.app': { id: 'corp.partners', type: 'application', title: '{{appTitle}}' },
      'sap.ui5': {
        models: {
          '': {
            dataSource: 'mainService',
            settings: { synchronizationMode: 'None', httpHeaders: { 'X-Api-Key': pen.key('{{apiKey}}', '<api-key>', '') } },
          },
          i18n: { type: 'sap.ui.model.resource.ResourceModel', settings: { bundleName: 'corp.partners.i18n.i18n' } },
        },
      },
    }),
  ],
  'OPA5 journey that logs in': (pen) => [
    'webapp/test/integration/LoginJourney.js',
    `sap.ui.define(["sap/ui/test/opaQunit", "./pages/Login"], function (opaTest) {\n  "use strict";\n  QUnit.module("Login");\n  opaTest("Should log in", function (Given, When, Then) {\n    Given.iStartMyApp();\n    When.onTheLoginPage.iEnterUser("${pen.user()}").and.iEnterPassword(${text(pen, 'sPassword', 'oConfig.password', '""')}).and.iPressLogin();\n    Then.onTheMainPage.iShouldSeeTheTable();\n  });\n});\n`,
  ],
  'destination middleware of ui5.yaml': (pen) => [
    'app/ui5.yaml',
    `specVersion: "3.1"\nmetadata:\n  name: corp.orders\ntype: application\nserver:\n  customMiddleware:\n    - name: ui5-middleware-cfdestination\n      afterMiddleware: compression\n      configuration:\n        debug: true\n        port: 1091\n        destinations:\n          - name: erp\n            url: https://${pen.host()}\n            username: ${pen.user()}\n            password: ${pen.hide('env:ERP_PASSWORD', '${env.ERP_PASSWORD}', '""')}\n`,
  ],
  'basic of a REST client file with a blank': (pen) => [
    'requests/orders.http',
    `@erp = https://${pen.host()}\n\n### read the orders\nGET {{erp}}/sap/opu/odata/sap/API_SALES_ORDER_SRV/A_SalesOrder?$top=1\nAuthorization: Basic SVC_ORDERS ${word(pen, '{{password}}', '{{$processEnv ERP_PW}}')}\nAccept: application/json\n`,
  ],
  'client_secret header of an http file': (pen) => [
    'requests/gateway.http',
    `### orders by the API gateway\nGET https://${pen.host()}/v1/orders\nclient_id: ${pen.shape('{h32}')}\nclient_secret: ${pen.key('{{clientSecret}}', '{{$dotenv GATEWAY_SECRET}}')}\n`,
  ],
  'sap-password in an address': (pen) => [
    'docs/smoke-test.md',
    `## Smoke test\n\nOpen the following address in a private window:\n\n    https://erp.corp.cloud:44300/sap/opu/odata/sap/Z_ORDERS_SRV/?sap-client=100&sap-user=SVC_SMOKE&sap-password=${word(pen, '<password>', '$PW', '***')}&sap-language=EN\n`,
  ],
  'cf env pasted into a README': (pen) => [
    'README.md',
    `# Orders\n\nRun \`cf env orders-srv\` and copy the binding:\n\n\`\`\`\n  "xsuaa": [\n    {\n      "credentials": {\n        "clientid": "sb-orders!t4711",\n        "clientsecret": "${pen.either(pen.put(pen.shape('{b27}=')), '...', '<clientsecret>', '***')}",\n        "uaadomain": "authentication.eu10.hana.ondemand.com"\n      }\n    }\n  ]\n\`\`\`\n`,
  ],
  'table of test users with their roles': (pen) => [
    'docs/testing.md',
    `### Test users on QAS (client 200)\n\n| User | Role | Password |\n| :--- | :--- | :--- |\n| T_BUYER | Z_BUYER | ${word(pen, 'see KeePass', '-', '`<personal>`')} |\n| T_APPROVER | Z_APPROVER | ${word(pen, 'see KeePass', 'initial, ask Tom', 'same')} |\n`,
  ],
  'master password of HANA express': (pen) => [
    'hxe/password.json',
    json({ master_password: pen.either(pen.put(pen.generated()), '<master-password>', '', '${HXE_PW}') }),
  ],
  'default of an input of a composite action': (pen) => [
    '.github/actions/cf-deploy/action.yml',
    `name: Deploy to Cloud Foundry\ninputs:\n  cf-user:\n    description: User of the space\n    default: ci@corp.cloud\n  cf-password:\n    description: Password of the user\n    default: ${pen.either(`'${pen.put(pen.password())}'`, "''", '${{ github.token }}')}\nruns:\n  using: composite\n  steps:\n    - run: cf auth\n      shell: bash\n`,
  ],
  'DOCKER_AUTH_CONFIG of GitLab': (pen) => [
    '.gitlab-ci.yml',
    `image: registry.corp.cloud/build/node:22\n\nvariables:\n  DOCKER_AUTH_CONFIG: '{"auths":{"registry.corp.cloud":{"auth":"${basic(pen, 'puller', '$REGISTRY_AUTH', '${REGISTRY_AUTH}', '')}"}}}'\n\nbuild:\n  script:\n    - npm ci\n`,
  ],
  'service principal of the Azure CLI': (pen) => [
    'azure-pipelines.yml',
    `steps:\n  - script: |\n      az login --service-principal -u ${pen.guid()} -p ${pen.either(pen.put(pen.shape('{A1}{d1}{w30}')), '$(spSecret)', '"$SP_SECRET"')} --tenant ${pen.guid()}\n      az acr login -n corp\n    displayName: Log in\n`,
  ],
  'pipe of Bitbucket': (pen) => [
    'bitbucket-pipelines.yml',
    `image: node:22\npipelines:\n  branches:\n    main:\n      - step:\n          name: Upload\n          script:\n            - npm run build\n            - pipe: atlassian/sftp-deploy:0.12.0\n              variables:\n                USER: 'deploy'\n                SERVER: 'files.corp.cloud'\n                REMOTE_PATH: '/var/www'\n                PASSWORD: '${pen.hide('$SFTP_PASSWORD', '${SFTP_PASSWORD}', '')}'\n`,
  ],
  'deploy of Travis to Cloud Foundry': (pen) => [
    '.travis.yml',
    `language: node_js\nnode_js: 22\ndeploy:\n  provider: cloudfoundry\n  api: https://api.cf.eu10.hana.ondemand.com\n  username: ci@corp.cloud\n  password: ${pen.either(pen.put(pen.password()), '$CF_PASSWORD', `{ secure: "${pen.shape('{b170}==')}" }`)}\n  organization: corp\n  space: dev\n`,
  ],
  'mvn deploy with -D in a Jenkinsfile': (pen) => [
    'Jenkinsfile',
    `pipeline {\n  agent any\n  stages {\n    stage('Release') {\n      steps {\n        sh 'mvn -B deploy -Drepo.user=ci -Drepo.password=${word(pen, '$REPO_PSW', '"$NEXUS_PW"')} -DskipTests'\n      }\n    }\n  }\n}\n`,
  ],
  'resource of Concourse': (pen) => [
    'ci/pipeline.yml',
    `resources:\n- name: cf-dev\n  type: cf\n  source:\n    api: https://api.cf.eu10.hana.ondemand.com\n    organization: corp\n    space: dev\n    username: ci@corp.cloud\n    password: ${pen.hide('((cf-password))', '((vault:cf/password))', '{{cf-password}}')}\n`,
  ],
  'parameter of TeamCity': (pen) => [
    '.teamcity/settings.kts',
    `object Deploy : BuildType({\n  name = "Deploy"\n  params {\n    param("env.CF_ORG", "corp")\n    param("env.CF_PASSWORD", ${text(pen, '"%vault:cf/dev!/password%"', `"credentialsJSON:${pen.guid()}"`, '"%cf.password%"')})\n  }\n})\n`,
  ],
  'env of Buildkite': (pen) => [
    '.buildkite/pipeline.yml',
    `env:\n  NODE_ENV: production\n  ARTIFACTORY_TOKEN: "${pen.key('$$ARTIFACTORY_TOKEN', '')}"\nsteps:\n  - label: ":npm: publish"\n    command: npm publish\n`,
  ],
  'values of a Bitnami chart': (pen) => [
    'helm/values-dev.yaml',
    `replicaCount: 1\npostgresql:\n  enabled: true\n  auth:\n    username: orders\n    database: orders\n    postgresPassword: ${word(pen, '""', '"{{ .Values.global.pgPassword }}"', 'null')}\n    ${pen.either('existingSecret: ""', 'existingSecret: orders-postgres')}\nredis:\n  enabled: false\n`,
  ],
  'ServiceInstance of the BTP operator': (pen) => [
    'k8s/destination-instance.yaml',
    `apiVersion: services.cloud.sap.com/v1\nkind: ServiceInstance\nmetadata:\n  name: orders-destination\nspec:\n  serviceOfferingName: destination\n  servicePlanName: lite\n  parameters:\n    HTML5Runtime_enabled: true\n    init_data:\n      subaccount:\n        destinations:\n        - Name: ERP\n          Type: HTTP\n          Authentication: BasicAuthentication\n          User: ${pen.user()}\n          Password: ${word(pen, '<password>', '"{{ .Values.erp.password }}"', '""')}\n`,
  ],
  'pull secret in stringData': (pen) => [
    'k8s/pull-secret.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: regcred\ntype: kubernetes.io/dockerconfigjson\nstringData:\n  .dockerconfigjson: '{"auths":{"registry.corp.cloud":{"username":"puller","password":"${pen.hide('{{ .Values.registry.password }}', '$REGISTRY_PW', '<password>')}"}}}'\n`,
  ],
  'Function of Kyma': (pen) => [
    'k8s/function.yaml',
    `apiVersion: serverless.kyma-project.io/v1alpha2\nkind: Function\nmetadata:\n  name: sync-orders\nspec:\n  runtime: nodejs22\n  env:\n    - name: ERP_USER\n      value: ${pen.user()}\n    - name: ERP_PASSWORD\n      ${pen.either(`value: ${pen.put(pen.password())}`, 'valueFrom: { secretKeyRef: { name: erp, key: password } }', 'value: ""')}\n  source:\n    inline:\n      source: module.exports = { main: () => "ok" }\n`,
  ],
  'CronJob that calls curl': (pen) => [
    'k8s/cronjob.yaml',
    `apiVersion: batch/v1\nkind: CronJob\nmetadata:\n  name: ping-erp\nspec:\n  schedule: "*/15 * * * *"\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          containers:\n            - name: ping\n              image: curlimages/curl:8.8.0\n              command: ["sh", "-c", "curl -sf -u SVC_PING:${word(pen, '$ERP_PW', '$(ERP_PW)')} https://erp.corp.cloud/sap/public/ping"]\n          restartPolicy: Never\n`,
  ],
  'token of a service account in a kubeconfig': (pen) => [
    'ci/kubeconfig.yaml',
    `apiVersion: v1\nkind: Config\nclusters:\n- name: kyma\n  cluster:\n    server: https://api.c-1234.kyma.ondemand.com\ncontexts:\n- name: kyma\n  context: { cluster: kyma, user: deployer }\ncurrent-context: kyma\nusers:\n- name: deployer\n  user:\n    token: ${pen.either(pen.put(drawJwt(pen, { iss: 'kubernetes/serviceaccount' })), '${KUBE_TOKEN}', '<token>')}\n`,
  ],
  'administrator of a database of azurerm': (pen) => [
    'infra/db.tf',
    `resource "azurerm_postgresql_flexible_server" "orders" {\n  name                   = "psql-orders-dev"\n  location               = var.location\n  administrator_login    = "orders_admin"\n  administrator_password = ${text(pen, 'random_password.pg.result', 'var.pg_password', 'data.azurerm_key_vault_secret.pg.value')}\n  sku_name               = "B_Standard_B1ms"\n}\n`,
  ],
  'build args of compose': (pen) => [
    'docker-compose.build.yml',
    `services:\n  srv:\n    build:\n      context: .\n      dockerfile: Dockerfile\n      args:\n        NODE_VERSION: "22"\n        NPM_AUTH_TOKEN: ${pen.key('${NPM_AUTH_TOKEN}', '${NPM_AUTH_TOKEN:?set it}', '""')}\n`,
  ],
  'pip index of a Dockerfile': (pen) => [
    'ml/Dockerfile',
    `FROM python:3.12-slim\nWORKDIR /app\nCOPY requirements.txt .\nRUN pip install --no-cache-dir --extra-index-url https://ci-reader:${word(pen, '${PIP_PW}', '$PIP_PW')}@pypi.corp.cloud/simple -r requirements.txt\nCMD ["python", "serve.py"]\n`,
  ],
  'containerEnv of a dev container': (pen) => [
    '.devcontainer/devcontainer.json',
    json({
      name: 'CAP',
      image: 'mcr.microsoft.com/devcontainers/typescript-node:22',
      forwardPorts: [4004],
      containerEnv: { CDS_ENV: 'hybrid', HANA_USER: 'DBADMIN', HANA_PASSWORD: pen.hide('${localEnv:HANA_PASSWORD}', '') },
    }),
  ],
  'docker secret from echo': (pen) => [
    'deploy/swarm.sh',
    `#!/usr/bin/env bash\nset -euo pipefail\ndocker swarm init || true\necho "${word(pen, '$DB_PASSWORD', '${DB_PASSWORD}')}" | docker secret create db_password -\ndocker stack deploy -c stack.yml orders\n`,
  ],
  'hana-client with serverNode, UID and PWD': (pen) => [
    'tools/check-db.js',
    `const hana = require('@sap/hana-client')\nconst conn = hana.createConnection()\nconn.connect({ serverNode: '${pen.guid()}.hana.prod-eu10.hanacloud.ondemand.com:443', encrypt: true, UID: 'DBADMIN', PWD: ${js(pen, 'process.env.HANA_PWD', 'pwd', 'credentials.password')} }, (err) => {\n  if (err) throw err\n  console.log('connected')\n})\n`,
  ],
  'TypeOrmModule of NestJS': (pen) => [
    'src/app.module.ts',
    `@Module({\n  imports: [\n    TypeOrmModule.forRoot({\n      type: 'postgres',\n      host: 'db.corp.cloud',\n      port: 5432,\n      username: 'orders',\n      password: ${js(pen, "config.get('DB_PASSWORD')", 'process.env.DB_PASSWORD', 'undefined')},\n      autoLoadEntities: true,\n    }),\n  ],\n})\nexport class AppModule {}\n`,
  ],
  'ADT client by its arguments': (pen) => [
    'tools/activate.ts',
    `import { ADTClient } from 'abap-adt-api'\n\nconst client = new ADTClient('https://erp.corp.cloud:44300', 'DEVELOPER', ${js(pen, 'process.env.ADT_PASSWORD!', 'password', "''")}, '100', 'EN')\nawait client.login()\n`,
  ],
  'access of basic-ftp': (pen) => [
    'srv/lib/upload.js',
    `const ftp = require('basic-ftp')\n\nmodule.exports = async (file) => {\n  const client = new ftp.Client()\n  await client.access({ host: 'ftp.corp.cloud', user: 'orders', password: ${js(pen, 'FTP.password', 'process.env.FTP_PW', 'secret.value')}, secure: true })\n  await client.uploadFrom(file, 'in/orders.csv')\n}\n`,
  ],
  'authenticate of Puppeteer': (pen) => [
    'tests/e2e/screenshots.mjs',
    `const page = await browser.newPage()\nawait page.authenticate({ username: '${pen.user()}', password: ${js(pen, 'process.env.E2E_PW', 'password')} })\nawait page.goto('https://${pen.host()}/sap/bc/ui2/flp')\nawait page.screenshot({ path: 'flp.png' })\n`,
  ],
  'login to the Service Layer': (pen) => [
    'srv/b1/session.ts',
    `export async function login(): Promise<string> {\n  const response = await fetch('https://b1.corp.cloud:50000/b1s/v1/Login', {\n    method: 'POST',\n    body: JSON.stringify({ CompanyDB: 'SBO_CORP', UserName: 'manager', Password: ${js(pen, 'env.B1_PASSWORD', 'password', 'options.password')} }),\n  })\n  return (await response.json()).SessionId\n}\n`,
  ],
  'Java: Jasypt encryptor': (pen) => [
    'srv/src/main/java/com/corp/config/EncryptorConfig.java',
    `@Configuration\npublic class EncryptorConfig {\n  @Bean\n  public StringEncryptor encryptor() {\n    PooledPBEStringEncryptor encryptor = new PooledPBEStringEncryptor();\n    encryptor.setPassword(${textKey(pen, 'System.getenv("JASYPT_PASSWORD")', 'password', 'env.getProperty("jasypt.password")')});\n    encryptor.setAlgorithm("PBEWITHHMACSHA512ANDAES_256");\n    encryptor.setPoolSize(1);\n    return encryptor;\n  }\n}\n`,
  ],
  'Java: session of JSch': (pen) => [
    'src/main/java/com/corp/transfer/SftpClient.java',
    `public class SftpClient {\n  Session open() throws JSchException {\n    Session session = new JSch().getSession("sap_in", "sftp.corp.cloud", 22);\n    session.setPassword(${text(pen, 'password', 'System.getenv("SFTP_PW")', 'props.getProperty("sftp.password")')});\n    session.setConfig("StrictHostKeyChecking", "yes");\n    session.connect(10_000);\n    return session;\n  }\n}\n`,
  ],
  'Java: credentials of an AuthScope': (pen) => [
    'src/main/java/com/corp/erp/HttpClientFactory.java',
    `BasicCredentialsProvider provider = new BasicCredentialsProvider();\nprovider.setCredentials(\n    new AuthScope("erp.corp.cloud", 44300),\n    new UsernamePasswordCredentials("${pen.user()}", ${pen.either(`"${pen.put(pen.password())}".toCharArray()`, 'password.toCharArray()', 'System.getenv("ERP_PW").toCharArray()')}));\n`,
  ],
  'OAuth registration of Spring Security': (pen) => [
    'srv/src/main/resources/application-dev.yml',
    `spring:\n  security:\n    oauth2:\n      client:\n        registration:\n          erp:\n            authorization-grant-type: client_credentials\n            client-id: sb-orders!t123\n            client-secret: ${pen.key('${ERP_CLIENT_SECRET}', '${vcap.services.uaa.credentials.clientsecret}', `'{cipher}${pen.shape('{h96}')}'`)}\n        provider:\n          erp:\n            token-uri: https://${pen.host()}/oauth/token\n`,
  ],
  'key store of Spring Boot': (pen) => [
    'src/main/resources/application-tls.properties',
    `server.port=8443\nserver.ssl.key-store=classpath:orders.p12\nserver.ssl.key-store-type=PKCS12\nserver.ssl.key-store-password=${word(pen, '${KEYSTORE_PW}', `ENC(${pen.shape('{b43}=')})`, '@keystore.password@')}\nserver.ssl.key-alias=orders\n`,
  ],
  'local.properties of SAP Commerce': (pen) => [
    'hybris/config/local.properties',
    `# database of the dev landscape\ndb.url=jdbc:sap://h.corp.cloud:30015?reconnect=true\ndb.driver=com.sap.db.jdbc.Driver\ndb.username=hybris\ndb.password=${word(pen, '', '${env.DB_PASSWORD}', '<CHANGE_ME>')}\ntomcat.http.port=9001\n`,
  ],
  'Python: connect of paramiko': (pen) => [
    'tools/collect_traces.py',
    `import paramiko\n\nssh = paramiko.SSHClient()\nssh.load_system_host_keys()\nssh.connect("hanahost01.corp.cloud", username="hdbadm", password=${text(pen, 'getpass.getpass()', 'os.environ["SSH_PW"]', 'None')}, timeout=10)\nstdin, stdout, stderr = ssh.exec_command("ls /usr/sap/HDB/HDB00")\n`,
  ],
  'Python: client of AI Core': (pen) => [
    'ml/deploy.py',
    `from ai_core_sdk.ai_core_v2_client import AICoreV2Client\n\nclient = AICoreV2Client(\n    base_url="https://api.ai.prod.eu-central-1.aws.ml.hana.ondemand.com/v2",\n    auth_url="https://ml.authentication.eu10.hana.ondemand.com/oauth/token",\n    client_id="sb-ml!b312|aicore!b540",\n    client_secret=${pen.either(`"${pen.put(pen.shape('{g}${u43}='))}"`, 'key["clientsecret"]', 'os.environ["AICORE_CLIENT_SECRET"]')},\n)\n`,
  ],
  'Groovy: body of a token request': (pen) => [
    'flows/token/src/main/resources/script/token.groovy',
    `import com.sap.gateway.ip.core.customdev.util.Message\n\ndef Message processData(Message message) {\n    message.setHeader("Content-Type", "application/x-www-form-urlencoded")\n    message.setBody("grant_type=client_credentials&client_id=orders&client_secret=${pen.key('${secret}', '" + secret + "', '${cred.getPassword()}')}")\n    return message\n}\n`,
  ],
  'notebook that asks for a token': (pen) => [
    'notebooks/odata.ipynb',
    json({
      cells: [
        { cell_type: 'markdown', metadata: {}, source: ['# Orders of S/4\n'] },
        {
          cell_type: 'code',
          execution_count: 3,
          metadata: {},
          outputs: [],
          source: [
            'import requests\n',
            'r = requests.post("https://orders.authentication.eu10.hana.ondemand.com/oauth/token",\n',
            `    data={"grant_type": "client_credentials", "client_id": "sb-orders!t7", "client_secret": ${textKey(pen, 'key["clientsecret"]', 'getpass()')}})\n`,
            'token = r.json()["access_token"]\n',
          ],
        },
      ],
      nbformat: 4,
      nbformat_minor: 5,
    }),
  ],
  'variables of a Postman collection': (pen) => [
    'postman/Orders.postman_collection.json',
    json({
      info: { name: 'Orders', schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
      item: [],
      variable: [
        { key: 'baseUrl', value: `https://${pen.host()}` },
        { key: 'clientid', value: 'sb-orders!t18' },
        { key: 'clientsecret', value: binding(pen, '', '<clientsecret>', '{{vault:orders}}') },
      ],
    }),
  ],
  'oauth2 of a Bruno collection': (pen) => [
    'bruno/orders/collection.bru',
    `auth {\n  mode: oauth2\n}\n\nauth:oauth2 {\n  grant_type: client_credentials\n  access_token_url: https://${pen.host()}/oauth/token\n  client_id: sb-orders!t18\n  client_secret: ${pen.key('{{clientSecret}}', '{{process.env.SECRET}}', '')}\n  scope: \n}\n`,
  ],
  'collection of Insomnia in YAML': (pen) => [
    'insomnia/orders.yaml',
    `type: collection.insomnia.rest/5.0\nname: Orders\ncollection:\n  - url: "{{ _.base }}/odata/v4/orders"\n    name: Orders\n    method: GET\n    authentication:\n      type: oauth2\n      grantType: client_credentials\n      accessTokenUrl: https://${pen.host()}/oauth/token\n      clientId: sb-orders!t18\n      clientSecret: ${pen.key('"{{ _.secret }}"', '"{% vault \'orders\' %}"', '""')}\n`,
  ],
  'UsernameToken of a SOAP envelope': (pen) => [
    'soap/requests/create-order.xml',
    `<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/">\n  <soapenv:Header>\n    <wsse:Security xmlns:wsse="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">\n      <wsse:UsernameToken>\n        <wsse:Username>${pen.user()}</wsse:Username>\n        <wsse:Password Type="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText">${pen.hide('${#Project#password}', '?', '')}</wsse:Password>\n      </wsse:UsernameToken>\n    </wsse:Security>\n  </soapenv:Header>\n  <soapenv:Body/>\n</soapenv:Envelope>\n`,
  ],
  'log of curl -v': (pen) => [
    'logs/deploy-trace.log',
    `*   Trying 10.18.4.7:443...\n* Connected to erp.corp.cloud (10.18.4.7) port 443\n* Server auth using Basic with user 'SVC_ORDERS'\n> GET /sap/opu/odata/iwfnd/catalogservice;v=2 HTTP/1.1\n> Host: erp.corp.cloud\n> Authorization: Basic ${basic(pen, 'SVC_ORDERS', '***', '[REDACTED]', '****************')}\n> User-Agent: curl/8.5.0\n< HTTP/1.1 200 OK\n`,
  ],
  'log of a failed connection': (pen) => [
    'logs/orders-srv.log',
    `2026-02-11 08:14:02.117  INFO 18 --- [main] c.c.o.Application : Starting Application\n2026-02-11 08:14:05.004 ERROR 18 --- [main] c.zaxxer.hikari.pool.HikariPool : Failed: jdbc:sap://hana01.corp.cloud:30015/?user=ORDERS_APP&password=${word(pen, '***', '<hidden>', 'xxxxxxxx')}&encrypt=true\ncom.sap.db.jdbc.exceptions.JDBCDriverException: SAP DBTech JDBC: [10]: authentication failed\n`,
  ],
  'remote systems of ABAP in VS Code': (pen) => [
    '.vscode/settings.json',
    json({
      'editor.tabSize': 2,
      'abapfs.remote': {
        QAS: {
          url: `https://${pen.host()}`,
          username: 'DEVELOPER',
          password: pen.hide('', '<asked at logon>'),
          client: '100',
          language: 'EN',
        },
      },
    }),
  ],
  'sftp.json of VS Code': (pen) => [
    '.vscode/sftp.json',
    json({
      name: 'webdispatcher',
      host: 'wd.corp.cloud',
      protocol: 'sftp',
      port: 22,
      username: 'wdadm',
      password: pen.either(pen.put(pen.password()), '', '${env:SFTP_PW}'),
      remotePath: '/usr/sap/WD1',
      uploadOnSave: false,
    }),
  ],
  'launch file of Eclipse': (pen) => [
    '.launches/orders-srv.launch',
    `<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<launchConfiguration type="org.eclipse.jdt.launching.localJavaApplication">\n    <mapAttribute key="org.eclipse.debug.core.environmentVariables">\n        <mapEntry key="SPRING_PROFILES_ACTIVE" value="dev"/>\n        <mapEntry key="DB_PASSWORD" value="${pen.hide('${env_var:DB_PASSWORD}', '', '${string_prompt:Password}')}"/>\n    </mapAttribute>\n    <stringAttribute key="org.eclipse.jdt.launching.MAIN_TYPE" value="com.corp.orders.Application"/>\n</launchConfiguration>\n`,
  ],
}
