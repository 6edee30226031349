import { drawJwt, toBase64 } from '../material/draw.ts'
import { json, word, type PlacePen, type Places } from './place.ts'

const base64 = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(pen.put(toBase64(pen.generated())), ...safe)

const TOKENS = [
  'AKIA{k16}',
  'xoxb-{d12}-{d13}-{w24}',
  'sk_live_{w24}',
  'glpat-{u20}',
  'SG.{u22}.{u43}',
  'hf_{L34}',
  'dop_v1_{h64}',
  'NRAK-{U27}',
  'lin_api_{w40}',
  'shpat_{h32}',
]
const token = (pen: PlacePen, ...safe: readonly string[]): string => pen.either(pen.put(pen.shape(pen.one(TOKENS))), ...safe)

/** Credentials in the files of systems: descriptors, clusters, build servers, infrastructure, requests. */
export const SYSTEM_PLACES: Places = {
  'properties of an MTA resource': (pen) => [
    'mta.yaml',
    `ID: o\nresources:\n  - name: erp-ups\n    type: org.cloudfoundry.user-provided-service\n    parameters:\n      config:\n        url: https://${pen.host()}\n        user: ${pen.user()}\n        pass: ${pen.hide('${erp-pass}', '~{x/pass}')}\n`,
  ],
  'content of a destination in an MTA': (pen) => [
    'mta.yaml',
    `ID: o\nmodules:\n  - name: dest\n    type: com.sap.application.content\n    parameters:\n      content:\n        instance:\n          destinations:\n            - Name: ERP\n              Authentication: OAuth2ClientCredentials\n              TokenServiceURL: https://${pen.host()}/oauth/token\n              ClientId: orders\n              ClientSecret: ${pen.key('~{uaa/clientsecret}', '${secret}')}\n`,
  ],
  'service parameters beside an MTA': (pen) => [
    'config/hana.json',
    json({ data: { memory: 32, edition: 'cloud', systempassword: pen.hide('', '<password>'), whitelistIPs: ['0.0.0.0/0'] } }),
  ],
  'binding of an abap service': (pen) => [
    'abap-key.json',
    json({
      'sap.cloud.service': 'com.sap.cloud.abap',
      abap: { username: 'CC0001', password: word(pen, '', '<password>'), communication_scenario_id: 'SAP_COM_0510' },
    }),
  ],
  'binding of HANA with a certificate': (pen) => [
    'srv/default-env.json',
    json({
      VCAP_SERVICES: {
        hana: [
          {
            credentials: {
              host: pen.host(),
              user: 'ORDERS_RT',
              password: word(pen, '', '<password>'),
              certificate: '-----BEGIN CERTIFICATE-----\nMIID\n-----END CERTIFICATE-----',
            },
          },
        ],
      },
    }),
  ],
  'event mesh by protocol': (pen) => [
    'default-env.json',
    json({
      VCAP_SERVICES: {
        'enterprise-messaging': [
          {
            credentials: {
              messaging: [{ protocol: ['amqp10ws'], oa2: { clientid: 'sb-o!b1', clientsecret: pen.key('<secret>', '') } }],
            },
          },
        ],
      },
    }),
  ],
  'key of AI Core in .env': (pen) => [
    '.env.local',
    `AICORE_CLIENT_ID='sb-x!b1|aicore!b540'\nAICORE_CLIENT_SECRET='${pen.key('', '<secret>')}'\n`,
  ],
  'export with a comment behind': (pen) => ['env.sh', `export HANA_PWD='${pen.hide('$1', '')}'  # dev only\n`],
  'spaces around the sign in .env': (pen) => ['.env', `SMTP_USER = mailer\nSMTP_PASS = ${pen.hide('', '${PASS}')}\n`],
  'colon in .env': (pen) => ['.env.dev', `DB_PASSWORD: ${pen.hide('""', '${PW}')}\n`],
  'token in .env': (pen) => ['.env', `SERVICE_KEY=${token(pen, '', '<key>')}\n`],
  'token in JSON': (pen) => ['config/services.json', json({ endpoints: [{ name: 'x', value: token(pen, '', '<token>') }] })],
  'token in an argument list': (pen) => ['k8s/t.yaml', `containers:\n  - args: ["serve", "${token(pen, '$(TOKEN)', '')}"]\n`],
  'token in a diff': (pen) => [
    'patches/a.patch',
    `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-const t = '${token(pen, '', '<token>')}'\n+const t = env.T\n`,
  ],
  'password in a diff': (pen) => [
    'patches/b.patch',
    `--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-  password: '${pen.hide('', '<password>')}',\n+  password: env.T,\n`,
  ],
  'kustomize literals': (pen) => [
    'k8s/kustomization.yaml',
    `secretGenerator:\n  - name: db\n    literals:\n      - username=app\n      - password=${pen.hide('$(PW)', '')}\n`,
  ],
  'base64 of a Secret': (pen) => [
    'k8s/s2.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata: { name: erp }\ndata: { password: ${base64(pen, '""', '{{ .Values.pw | b64enc }}')} }\n`,
  ],
  'Secret in a list': (pen) => [
    'k8s/all.yaml',
    `apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  stringData:\n    token: ${pen.key('"{{ token }}"', '""')}\n`,
  ],
  'set of Helm': (pen) => [
    'up.sh',
    `helm upgrade --install orders ./chart --set db.password=${word(pen, '$DB_PW', '"$PW"')} --wait\n`,
  ],
  'create secret of kubectl': (pen) => [
    'sec.sh',
    `kubectl create secret docker-registry r --docker-server=r.corp.cloud --docker-username=ci --docker-password=${word(pen, '$PW', '"$PW"')}\n`,
  ],
  'template of Helm with a default': (pen) => [
    'chart/templates/d.yaml',
    `env:\n  - name: PW\n    value: {{ .Values.db.password | default "${pen.hide('', '<password>')}" | quote }}\n`,
  ],
  'environment list of compose': (pen) => [
    'docker-compose.yml',
    `services:\n  db:\n    environment:\n      - POSTGRES_USER=app\n      - "POSTGRES_PASSWORD=${pen.hide('${PW}', '$PW')}"\n`,
  ],
  'anchors of compose': (pen) => [
    'docker-compose.dev.yml',
    `x-env: &env\n  REDIS_PASSWORD: '${pen.hide('${PW}', '')}'\nservices:\n  a:\n    environment: *env\n`,
  ],
  'healthcheck of compose': (pen) => [
    'compose.yaml',
    `services:\n  db:\n    healthcheck:\n      test: ["CMD", "mysqladmin", "ping", "-uroot", "-p${word(pen, '${PW}', '$$PW')}"]\n`,
  ],
  'redis of compose': (pen) => [
    'compose.yml',
    `services:\n  redis:\n    command: redis-server --requirepass ${word(pen, '${REDIS_PW}', '$REDIS_PW')}\n`,
  ],
  'withEnv of Jenkins': (pen) => [
    'Jenkinsfile',
    `withEnv(["CF_USER=ops", "CF_PASSWORD=${pen.hide('${params.PW}', '${PW}')}"]) {\n  sh 'deploy'\n}\n`,
  ],
  'sh of Jenkins over lines': (pen) => [
    'Jenkinsfile',
    `sh '''\n  set -e\n  mbt build\n  cf auth ops@corp.cloud '${word(pen, '$CF_PW', '${CF_PW}')}'\n'''\n`,
  ],
  'variables of a GitLab job': (pen) => [
    '.gitlab-ci.yml',
    `deploy:\n  variables: { CF_USER: ops, CF_PASSWORD: "${pen.hide('$PW', '${PW}')}" }\n  script: [deploy]\n`,
  ],
  'with of a workflow': (pen) => [
    '.github/workflows/cf.yml',
    `jobs:\n  d:\n    steps:\n      - uses: corp/cf-deploy@v1\n        with:\n          cf_username: ops\n          cf_password: ${word(pen, '${{ secrets.CF }}', "''")}\n`,
  ],
  'matrix of a workflow': (pen) => [
    '.github/workflows/m.yml',
    `jobs:\n  d:\n    strategy:\n      matrix:\n        include:\n          - { system: qas, user: svc, password: "${pen.hide('${{ secrets.Q }}', '')}" }\n`,
  ],
  'extra-params of Terraform': (pen) => [
    'infra/terraform.tfvars',
    `region = "eu10"\nhana_system_password = "${pen.hide('', '<password>')}"\n`,
  ],
  'map of tfvars': (pen) => [
    'infra/dev.auto.tfvars',
    `erp = {\n  user     = "SVC"\n  password = "${pen.hide('', '<password>')}"\n}\n`,
  ],
  'tfvars in JSON': (pen) => ['infra/dev.tfvars.json', json({ cf_user: 'ops', cf_password: pen.hide('', '<password>') })],
  'vars of a provider in Terraform': (pen) => [
    'infra/btp.tf',
    `provider "btp" {\n  globalaccount = "corp"\n  username = "ops@corp.cloud"\n  password = "${pen.hide('${var.pw}', '')}"\n}\n`,
  ],
  'basic header in HTTP': (pen) => [
    'rest/b.http',
    `# @name read\nGET https://${pen.host()}/x\nAuthorization: Basic ${pen.user()} ${word(pen, '{{pw}}', '{{$dotenv PW}}')}\n`,
  ],
  'form in HTTP': (pen) => [
    'rest/token.http',
    `POST https://o.authentication.eu10.hana.ondemand.com/oauth/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=client_credentials\n&client_id=sb-o!t1\n&client_secret=${pen.key('{{secret}}', '{{$dotenv S}}')}\n`,
  ],
  'cookie in HTTP': (pen) => [
    'rest/c.http',
    `GET https://${pen.host()}/x\nCookie: JSESSIONID=${pen.key('{{session}}', '{{$dotenv S}}')}\n`,
  ],
  'bearer in HTTP': (pen) => [
    'rest/d.rest',
    `GET https://${pen.host()}/x\nAuthorization: Bearer ${pen.either(pen.put(drawJwt(pen)), '{{token}}', '<token>')}\n`,
  ],
  'header of a request in Postman': (pen) => [
    'rest/o.postman_collection.json',
    json({ item: [{ request: { header: [{ key: 'x-api-key', value: pen.key('{{key}}', ''), type: 'text' }] } }] }),
  ],
  'body of a request in Postman': (pen) => [
    'rest/p.postman_collection.json',
    json({
      item: [
        {
          request: {
            body: { mode: 'urlencoded', urlencoded: [{ key: 'client_secret', value: pen.key('{{s}}', ''), type: 'text' }] },
          },
        },
      ],
    }),
  ],
  'script of a request in Postman': (pen) => [
    'rest/q.postman_collection.json',
    json({
      event: [{ listen: 'prerequest', script: { exec: [`pm.environment.set("clientSecret", "${pen.key('{{s}}', '')}");`] } }],
    }),
  ],
  'raw body in Postman': (pen) => [
    'rest/r.postman_collection.json',
    json({ item: [{ request: { body: { mode: 'raw', raw: `{"user":"svc","password":"${pen.hide('{{pw}}', '<pw>')}"}` } } }] }),
  ],
  'profile of Maven': (pen) => [
    'pom.xml',
    `<project><profiles><profile><id>dev</id><properties><db.url>x</db.url><db.password>${pen.hide('${env.PW}', '')}</db.password></properties></profile></profiles></project>\n`,
  ],
  'argument of a Maven plugin': (pen) => [
    'pom.xml',
    `<project><build><plugins><plugin><configuration><user>svc</user><password>${pen.hide('${pw}', '${env.PW}')}</password></configuration></plugin></plugins></build></project>\n`,
  ],
  'bean of Spring': (pen) => [
    'src/main/resources/beans.xml',
    `<bean id="ds" class="o.DataSource">\n  <property name="username" value="svc"/>\n  <property name="password"><value>${pen.hide('${pw}', '#{pw}')}</value></property>\n</bean>\n`,
  ],
  'resource of Tomcat': (pen) => [
    'META-INF/context.xml',
    `<Context><Resource name="jdbc/DB" username="app" password="${pen.hide('${pw}', '')}" url="jdbc:sap://h:443"/></Context>\n`,
  ],
  'users of Tomcat': (pen) => [
    'conf/tomcat-users.xml',
    `<tomcat-users><user username="admin" password="${pen.hide('${pw}', '')}" roles="manager-gui"/></tomcat-users>\n`,
  ],
  'web.config': (pen) => [
    'web.config',
    `<configuration><appSettings><add key="ErpPassword" value="${pen.hide('#{pw}#', '')}" /></appSettings></configuration>\n`,
  ],
  'gradle.properties': (pen) => [
    'gradle.properties',
    `nexusUser=ci\nnexusPassword=${pen.hide('', '${PW}')}\nsigning.keyId=A1B2\n`,
  ],
  'credentials of Gradle': (pen) => [
    'build.gradle',
    `repositories { maven { credentials { username = 'ci'; password = '${pen.hide('', '${pw}')}' } } }\n`,
  ],
  'credentials of Gradle in Kotlin': (pen) => [
    'build.gradle.kts',
    `credentials {\n    username = "ci"\n    password = ${pen.either(`"${pen.put(pen.password())}"`, 'System.getenv("PW")')}\n}\n`,
  ],
  'log4j of a database': (pen) => [
    'log4j2.xml',
    `<JDBC name="d"><DriverManager connectionString="jdbc:x" userName="app" password="${pen.hide('${env:PW}', '')}"/></JDBC>\n`,
  ],
  'pip.conf': (pen) => ['pip.conf', `[global]\nindex-url = https://ci:${word(pen, '${PW}', '$PW')}@pypi.corp.cloud/simple\n`],
  yarnrc: (pen) => [
    '.yarnrc.yml',
    `npmScopes:\n  corp:\n    npmRegistryServer: "https://npm.corp.cloud"\n    npmAuthToken: "${pen.key('${NPM_TOKEN}', '${T:-}')}"\n`,
  ],
  'yarnrc with an identity': (pen) => [
    '.yarnrc.yml',
    `npmRegistries:\n  "https://npm.corp.cloud":\n    npmAuthIdent: "ci:${word(pen, '${PW}', '${NPM_PW}')}"\n`,
  ],
  pgpass: (pen) => ['.pgpass', `pg.corp.cloud:5432:orders:app:${word(pen, '${PW}', '*')}\n`],
  'my.cnf': (pen) => ['my.cnf', `[client]\nuser = root\npassword = "${pen.hide('', '${PW}')}"\n`],
  'odbc.ini': (pen) => ['odbc.ini', `[HANA]\nServerNode=${pen.host()}:443\nUID=ORDERS\nPWD=${pen.hide('', '${PW}')}\n`],
  'profile of AWS': (pen) => [
    '.aws/credentials',
    `[default]\naws_access_key_id = orders\naws_secret_access_key = ${pen.either(pen.put(pen.shape('{b40}')), '${SECRET}', '<secret>')}\n`,
  ],
}
