import { drawSecret } from '../../secret-values.ts'
import { toBase64 } from './draw.ts'
import type { Writers } from './sample.ts'

const json = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n'

/** Safe twins of bindings, descriptors and command lines. */
export const SAP_TWINS: Writers = {
  'default-env.json without values': () => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        xsuaa: [
          {
            credentials: {
              clientid: 'sb-orders!t1',
              clientsecret: '<clientsecret>',
              url: 'https://a.authentication.eu10.hana.ondemand.com',
            },
          },
        ],
      },
    }),
  ],
  'default-env.json with an empty secret': () => [
    'default-env.json',
    json({ VCAP_SERVICES: { xsuaa: [{ credentials: { clientid: 'sb-orders!t1', clientsecret: '' } }] } }),
  ],
  'certificates of a binding': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        xsuaa: [
          {
            credentials: {
              'credential-type': 'x509',
              clientid: 'sb-a!t1',
              certificate: drawSecret('certificate', pen.shape('{w8}')),
              verificationkey: drawSecret('public-key', pen.shape('{w8}')),
              tenantid: pen.guid(),
              subaccountid: pen.guid(),
            },
          },
        ],
      },
    }),
  ],
  'binding by reference': () => [
    '.cdsrc-private.json',
    json({
      requires: {
        '[hybrid]': {
          auth: {
            binding: {
              type: 'cf',
              apiEndpoint: 'https://api.cf.eu10.hana.ondemand.com',
              org: 'acme',
              space: 'dev',
              instance: 'orders-uaa',
              key: 'orders-uaa-key',
              resolved: false,
            },
            kind: 'xsuaa',
          },
        },
      },
    }),
  ],
  'destination by name': () => [
    'package.json',
    json({
      name: 'a',
      cds: { requires: { API_BP: { kind: 'odata-v2', credentials: { destination: 'S4', path: '/sap/opu/odata/sap/API_BP' } } } },
    }),
  ],
  'xs-security.json': () => [
    'xs-security.json',
    json({
      xsappname: 'orders',
      'tenant-mode': 'dedicated',
      scopes: [{ name: '$XSAPPNAME.Admin', description: 'Password admin' }],
      'oauth2-configuration': {
        'credential-types': ['binding-secret', 'x509'],
        'token-validity': 43200,
        'redirect-uris': ['https://a.cfapps.eu10.hana.ondemand.com/**'],
      },
    }),
  ],
  'references of an MTA': () => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: srv\n    type: nodejs\n    requires:\n      - name: db\n    properties:\n      DB_PASSWORD: ~{db/password}\n      TOKEN: \${generated-password}\n      API_SECRET: ~{api/secret}\n      APP_PASSWORD: \${default-password}\n`,
  ],
  'placeholder of an extension': () => [
    'dev.mtaext',
    `_schema-version: "3.1"\nID: a-dev\nextends: a\nmodules:\n  - name: srv\n    properties:\n      ERP_PASSWORD: <enter the password>\n      ERP_SECRET: "*****"\n`,
  ],
  'service keys of an MTA': () => [
    'mta.yaml',
    `ID: a\nresources:\n  - name: uaa\n    parameters:\n      service: xsuaa\n      service-keys:\n        - name: uaa-key\n  - name: uaa-key-ref\n    type: org.cloudfoundry.existing-service-key\n    parameters:\n      service-key-name: uaa-key\n      config:\n        HTML5Runtime_enabled: true\n        init_data:\n          instance:\n            destinations:\n              - Name: srv\n                Authentication: NoAuthentication\n                ServiceInstanceName: dest\n                ServiceKeyName: dest-key\n                sap.cloud.service: orders\n`,
  ],
  'variables of manifest.yml': () => [
    'manifest.yml',
    `applications:\n- name: a\n  env:\n    DB_PASSWORD: ((db_password))\n    API_KEY: ((api-key))\n  services:\n    - orders-uaa\n`,
  ],
  'exported destination without its password': () => [
    'destinations/ERP',
    `#Password=<< Existing password/certificate removed on export >>\n#\nPassword=\nType=HTTP\nName=ERP\nAuthentication=BasicAuthentication\nUser=SRV\nProxyType=OnPremise\n`,
  ],
  'exported destination with a placeholder': () => [
    'ERP.properties',
    `Type=HTTP\nName=ERP\nAuthentication=BasicAuthentication\nUser=SRV\nPassword=<< Existing password/certificate removed on export >>\n`,
  ],
  'cf login by variables': () => [
    'deploy.sh',
    `cf login -a $CF_API -u $CF_USER -p "$CF_PASSWORD" -o $CF_ORG -s $CF_SPACE\ncf auth "$CF_USER" "\${CF_PASSWORD}"\nbtp login --user "$U" --password "$BTP_PASSWORD"\n`,
  ],
  'cf login by single sign-on': () => [
    'deploy.sh',
    `cf login -a https://api.cf.eu10.hana.ondemand.com --sso\ncf login -u me -p '<password>'\ncf push orders -p dist/orders.zip\n`,
  ],
  'other uses of -p': () => [
    'run.sh',
    `mkdir -p build/classes/v1\ncf push -p target/orders-1.0.0.jar\nhdbsql -U KEY1 -I file.sql\ndocker run -p 8080:8080 orders:1.0.1\ncf create-service-key orders-uaa key1 -c '{"credential-type":"x509"}'\n`,
  ],
  'client of HANA from a binding': () => [
    'srv/db.js',
    `const { hana } = xsenv.getServices({ hana: { tag: 'hana' } })\nconn.connect({ serverNode: hana.host, uid: hana.user, pwd: hana.password })\n`,
  ],
  'ABAP without a value': () => [
    'src/zcl.clas.abap',
    `CONSTANTS gc_password_field TYPE string VALUE 'PASSWORD'.\nPARAMETERS p_pwd TYPE string LOWER CASE OBLIGATORY.\nDATA lv_password TYPE string.\nlv_password = p_pwd.\nlo_http->authenticate( username = p_user password = p_pwd ).\n`,
  ],
  'ABAP messages': () => [
    'src/z.prog.abap',
    `MESSAGE 'Password is initial' TYPE 'E'.\nDATA(lv_secret) = get_secret( 'ZORDERS' ).\nlv_token = cl_token=>create( ).\n`,
  ],
  'ui5.yaml by environment': () => [
    'ui5.yaml',
    `specVersion: "3.0"\nserver:\n  customMiddleware:\n    - name: fiori-tools-proxy\n      configuration:\n        backend:\n          - path: /sap\n            url: https://erp.corp.cloud\n            destination: ERP\n`,
  ],
  'ui5-deploy.yaml by environment': () => [
    'ui5-deploy.yaml',
    `builder:\n  customTasks:\n    - name: deploy-to-abap\n      configuration:\n        credentials:\n          username: env:ABAP_USER\n          password: env:ABAP_PASSWORD\n        app:\n          name: ZORDERS\n          package: ZPKG01\n          transport: K900123\n`,
  ],
  'file of translations': () => [
    'webapp/i18n/i18n.properties',
    `password=Password\npasswordHint=At least 8 characters, 1 digit\napiKey=API key for the service 1\n#XFLD: secret\nclientSecret=Client secret (base64)\naccessToken=AccessToken2Name\nerrorPwd=The password 'Abc12345' is too weak\n`,
  ],
  'French translations': () => [
    'webapp/i18n/i18n_fr.properties',
    `password=Mot de passe\npwd=MotDePasse1\nsecretKey=Cl\\u00e9 secr\\u00e8te n\\u00b01\ntoken=Jeton d'acc\\u00e8s\n`,
  ],
  'JSON translations': () => [
    'webapp/i18n/en.json',
    json({ password: 'Password', forgotPassword: 'Forgot your password?', apiKey: 'API key', secret: 'Your secret question 1' }),
  ],
  'view of UI5': () => [
    'webapp/view/Login.view.xml',
    `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m">\n  <Label text="Password" labelFor="password1"/>\n  <Input id="password1" type="Password" value="{/password}" placeholder="Enter8Chars"/>\n  <Input password="{= \${/pw}}" tokens="{/tokens}"/>\n  <Token key="orders2026" text="Orders"/>\n</mvc:View>\n`,
  ],
  'metadata of OData': () => [
    'webapp/localService/metadata.xml',
    `<edmx:Edmx Version="1.0"><edmx:DataServices><Schema Namespace="A"><EntityType Name="User"><Property Name="Password" Type="Edm.String" MaxLength="40" sap:label="Kennwort1"/><Property Name="AccessToken" Type="Edm.String"/></EntityType></Schema></edmx:DataServices></edmx:Edmx>\n`,
  ],
  'CDS model': () => [
    'db/schema.cds',
    `entity Users {\n  key ID : UUID;\n  password : String(100) @title: 'Password123';\n  apiKey : String default 'none';\n  token : String(255) @Common.Label: 'Access Token 1';\n}\n`,
  ],
  'OpenAPI document': () => [
    'srv/openapi.json',
    json({
      components: {
        schemas: {
          Login: {
            properties: {
              password: { type: 'string', format: 'password' },
              clientSecret: { type: 'string', description: 'OAuth2 client secret' },
            },
          },
        },
        securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      },
    }),
  ],
  'manifest.json': () => [
    'webapp/manifest.json',
    json({
      'sap.app': {
        id: 'a.b',
        i18n: 'i18n/i18n.properties',
        title: '{{appTitle}}',
        crossNavigation: { inbounds: { 'Password-reset': { semanticObject: 'Password', action: 'reset1' } } },
      },
      'sap.ui5': { models: { '': { dataSource: 'main', settings: { tokenHandling: true } } } },
    }),
  ],
  'xs-app.json': () => [
    'xs-app.json',
    json({
      welcomeFile: 'index.html',
      authenticationMethod: 'route',
      routes: [
        {
          source: '^/password/(.*)$',
          target: '$1',
          destination: 'password-srv1',
          authenticationType: 'xsuaa',
          csrfProtection: true,
        },
      ],
      sessionTimeout: 30,
    }),
  ],
  'hana by reference in Kubernetes': () => [
    'k8s/d.yaml',
    `kind: Deployment\nspec:\n  containers:\n    - env:\n        - name: DB_PASSWORD\n          valueFrom:\n            secretKeyRef:\n              name: db-secret-v1\n              key: password\n        - name: TOKEN_PATH\n          value: /var/run/secrets/token1\n`,
  ],
  'templates of Helm': () => [
    'chart/templates/secret.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: {{ .Release.Name }}-db\ndata:\n  password: {{ .Values.db.password | b64enc | quote }}\nstringData:\n  token: {{ required "token" .Values.token }}\n`,
  ],
  'empty values of Helm': () => [
    'chart/values.yaml',
    `db:\n  existingSecret: orders-db-secret1\n  secretKeys:\n    adminPasswordKey: postgres-password\n  password: ""\nxsuaa:\n  serviceInstanceName: orders-uaa\n  secretKey: ~\n`,
  ],
  'Secret with a placeholder': () => [
    'k8s/s.yaml',
    `apiVersion: v1\nkind: Secret\ndata:\n  password: ${toBase64('<password>')}\n  token: ${toBase64('changeme')}\n  user: ${toBase64('orders')}\n`,
  ],
  'sealed Secret': (pen) => [
    'k8s/sealed.yaml',
    `apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nspec:\n  encryptedData:\n    password: AgB${pen.shape('{b200}')}\n`,
  ],
  'Secret under SOPS': (pen) => [
    'k8s/sops.yaml',
    `apiVersion: v1\nkind: Secret\nstringData:\n  password: ENC[AES256_GCM,data:${pen.shape('{b16}')}=,iv:${pen.shape('{b43}')}=,tag:${pen.shape('{b22}')}==,type:str]\nsops:\n  mac: ENC[AES256_GCM,data:${pen.shape('{b60}')},type:str]\n`,
  ],
  'external Secret': () => [
    'k8s/ext.yaml',
    `apiVersion: external-secrets.io/v1beta1\nkind: ExternalSecret\nspec:\n  secretStoreRef:\n    name: vault-backend1\n  data:\n    - secretKey: password\n      remoteRef:\n        key: orders/db1\n        property: password\n`,
  ],
  'certificate of a kubeconfig': (pen) => [
    'kubeconfig.yaml',
    `apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster:\n    certificate-authority-data: ${toBase64(drawSecret('certificate', pen.shape('{w8}')))}\nusers:\n- name: u\n  user:\n    exec:\n      command: kubectl\n      args: [oidc-login, get-token, "--oidc-client-id=${pen.guid()}"]\n`,
  ],
}

