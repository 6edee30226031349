import { json, word, type Places } from './place.ts'

/** Credentials in files of package managers, builds, containers, operations and servers. */
export const BUILD_PLACES: Places = {
  '.npmrc': (pen) => [
    '.npmrc',
    `@corp:registry=https://npm.corp.cloud/\n//npm.corp.cloud/:_password=${pen.either(pen.put(pen.shape('{b31}=')), '${NPM_PW}', '')}\n//npm.corp.cloud/:username=ci\n`,
  ],
  '.yarnrc.yml': (pen) => [
    '.yarnrc.yml',
    `npmRegistries:\n  "https://npm.corp.cloud":\n    npmAuthIdent: "ci:${word(pen, '${PW}', '${NPM_PW:-}')}"\n`,
  ],
  '.yarnrc': (pen) => [
    '.yarnrc',
    `registry "https://npm.corp.cloud"\n"//npm.corp.cloud/:_authToken" "${pen.key('${TOKEN}', '')}"\n`,
  ],
  'pip.conf': (pen) => ['pip.conf', `[global]\nindex-url = https://ci:${word(pen, '${PIP_PW}', '$PW')}@pypi.corp.cloud/simple\n`],
  '.pypirc': (pen) => [
    '.pypirc',
    `[corp]\nrepository = https://pypi.corp.cloud\nusername = ci\npassword = ${word(pen, '', '%(pw)s')}\n`,
  ],
  'nuget.config': (pen) => [
    'nuget.config',
    `<configuration><packageSourceCredentials><corp><add key="Username" value="ci" /><add key="ClearTextPassword" value="${word(pen, '%NUGET_PW%', '')}" /></corp></packageSourceCredentials></configuration>\n`,
  ],
  'web.config': (pen) => [
    'web.config',
    `<configuration><appSettings><add key="ErpUser" value="svc"/><add key="ErpPassword" value="${pen.hide('', '#{pw}#')}"/></appSettings></configuration>\n`,
  ],
  'connection string of .NET': (pen) => [
    'appsettings.json',
    json({
      ConnectionStrings: { Default: `Server=db;Database=o;User Id=o;Password=${word(pen, '{0}', '<password>')};Encrypt=True` },
    }),
  ],
  'smtp of .NET': (pen) => [
    'appsettings.Production.json',
    json({ Smtp: { Host: 'smtp.corp.cloud', UserName: 'no-reply', Password: pen.hide('', '#{Smtp}#') } }),
  ],
  'settings.xml of Maven': (pen) => [
    'settings.xml',
    `<settings><servers><server><id>corp</id><username>ci</username><password>${pen.hide('${env.PW}', '${pw}')}</password></server></servers></settings>\n`,
  ],
  'passphrase of settings.xml': (pen) => [
    'settings.xml',
    `<settings><servers><server><id>gpg</id><passphrase>${pen.hide('${env.GPG}', '${gpg}')}</passphrase></server></servers></settings>\n`,
  ],
  'profile of pom.xml': (pen) => [
    'pom.xml',
    `<project><profiles><profile><properties><neo.user>svc</neo.user><neo.password>${pen.hide('${env.PW}', '')}</neo.password></properties></profile></profiles></project>\n`,
  ],
  'gradle.properties': (pen) => [
    'gradle.properties',
    `artifactoryUser=ci\nartifactoryPassword=${word(pen, '', '@pw@')}\nsigning.password=${word(pen, '', '@pw@')}\n`,
  ],
  'credentials of build.gradle': (pen) => [
    'build.gradle',
    `repositories { maven { url 'https://m.corp.cloud'; credentials { username 'ci'; password ${pen.either(`'${pen.put(pen.generated())}'`, 'project.pw', "System.getenv('PW')")} } } }\n`,
  ],
  'credentials of build.gradle.kts': (pen) => [
    'build.gradle.kts',
    `credentials {\n  username = "ci"\n  password = ${pen.either(`"${pen.put(pen.generated())}"`, 'findProperty("pw") as String', 'System.getenv("PW")')}\n}\n`,
  ],
  'environment of compose': (pen) => [
    'docker-compose.yml',
    `services:\n  db:\n    image: postgres\n    environment:\n      - POSTGRES_USER=o\n      - POSTGRES_PASSWORD=${word(pen, '${PW}', '')}\n`,
  ],
  'map of compose': (pen) => [
    'compose.prod.yaml',
    `services:\n  api:\n    environment: { ERP_USER: svc, ERP_PASSWORD: "${pen.hide('${PW:?}', '')}" }\n`,
  ],
  'command of compose': (pen) => [
    'compose.yml',
    `services:\n  cache:\n    image: redis\n    command: redis-server --requirepass ${word(pen, '${REDIS_PW}', '$REDIS_PW')}\n`,
  ],
  'ENV of Docker': (pen) => ['Dockerfile', `FROM node:22\nENV ERP_USER=svc \\\n    ERP_PASSWORD=${word(pen, '$PW', '""')}\n`],
  'ENV of Docker with a space': (pen) => ['Dockerfile', `FROM node:22\nENV DB_PASSWORD ${word(pen, '$PW', '""')}\n`],
  'ARG of Docker': (pen) => ['docker/Dockerfile', `FROM node:22\nARG NPM_TOKEN=${pen.key('', '$T')}\nRUN npm ci\n`],
  'RUN of Docker': (pen) => [
    'Dockerfile',
    `FROM node:22\nRUN echo "//npm.corp.cloud/:_authToken=${pen.key('${T}', '$T')}" > .npmrc && npm ci\n`,
  ],
  Makefile: (pen) => [
    'Makefile',
    `CF_USER := ops\nCF_PASSWORD := ${word(pen, '$(shell pass cf)', '$(PW)')}\n\nlogin:\n\tcf auth $(CF_USER) $(CF_PASSWORD)\n`,
  ],
  'export of a Makefile': (pen) => ['Makefile', `export DB_PASSWORD ?= ${word(pen, '$(PW)', '')}\n`],
  'vars of Ansible': (pen) => [
    'ansible/group_vars/all.yml',
    `ansible_user: ops\nansible_password: ${word(pen, '"{{ vault_pw }}"', '!vault |')}\nansible_become_pass: "${pen.hide('{{ vault_become }}', '')}"\n`,
  ],
  'hosts of Ansible': (pen) => [
    'ansible/hosts.ini',
    `[erp]\nerp1 ansible_host=10.0.0.4 ansible_user=ops ansible_password=${word(pen, '{{pw}}', '"{{ pw }}"')}\n`,
  ],
  'module of Ansible': (pen) => [
    'ansible/play.yml',
    `- hosts: all\n  tasks:\n    - hana_user: login_user=SYSTEM login_password=${word(pen, '{{ pw }}', '"{{ pw }}"')} name=O\n`,
  ],
  hdbuserstore: (pen) => ['tools/s.sh', `hdbuserstore -i SET ORDERS "h:30015@HDB" ORDERS_APP "${word(pen, '$PW', '${PW}')}"\n`],
  'hdbsql with an attached password': (pen) => [
    'tools/h.sh',
    `hdbsql -n h:443 -u DBADMIN -p '${word(pen, '$PW', '${PW}')}' -e "select 1 from dummy"\n`,
  ],
  'destinations of the environment': (pen) => [
    '.env',
    `destinations=[{"name":"ERP","url":"https://erp.corp.cloud","username":"SVC","password":"${pen.hide('', '<pw>')}"}]\n`,
  ],
  'export of a destination': (pen) => [
    'destinations/ERP',
    `Name=ERP\nType=HTTP\nURL=https\\://erp.corp.cloud\nAuthentication=OAuth2ClientCredentials\nclientId=x\nclientSecret=${pen.key('', '<< Existing password/certificate removed on export >>')}\n`,
  ],
  'destination fragment of an mta': (pen) => [
    'mta.yaml',
    `_schema-version: "3.1"\nID: o\nresources:\n  - name: d\n    parameters:\n      config:\n        init_data:\n          instance:\n            destinations:\n              - Name: ERP\n                Authentication: BasicAuthentication\n                User: SVC\n                Password: ${word(pen, '${pw}', '~{x/pw}')}\n`,
  ],
  'JDBC with parameters': (pen) => [
    'srv/src/main/resources/application.yaml',
    `spring:\n  datasource:\n    url: jdbc:sap://h:443/?encrypt=true&user=ORDERS&password=${word(pen, '${PW}', '${db.pw}')}\n`,
  ],
  'thin JDBC of Oracle': (pen) => [
    'conf/db.properties',
    `db.url=jdbc:oracle:thin:orders/${word(pen, '${pw}', '@pw@')}@//db.corp.cloud:1521/ORCL\n`,
  ],
  'mail of Spring': (pen) => [
    'srv/src/main/resources/application.properties',
    `spring.mail.host=smtp.corp.cloud\nspring.mail.username=no-reply\nspring.mail.password=${word(pen, '${MAIL_PW}', '')}\n`,
  ],
  'smtp URL': (pen) => ['.env', `MAIL_URL=smtps://no-reply:${word(pen, '${PW}', '$PW')}@smtp.corp.cloud:465\n`],
  msmtprc: (pen) => ['.msmtprc', `account corp\nhost smtp.corp.cloud\nuser no-reply\npassword ${word(pen, '', '')}\n`],
  'fiori-tools proxy': (pen) => [
    'ui5-local.yaml',
    `server:\n  customMiddleware:\n    - name: fiori-tools-proxy\n      configuration:\n        backend:\n          - path: /sap\n            url: https://erp.corp.cloud\n            username: SVC\n            password: ${word(pen, '${env.PW}', 'env:PW')}\n`,
  ],
  'env of an MTA task': (pen) => [
    '.cdsrc-private.json',
    json({ requires: { db: { credentials: { host: 'h', user: 'O_RT', password: pen.hide('', '<pw>'), schema: 'O' } } } }),
  ],
  'profile of package.json': (pen) => [
    'package.json',
    json({
      name: 'o',
      cds: {
        requires: {
          ERP: {
            kind: 'odata-v2',
            '[production]': { credentials: { url: 'https://erp.corp.cloud', username: 'SVC', password: pen.hide('', '${PW}') } },
          },
        },
      },
    }),
  ],
  'script of package.json': (pen) => [
    'package.json',
    json({ name: 'o', scripts: { deploy: `cf auth ops ${word(pen, '$PW', '%PW%')} && cf push` } }),
  ],
  'flow of an integration suite': (pen) => [
    'flow/parameters.prop',
    `erp_user=SVC\nerp_password=${word(pen, '', '<password>')}\n`,
  ],
  'log4j appender': (pen) => [
    'log4j2.xml',
    `<Configuration><Appenders><SMTP name="m" smtpHost="smtp.corp.cloud" smtpUsername="no-reply" smtpPassword="${pen.hide('${env:PW}', '${sys:pw}')}"/></Appenders></Configuration>\n`,
  ],
  'persistence.xml': (pen) => [
    'META-INF/persistence.xml',
    `<persistence><persistence-unit name="o"><properties><property name="javax.persistence.jdbc.password" value="${pen.hide('${pw}', '')}"/></properties></persistence-unit></persistence>\n`,
  ],
  'user of Tomcat': (pen) => [
    'conf/tomcat-users.xml',
    `<tomcat-users><user username="admin" password="${pen.hide('${pw}', '')}" roles="manager-gui"/></tomcat-users>\n`,
  ],
  'resource of Tomcat': (pen) => [
    'META-INF/context.xml',
    `<Context><Resource name="jdbc/o" username="O" password="${pen.hide('${pw}', '')}" driverClassName="com.sap.db.jdbc.Driver"/></Context>\n`,
  ],
}
