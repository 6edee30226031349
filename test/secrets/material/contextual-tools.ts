import { drawSecret } from '../../secret-values.ts'
import { toBase64 } from './draw.ts'
import type { Writers } from './sample.ts'

const json = (value: unknown): string => JSON.stringify(value, undefined, 2) + '\n'

/** Command lines, registries, builds, containers, clusters and clients of HTTP. */
export const TOOL_CONTEXTUAL: Writers = {
  'curl -u': (pen) => ['scripts/call.sh', `curl -s -u ${pen.user()}:${pen.put(pen.generated())} https://${pen.host()}/odata\n`],
  'curl -u in quotes': (pen) => [
    'test-call.sh',
    `curl -X POST --user "${pen.user()}:${pen.put(pen.generated().replaceAll('!', '_'))}" https://${pen.host()}/odata\n`,
  ],
  'curl with a header': (pen) => [
    'call.sh',
    `curl -H "Authorization: Basic ${pen.put(toBase64(`${pen.user()}:${pen.password()}`))}" https://${pen.host()}\n`,
  ],
  'curl with a bearer': (pen) => ['call.sh', `curl -H 'Authorization: Bearer ${pen.put(pen.random())}' https://${pen.host()}\n`],
  'curl for a token': (pen) => [
    'token.sh',
    `curl -X POST https://${pen.host()}/oauth/token -d 'grant_type=client_credentials&client_id=orders&client_secret=${pen.put(pen.random())}'\n`,
  ],
  'curl with a key header': (pen) => ['call.sh', `curl -H "x-api-key: ${pen.put(pen.random())}" https://${pen.host()}\n`],
  'wget --password': (pen) => [
    'get.sh',
    `wget --user=${pen.user()} --password='${pen.put(pen.password())}' https://${pen.host()}/file.zip\n`,
  ],
  'docker login': (pen) => [
    'build.sh',
    `docker login registry.corp.cloud -u ${pen.user()} -p ${pen.put(pen.generated())}\ndocker push registry.corp.cloud/orders\n`,
  ],
  'mysql -p': (pen) => ['db.sh', `export PGPASSWORD='${pen.put(pen.password())}'\npsql -h pg.corp.cloud -U app\n`],
  'password in a here document': (pen) => [
    'setup.sh',
    `cat > .env <<EOT\nDB_USER=app\nDB_PASSWORD=${pen.put(pen.generated())}\nEOT\n`,
  ],
  'set of a batch file': (pen) => ['deploy.bat', `@echo off\r\nset CF_PASSWORD=${pen.put(pen.generated())}\r\ncf login\r\n`],
  PowerShell: (pen) => ['deploy.ps1', `$Password = "${pen.put(pen.password())}"\n$user = "svc"\n`],
  'PowerShell secure string': (pen) => [
    'deploy.ps1',
    `$pw = ConvertTo-SecureString "${pen.put(pen.password())}" -AsPlainText -Force\n`,
  ],
  '_authToken of npm': (pen) => [
    '.npmrc',
    `registry=https://npm.corp.cloud/\n//npm.corp.cloud/:_authToken=${pen.put(pen.one([pen.guid, pen.random])())}\n`,
  ],
  '_authToken of Nexus': (pen) => [
    '.npmrc',
    `@corp:registry=https://nexus.corp.cloud/repository/npm/\n//nexus.corp.cloud/repository/npm/:_authToken=NpmToken.${pen.put(pen.guid())}\n`,
  ],
  '_auth of npm': (pen) => [
    '.npmrc',
    `//npm.corp.cloud/:_auth=${pen.put(toBase64(`svc:${pen.password()}`))}\nalways-auth=true\n`,
  ],
  '_password of npm': (pen) => [
    '.npmrc',
    `//npm.corp.cloud/:username=svc\n//npm.corp.cloud/:_password=${pen.put(toBase64(pen.password()))}\n`,
  ],
  '.yarnrc.yml': (pen) => [
    '.yarnrc.yml',
    `npmScopes:\n  acme:\n    npmRegistryServer: "https://npm.corp.cloud"\n    npmAuthToken: "${pen.put(pen.random())}"\n`,
  ],
  'docker config': (pen) => [
    '.docker/config.json',
    json({ auths: { 'registry.corp.cloud': { auth: pen.put(toBase64(`svc:${pen.password()}`)) } } }),
  ],
  'docker config as .dockerconfigjson': (pen) => [
    'k8s/pull.yaml',
    `apiVersion: v1\nkind: Secret\ntype: kubernetes.io/dockerconfigjson\nmetadata:\n  name: pull\ndata:\n  .dockerconfigjson: ${pen.put(toBase64(JSON.stringify({ auths: { 'r.corp.cloud': { auth: toBase64(`svc:${pen.password()}`) } } })))}\n`,
  ],
  'kubeconfig with a key': (pen) => [
    'kubeconfig.yaml',
    `apiVersion: v1\nkind: Config\nclusters:\n- name: c\n  cluster:\n    server: https://api.c.kyma.ondemand.com\n    certificate-authority-data: ${toBase64(drawSecret('certificate', 'a'))}\nusers:\n- name: admin\n  user:\n    client-certificate-data: ${toBase64(drawSecret('certificate', 'b'))}\n    client-key-data: ${pen.put(toBase64(drawSecret('rsa-key', pen.shape('{w8}'))))}\n`,
  ],
  'kubeconfig with a token': (pen) => [
    '.kube/config',
    `apiVersion: v1\nkind: Config\nusers:\n- name: sa\n  user:\n    token: ${pen.put(pen.shape('{w48}'))}\n`,
  ],
  'Kubernetes Secret': (pen) => [
    'k8s/secret.yaml',
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ntype: Opaque\ndata:\n  username: ${toBase64('app')}\n  password: ${pen.put(toBase64(pen.password()))}\n`,
  ],
  'Kubernetes Secret as text': (pen) => [
    'deploy/secret.yml',
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\nstringData:\n  DB_PASSWORD: "${pen.put(pen.password())}"\n`,
  ],
  'Kubernetes Secret in JSON': (pen) => [
    'k8s/secret.json',
    json({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'a' }, data: { 'api-token': pen.put(toBase64(pen.random())) } }),
  ],
  'second document of Kubernetes': (pen) => [
    'k8s/all.yaml',
    `apiVersion: v1\nkind: Service\nmetadata:\n  name: a\n---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: b\ndata:\n  smtp-password: ${pen.put(toBase64(pen.password()))}\n`,
  ],
  'env of a Deployment': (pen) => [
    'k8s/deployment.yaml',
    `apiVersion: apps/v1\nkind: Deployment\nspec:\n  template:\n    spec:\n      containers:\n        - name: srv\n          env:\n            - name: DB_PASSWORD\n              value: "${pen.put(pen.password())}"\n`,
  ],
  ConfigMap: (pen) => [
    'k8s/config.yaml',
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  application.properties: |\n    server.port=8080\n    spring.datasource.password=${pen.put(pen.generated())}\n  x: "1"\n`,
  ],
  'values of a chart': (pen) => [
    'chart/values.yaml',
    `srv:\n  image: orders\n  resources: {}\npostgresql:\n  auth:\n    username: app\n    password: ${pen.put(pen.password())}\n`,
  ],
  'values of a chart, binding': (pen) => [
    'chart/values.yaml',
    `xsuaa:\n  parameters:\n    clientid: sb-a!t1\n    clientsecret: ${pen.put(pen.shape('{b27}='))}\n`,
  ],
  'Maven settings': (pen) => [
    'settings.xml',
    `<settings>\n  <servers>\n    <server>\n      <id>nexus</id>\n      <username>deploy</username>\n      <password>${pen.put(pen.password())}</password>\n    </server>\n  </servers>\n</settings>\n`,
  ],
  'properties of a pom': (pen) => [
    'pom.xml',
    `<project>\n  <modelVersion>4.0.0</modelVersion>\n  <properties>\n    <db.user>app</db.user>\n    <db.password>${pen.put(pen.password())}</db.password>\n  </properties>\n</project>\n`,
  ],
  'gradle.properties': (pen) => [
    'gradle.properties',
    `org.gradle.jvmargs=-Xmx2g\nsigning.keyId=ABCD1234\nsigning.password=${pen.put(pen.generated())}\nnexusPassword=${pen.put(pen.generated())}\n`,
  ],
  'nuget.config': (pen) => [
    'nuget.config',
    `<configuration>\n  <packageSourceCredentials>\n    <corp>\n      <add key="Username" value="svc" />\n      <add key="ClearTextPassword" value="${pen.put(pen.password())}" />\n    </corp>\n  </packageSourceCredentials>\n</configuration>\n`,
  ],
  netrc: (pen) => ['.netrc', `machine git.corp.cloud\nlogin svc\npassword ${pen.put(pen.generated())}\n`],
  'netrc on one line': (pen) => ['_netrc', `machine git.corp.cloud login svc password ${pen.put(pen.generated())}\n`],
  pgpass: (pen) => ['.pgpass', `pg.corp.cloud:5432:orders:app:${pen.put(pen.generated())}\n`],
  'git credentials': (pen) => ['.git-credentials', `https://svc:${pen.put(pen.random())}@git.corp.cloud\n`],
  'pip.conf': (pen) => ['pip.conf', `[global]\nindex-url = https://svc:${pen.put(pen.random())}@pypi.corp.cloud/simple\n`],
  'Postman collection': (pen) => [
    'orders.postman_collection.json',
    json({
      info: { name: 'orders' },
      item: [
        {
          request: {
            auth: {
              type: 'basic',
              basic: [
                { key: 'password', value: pen.put(pen.password()), type: 'string' },
                { key: 'username', value: pen.user(), type: 'string' },
              ],
            },
          },
        },
      ],
    }),
  ],
  'Postman header': (pen) => [
    'a.postman_collection.json',
    json({
      info: { name: 'a' },
      item: [
        {
          request: { header: [{ key: 'Authorization', value: pen.put(`Basic ${toBase64(`${pen.user()}:${pen.password()}`)}`) }] },
        },
      ],
    }),
  ],
  'Postman environment': (pen) => [
    'dev.postman_environment.json',
    json({
      name: 'dev',
      values: [
        { key: 'host', value: 'x.corp.cloud', enabled: true },
        { key: 'client_secret', value: pen.put(pen.random()), type: 'secret', enabled: true },
      ],
    }),
  ],
  'Postman form': (pen) => [
    'b.postman_collection.json',
    json({
      info: { name: 'b' },
      item: [
        {
          request: {
            method: 'POST',
            body: {
              mode: 'urlencoded',
              urlencoded: [
                { key: 'grant_type', value: 'password' },
                { key: 'password', value: pen.put(pen.password()), type: 'text' },
              ],
            },
          },
        },
      ],
    }),
  ],
  '.http basic': (pen) => [
    'tests.http',
    `GET https://${pen.host()}/odata/v4/orders\nAuthorization: Basic ${pen.put(toBase64(`${pen.user()}:${pen.password()}`))}\n`,
  ],
  '.http basic as text': (pen) => [
    'requests.http',
    `GET https://${pen.host()}/odata\nAuthorization: Basic ${pen.user()}:${pen.put(pen.generated())}\n`,
  ],
  '.http variable': (pen) => [
    'requests.rest',
    `@host = https://${pen.host()}\n@clientSecret = ${pen.put(pen.random())}\n\nGET {{host}}\n`,
  ],
  '.http form': (pen) => [
    'token.http',
    `POST https://${pen.host()}/oauth/token\nContent-Type: application/x-www-form-urlencoded\n\ngrant_type=password&username=svc&password=${pen.put(pen.random())}\n`,
  ],
  'Jenkinsfile environment': (pen) => [
    'Jenkinsfile',
    `pipeline {\n  agent any\n  environment {\n    CF_USER = 'svc'\n    CF_PASSWORD = '${pen.put(pen.password())}'\n  }\n  stages { stage('a') { steps { sh 'npm ci' } } }\n}\n`,
  ],
  'Jenkinsfile login': (pen) => [
    'Jenkinsfile',
    `node {\n  stage('deploy') {\n    sh "cf login -a https://api.cf.eu10.hana.ondemand.com -u svc -p ${pen.put(pen.generated().replaceAll('!', '_'))} -o acme -s dev"\n  }\n}\n`,
  ],
  'Jenkinsfile withEnv': (pen) => [
    'Jenkinsfile',
    `node {\n  withEnv(['DB_PASSWORD=${pen.put(pen.generated())}', 'A=1']) {\n    sh 'npm run load'\n  }\n}\n`,
  ],
  'GitLab variables': (pen) => [
    '.gitlab-ci.yml',
    `variables:\n  CF_USERNAME: svc\n  CF_PASSWORD: "${pen.put(pen.password())}"\nbuild:\n  script:\n    - npm ci\n`,
  ],
  'GitLab script': (pen) => [
    '.gitlab-ci.yml',
    `deploy:\n  script:\n    - npm ci\n    - cf login -u svc -p ${pen.put(pen.generated())} -o acme\n`,
  ],
  'GitHub step': (pen) => [
    '.github/workflows/cf.yaml',
    `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: acme/cf-deploy@v1\n        with:\n          user: svc\n          password: ${pen.put(pen.password())}\n`,
  ],
  'GitHub run': (pen) => [
    '.github/workflows/run.yml',
    `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: |\n          npm ci\n          btp login --url https://cli.btp.cloud.sap --user svc --password ${pen.put(pen.generated())}\n`,
  ],
  'Azure pipeline': (pen) => [
    'azure-pipelines.yml',
    `variables:\n  - name: dbPassword\n    value: ${pen.put(pen.password())}\nsteps:\n  - script: npm ci\n`,
  ],
  'piper configuration': (pen) => [
    '.pipeline/config.yml',
    `general:\n  buildTool: mta\nsteps:\n  cloudFoundryDeploy:\n    username: svc\n    password: ${pen.put(pen.password())}\n`,
  ],
  'compose as a map': (pen) => [
    'docker-compose.yml',
    `services:\n  db:\n    image: postgres:16\n    environment:\n      POSTGRES_USER: app\n      POSTGRES_PASSWORD: ${pen.put(pen.password())}\n`,
  ],
  'compose as a list': (pen) => [
    'compose.yaml',
    `services:\n  srv:\n    image: orders\n    environment:\n      - NODE_ENV=production\n      - ERP_PASSWORD=${pen.put(pen.generated())}\n`,
  ],
  'Dockerfile ENV': (pen) => [
    'Dockerfile',
    `FROM node:20\nENV NODE_ENV=production ERP_PASSWORD=${pen.put(pen.generated())}\nCMD node srv\n`,
  ],
  'Dockerfile ENV with a space': (pen) => ['Dockerfile', `FROM node:20\nENV DB_PASSWORD ${pen.put(pen.generated())}\n`],
  'Dockerfile ARG': (pen) => ['Dockerfile', `FROM node:20\nARG NPM_PASSWORD=${pen.put(pen.generated())}\nRUN npm ci\n`],
  'Dockerfile npmrc': (pen) => [
    'Dockerfile',
    `FROM node:20\nRUN echo "//npm.corp.cloud/:_authToken=${pen.put(pen.random())}" > .npmrc && npm ci\n`,
  ],
  Terraform: (pen) => [
    'infra/main.tf',
    `provider "btp" {\n  globalaccount = "acme"\n  username      = "svc@acme.com"\n  password      = "${pen.put(pen.password())}"\n}\n`,
  ],
  'Terraform default': (pen) => [
    'infra/variables.tf',
    `variable "db_password" {\n  type    = string\n  default = "${pen.put(pen.password())}"\n}\n`,
  ],
  'JSON variables of Terraform': (pen) => [
    'infra/prod.auto.tfvars.json',
    json({ cf_user: 'svc', cf_password: pen.put(pen.password()) }),
  ],
  'Spring application.yaml': (pen) => [
    'srv/src/main/resources/application.yaml',
    `spring:\n  datasource:\n    url: jdbc:postgresql://pg:5432/a\n    username: app\n    password: ${pen.put(pen.password())}\n`,
  ],
  'Spring application.properties': (pen) => [
    'src/main/resources/application.properties',
    `spring.datasource.username=app\nspring.datasource.password=${pen.put(pen.generated())}\n`,
  ],
  'Spring key store': (pen) => [
    'src/main/resources/application-prod.yml',
    `server:\n  ssl:\n    key-store: classpath:a.p12\n    key-store-password: ${pen.put(pen.generated())}\n`,
  ],
  'CAP Java destination': (pen) => [
    'srv/src/main/resources/application.yaml',
    `cds:\n  remote.services:\n    API_BP:\n      destination:\n        properties:\n          url: https://${pen.host()}\n          user: ${pen.user()}\n          password: '${pen.put(pen.password())}'\n`,
  ],
  'launch configuration of a HAR': (pen) => [
    'capture.har',
    json({
      log: {
        entries: [
          {
            request: {
              method: 'GET',
              url: `https://${pen.host()}`,
              headers: [{ name: 'Authorization', value: pen.put(`Bearer ${pen.shape('{w60}')}`) }],
            },
          },
        ],
      },
    }),
  ],
  'persistence.xml': (pen) => [
    'src/main/resources/META-INF/persistence.xml',
    `<persistence>\n  <persistence-unit name="a">\n    <properties>\n      <property name="javax.persistence.jdbc.password" value="${pen.put(pen.password())}"/>\n    </properties>\n  </persistence-unit>\n</persistence>\n`,
  ],
  'context.xml': (pen) => [
    'src/main/webapp/META-INF/context.xml',
    `<Context>\n  <Resource name="jdbc/DB" username="app" password="${pen.put(pen.password())}" url="jdbc:sap://h:30015"/>\n</Context>\n`,
  ],
  'README with a password': (pen) => [
    'README.md',
    `# Orders\n\nLog in at https://${pen.host()} with\n\n- User: \`${pen.user()}\`\n- Password: \`${pen.put(pen.password())}\`\n`,
  ],
  'README with a command': (pen) => [
    'docs/run.md',
    `## Deploy\n\n\`\`\`bash\ncf login -u ${pen.user()} -p ${pen.put(pen.generated())}\n\`\`\`\n`,
  ],
  'README with a binding': (pen) => [
    'docs/bind.md',
    `Put this into \`default-env.json\`:\n\n\`\`\`json\n{ "VCAP_SERVICES": { "xsuaa": [ { "credentials": { "clientid": "sb-a!t1", "clientsecret": "${pen.put(pen.shape('{b27}='))}" } } ] } }\n\`\`\`\n`,
  ],
}
