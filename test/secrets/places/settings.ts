import { toBase64 } from '../material/draw.ts'
import { json, type Places } from './place.ts'

/** Settings of servers, frameworks and clients; requests and documentation. */
export const SETTING_PLACES: Places = {
  'mail of Spring': (pen) => [
    'src/main/resources/application.properties',
    `spring.mail.username=svc\nspring.mail.password=${pen.hide('${MAIL_PW}', '')}\n`,
  ],
  'bean with a value': (pen) => [
    'src/main/resources/beans.xml',
    `<beans>\n  <bean id="ds">\n    <property name="username"><value>app</value></property>\n    <property name="password"><value>${pen.hide('${db.password}', '#{env.pw}')}</value></property>\n  </bean>\n</beans>\n`,
  ],
  'p-namespace of a bean': (pen) => [
    'src/main/resources/ctx.xml',
    `<beans><bean id="ds" p:username="app" p:password="${pen.hide('${db.password}', '')}"/></beans>\n`,
  ],
  'user service of Spring': (pen) => [
    'src/main/resources/security.xml',
    `<user-service>\n  <user name="operator" password="{noop}${pen.hide('${pw}', '${op.password}')}" authorities="ROLE_OP"/>\n</user-service>\n`,
  ],
  'hibernate.cfg.xml': (pen) => [
    'src/main/resources/hibernate.cfg.xml',
    `<hibernate-configuration><session-factory>\n  <property name="hibernate.connection.password">${pen.hide('${pw}', '')}</property>\n</session-factory></hibernate-configuration>\n`,
  ],
  'connector of Tomcat': (pen) => [
    'conf/server.xml',
    `<Server><Service><Connector port="8443" keystoreFile="a.jks" keystorePass="${pen.hide('${ks.pass}', '')}"/></Service></Server>\n`,
  ],
  'parameter of web.xml': (pen) => [
    'WEB-INF/web.xml',
    `<web-app>\n  <context-param>\n    <param-name>apiKey</param-name>\n    <param-value>${pen.key('${api.key}', '')}</param-value>\n  </context-param>\n</web-app>\n`,
  ],
  'connection string of web.config': (pen) => [
    'web.config',
    `<configuration>\n  <connectionStrings>\n    <add name="Db" connectionString="Server=${pen.host()};Database=o;User Id=app;Password=${pen.hide('{pw}', '#{pw}#')};" />\n  </connectionStrings>\n</configuration>\n`,
  ],
  'mail of web.config': (pen) => [
    'web.config',
    `<configuration><system.net><mailSettings><smtp><network host="smtp.corp.cloud" userName="svc" password="${pen.hide('', '#{pw}#')}"/></smtp></mailSettings></system.net></configuration>\n`,
  ],
  'property of Ant': (pen) => [
    'build.xml',
    `<project name="a">\n  <property name="deploy.password" value="${pen.hide('${env.PW}', '')}"/>\n</project>\n`,
  ],
  'proxy of Maven': (pen) => [
    'settings.xml',
    `<settings><proxies><proxy><host>proxy.corp.cloud</host><username>svc</username><password>${pen.hide('${env.PROXY_PW}', '{COQLCE6DU6GtcS5P=}')}</password></proxy></proxies></settings>\n`,
  ],
  'environment in a pom': (pen) => [
    'pom.xml',
    `<project><build><plugins><plugin><configuration><environmentVariables><ERP_PASSWORD>${pen.hide('${env.ERP}', '')}</ERP_PASSWORD></environmentVariables></configuration></plugin></plugins></build></project>\n`,
  ],
  'argument of JMeter': (pen) => [
    'load.jmx',
    `<elementProp name="password" elementType="HTTPArgument">\n  <stringProp name="Argument.name">password</stringProp>\n  <stringProp name="Argument.value">${pen.hide('${__P(pw)}', '${pw}')}</stringProp>\n</elementProp>\n`,
  ],
  SoapUI: (pen) => [
    'erp-soapui-project.xml',
    `<con:credentials><con:username>svc</con:username><con:password>${pen.hide('${#Project#pw}', '')}</con:password></con:credentials>\n`,
  ],
  'appsettings.json': (pen) => [
    'appsettings.json',
    json({
      ConnectionStrings: {
        Default: `Server=${pen.host()};Database=o;User Id=app;Password=${pen.hide('{pw}', '<password>')};Encrypt=True`,
      },
    }),
  ],
  'local.settings.json': (pen) => [
    'local.settings.json',
    json({
      IsEncrypted: false,
      Values: { ErpUser: 'svc', ErpPassword: pen.hide('', '@Microsoft.KeyVault(SecretUri=https://kv.corp.cloud/x)') },
    }),
  ],
  nodemon: (pen) => ['nodemon.json', json({ watch: ['srv'], env: { PORT: 4004, JWT_SECRET: pen.key('', '${JWT_SECRET}') } })],
  'knexfile.js': (pen) => [
    'knexfile.js',
    `module.exports = {\n  production: { client: 'pg', connection: { host: '${pen.host()}', user: 'app', password: ${pen.either(`'${pen.put(pen.password())}'`, 'process.env.PG_PW', "''")} } }\n}\n`,
  ],
  'connection string of knex': (pen) => [
    'ormconfig.json',
    json({ type: 'postgres', url: `postgres://app:${pen.either(pen.put(pen.random()), '${PG}', '<password>')}@pg.corp.cloud/o` }),
  ],
  'proxy.conf.json': (pen) => [
    'proxy.conf.json',
    json({
      '/odata': {
        target: `https://${pen.host()}`,
        headers: { Authorization: `Basic ${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), '<base64>', '${BASIC}')}` },
      },
    }),
  ],
  'proxy of Vite': (pen) => [
    'vite.config.ts',
    `export default { server: { proxy: { '/odata': { target: 'https://${pen.host()}', auth: ${pen.either(`'${pen.user()}:${pen.put(pen.generated())}'`, 'process.env.AUTH', '`${user}:${pw}`')} } } } }\n`,
  ],
  'environment of Angular': (pen) => [
    'src/environments/environment.ts',
    `export const environment = {\n  production: true,\n  apiUrl: '/api',\n  apiKey: '${pen.key('', '#{apiKey}#')}',\n}\n`,
  ],
  'npmAuthIdent of Yarn': (pen) => [
    '.yarnrc.yml',
    `npmRegistries:\n  "https://npm.corp.cloud":\n    npmAuthIdent: "${pen.user()}:${pen.either(pen.put(pen.generated()), '${NPM_PW}', '${PW:-}')}"\n`,
  ],
  '.pypirc': (pen) => [
    '.pypirc',
    `[corp]\nrepository = https://pypi.corp.cloud\nusername = ci\npassword = ${pen.hide('', '%(pw)s')}\n`,
  ],
  'index of pip': (pen) => [
    'pip.conf',
    `[global]\nindex-url = https://ci:${pen.either(pen.put(pen.random()), '${PIP_PW}', '$PW')}@pypi.corp.cloud/simple\n`,
  ],
  'nuget.config': (pen) => [
    'nuget.config',
    `<configuration><packageSourceCredentials><Corp>\n  <add key="Username" value="ci" />\n  <add key="ClearTextPassword" value="${pen.hide('%NUGET_PW%', '')}" />\n</Corp></packageSourceCredentials></configuration>\n`,
  ],
  '.aws/credentials': (pen) => [
    '.aws/credentials',
    `[default]\nregion = eu-central-1\naws_secret_access_key = ${pen.either(pen.put(pen.shape('{b40}')), '', '${SECRET}')}\n`,
  ],
  'redis.conf': (pen) => [
    'conf/redis.conf',
    `bind 0.0.0.0\nrequirepass ${pen.either(pen.put(pen.generated()), '${REDIS_PW}', '<password>')}\nmaxmemory 100mb\n`,
  ],
  'rabbitmq.conf': (pen) => [
    'conf/rabbitmq.conf',
    `default_user = app\ndefault_pass = ${pen.either(pen.put(pen.generated()), '$(PW)', '${PW}')}\n`,
  ],
  'JAAS of Kafka': (pen) => [
    'conf/client.properties',
    `security.protocol=SASL_SSL\nsasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="app" password="${pen.hide('${file:/secrets:pw}', '')}";\n`,
  ],
  'trust store of Kafka': (pen) => [
    'conf/ssl.properties',
    `ssl.truststore.location=/a.jks\nssl.truststore.password=${pen.hide('${TS_PW}', '')}\n`,
  ],
  'Grafana data source': (pen) => [
    'grafana/ds.yaml',
    `datasources:\n  - name: pg\n    user: app\n    secureJsonData:\n      password: ${pen.hide('$PG_PW', '${PG_PW}')}\n`,
  ],
  Prometheus: (pen) => [
    'prometheus.yml',
    `scrape_configs:\n  - job_name: orders\n    basic_auth:\n      username: prom\n      password: ${pen.hide('<secret>', '${PROM}')}\n`,
  ],
  'bearer of Prometheus': (pen) => [
    'prom2.yml',
    `scrape_configs:\n  - job_name: orders\n    authorization:\n      type: Bearer\n      credentials: ${pen.key('<secret>', '${TOKEN}')}\n`,
  ],
  Alertmanager: (pen) => [
    'alertmanager.yml',
    `global:\n  smtp_from: a@corp.cloud\n  smtp_auth_username: svc\n  smtp_auth_password: '${pen.hide('<secret>', '${PW}')}'\n`,
  ],
  'output of Logstash': (pen) => [
    'logstash.conf',
    `output {\n  elasticsearch {\n    user => "elastic"\n    password => "${pen.hide('${ES_PW}', '')}"\n  }\n}\n`,
  ],
  'header of nginx': (pen) => [
    'nginx.conf',
    `location /odata {\n  proxy_set_header Authorization "Basic ${pen.either(pen.put(toBase64(`svc:${pen.password()}`)), '$basic', '${BASIC}')}";\n  proxy_pass https://${pen.host()};\n}\n`,
  ],
  'key of WireGuard': (pen) => [
    'wg0.conf',
    `[Interface]\nAddress = 10.0.0.2/24\nPrivateKey = ${pen.either(pen.put(pen.shape('{b43}=')), '<private key>', '${WG_KEY}')}\n`,
  ],
  'http-client.private.env.json': (pen) => [
    'http-client.private.env.json',
    json({ dev: { host: pen.host(), clientSecret: pen.key('', '<secret>') } }),
  ],
  Bruno: (pen) => [
    'requests/orders.bru',
    `get {\n  url: https://${pen.host()}/orders\n  auth: basic\n}\n\nauth:basic {\n  username: ${pen.user()}\n  password: ${pen.hide('{{password}}', '{{process.env.PW}}')}\n}\n`,
  ],
  Insomnia: (pen) => [
    'insomnia.yaml',
    `resources:\n  - _type: request\n    authentication:\n      type: basic\n      username: ${pen.user()}\n      password: ${pen.hide('"{{ _.password }}"', "''")}\n`,
  ],
  'client secret of Postman': (pen) => [
    'a.postman_collection.json',
    json({
      auth: {
        type: 'oauth2',
        oauth2: [
          { key: 'clientId', value: 'orders', type: 'string' },
          { key: 'clientSecret', value: pen.key('{{clientSecret}}', ''), type: 'string' },
        ],
      },
    }),
  ],
  'script of Postman': (pen) => [
    'b.postman_collection.json',
    json({
      event: [
        {
          listen: 'prerequest',
          script: {
            exec: [
              `pm.environment.set("clientSecret", ${pen.either(`"${pen.put(pen.random())}"`, 'token', 'pm.variables.get("s")')});`,
            ],
          },
        },
      ],
    }),
  ],
  'header of HAR': (pen) => [
    'trace.har',
    json({
      log: { entries: [{ request: { headers: [{ name: 'Authorization', value: `Bearer ${pen.key('[REDACTED]', '***')}` }] } }] },
    }),
  ],
  'bearer in .http': (pen) => [
    'r.http',
    `GET https://${pen.host()}/orders\nAuthorization: Bearer ${pen.key('{{token}}', '{{login.response.body.token}}')}\nAccept: application/json\n`,
  ],
  'header key in .http': (pen) => [
    'r2.http',
    `GET https://${pen.host()}/orders\napikey: ${pen.key('{{apikey}}', '{{$dotenv KEY}}')}\n`,
  ],
  'login of .http': (pen) => [
    'r3.http',
    `POST https://${pen.host()}/oauth/token?grant_type=client_credentials\nAuthorization: Basic sb-orders!t12:${pen.key('{{secret}}', '{{clientsecret}}')}\n`,
  ],
  Karate: (pen) => [
    'test.feature',
    `Feature: orders\n  Background:\n    * def password = ${pen.either(`'${pen.put(pen.password())}'`, "karate.properties['pw']", 'pw')}\n`,
  ],
  notebook: (pen) => [
    'load.ipynb',
    json({
      cells: [
        {
          cell_type: 'code',
          source: ['import os\n', `password = ${pen.either(`"${pen.put(pen.password())}"`, 'os.environ["PW"]', 'getpass()')}\n`],
        },
      ],
    }),
  ],
  'command in Markdown': (pen) => [
    'README.md',
    `# Deploy\n\nRun \`cf login -u ci -p ${pen.either(pen.put(pen.generated()), '<password>', '$PW')}\` first.\n`,
  ],
  'sentence with the password in code': (pen) => [
    'README.md',
    `# Access\n\nThe user is \`${pen.user()}\`, the password is \`${pen.hide('<password>', 'PASSWORD')}\`.\n`,
  ],
  'bold label in Markdown': (pen) => [
    'docs/access.md',
    `- **User:** ${pen.user()}\n- **Password:** ${pen.either(pen.put(pen.generated()), 'see the vault', 'ask the team')}\n`,
  ],
  'German table': (pen) => [
    'docs/zugang.md',
    `| System | Benutzer | Kennwort |\n|---|---|---|\n| QAS | ${pen.user()} | ${pen.either(pen.put(pen.generated()), 'siehe Tresor', '—')} |\n`,
  ],
  'notes in a text file': (pen) => [
    'notes.txt',
    `QAS client 100\nuser: ${pen.user()}\npw: ${pen.either(pen.put(pen.generated()), '', '<pw>')}\n`,
  ],
  'INSERT of SQL': (pen) => [
    'db/init.sql',
    `INSERT INTO users (name, password) VALUES ('${pen.user()}', '${pen.hide('', '?')}');\n`,
  ],
  'filled-in input of a view': (pen) => [
    'webapp/view/Login.view.xml',
    `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns="sap.m"><Input id="password" type="Password" value="${pen.hide('{/password}', '')}"/></mvc:View>\n`,
  ],
}