/** Values that everybody knows; LOW is the most that they deserve. */
export const DEMO_TWINS: Writers = {
  'mocked users of CAP': () => [
    'package.json',
    json({
      name: 'a',
      cds: {
        requires: {
          auth: { kind: 'mocked', users: { alice: { password: 'secret', roles: ['admin'] }, bob: { password: 'initial' } } },
        },
      },
    }),
  ],
  'user of a mocked request': () => [
    'test/requests.http',
    `GET http://localhost:4004/odata/v4/orders\nAuthorization: Basic alice:\n\n###\nGET http://localhost:4004/odata/v4/orders\nAuthorization: Basic ${toBase64('alice:alice')}\n`,
  ],
  'fixture of a test': () => [
    'test/unit/login.test.js',
    `it('logs in', () => {\n  login({ user: 'admin', password: 'admin' })\n  login({ user: 'u', password: 'secret' })\n})\n`,
  ],
  'local database': () => [
    'docker-compose.yml',
    `services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_PASSWORD: postgres\n`,
  ],
  'address of a local database': () => ['.env', `DATABASE_URL=postgres://postgres:postgres@localhost:5432/orders\n`],
  'login page of a test': () => [
    'webapp/test/integration/pages/Login.js',
    `sap.ui.define([], function () { return { password: "welcome", user: "demo" } })\n`,
  ],
  'example environment': () => ['.env.example', `DB_USER=app\nDB_PASSWORD=password\nAPI_KEY=your-api-key\nCLIENT_SECRET=\n`],
}
