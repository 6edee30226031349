import type { Writers } from '../material/sample.ts'

/** Lists, pipes, fields and elements with nothing secret in them. */
export const ATTACHED_QUIET: Writers = {
  'flags of other commands': (pen) => [
    'tools/a.js',
    `spawn('mysqldump', ['-u', 'root', '-p', 'orders'])\nspawn('docker', ['run', '-p', '8080:8080', 'image-${pen.shape('{h7}')}'])\n`,
  ],
  'secrets that a build or a container is given by name': () => [
    '.github/workflows/a.yml',
    `steps:\n  - run: |\n      docker build --secret id=npm_token,env=NPM_TOKEN_2024 -t shop .\n      docker buildx build --secret=id=npmrc,src=/home/ci/.npmrc1 .\n      podman run --secret db-login1,type=env,target=DB_LOGIN_PW shop\n      docker service create --secret source=site.key,target=site.key2,mode=0400 shop\n`,
  ],
  'arguments of another call': (pen) => [
    'tools/b.js',
    `execFile('mysqldump', args, done)\nconst flags = ['-p${pen.shape('{A1}{a6}{d2}')}', '-v']\nspawn('git', flags)\n`,
  ],
  'items of other commands': () => [
    'k8s/a.yaml',
    `command:\n  - curl\n  - -sf\n  - http://localhost:8080/health\nargs:\n  - -p\n  - "8080"\n`,
  ],
  'types of elements': () => [
    'api/a.xml',
    `<Schema>\n  <Password Type="Edm.String" MaxLength="40"/>\n  <Property Name="Password" Type="Edm.String"/>\n  <Password Type="http://x.corp.cloud#PasswordDigest">q1Wz8Kx/aP0s7Yt3uQd2Lw9Zr4c=</Password>\n</Schema>\n`,
  ],
  'fields without a value': () => [
    'webapp/a.js',
    `const fields = [{ type: 'password', value: '' }, { type: "password", value: "{/password}" }]\nthis.enterPassword(this.value)\npage.fill('#password', '')\n`,
  ],
  'options and their descriptions': () => [
    'tools/c.js',
    `program.option('password', 'The password of the technical user')\ncli.option("token", "Token of the API")\n`,
  ],
  'pipes with words': () => ['deploy/a.sh', `echo "y" | sudo -S true\necho "done" | docker secret create motd -\n`],
  'routes without a password': () => [
    'src/a.js',
    `const route = '/H/saprouter.corp.cloud/S/3299/H/qas01/S/3200'\nconst path = '/a/H/b/W/c'\n`,
  ],
  'scenarios without a password': () => [
    'features/a.feature',
    `Scenario: Reset\n  When I label "Password" as "required"\n  Then I see the hint "Password" with "8 characters"\n`,
  ],
  'addresses without a password': () => [
    'docs/a.env',
    `SHARE=smb://files.corp.cloud/orders\nBUS=mqtts://svc@bus.corp.cloud:8883\nBUCKET=s3-eu-central-1://orders-backup/2026\n`,
  ],
  'JSON in attributes': () => [
    'webapp/a.html',
    `<div data-settings="{&quot;user&quot;:&quot;SVC&quot;,&quot;passwordLabel&quot;:&quot;Password&quot;,&quot;token&quot;:&quot;&quot;}"></div>\n`,
  ],
  'columns of ImpEx': () => [
    'resources/a.impex',
    `INSERT_UPDATE Employee;uid[unique=true];password\n;admin;md5:5f4dcc3b5aa765d61d8327deb882cf99\n;svc;$defaultPassword\n;none;\n`,
  ],
}
