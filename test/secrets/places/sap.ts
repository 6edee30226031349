import { toBase64 } from '../material/draw.ts'
import { json, type Places } from './place.ts'

/** Descriptors, bindings and tools of SAP BTP, CAP, UI5 and HANA. */
export const SAP_PLACES: Places = {
  'variables of a CF manifest': (pen) => [
    'vars.yml',
    `instances: 2\ndb_password: ${pen.hide('((vault-db-password))', '<db-password>')}\nmemory: 256M\n`,
  ],
  'registry of a module': (pen) => [
    'mta.yaml',
    `ID: orders\nmodules:\n  - name: srv\n    type: application\n    parameters:\n      docker:\n        image: registry.corp.cloud/orders:1.2\n        username: puller\n        password: ${pen.hide('${docker-password}', '~{registry/password}')}\n`,
  ],
  'build command of an MTA': (pen) => [
    'mta.yaml',
    `ID: orders\nbuild-parameters:\n  before-all:\n    - builder: custom\n      commands:\n        - npm config set //npm.corp.cloud/:_authToken=${pen.key('$NPM_TOKEN', '${NPM_TOKEN}')}\n        - npm ci\n`,
  ],
  'destinations as JSON in YAML': (pen) => [
    'dev.mtaext',
    `_schema-version: "3.1"\nID: dev\nextends: orders\nmodules:\n  - name: router\n    properties:\n      destinations: '[{"name":"erp","url":"https://${pen.host()}","username":"${pen.user()}","password":"${pen.hide('~{erp/password}', '${erp-password}')}"}]'\n`,
  ],
  'VCAP_SERVICES as a string': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: JSON.stringify({
        'user-provided': [{ name: 'erp', credentials: { user: 'SRV', password: pen.hide('<password>', '') } }],
      }),
    }),
  ],
  'key of a user-provided service': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        'user-provided': [
          { name: 'maps', credentials: { endpoint: `https://${pen.host()}`, apiKey: pen.key('<api-key>', 'YOUR_API_KEY') } },
        ],
      },
    }),
  ],
  'profile of .cdsrc.json': (pen) => [
    '.cdsrc.json',
    json({
      '[production]': {
        requires: {
          S4: {
            kind: 'odata-v2',
            credentials: {
              url: `https://${pen.host()}`,
              username: pen.user(),
              password: pen.hide('<set by binding>', '${S4_PASSWORD}'),
            },
          },
        },
      },
    }),
  ],
  'headers of a remote service': (pen) => [
    'package.json',
    json({
      name: 'orders',
      cds: {
        requires: {
          bp: {
            kind: 'odata',
            credentials: {
              url: 'https://sandbox.api.sap.com/s4hanacloud',
              headers: { APIKey: pen.key('<your key>', '{{apiKey}}') },
            },
          },
        },
      },
    }),
  ],
  'messaging in .cdsrc-private.json': (pen) => [
    '.cdsrc-private.json',
    json({
      requires: {
        messaging: {
          credentials: {
            management: [
              {
                oa2: {
                  clientid: 'sb-orders!b12',
                  clientsecret: pen.key('<from key>', '${secret}'),
                  tokenendpoint: `https://${pen.host()}/oauth/token`,
                },
              },
            ],
          },
        },
      },
    }),
  ],
  '.cdsrc.js': (pen) => [
    '.cdsrc.js',
    `module.exports = {\n  requires: {\n    erp: { kind: 'odata', credentials: { username: '${pen.user()}', password: ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.ERP_PASSWORD')} } }\n  }\n}\n`,
  ],
  'environment of cds in code': (pen) => [
    'srv/server.js',
    `const cds = require('@sap/cds')\ncds.env.requires.db.credentials = { user: 'DBADMIN', password: ${pen.either(`'${pen.put(pen.generated())}'`, 'credentials.password', 'process.env.HANA_PW')} }\nmodule.exports = cds.server\n`,
  ],
  'path of cds in .env': (pen) => [
    '.env',
    `cds.requires.S4.credentials.username=${pen.user()}\ncds.requires.S4.credentials.password=${pen.hide('', '${S4_PASSWORD}')}\n`,
  ],
  'underscores of cds in .env': (pen) => [
    '.env',
    `cds_requires_S4_credentials_password=${pen.hide('<password>', '$S4_PASSWORD')}\nPORT=4004\n`,
  ],
  'JSON value of cds in .env': (pen) => [
    '.env',
    `cds.requires.db={"kind":"hana","credentials":{"user":"ORDERS_RT","password":"${pen.hide('<password>', '')}"}}\n`,
  ],
  '.env that is JSON': (pen) => ['.env', json({ ERP_USER: pen.user(), ERP_PASSWORD: pen.hide('', '<password>') })],
  'headers of a proxy': (pen) => [
    'ui5-local.yaml',
    `specVersion: "3.0"\nserver:\n  customMiddleware:\n    - name: ui5-middleware-simpleproxy\n      afterMiddleware: compression\n      configuration:\n        baseUri: https://${pen.host()}\n        httpHeaders:\n          Authorization: "Basic ${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), '${env.AUTH}', '<base64>')}"\n`,
  ],
  'headers of a model': (pen) => [
    'webapp/manifest.json',
    json({
      'sap.app': { id: 'a.orders' },
      'sap.ui5': {
        models: {
          '': {
            type: 'sap.ui.model.odata.v4.ODataModel',
            settings: { serviceUrl: '/odata/', httpHeaders: { 'x-api-key': pen.key('{= ${config>/key} }', '<api-key>') } },
          },
        },
      },
    }),
  ],
  'config of a component': (pen) => [
    'webapp/manifest.json',
    json({ 'sap.app': { id: 'a.orders' }, 'sap.ui5': { config: { mapsApiKey: pen.key('', '<key>') } } }),
  ],
  'service broker': (pen) => [
    'scripts/broker.sh',
    `cf create-service-broker orders ${pen.user()} ${pen.either(pen.put(pen.generated()), '"$BROKER_PASSWORD"', '<password>')} https://${pen.host()}\n`,
  ],
  'push of an image': (pen) => [
    'scripts/push.sh',
    `CF_DOCKER_PASSWORD=${pen.either(pen.put(pen.generated()), '"$REGISTRY_PASSWORD"')} cf push orders --docker-image r.corp.cloud/o --docker-username ci\n`,
  ],
  'update of a user-provided service': (pen) => [
    'scripts/uups.sh',
    `cf uups erp -p '{"user":"${pen.user()}","password":"${pen.hide("'$ERP_PASSWORD'", '<password>')}"}'\n`,
  ],
  'login of XSA': (pen) => [
    'deploy.sh',
    `xs login -a https://hxehost:39030 -u XSA_ADMIN -p ${pen.either(pen.put(pen.generated()), '$XSA_PASSWORD', '"${XSA_PW}"')} -o HANAExpress -s dev\n`,
  ],
  'remote source': (pen) => [
    'db/remote.sql',
    `CREATE REMOTE SOURCE "ERP" ADAPTER "hanaodbc" CONFIGURATION 'ServerNode=${pen.host()}:443' WITH CREDENTIAL TYPE 'PASSWORD' USING 'user=${pen.user()};password=${pen.hide('<password>', '${PW}')}';\n`,
  ],
  'credential of a component': (pen) => [
    'db/cred.sql',
    `CREATE CREDENTIAL FOR COMPONENT 'SAPHANAFEDERATION' PURPOSE 'ERP' TYPE 'PASSWORD' USING 'user="${pen.user()}";password="${pen.hide('<password>', '***')}"';\n`,
  ],
  'ALTER USER': (pen) => ['db/alter.sql', `ALTER USER DBADMIN PASSWORD "${pen.hide('<new password>', '${PASSWORD}')}";\n`],
  'parameters of an iFlow': (pen) => [
    'src/main/resources/parameters.prop',
    `#Store parameters\nerp_user=${pen.user()}\nerp_password=${pen.hide('', '{{erp_password}}')}\n`,
  ],
  'header in a script of an iFlow': (pen) => [
    'src/main/resources/script/auth.groovy',
    `def Message processData(Message message) {\n  message.setHeader("Authorization", ${pen.either(`"Basic ${pen.put(toBase64(`svc:${pen.password()}`))}"`, '"Basic " + encoded', '"Bearer ${token}"')})\n  return message\n}\n`,
  ],
  'run configuration of IntelliJ': (pen) => [
    '.run/Orders.run.xml',
    `<component name="ProjectRunConfigurationManager">\n  <configuration name="Orders">\n    <envs>\n      <env name="ERP_PASSWORD" value="${pen.hide('$ERP_PASSWORD$', '')}" />\n    </envs>\n  </configuration>\n</component>\n`,
  ],
  'task of VS Code': (pen) => [
    '.vscode/tasks.json',
    json({
      version: '2.0.0',
      tasks: [
        {
          label: 'login',
          command: 'cf',
          args: ['login', '-u', 'ci@corp.cloud', '-p', pen.hide('${input:password}', '${env:CF_PASSWORD}')],
        },
      ],
    }),
  ],
  'piper configuration': (pen) => [
    '.pipeline/config.yml',
    `steps:\n  cloudFoundryDeploy:\n    username: ci\n    password: "${pen.hide('${CF_PASSWORD}', '$CF_PASSWORD')}"\n`,
  ],
  devfile: (pen) => [
    'devfile.yaml',
    `components:\n  - name: tools\n    container:\n      env:\n        - name: ERP_PASSWORD\n          value: '${pen.hide('', '$(ERP_PASSWORD)')}'\n`,
  ],
  uiveri5: (pen) => [
    'uiveri5.conf.js',
    `exports.config = {\n  auth: { 'sapcloud-form': { user: '\${params.user}', pass: ${pen.either(`'${pen.put(pen.password())}'`, "'${params.pass}'", 'process.env.PASS')} } }\n}\n`,
  ],
  'basic authorization of ABAP': (pen) => [
    'src/zcl_a.clas.abap',
    `    lo_request->set_authorization_basic( i_username = '${pen.user()}' i_password = ${pen.either(`'${pen.put(pen.password())}'`, 'lv_password', 'ls_config-password')} ).\n`,
  ],
  'header list of ABAP': (pen) => [
    'src/zcl_b.clas.abap',
    `    lt_fields = VALUE #( ( name = 'Accept' value = 'application/json' ) ( name = 'APIKey' value = ${pen.either(`'${pen.put(pen.shape('{w32}'))}'`, 'lv_key', 'me->mv_key')} ) ).\n`,
  ],
  'bearer header of ABAP': (pen) => [
    'src/zcl_c.clas.abap',
    `    lo_request->set_header_field( i_name = 'Authorization' i_value = ${pen.either(`'Bearer ${pen.put(pen.random())}'`, '|Bearer { lv_token }|')} ).\n`,
  ],
  'connection of XSJS': (pen) => [
    'lib/db.xsjslib',
    `var conn = $.hdb.getConnection({ "user": "SYSTEM", "password": ${pen.either(`"${pen.put(pen.password())}"`, 'cfg.password', 'undefined')} });\n`,
  ],
  'row of initial data': (pen) => [
    'db/data/a.orders-Systems.csv',
    `ID;host;user;password\n1;${pen.host()};${pen.user()};${pen.either(pen.put(pen.generated()), '', '****')}\n`,
  ],
}
