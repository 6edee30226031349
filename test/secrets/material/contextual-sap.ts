import { drawSecret } from '../../secret-values.ts'
import { toBase64 } from './draw.ts'
import type { Pen, Writers } from './sample.ts'

const CERTIFICATE = (pen: Pen): string => drawSecret('certificate', pen.shape('{w8}'))

function xsuaa(pen: Pen, secret: string): object {
  return {
    label: 'xsuaa',
    plan: 'application',
    name: 'orders-uaa',
    instance_guid: pen.guid(),
    tags: ['xsuaa'],
    credentials: {
      clientid: `sb-orders!t${pen.shape('{d5}')}`,
      clientsecret: secret,
      'credential-type': 'binding-secret',
      identityzone: 'acme-dev',
      identityzoneid: pen.guid(),
      sburl: 'https://internal-xsuaa.authentication.eu10.hana.ondemand.com',
      tenantid: pen.guid(),
      uaadomain: 'authentication.eu10.hana.ondemand.com',
      url: 'https://acme-dev.authentication.eu10.hana.ondemand.com',
      verificationkey: drawSecret('public-key', pen.shape('{w8}')),
      xsappname: `orders!t${pen.shape('{d5}')}`,
    },
  }
}

const schema = (pen: Pen): string => pen.shape('{H32}')

function hana(pen: Pen): object {
  const name = schema(pen)
  return {
    label: 'hana',
    plan: 'hdi-shared',
    credentials: {
      host: `${pen.guid()}.hana.prod-eu10.hanacloud.ondemand.com`,
      port: '443',
      driver: 'com.sap.db.jdbc.Driver',
      schema: name,
      hdi_user: `${name}_${pen.shape('{U25}')}_DT`,
      hdi_password: pen.put(pen.shape('{A1}{a1}{p126}')),
      user: `${name}_${pen.shape('{U25}')}_RT`,
      password: pen.put(pen.shape('{A1}{a1}{p126}')),
      certificate: CERTIFICATE(pen),
    },
  }
}

const bindingSecret = (pen: Pen): string => pen.put(`${pen.guid()}$${pen.shape('{u43}')}=`)
const instanceSecret = (pen: Pen): string => pen.put(pen.shape('{b27}='))
const json = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n'

