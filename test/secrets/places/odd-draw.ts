import { toBase64 } from '../material/draw.ts'
import { js, jsKey, json, text, word, type Places } from './place.ts'

/** Credentials in less common places: tools of SAP basis, test tools, other languages, outputs that were kept. */
export const ODD_DRAW: Places = {
  'script of SAP GUI': (pen) => [
    'tools/logon.vbs',
    `If Not IsObject(session) Then\n   Set session = connection.Children(0)\nEnd If\nsession.findById("wnd[0]/usr/txtRSYST-MANDT").text = "100"\nsession.findById("wnd[0]/usr/txtRSYST-BNAME").text = "BATCHUSER"\nsession.findById("wnd[0]/usr/pwdRSYST-BCODE").text = ${text(pen, 'WScript.Arguments(0)', 'strPassword', '""')}\nsession.findById("wnd[0]").sendVKey 0\n`,
  ],
  'shortcut of SAP GUI': (pen) => [
    'tools/start-qas.bat',
    `@echo off\n"C:\\Program Files\\SAP\\FrontEnd\\SAPGUI\\sapshcut.exe" -system=QAS -client=200 -user=T_BUYER -pw=${word(pen, '%1', '%SAP_PW%')} -language=EN -command=VA03\n`,
  ],
  'route string of a SAProuter': (pen) => [
    'config/rfc.ini',
    `DEST=QAS\nTYPE=A\nASHOST=/H/saprouter.corp.cloud/S/3299/W/${word(pen, '<password>', '${ROUTE_PW}', '********')}/H/qas01\nSYSNR=00\n`,
  ],
  'PIN of a PSE': (pen) => [
    'basis/renew-cert.sh',
    `export SECUDIR=/usr/sap/WD1/sec\nsapgenpse import_own_cert -p SAPSSLS.pse -c reply.pem -x ${word(pen, '"$PSE_PIN"', '"$(cat /run/secrets/pse-pin)"', '${PIN}')}\nsapgenpse maintain_pk -l -p SAPSSLS.pse\n`,
  ],
  'configuration file of hdblcm': (pen) => [
    'basis/hdblcm.cfg',
    `[General]\ncomponents=server,client\n\n[Server]\nsid=HDB\nnumber=00\nsystem_usage=test\nsystem_user_password=${word(pen, '', '<password>', '{{ hana_system_pw }}')}\nuse_master_password=n\n`,
  ],
  'parameters of SWPM': (pen) => [
    'basis/inifile.params',
    `# Master password\nNW_GetMasterPassword.masterPwd = ${word(pen, '', '<master password>', '{{ sap_swpm_master_password }}')}\nNW_GetSidNoProfiles.sid = QAS\nNW_SCS_Instance.instanceNumber = 01\narchives.downloadBasket = /sapmedia\n`,
  ],
  'properties of a promotion job of BI': (pen) => [
    'bi/export.properties',
    `action=export\nexportLocation=C:/Backup/biar\nLCM_CMS=bi.corp.cloud:6400\nLCM_userName=Administrator\nLCM_password=${word(pen, '', '<password>', '%LCM_PW%')}\nLCM_authentication=secEnterprise\n`,
  ],
  'attributes of a PI channel': (pen) => [
    'pi/channels/SFTP_Receiver.xml',
    `<CommunicationChannel>\n  <AdapterSpecificAttribute><Name>sftpUser</Name><Value>sap_out</Value></AdapterSpecificAttribute>\n  <AdapterSpecificAttribute><Name>sftpPassword</Name><Value>${pen.hide('', '********', '${sftp.password}')}</Value></AdapterSpecificAttribute>\n  <AdapterSpecificAttribute><Name>sftpPort</Name><Value>22</Value></AdapterSpecificAttribute>\n</CommunicationChannel>\n`,
  ],
  'asx:abap export of a table': (pen) => [
    'data/zsystems.xml',
    `<?xml version="1.0" encoding="utf-16"?>\n<asx:abap xmlns:asx="http://www.sap.com/abapxml" version="1.0">\n <asx:values>\n  <ZSYSTEMS>\n   <item><SYSID>QAS</SYSID><BNAME>RFC_COPY</BNAME><PASSWD>${pen.hide('', '*', '&lt;initial&gt;')}</PASSWD></item>\n  </ZSYSTEMS>\n </asx:values>\n</asx:abap>\n`,
  ],
  'ImpEx of an integration user': (pen) => [
    'hybris/resources/impex/users.impex',
    `$encoding=plaintext\n\nINSERT_UPDATE Employee;uid[unique=true];name;groups(uid);@password[translator=de.hybris.platform.impex.jalo.translators.UserPasswordTranslator]\n;cpiintegration;CPI Integration;integrationadmingroup;*:${word(pen, '$defaultPassword', '$config-cpi.password', '')}\n`,
  ],
  'assignment of an API policy': (pen) => [
    'apim/policies/setBackendCredentials.xml',
    `<AssignMessage async="false" continueOnError="false" enabled="true" xmlns="http://www.sap.com/apimgmt">\n  <AssignVariable>\n    <Name>private.backend.password</Name>\n    ${pen.either(`<Value>${pen.put(pen.password())}</Value>`, '<Ref>private.kvm.password</Ref>', '<Value/>')}\n  </AssignVariable>\n  <IgnoreUnresolvedVariables>false</IgnoreUnresolvedVariables>\n</AssignMessage>\n`,
  ],
  'key value map of API management': (pen) => [
    'apim/keymaps/backend.json',
    json({
      name: 'backendCredentials',
      encrypted: false,
      scope: 'ENV',
      keyMapEntryValues: [
        { map_name: 'backendCredentials', name: 'clientId', value: 'sb-orders!t5' },
        { map_name: 'backendCredentials', name: 'clientSecret', value: pen.key('', '{{clientSecret}}', '*****') },
      ],
    }),
  ],
  'action of alert notifications': (pen) => [
    'ops/alert-action.json',
    json({
      type: 'WEB_HOOK_BASIC_AUTHENTICATION',
      name: 'to-incident-tool',
      state: 'ENABLED',
      properties: {
        destination: 'https://incidents.corp.cloud/api/events',
        userName: 'ans',
        password: pen.hide('', '<REDACTED>'),
      },
    }),
  ],
  'input of an automation catalog': (pen) => [
    'ops/catalog/inputs/cf.json',
    json({
      id: 'corp:cfDev:1',
      keys: { user: {}, password: { sensitive: true } },
      values: { user: 'ci@corp.cloud', password: pen.hide('', '$(.execution.input.password)') },
    }),
  ],
  'user of SCIM': (pen) => [
    'requests/scim.http',
    `### technical user of the tenant\nPOST https://corp.accounts.ondemand.com/scim/Users\nContent-Type: application/scim+json\nAuthorization: Bearer {{token}}\n\n{\n  "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],\n  "userName": "svc-sync",\n  "emails": [{ "value": "svc-sync@corp.cloud" }],\n  "password": "${pen.hide('{{password}}', '{{$randomPassword}}', '')}"\n}\n`,
  ],
  'environment of sapcli': (pen) => [
    'ci/atc.sh',
    `export SAP_ASHOST=erp.corp.cloud\nexport SAP_CLIENT=100\nexport SAP_PORT=44300\nsapcli --user ATC_USER --passwd ${word(pen, '"$SAP_PASSWORD"', '$ATC_PW')} atc run package ZORDERS -o checkstyle > atc.xml\n`,
  ],
  'upload by nwabap': (pen) => [
    'package.json',
    json({
      name: 'corp.partners',
      scripts: {
        build: 'ui5 build --clean-dest',
        upload: `npx nwabap upload --base ./dist --conn_server https://erp.corp.cloud:44300 --conn_user DEVELOPER --conn_password ${word(pen, '$NWABAP_PW', '%NWABAP_PW%')} --abap_package ZUI5`,
      },
    }),
  ],
  'login to Datasphere': (pen) => [
    'scripts/spaces.sh',
    `datasphere login \\\n  --host https://corp.eu10.hcs.cloud.sap \\\n  --client-id 'sb-cli!b1234|client!b3650' \\\n  --client-secret '${pen.either(pen.put(pen.shape('{g}${u43}=')), '$DSP_SECRET', '<secret>')}' \\\n  --authorization-flow client_credentials\ndatasphere spaces list --json\n`,
  ],
  'create-user of cf': (pen) => [
    'scripts/onboard.sh',
    `#!/bin/sh\ncf target -o corp -s dev\ncf create-user ci-bot@corp.cloud ${word(pen, '"$1"', '$BOT_PW', '--origin corp.accounts.ondemand.com')}\ncf set-space-role ci-bot@corp.cloud corp dev SpaceDeveloper\n`,
  ],
  'export to object storage from SQL': (pen) => [
    'db/scripts/export.sql',
    `EXPORT "ORDERS"."HEADERS" AS PARQUET INTO 's3-eu-central-1://${pen.either(`${pen.shape('AK{U18}')}:${pen.put(pen.shape('{A1}{d1}{w38}'))}@orders-backup`, '<key>:<secret>@orders-backup', 'orders-backup')}/2026-02/' WITH REPLACE THREADS 4;\n`,
  ],
  'connection of DBI': (pen) => [
    'tools/extract.pl',
    `#!/usr/bin/perl\nuse strict;\nuse DBI;\nmy $dbh = DBI->connect('dbi:ODBC:HDB', 'ORDERS_READ', ${js(pen, '$ENV{HDB_PW}', '$password', 'undef')}, { RaiseError => 1 });\nmy $rows = $dbh->selectall_arrayref('SELECT * FROM DUMMY');\n`,
  ],
  'define of PHP': (pen) => [
    'portal/config.php',
    `<?php\ndefine('DB_HOST', 'db.corp.cloud');\ndefine('DB_USER', 'portal');\ndefine('DB_PASSWORD', ${js(pen, "getenv('DB_PASSWORD')", "''", "$_ENV['DB_PASSWORD']", "'database_password_here'")});\ndefine('DB_CHARSET', 'utf8mb4');\n`,
  ],
  'basic_auth of Rust': (pen) => [
    'tools/probe/src/main.rs',
    `let res = client\n    .get("https://erp.corp.cloud/sap/public/ping")\n    .basic_auth("SVC_PROBE", Some(${text(pen, 'password', '&args.password', 'env!("PROBE_PW")')}))\n    .send()\n    .await?;\n`,
  ],
  'URLCredential of Swift': (pen) => [
    'ios/Orders/Network/Session.swift',
    `func urlSession(_ session: URLSession, didReceive challenge: URLAuthenticationChallenge) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {\n    return (.useCredential, URLCredential(user: "mobile", password: ${text(pen, 'keychain.password', 'password', 'Secrets.password')}, persistence: .forSession))\n}\n`,
  ],
  'constant of Dart': (pen) => [
    'mobile/lib/config.dart',
    `class Config {\n  static const baseUrl = 'https://api.corp.cloud';\n  static const clientId = 'sb-mobile!t8';\n  static const String clientSecret = ${jsKey(pen, "String.fromEnvironment('CLIENT_SECRET')", "''")};\n}\n`,
  ],
  'dbConnect of R': (pen) => [
    'analysis/load.R',
    `library(DBI)\ncon <- dbConnect(odbc::odbc(),\n  driver = "HDBODBC",\n  servernode = "hana01.corp.cloud:443",\n  uid = "ANALYST",\n  pwd = ${text(pen, 'Sys.getenv("HANA_PWD")', 'rstudioapi::askForPassword("Password")', 'keyring::key_get("hana")')})\norders <- dbGetQuery(con, "SELECT * FROM ORDERS")\n`,
  ],
  'options of Spark in Scala': (pen) => [
    'etl/src/main/scala/Load.scala',
    `val orders = spark.read\n  .format("jdbc")\n  .option("url", "jdbc:sap://hana01.corp.cloud:443/?encrypt=true")\n  .option("user", "ETL_READ")\n  .option("password", ${text(pen, 'sys.env("HANA_PW")', 'dbutils.secrets.get("hana", "password")', 'args(1)')})\n  .option("dbtable", "ORDERS")\n  .load()\n`,
  ],
  'ADO connection of VBA': (pen) => [
    'excel/modOrders.bas',
    `Attribute VB_Name = "modOrders"\nPublic Sub LoadOrders()\n    Dim cn As New ADODB.Connection\n    cn.Open "DRIVER={HDBODBC};SERVERNODE=hana01.corp.cloud:30015;UID=REPORTING;PWD=${word(pen, '" & sPwd & "', '{0}', '" & InputBox("Password") & "')};"\n    Sheet1.Range("A2").CopyFromRecordset cn.Execute("SELECT * FROM ORDERS")\nEnd Sub\n`,
  ],
  'attribute of Chef': (pen) => [
    'cookbooks/orders/attributes/default.rb',
    `default['orders']['db']['host'] = 'db.corp.cloud'\ndefault['orders']['db']['user'] = 'orders'\ndefault['orders']['db']['password'] = ${js(pen, 'nil', "data_bag_item('orders', 'db')['password']", "ENV['DB_PASSWORD']")}\n`,
  ],
  'mutation of GraphQL': (pen) => [
    'requests/login.graphql',
    `mutation Login {\n  login(input: { user: "${pen.user()}", password: "${pen.hide('', '<password>')}" }) {\n    accessToken\n    expiresIn\n  }\n}\n`,
  ],
  'feature of Karate': (pen) => [
    'src/test/java/orders/token.feature',
    `Feature: token of the tenant\n\nBackground:\n  * url 'https://orders.authentication.eu10.hana.ondemand.com'\n\nScenario: client credentials\n  Given path 'oauth/token'\n  And form field grant_type = 'client_credentials'\n  And form field client_id = 'sb-orders!t3'\n  And form field client_secret = ${jsKey(pen, 'clientSecret', "karate.properties['secret']", '__arg.secret')}\n  When method post\n  Then status 200\n`,
  ],
  'basic section of Hurl': (pen) => [
    'tests/api/orders.hurl',
    `GET https://orders.cfapps.eu10.hana.ondemand.com/odata/v4/orders/Orders\n[BasicAuth]\nsvc_test: ${word(pen, '{{password}}', '{{svc_pw}}')}\nHTTP 200\n[Asserts]\njsonpath "$.value" count > 0\n`,
  ],
  'recording of Selenium IDE': (pen) => [
    'tests/recordings/login.side',
    json({
      id: pen.guid(),
      name: 'Login',
      tests: [
        {
          commands: [
            { command: 'open', target: '/sap/bc/ui2/flp', value: '' },
            { command: 'type', target: 'id=USERNAME_FIELD-inner', value: 'T_BUYER' },
            { command: 'type', target: 'id=PASSWORD_FIELD-inner', value: pen.hide('${password}', '') },
            { command: 'click', target: 'id=LOGIN_LINK', value: '' },
          ],
        },
      ],
    }),
  ],
  'web_set_user of LoadRunner': (pen) => [
    'load/vuser_init.c',
    `vuser_init()\n{\n    web_set_max_html_param_len("4096");\n    web_set_user("CORP\\\\svc_load", ${text(pen, 'lr_eval_string("{pPassword}")', 'lr_decrypt(pwd)', '"{pPassword}"')}, "erp.corp.cloud:44300");\n    return 0;\n}\n`,
  ],
  'client of Locust': (pen) => [
    'load/locustfile.py',
    `class OrdersUser(HttpUser):\n    wait_time = between(1, 3)\n\n    def on_start(self):\n        self.client.post("/login", json={"username": "load01", "password": ${text(pen, 'os.environ["LOAD_PW"]', 'PASSWORD', 'self.password')}})\n`,
  ],
  'secure text of the CDK': (pen) => [
    'infra/lib/orders-stack.ts',
    `new rds.DatabaseInstance(this, 'Orders', {\n  engine: rds.DatabaseInstanceEngine.postgres({ version: rds.PostgresEngineVersion.VER_16 }),\n  credentials: rds.Credentials.fromPassword('orders', ${pen.either(`SecretValue.unsafePlainText('${pen.put(pen.password())}')`, "SecretValue.secretsManager('orders/db')", "SecretValue.ssmSecure('/orders/db')")}),\n  vpc,\n})\n`,
  ],
  'template of CloudFormation': (pen) => [
    'infra/database.template.yaml',
    `AWSTemplateFormatVersion: "2010-09-09"\nResources:\n  OrdersDb:\n    Type: AWS::RDS::DBInstance\n    Properties:\n      Engine: postgres\n      DBInstanceClass: db.t4g.micro\n      MasterUsername: orders\n      MasterUserPassword: ${word(pen, '!Ref DbPassword', "'{{resolve:secretsmanager:orders-db:SecretString:password}}'", '!Sub "${DbPassword}"')}\n`,
  ],
  'parameter of Bicep': (pen) => [
    'infra/main.bicep',
    `param location string = resourceGroup().location\n\n@secure()\nparam sqlAdminPassword string${pen.either(` = '${pen.put(pen.password())}'`, '', ' = newGuid()')}\n\nresource sql 'Microsoft.Sql/servers@2023-08-01-preview' = {\n  name: 'orders-sql'\n  location: location\n  properties: { administratorLogin: 'orders', administratorLoginPassword: sqlAdminPassword }\n}\n`,
  ],
  'client and user of a Keycloak realm': (pen) => [
    'docker/keycloak/realm-orders.json',
    json({
      realm: 'orders',
      enabled: true,
      clients: [
        {
          clientId: 'orders-srv',
          protocol: 'openid-connect',
          publicClient: false,
          secret: pen.key('${CLIENT_SECRET}', '**********'),
        },
      ],
      users: [
        {
          username: 'svc',
          enabled: true,
          credentials: [{ type: 'password', value: pen.hide('${USER_PASSWORD}', ''), temporary: false }],
        },
      ],
    }),
  ],
  'profile of dbt': (pen) => [
    'analytics/profiles.yml',
    `orders:\n  target: dev\n  outputs:\n    dev:\n      type: saphana\n      host: hana01.corp.cloud\n      port: 443\n      user: DBT\n      pass: ${word(pen, `"{{ env_var('DBT_PASS') }}"`, '""')}\n      schema: ANALYTICS\n      threads: 4\n`,
  ],
  'scopes of bunfig.toml': (pen) => [
    'bunfig.toml',
    `[install]\nexact = true\n\n[install.scopes]\n"@corp" = { url = "https://npm.corp.cloud/", token = "${pen.key('$NPM_TOKEN', '${NPM_TOKEN}')}" }\n`,
  ],
  'history of a shell': (pen) => [
    'home/.bash_history',
    `cd orders\nnpm ci\ncf api https://api.cf.eu10.hana.ondemand.com\ncf login -u ops@corp.cloud -o corp -s dev ${pen.either(`-p ${pen.put(pen.generated())}`, '--sso', '-p "$CF_PW"')}\ncf deploy mta_archives/orders_1.0.0.mtar\nexit\n`,
  ],
  'trace of a shell with set -x': (pen) => [
    'logs/build-1182.txt',
    `+ set -e\n+ node --version\nv22.11.0\n++ date +%s\n+ export HANA_USER=DBADMIN\n+ export HANA_PASSWORD=${word(pen, '****', '[MASKED]', '')}\n+ HANA_USER=DBADMIN\n+ npx cds deploy --to hana\nDeployed 42 files\n`,
  ],
  'options of a process in ps': (pen) => [
    'support/ps.txt',
    `UID        PID  PPID  C STIME TTY          TIME CMD\nvcap        18     1  2 08:14 ?        00:01:12 java -Xmx512m -Djavax.net.ssl.trustStore=/app/trust.jks -Djavax.net.ssl.keyStore=/app/orders.p12 -Djavax.net.ssl.keyStorePassword=${word(pen, '***', '${KS_PW}', '******')} -jar app.jar\nvcap        44    18  0 08:15 ?        00:00:00 /bin/sh\n`,
  ],
  'inspection of a container': (pen) => [
    'support/inspect.json',
    json([
      {
        Id: pen.shape('{h64}'),
        Name: '/orders-srv',
        Config: {
          Hostname: pen.shape('{h12}'),
          Env: ['NODE_ENV=production', `ERP_PASSWORD=${pen.hide('***', '')}`, 'PATH=/usr/local/sbin:/usr/local/bin'],
          Image: 'registry.corp.cloud/orders:1.2.0',
        },
      },
    ]),
  ],
  'plan of Terraform': (pen) => [
    'infra/plan.txt',
    `Terraform will perform the following actions:\n\n  # cloudfoundry_service_instance.erp will be created\n  + resource "cloudfoundry_service_instance" "erp" {\n      + id       = (known after apply)\n      + name     = "erp"\n      + type     = "user-provided"\n      + username = "SVC_ORDERS"\n      + password = ${text(pen, '(sensitive value)', '(known after apply)')}\n    }\n\nPlan: 1 to add, 0 to change, 0 to destroy.\n`,
  ],
  'service key in base64': (pen) => [
    'ci/deploy.env',
    `CF_SPACE=dev\nUAA_SERVICE_KEY_B64=${pen.either(pen.put(toBase64(JSON.stringify({ clientid: 'sb-orders!t18', clientsecret: pen.shape('{g}${u43}='), url: 'https://orders.authentication.eu10.hana.ondemand.com' }))), '', '${UAA_SERVICE_KEY_B64}', toBase64(JSON.stringify({ clientid: '<clientid>', clientsecret: '<clientsecret>', url: '<url>' })))}\n`,
  ],
  'JSON in an attribute with entities': (pen) => [
    'webapp/launch.html',
    `<!DOCTYPE html>\n<html>\n<body class="sapUiBody">\n  <div data-sap-ui-component data-name="corp.orders" data-settings="{&quot;componentData&quot;:{&quot;user&quot;:&quot;SVC_KIOSK&quot;,&quot;password&quot;:&quot;${pen.hide('', '&lt;password&gt;', '{{password}}')}&quot;}}"></div>\n</body>\n</html>\n`,
  ],
  'pair that is split': (pen) => [
    'tools/ping.mjs',
    `const [user, password] = ${pen.either(`'SVC_PING:${pen.put(pen.password())}'.split(':')`, "process.env.ERP_LOGIN.split(':')", "Buffer.from(basic, 'base64').toString().split(':')")}\nconst response = await get('https://erp.corp.cloud/sap/public/ping', { user, password })\nconsole.log(response.status)\n`,
  ],
  'label of a drawing': (pen) => [
    'docs/landscape.drawio',
    `<mxfile><diagram name="Landscape"><mxGraphModel><root>\n  <mxCell id="0"/>\n  <mxCell id="7" value="S/4 QAS (client 200)&lt;br&gt;User: RFC_CPI&lt;br&gt;Password: ${word(pen, 'see vault', '***', 'personal, valid 90 days')}" style="rounded=1;whiteSpace=wrap;html=1;" vertex="1" parent="0"/>\n</root></mxGraphModel></diagram></mxfile>\n`,
  ],
}
