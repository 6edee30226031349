import { toBase64 } from '../material/draw.ts'
import { js, text, word, type Places } from './place.ts'

/** Commands whose words are a list, and what is given by its position, by a pipe, by an attribute or to a field. */
export const ATTACHED_PLACES: Places = {
  'attached flag in a health check': (pen) => [
    'compose.yaml',
    `services:\n  db:\n    image: mysql:8\n    healthcheck:\n      test: ["CMD", "mysqladmin", "ping", "-uroot", "-p${word(pen, '$$MYSQL_ROOT_PASSWORD', '${PW}')}"]\n`,
  ],
  'attached flag in spawn': (pen) => [
    'tools/dump.js',
    `const { spawn } = require('child_process')\nspawn('mysqldump', ['-u', 'root', ${pen.either(`'-p${pen.put(pen.generated())}'`, '`-p${process.env.DB_PW}`', "'-p' + pw")}, 'orders'], { stdio: 'inherit' })\n`,
  ],
  'attached flag with a path': (pen) => [
    'tools/dump.py',
    `import subprocess\nsubprocess.run(["/usr/bin/mysqldump", "-uroot", ${pen.either(`"-p${pen.put(pen.generated())}"`, 'f"-p{password}"', '"-p" + password')}, "orders"], check=True)\n`,
  ],
  'attached flag in items of YAML': (pen) => [
    'k8s/backup.yaml',
    `spec:\n  containers:\n    - name: dump\n      command:\n        - mysqldump\n        - -uroot\n        - -p${word(pen, '$(MYSQL_PW)', '${PW}')}\n        - orders\n`,
  ],
  'arguments beside the command': (pen) => [
    'k8s/job.json',
    `{"containers":[{"command":["mysqldump"],"args":["-uroot","-p${word(pen, '$(PW)', '${PW}')}","orders"]}]}\n`,
  ],
  'flag of a probe': (pen) => [
    'k8s/redis.yaml',
    `livenessProbe:\n  exec:\n    command: ["redis-cli", "-a", "${word(pen, '$(REDIS_PW)', '${PW}')}", "ping"]\n`,
  ],
  'flag in items of YAML': (pen) => [
    'k8s/redis2.yaml',
    `livenessProbe:\n  exec:\n    command:\n    - redis-cli\n    - -a\n    - ${word(pen, '$(REDIS_PW)', '"$REDIS_PW"')}\n    - ping\n`,
  ],
  'pair in a list': (pen) => [
    'tools/ping.ts',
    `execFileSync('curl', ['-s', '-u', ${pen.either(`'svc:${pen.put(pen.generated())}'`, '`svc:${pw}`', 'credentials')}, 'https://erp.corp.cloud/ping'])\n`,
  ],
  'position in a list': (pen) => [
    'Dockerfile',
    `FROM httpd:2.4\nRUN ["htpasswd", "-bc", "/etc/htpasswd", "admin", "${word(pen, '$ADMIN_PW', '${ADMIN_PW}')}"]\n`,
  ],
  'ProcessBuilder of Java': (pen) => [
    'src/Dump.java',
    `new ProcessBuilder("hdbsql", "-n", "db:39015", "-u", "SYSTEM", "-p", ${text(pen, 'password', 'System.getenv("PW")')}, "SELECT 1 FROM DUMMY").start();\n`,
  ],
  'podman secret from printf': (pen) => [
    'deploy/p.sh',
    `printf '%s' '${word(pen, '$PW', '${PW}')}' | podman secret create orders_pw -\n`,
  ],
  'sudo from echo': (pen) => ['deploy/s.sh', `echo ${word(pen, '$PW', '"$PW"')} | sudo -S systemctl restart cds\n`],
  'kinit from echo': (pen) => ['deploy/k.sh', `echo '${word(pen, '$PW', '${PW}')}' | kinit svc@CORP.CLOUD\n`],
  'vault from echo': (pen) => ['deploy/v.sh', `echo -n "${word(pen, '$PW', '${PW}')}" | vault kv put kv/orders password=-\n`],
  'PDO of PHP': (pen) => [
    'web/db.php',
    `<?php\n$db = new PDO('mysql:host=db;dbname=o', 'orders', ${js(pen, '$password', "getenv('PW')")});\n`,
  ],
  'mysqli of PHP': (pen) => ['web/db2.php', `<?php\n$db = new mysqli('db', 'orders', ${js(pen, '$pw', "$_ENV['PW']")}, 'o');\n`],
  'ldap_bind of PHP': (pen) => ['web/ldap.php', `<?php\nldap_bind($ds, 'cn=svc,dc=corp', ${js(pen, '$pw', "getenv('PW')")});\n`],
  'simple bind of Python': (pen) => [
    'tools/l.py',
    `conn.simple_bind_s("cn=svc,dc=corp", ${text(pen, 'password', 'os.environ["PW"]')})\n`,
  ],
  'UsernameToken of zeep': (pen) => [
    'tools/z.py',
    `client = Client(WSDL, wsse=UsernameToken("SVC", ${text(pen, 'password', 'settings.pw')}))\n`,
  ],
  'WSSecurity of node-soap': (pen) => [
    'srv/soap.js',
    `client.setSecurity(new soap.WSSecurity('SVC', ${js(pen, 'password', 'process.env.PW')}, options))\n`,
  ],
  'Some of Rust': (pen) => [
    'src/main.rs',
    `let r = client.get(url).basic_auth("svc", Some(${text(pen, 'pw', 'env::var("PW")?')})).send()?;\n`,
  ],
  'digest of Requests': (pen) => [
    'tools/r.py',
    `r = requests.get(URL, auth=HTTPDigestAuth("svc", ${text(pen, 'pw', 'args.pw')}))\n`,
  ],
  'PIN of a keystore of SAP': (pen) => [
    'basis/pse.sh',
    `sapgenpse import_p12 -p SAPSSLC.pse -z ${word(pen, '$P12_PIN', '"$P12_PIN"')} client.p12\n`,
  ],
  'SAP GUI from Python': (pen) => [
    'tools/gui.py',
    `session.findById("wnd[0]/usr/pwdRSYST-BCODE").text = ${text(pen, 'password', 'os.environ["PW"]')}\n`,
  ],
  'route string without a service': (pen) => [
    'src/dest.js',
    `module.exports = { saprouter: '/H/gate.corp.cloud/W/${word(pen, '${pw}', '********')}/H/', ashost: 'qas01' }\n`,
  ],
  'attributes before the text': (pen) => [
    'conf/users.xml',
    `<users>\n  <user name="svc"><password encrypted="false" xml:space="preserve">${pen.hide('${pw}', '')}</password></user>\n</users>\n`,
  ],
  'digest of a token': (pen) => [
    'soap/b.xml',
    `<w:UsernameToken xmlns:w="http://x.corp.cloud"><w:Username>SVC</w:Username><w:Password Type='http://x.corp.cloud#PasswordText'>${pen.hide('?', '${pw}')}</w:Password></w:UsernameToken>\n`,
  ],
  'capital names of elements': (pen) => [
    'conf/p.xml',
    `<Parameters>\n  <Parameter>\n    <Key>proxyPassword</Key>\n    <Value>${pen.hide('', '********')}</Value>\n  </Parameter>\n</Parameters>\n`,
  ],
  'ImpEx of users': (pen) => [
    'resources/u.impex',
    `INSERT_UPDATE Customer;uid[unique=true];password[default=$defaultPassword];name\n;svc-orders;${pen.hide('', '$defaultPassword')};Orders\n`,
  ],
  'addresses of other schemes': (pen) => [
    'config/mounts.env',
    `SHARE=smb://svc:${pen.either(pen.put(pen.random()), '${SMB_PW}', '<password>')}@files.corp.cloud/orders\n`,
  ],
  'address of MQTT': (pen) => [
    'srv/bus.js',
    `const bus = mqtt.connect(${pen.either(`'mqtts://svc:${pen.put(pen.random())}@bus.corp.cloud:8883'`, '`mqtts://svc:${pw}@bus.corp.cloud:8883`', 'url')})\n`,
  ],
  'scenario in words': (pen) => [
    'features/login.feature',
    `Feature: Login\n  Scenario: Buyer\n    When I fill in "User" with "T_BUYER"\n    And I fill in "Password" with "${pen.hide('<password>', '')}"\n    Then I see the list\n`,
  ],
  'field of a page object': (pen) => [
    'e2e/login.ts',
    `await page.fill('#password-input', ${js(pen, 'process.env.PW', 'credentials.password')})\n`,
  ],
  'recording of a browser': (pen) => [
    'e2e/login.json',
    `${JSON.stringify({ steps: [{ type: 'change', selectors: [['#password-inner']], selector: '#password-inner', value: pen.hide('{{password}}', '') }] }, undefined, 2)}\n`,
  ],
  'typing of a page object': (pen) => [
    'e2e/pages.js',
    `async login() {\n  await this.enterUser('T_BUYER')\n  await this.typePassword(${js(pen, 'password', 'env.pw')})\n}\n`,
  ],
  'configuration of Spark': (pen) => [
    'etl/load.py',
    `df = spark.read.format("jdbc").option("user", "ETL").option("password", ${text(pen, 'pw', 'os.environ["PW"]')}).load()\n`,
  ],
  'JSON in an address': (pen) => [
    'docs/launch.http',
    `GET https://portal.corp.cloud/run?settings=%7B%22user%22%3A%22SVC%22%2C%22password%22%3A%22${pen.either(pen.put(pen.random()), '{{password}}', '')}%22%7D\n`,
  ],
  'key as base64 of JSON': (pen) => [
    'ci/k.env',
    `SERVICE_KEY=${pen.either(pen.put(toBase64(JSON.stringify({ user: 'svc', password: pen.random(), url: 'https://api.corp.cloud' }))), '', toBase64(JSON.stringify({ user: '<user>', password: '<password>', url: '<url>' })))}\n`,
  ],
  'encrypted by Jasypt': (pen) => [
    'src/main/resources/application.properties',
    `spring.datasource.username=orders\nspring.datasource.password=${pen.either(pen.put(pen.password()), `ENC(${pen.shape('{b43}')}=)`, `{cipher}${pen.shape('{h96}')}`)}\n`,
  ],
}