/** Bindings of services and settings of SAP's tools. */
export const SAP_CONTEXTUAL: Writers = {
  'default-env.json with xsuaa and hana': (pen) => [
    'default-env.json',
    json({ VCAP_SERVICES: { xsuaa: [xsuaa(pen, instanceSecret(pen))], hana: [hana(pen)] }, PORT: 4004 }),
  ],
  'default-env.json with destination and connectivity': (pen) => [
    'app/default-env.json',
    json({
      VCAP_SERVICES: {
        destination: [
          {
            credentials: {
              clientid: `sb-clone${pen.guid()}!b1|destination-xsappname!b9`,
              clientsecret: bindingSecret(pen),
              uri: 'https://destination-configuration.cfapps.eu10.hana.ondemand.com',
            },
          },
        ],
        connectivity: [
          {
            credentials: {
              clientid: `sb-${pen.guid()}!b1`,
              clientsecret: instanceSecret(pen),
              onpremise_proxy_host: 'connectivityproxy.internal',
              onpremise_proxy_port: '20003',
            },
          },
        ],
      },
    }),
  ],
  'default-env.json with a key of x509': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        xsuaa: [
          {
            credentials: {
              'credential-type': 'x509',
              clientid: 'sb-orders!t1',
              certificate: CERTIFICATE(pen),
              key: pen.put(drawSecret('rsa-key', pen.shape('{w8}'))),
            },
          },
        ],
      },
    }),
  ],
  'destinations of the approuter': (pen) => [
    'approuter/default-env.json',
    json({
      destinations: [{ name: 'erp', url: `https://${pen.host()}`, username: pen.user(), password: pen.put(pen.password()) }],
    }),
  ],
  'VCAP_SERVICES on one line': (pen) => [
    '.env',
    `PORT=4004\nVCAP_SERVICES=${JSON.stringify({ xsuaa: [xsuaa(pen, instanceSecret(pen))], hana: [hana(pen)] })}\n`,
  ],
  'VCAP_SERVICES in quotes': (pen) => [
    'srv/.env',
    `VCAP_SERVICES='${JSON.stringify({ xsuaa: [xsuaa(pen, bindingSecret(pen))] })}'\n`,
  ],
  'destinations in .env': (pen) => [
    '.env',
    `destinations=[{"name":"erp","url":"https://${pen.host()}","username":"${pen.user()}","password":"${pen.put(pen.password())}"}]\n`,
  ],
  'identity service': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        identity: [
          {
            credentials: {
              app_tid: pen.guid(),
              clientid: pen.guid(),
              clientsecret: pen.put(pen.shape('{w12}:{w10}_{w8}')),
              url: 'https://acme.accounts400.ondemand.com',
              'credential-type': 'SECRET',
            },
          },
        ],
      },
    }),
  ],
  'service key': (pen) => [
    'service-key-uaa.json',
    json({
      clientid: 'sb-orders!t12',
      clientsecret: instanceSecret(pen),
      url: 'https://acme.authentication.eu10.hana.ondemand.com',
      uaadomain: 'authentication.eu10.hana.ondemand.com',
    }),
  ],
  'service key of AI Core': (pen) => [
    'aicore_key.json',
    json({
      serviceurls: { AI_API_URL: 'https://api.ai.prod.eu-central-1.aws.ml.hana.ondemand.com' },
      clientid: `sb-${pen.guid()}!b5|aicore!b540`,
      clientsecret: bindingSecret(pen),
      url: 'https://acme.authentication.sap.hana.ondemand.com',
    }),
  ],
  'event mesh key': (pen) => [
    'config/em-key.json',
    json({
      xsappname: 'em!t1',
      management: [
        {
          oa2: {
            clientid: 'sb-em!b1',
            clientsecret: instanceSecret(pen),
            tokenendpoint: 'https://acme.authentication.eu10.hana.ondemand.com/oauth/token',
          },
          uri: 'https://enterprise-messaging.cfapps.eu10.hana.ondemand.com',
        },
      ],
    }),
  ],
  'object store': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        objectstore: [
          {
            credentials: {
              access_key_id: `AKIA${pen.shape('{k16}')}`,
              bucket: 'hcp-1',
              region: 'eu-central-1',
              secret_access_key: pen.put(pen.shape('{b40}')),
            },
          },
        ],
      },
    }).replace(/AKIA\w+/, (id) => pen.put(id)),
  ],
  'postgres binding': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        'postgresql-db': [
          {
            credentials: {
              username: pen.shape('{h12}'),
              password: pen.put(pen.shape('{h26}')),
              hostname: 'postgres-1.cqryblsdrbcs.eu-central-1.rds.amazonaws.com',
              dbname: 'abc',
              port: '5432',
            },
          },
        ],
      },
    }),
  ],
  'redis binding': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        'redis-cache': [
          {
            credentials: {
              hostname: 'master.r.cache.amazonaws.com',
              password: pen.put(pen.shape('{w24}')),
              port: '1234',
              tls: true,
            },
          },
        ],
      },
    }),
  ],
  '.cdsrc-private.json': (pen) => [
    '.cdsrc-private.json',
    json({
      requires: {
        '[hybrid]': {
          auth: {
            kind: 'xsuaa',
            credentials: {
              clientid: 'sb-orders!t9',
              clientsecret: instanceSecret(pen),
              url: 'https://acme.authentication.eu10.hana.ondemand.com',
            },
          },
        },
      },
    }),
  ],
  'cds.requires with a password': (pen) => [
    'package.json',
    json({
      name: 'orders',
      dependencies: { '@sap/cds': '^9' },
      cds: {
        requires: {
          API_BUSINESS_PARTNER: {
            kind: 'odata-v2',
            model: 'srv/external/API_BUSINESS_PARTNER',
            credentials: {
              url: `https://${pen.host()}/sap/opu/odata`,
              authentication: 'BasicAuthentication',
              username: pen.user(),
              password: pen.put(pen.password()),
            },
          },
        },
      },
    }),
  ],
  'cds.requires with a client secret': (pen) => [
    '.cdsrc.json',
    json({
      requires: {
        '[production]': {
          messaging: { kind: 'enterprise-messaging', credentials: { clientid: 'sb-x!b1', clientSecret: instanceSecret(pen) } },
        },
      },
    }),
  ],
  'hana credentials of cds': (pen) => [
    'package.json',
    json({
      name: 'a',
      cds: {
        requires: {
          db: {
            kind: 'hana',
            credentials: { host: 'h.hanacloud.ondemand.com', port: 443, user: 'DBADMIN', password: pen.put(pen.password()) },
          },
        },
      },
    }),
  ],
  'property of a module': (pen) => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: orders\nversion: 1.0.0\nmodules:\n  - name: orders-srv\n    type: nodejs\n    path: gen/srv\n    properties:\n      ERP_USER: ${pen.user()}\n      ERP_PASSWORD: ${pen.put(pen.password())}\n`,
  ],
  'extension of an MTA': (pen) => [
    'prod.mtaext',
    `_schema-version: "3.1"\nID: orders-prod\nextends: orders\nmodules:\n  - name: orders-srv\n    properties:\n      MAIL_API_SECRET: "${pen.put(pen.random())}"\n`,
  ],
  'destination of an MTA': (pen) => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: orders\nversion: 1.0.0\nresources:\n  - name: dest\n    type: org.cloudfoundry.managed-service\n    parameters:\n      service: destination\n      config:\n        init_data:\n          instance:\n            destinations:\n              - Name: ERP\n                Type: HTTP\n                URL: https://${pen.host()}\n                ProxyType: Internet\n                Authentication: BasicAuthentication\n                User: ${pen.user()}\n                Password: ${pen.put(pen.password())}\n`,
  ],
  'destination with a client secret': (pen) => [
    'mta.yaml',
    `ID: a\nresources:\n  - name: d\n    parameters:\n      config:\n        init_data:\n          subaccount:\n            destinations:\n              - Name: X\n                Authentication: OAuth2ClientCredentials\n                clientId: orders\n                clientSecret: "${pen.put(pen.random())}"\n                tokenServiceURL: https://${pen.host()}/oauth/token\n`,
  ],
  'exported destination': (pen) => [
    'destinations/ERP',
    `#\n#Thu Sep 10 2026\nType=HTTP\nName=ERP\nURL=https\\://${pen.host()}\nAuthentication=BasicAuthentication\nUser=${pen.user()}\nPassword=${pen.put(pen.password())}\nProxyType=Internet\n`,
  ],
  'exported destination as properties': (pen) => [
    'ERP.properties',
    `Type=HTTP\nName=ERP\nAuthentication=OAuth2Password\nclientId=abc\nclientSecret=${pen.put(pen.random())}\ntokenServiceURL=https://${pen.host()}\n`,
  ],
  'destination as JSON': (pen) => [
    'destination.json',
    json({
      Name: 'ERP',
      Type: 'HTTP',
      URL: `https://${pen.host()}`,
      Authentication: 'BasicAuthentication',
      User: pen.user(),
      Password: pen.put(pen.password()),
    }),
  ],
  'token service of a destination': (pen) => [
    'dest.json',
    json({
      Name: 'T',
      Authentication: 'OAuth2JWTBearer',
      tokenServiceURL: 'https://x.corp.cloud',
      tokenServiceUser: 'svc',
      tokenServicePassword: pen.put(pen.password()),
    }),
  ],
  'env of manifest.yml': (pen) => [
    'manifest.yml',
    `applications:\n  - name: orders\n    memory: 256M\n    env:\n      NODE_ENV: production\n      SMTP_PASSWORD: ${pen.put(pen.password())}\n`,
  ],
  'env of manifest.yml as JSON': (pen) => [
    'manifest.yaml',
    `applications:\n- name: router\n  env:\n    destinations: >\n      [{"name":"erp","url":"https://${pen.host()}","username":"${pen.user()}","password":"${pen.put(pen.password())}"}]\n`,
  ],
  'cf login': (pen) => [
    'deploy.sh',
    `#!/bin/bash\ncf api https://api.cf.eu10.hana.ondemand.com\ncf login -u ${pen.user()} -p '${pen.put(pen.password())}' -o acme -s dev\ncf deploy mta_archives/orders.mtar -f\n`,
  ],
  'cf login without quotes': (pen) => [
    'scripts/deploy.sh',
    `cf login -a https://api.cf.eu10.hana.ondemand.com -u ${pen.user()} -p ${pen.put(pen.generated())} -o acme -s prod\n`,
  ],
  'cf auth': (pen) => ['ci/push.sh', `cf api "$API"\ncf auth ${pen.user()} "${pen.put(pen.generated().replaceAll('!', '_'))}"\n`],
  'cf set-env': (pen) => [
    'deploy.sh',
    `cf push orders --no-start\ncf set-env orders DB_PASSWORD ${pen.put(pen.generated())}\ncf start orders\n`,
  ],
  'cf cups': (pen) => [
    'deploy.sh',
    `cf cups erp-service -p '{"user":"${pen.user()}","password":"${pen.put(pen.generated())}","url":"https://${pen.host()}"}'\n`,
  ],
  'cf create-service with parameters': (pen) => [
    'setup.sh',
    `cf create-service hana-cloud hana db -c '{"data":{"edition":"cloud","memory":32,"systempassword":"${pen.put(pen.generated())}"}}'\n`,
  ],
  'cf login in a script of npm': (pen) => [
    'package.json',
    json({
      name: 'a',
      scripts: {
        deploy: `cf login -a https://api.cf.eu10.hana.ondemand.com -u me@acme.com -p ${pen.put(pen.generated())} && cf deploy a.mtar`,
      },
    }),
  ],
  'btp login': (pen) => [
    'setup.sh',
    `btp login --url https://cli.btp.cloud.sap --subdomain acme --user ${pen.user()} --password '${pen.put(pen.password())}'\nbtp target --subaccount x\n`,
  ],
  'neo deploy': (pen) => [
    'deploy.sh',
    `neo.sh deploy-mta --account acme --host hana.ondemand.com --user p123456 --password ${pen.put(pen.generated())} --source a.mtar\n`,
  ],
  hdbsql: (pen) => ['db/load.sh', `hdbsql -n ${pen.host()}:443 -u DBADMIN -p ${pen.put(pen.generated())} -e -I load.sql\n`],
  hdbuserstore: (pen) => ['setup.sh', `hdbuserstore SET ORDERS "h.corp.cloud:30015" ${pen.user()} ${pen.put(pen.generated())}\n`],
  'hana client of Node.js': (pen) => [
    'srv/db.js',
    `const hana = require('@sap/hana-client')\nconst conn = hana.createConnection()\nconn.connect({ serverNode: '${pen.host()}:443', uid: '${pen.user()}', pwd: '${pen.put(pen.password())}' })\n`,
  ],
  'hdb of Node.js': (pen) => [
    'srv/hdb.js',
    `const hdb = require('hdb')\nconst client = hdb.createClient({\n  host: '${pen.host()}',\n  port: 30015,\n  user: '${pen.user()}',\n  password: '${pen.put(pen.password())}'\n})\n`,
  ],
  'hdbcli of Python': (pen) => [
    'scripts/db.py',
    `from hdbcli import dbapi\nconn = dbapi.connect(address="${pen.host()}", port=443, user="${pen.user()}", password="${pen.put(pen.password())}")\n`,
  ],
  'hana of Java': (pen) => [
    'src/main/java/Db.java',
    `class Db {\n  Connection open() throws Exception {\n    return DriverManager.getConnection("jdbc:sap://h.corp.cloud:30015", "${pen.user()}", "${pen.put(pen.password())}");\n  }\n}\n`,
  ],
  'CREATE USER': (pen) => [
    'db/users.sql',
    `CREATE USER SRV_ORDERS PASSWORD "${pen.put(pen.generated())}" NO FORCE_FIRST_PASSWORD_CHANGE;\nGRANT SELECT ON SCHEMA A TO SRV_ORDERS;\n`,
  ],
  'node-rfc': (pen) => [
    'srv/rfc.js',
    `const { Client } = require('node-rfc')\nconst client = new Client({ user: '${pen.user()}', passwd: '${pen.put(pen.password())}', ashost: '10.11.12.13', sysnr: '00', client: '100' })\n`,
  ],
  'sapnwrfc.ini': (pen) => [
    'sapnwrfc.ini',
    `DEST=ERP\nASHOST=10.11.12.13\nSYSNR=00\nCLIENT=100\nUSER=${pen.user()}\nPASSWD=${pen.put(pen.generated())}\n`,
  ],
  'JCo of Java': (pen) => [
    'ERP.jcoDestination',
    `jco.client.ashost=10.1.1.1\njco.client.sysnr=00\njco.client.user=${pen.user()}\njco.client.passwd=${pen.put(pen.generated())}\n`,
  ],
  'ABAP constant': (pen) => [
    'src/zcl_client.clas.abap',
    `CLASS zcl_client DEFINITION PUBLIC.\n  PRIVATE SECTION.\n    CONSTANTS gc_password TYPE string VALUE '${pen.put(pen.password())}'.\nENDCLASS.\n`,
  ],
  'ABAP call': (pen) => [
    'src/zcall.prog.abap',
    `REPORT zcall.\nlo_http->authenticate( username = '${pen.user()}' password = '${pen.put(pen.password())}' ).\n`,
  ],
  'ABAP assignment': (pen) => [
    'src/zset.prog.abap',
    `DATA lv_client_secret TYPE string.\nlv_client_secret = '${pen.put(pen.random())}'.\n`,
  ],
  'ui5.yaml of a proxy': (pen) => [
    'ui5.yaml',
    `specVersion: "3.0"\nmetadata:\n  name: orders\ntype: application\nserver:\n  customMiddleware:\n    - name: ui5-middleware-simpleproxy\n      mountPath: /sap\n      afterMiddleware: compression\n      configuration:\n        baseUri: https://${pen.host()}/sap\n        username: ${pen.user()}\n        password: ${pen.put(pen.password())}\n`,
  ],
  'ui5-deploy.yaml': (pen) => [
    'ui5-deploy.yaml',
    `specVersion: "3.0"\nbuilder:\n  customTasks:\n    - name: deploy-to-abap\n      configuration:\n        target:\n          url: https://${pen.host()}\n        credentials:\n          username: ${pen.user()}\n          password: ${pen.put(pen.password())}\n`,
  ],
  '.ui5deployrc': (pen) => [
    '.ui5deployrc',
    json({ server: `https://${pen.host()}`, user: pen.user(), pwd: pen.put(pen.password()) }),
  ],
  'env of a deployment task': (pen) => [
    '.env',
    `UI5_TASK_NWABAP_DEPLOYER__USER=${pen.user()}\nUI5_TASK_NWABAP_DEPLOYER__PASSWORD=${pen.put(pen.generated())}\nFIORI_TOOLS_USER=x\n`,
  ],
  'env of Fiori tools': (pen) => ['.env', `FIORI_TOOLS_USER=${pen.user()}\nFIORI_TOOLS_PASSWORD=${pen.put(pen.generated())}\n`],
  'Gruntfile of a deployment': (pen) => [
    'Gruntfile.js',
    `module.exports = function (grunt) {\n  grunt.initConfig({ nwabap_ui5uploader: { options: { conn: { server: 'https://${pen.host()}' }, auth: { user: '${pen.user()}', pwd: '${pen.put(pen.password())}' } } } })\n}\n`,
  ],
  'launch.json of VS Code': (pen) => [
    '.vscode/launch.json',
    json({
      version: '0.2.0',
      configurations: [
        {
          type: 'node',
          env: {
            VCAP_SERVICES: JSON.stringify({ xsuaa: [xsuaa(pen, instanceSecret(pen))] }),
            ERP_PASSWORD: pen.put(pen.password()),
          },
        },
      ],
    }),
  ],
  'user-provided service': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        'user-provided': [
          {
            name: 'grantor',
            credentials: { user: 'GRANTOR', password: pen.put(pen.password()), schema: 'SALES', tags: ['hana'] },
          },
        ],
      },
    }),
  ],
  'base64 of a binding': (pen) => [
    'k8s/uaa.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: uaa\ndata:\n  clientid: ${toBase64('sb-orders!t1')}\n  clientsecret: ${pen.put(toBase64(pen.shape('{b27}=')))}\n  url: ${toBase64('https://a.authentication.eu10.hana.ondemand.com')}\n`,
  ],
}
