import { TOKEN_ROWS } from '../../core/secrets/index.ts'
import { createDice, drawShape, type Dice } from './draw-shape.ts'
import { drawRow, placeOf } from './draw-row.ts'

/** A value that nobody may read in a report, and a file in which it stands beside a finding. */
export interface DrawnLeak {
  readonly name: string
  readonly path: string
  readonly text: string
  readonly value: string
  /** Others of its kind: what it has in common with one of them is no secret. */
  readonly others: readonly string[]
}

interface Place {
  readonly path: string
  /** `name`: of a credential, in camel case; `value`: without quotes and line ends. */
  readonly write: (name: string, value: string) => string
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const upper = (name: string): string => snake(name).toUpperCase()

/** As a password stands in an address: RFC 3986, section 3.2.1. */
const inAddress = encodeURIComponent

/** All kinds of files, each with a fault of another sort on a line beside. */
const PLACES: readonly Place[] = [
  {
    path: 'webapp/controller/A.controller.js',
    write: (name, v) =>
      `sap.ui.define([], function () {\n  const ${name} = '${v}';\n  eval(location.hash);\n  send({ ${name}: '${v}' });\n});\n`,
  },
  { path: 'webapp/a.js', write: (name, v) => `document.write(location.hash); login({ ${name}: "${v}" })\neval(location.hash)\n` },
  {
    path: 'webapp/b.js',
    write: (name, v) => `// ${name}: ${v}\neval(location.hash)\n/* curl -k -H "Authorization: Bearer ${v}" */\n`,
  },
  { path: 'srv/a.ts', write: (name, v) => `const ${name}: string = '${v}'\nprocess.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'\n` },
  { path: 'srv/b.js', write: (_, v) => `fetch(url, { headers: { Authorization: 'Bearer ${v}' } })\neval(req.query.code)\n` },
  {
    path: 'webapp/index.html',
    write: (name, v) => `<html><script>\nvar ${name} = "${v}";\neval(location.hash);\n</script></html>\n`,
  },
  {
    path: 'webapp/view/A.view.xml',
    write: (name, v) =>
      `<mvc:View xmlns:mvc="sap.ui.core.mvc" xmlns:core="sap.ui.core">\n<!-- ${name}: ${v} -->\n<core:HTML sanitizeContent="false" content="{/html}"/>\n</mvc:View>\n`,
  },
  {
    path: 'db/schema.cds',
    write: (name, v) => `@my.${name}: '${v}'\nservice S @(requires: 'any') { entity A { key ID: UUID; } }\n`,
  },
  { path: 'srv/a.cds', write: (name, v) => `service S { entity A { key ID: UUID; ${name}: String(100) default '${v}'; } }\n` },
  {
    path: 'xs-app.json',
    write: (name, v) =>
      `{ "${name}": "${v}",\n "authenticationMethod": "none",\n "routes": [{ "source": "^/(.*)$", "target": "$1", "destination": "d", "authenticationType": "none" }] }\n`,
  },
  {
    path: 'xs-security.json',
    write: (name, v) =>
      `{ "xsappname": "x", "${name}": "${v}",\n "oauth2-configuration": { "redirect-uris": ["http://*/**"] } }\n`,
  },
  {
    path: 'mta.yaml',
    write: (name, v) =>
      `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: a\n    type: nodejs\n    properties:\n      ${snake(name)}: ${v}\n      NODE_TLS_REJECT_UNAUTHORIZED: "0"\n`,
  },
  {
    path: 'Dockerfile',
    write: (name, v) => `FROM node:latest\nENV ${upper(name)}=${v}\nRUN curl -k -u admin:${v} https://x.corp.cloud | sh\n`,
  },
  { path: '.env', write: (name, v) => `${upper(name)}=${v}\nNODE_TLS_REJECT_UNAUTHORIZED=0\n` },
  { path: 'deploy.sh', write: (name, v) => `export ${upper(name)}="${v}"\ncurl -k https://x.corp.cloud | bash\n` },
  {
    path: 'Jenkinsfile',
    write: (name, v) =>
      `node {\n  def ${name} = "${v}"\n  sh "curl -k -H 'Authorization: Basic ${v}' https://x.corp.cloud | sh"\n}\n`,
  },
  {
    path: '.github/workflows/a.yml',
    write: (name, v) =>
      `on: pull_request_target\njobs:\n  a:\n    runs-on: x\n    env:\n      ${upper(name)}: ${v}\n    steps:\n      - run: echo \${{ github.event.pull_request.title }} ${v}\n`,
  },
  {
    path: 'README.md',
    write: (name, v) => `# A\n\n${name}: \`${v}\`\n\n    curl -k -H "Authorization: Bearer ${v}" https://x.corp.cloud\n`,
  },
  {
    path: 'application.properties',
    write: (name, v) => `app.${name}=${v}\ncds.security.mock.enabled=true\nserver.ssl.enabled=false\n`,
  },
  {
    path: 'docker-compose.yml',
    write: (name, v) => `services:\n  a:\n    image: x\n    privileged: true\n    environment:\n      ${upper(name)}: ${v}\n`,
  },
  {
    path: 'db/src/p.hdbprocedure',
    write: (name, v) =>
      `PROCEDURE p(IN x NVARCHAR(20)) LANGUAGE SQLSCRIPT SQL SECURITY DEFINER AS BEGIN\n  DECLARE ${name} NVARCHAR(500) = '${v}';\n  EXECUTE IMMEDIATE 'SELECT ' || :x || '${v}';\nEND;\n`,
  },
  {
    path: 'srv/src/main/java/shop/Handler.java',
    write: (name, v) =>
      `@RestController class Handler {\n  private static final String ${name} = "${v}";\n  SecurityFilterChain f(HttpSecurity h) { return h.csrf(c -> c.disable()).authorizeHttpRequests(a -> a.anyRequest().permitAll()).build(); } // ${v}\n}\n`,
  },
  {
    path: 'webapp/pumped.jsx',
    write: (name, v) =>
      `export default function Page() {\n  const ${name} = \`${v}\`\n  eval(location.hash)\n  return <div data-key="${v}" dangerouslySetInnerHTML={{ __html: location.hash }} />\n}\n`,
  },
  { path: 'srv/lib.xsjs', write: (name, v) => `var ${name} = "${v}";\neval($.request.parameters.get("a")); // ${v}\n` },
  {
    path: 'db/data/shop-Users.csv',
    write: (name, v) => `ID;name;${snake(name)};email\n1;Ann;${v};ann@corp.cloud\n2;Bob;${v};bob@corp.cloud\n`,
  },
  {
    path: 'package.json',
    write: (name, v) =>
      `{ "name": "x",\n "scripts": { "deploy": "${upper(name)}=${v} curl -k -H 'X-Key: ${v}' https://x.corp.cloud | sh" },\n "config": { "${name}": "${v}" },\n "dependencies": { "@sap/cds": "*" } }\n`,
  },
  {
    path: '.cdsrc.json',
    write: (name, v) =>
      `{ "requires": { "auth": { "kind": "mocked", "users": { "a": { "${name}": "${v}", "password": "${v}" } } },\n "api": { "credentials": { "${name}": "${v}" } } } }\n`,
  },
  {
    path: 'default-env.json',
    write: (name, v) =>
      `{ "VCAP_SERVICES": { "x": [ { "credentials": { "${snake(name)}": "${v}" } } ] },\n "NODE_TLS_REJECT_UNAUTHORIZED": "0" }\n`,
  },
  {
    path: 'webapp/manifest.json',
    write: (name, v) =>
      `{ "sap.app": { "id": "x", "type": "application", "dataSources": {\n "d": { "uri": "http://x.corp.cloud/?${name}=${v}", "type": "OData", "settings": { "${name}": "${v}" } } } }, "sap.ui5": {} }\n`,
  },
  {
    path: 'webapp/view/A.view.json',
    write: (name, v) =>
      `{ "Type": "sap.ui.core.mvc.JSONView", "content": [\n { "Type": "sap.ui.core.HTML", "sanitizeContent": false, "content": "{/a}", "${name}": "${v}" } ] }\n`,
  },
  {
    path: 'ui5.yaml',
    write: (name, v) =>
      `specVersion: "3.0"\nserver:\n  customMiddleware:\n    - name: fiori-tools-proxy\n      configuration:\n        ignoreCertErrors: true\n        ${name}: "${v}"\n        # ${v}\n`,
  },
  {
    path: 'k8s/deployment.yaml',
    write: (name, v) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec: {template: {spec: {containers: [\n  {name: a, image: "b:latest", securityContext: {privileged: true}, env: [{name: ${upper(name)}, value: "${v}"}], args: ["--${name}=${v}"]}]}}}\n`,
  },
  {
    path: 'package-lock.json',
    write: (_, v) =>
      `{ "lockfileVersion": 3, "packages": { "node_modules/lodash": { "version": "4.17.15",\n "resolved": "http://ci:${inAddress(v)}@npm.corp.cloud/lodash.tgz" } } }\n`,
  },
  {
    path: 'pom.xml',
    write: (name, v) =>
      `<project><repositories><repository><url>http://ci:${inAddress(v)}@repo.corp.cloud/m2</url></repository></repositories>\n<properties><${name}>${v}</${name}></properties></project>\n`,
  },
  {
    path: 'azure-pipelines.yml',
    write: (name, v) =>
      `steps:\n  - script: curl -k -u ci:${v} https://x.corp.cloud | sh && echo $(Build.SourceVersionMessage)\n    env: { ${upper(name)}: ${v} }\n`,
  },
  {
    path: '.gitlab-ci.yml',
    write: (name, v) =>
      `variables: { ${upper(name)}: "${v}" }\na:\n  script:\n    - eval "echo $CI_COMMIT_TITLE ${v}"\n    - curl -k https://x.corp.cloud | sh\n`,
  },
  {
    path: 'requests.http',
    write: (name, v) => `GET http://x.corp.cloud/?${name}=${v}\nAuthorization: Bearer ${v}\nX-Api-Key: ${v}\n`,
  },
  {
    path: 'webapp/i18n/i18n.properties',
    write: (name, v) => `${name}=${v}\ntitle=<script>eval(location.hash)</script> ${v}\n`,
  },
  {
    path: '.github/dependabot.yml',
    write: (_, v) =>
      `version: 2\nregistries:\n  a: { type: npm-registry, url: "http://npm.corp.cloud", token: "${v}" }\nupdates: []\n`,
  },
  {
    path: 'db/described.cds',
    write: (name, v) =>
      `@Core.Description: 'token=${v}'\n@path: '/srv?${name}=${v}'\nservice S @(requires: 'any') { entity A { key ID: UUID; } }\n`,
  },
  {
    path: 'webapp/fragment/A.fragment.xml',
    write: (name, v) =>
      `<core:FragmentDefinition xmlns:core="sap.ui.core" xmlns:app="x">\n<core:HTML sanitizeContent="false" content="{/html}" app:${name}="${v}"/>\n</core:FragmentDefinition>\n`,
  },
  {
    path: 'webapp/positions.js',
    write: (_, v) => `login('admin', '${v}')\neval(location.hash)\nsend([1, "${v}", \`${v}\`]) // ${v}\n`,
  },
  // the name on one line, the value on the next
  {
    path: 'webapp/lines.js',
    write: (name, v) => `const ${name} =\n  '${v}'\neval(location.hash)\nsend({ ${name}:\n  "${v}" })\n`,
  },
  {
    path: 'lines/mta.yaml',
    write: (name, v) =>
      `_schema-version: "3.1"\nID: a\nversion: 1.0.0\nmodules:\n  - name: a\n    type: nodejs\n    properties:\n      NODE_TLS_REJECT_UNAUTHORIZED: "0"\n      ${snake(name)}: >-\n        ${v}\n`,
  },
  {
    path: 'srv/src/main/webapp/WEB-INF/web.xml',
    write: (name, v) =>
      `<web-app>\n<context-param><param-name>${name}</param-name><param-value>${v}</param-value></context-param>\n<session-config><cookie-config><http-only>false</http-only><secure>false</secure></cookie-config></session-config>\n</web-app>\n`,
  },
  {
    path: 'dev.mtaext',
    write: (name, v) =>
      `_schema-version: "3.1"\nID: a.dev\nextends: a\nmodules:\n  - name: a\n    properties:\n      ${upper(name)}: "${v}"\n      NODE_TLS_REJECT_UNAUTHORIZED: "0"\n`,
  },
  {
    path: 'manifest.yml',
    write: (name, v) =>
      `applications:\n  - name: a\n    env:\n      ${upper(name)}: ${v}\n      NODE_TLS_REJECT_UNAUTHORIZED: "0"\n      # ${v}\n`,
  },
  {
    path: 'srv/src/main/resources/application.yaml',
    write: (name, v) =>
      `cds:\n  security:\n    mock:\n      enabled: true\n      users: [{ name: a, ${name}: "${v}" }]\nmanagement.endpoints.web.exposure.include: "*"\n`,
  },
  {
    path: 'destinations.json',
    write: (name, v) =>
      `[{ "Name": "a", "URL": "http://x.corp.cloud", "Type": "HTTP", "ProxyType": "Internet",\n "Authentication": "BasicAuthentication", "User": "a", "${name}": "${v}", "TrustAll": "true" }]\n`,
  },
  { path: '.yarnrc.yml', write: (_, v) => `enableStrictSsl: false\nnpmAuthToken: ${v}\n# ${v}\n` },
  { path: '.npmrc', write: (_, v) => `strict-ssl=false\n//npm.corp.cloud/:_authToken=${v}\n` },
]

const NAMES = [
  'clarifaiKey',
  'demioKey',
  'password',
  'apiToken',
  'clientSecret',
  'dbPassword',
  'adminPwd',
  'signingSecret',
  'accessToken',
  'apiKey',
  'webhookSecret',
  'authToken',
  'masterKey',
  'smtpPassword',
] as const

/** Random ones as generators of passwords, keys and tokens draw them. */
const RANDOM = [
  '[A-Za-z0-9]{24}',
  '[A-Za-z0-9]{40}',
  '[a-f0-9]{40}',
  '[A-Z][a-z][0-9][A-Za-z0-9]{17}',
  '[A-Za-z0-9_-]{43}',
  '[A-Z2-7]{32}',
  '[a-z0-9]{32}',
  '[A-Z0-9]{24}',
  '[A-Za-z]{32}',
  '[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-a[a-f0-9]{3}-[a-f0-9]{12}',
  '[A-Za-z0-9!@*.]{24}',
] as const

const ROWS = TOKEN_ROWS.filter(({ shape }) => shape !== undefined)

const OTHERS = Array.from({ length: 24 }, (_, other) => `other ${other}`)

/** The same for the same seed. */
export function drawLeak(seed: string): DrawnLeak {
  const dice = createDice(`leak ${seed}`)
  const place = PLACES[dice.below(PLACES.length)] ?? { path: '', write: () => '' }
  const name = NAMES[dice.below(NAMES.length)] ?? ''
  const { sort, value, others, written } = dice.below(2) === 0 ? drawOfRow(dice, seed) : drawRandom(dice)
  return {
    name: `${sort} in ${place.path}, ${name}, seed ${seed}`,
    path: place.path,
    text: place.write(name, written),
    value,
    others,
  }
}

interface Drawn {
  readonly sort: string
  readonly value: string
  readonly others: readonly string[]
  readonly written: string
}

function drawRandom(dice: Dice): Drawn {
  const shape = RANDOM[dice.below(RANDOM.length)] ?? ''
  const value = drawShape(shape, dice)
  return { sort: shape, value, others: [], written: value }
}

function drawOfRow(dice: Dice, seed: string): Drawn {
  const row = ROWS[dice.below(ROWS.length)]
  if (row === undefined) throw new Error('no rows')
  const value = drawRow(row, seed)
  return { sort: row.name, value, others: OTHERS.map((other) => drawRow(row, `${other} ${seed}`)), written: placeOf(row, value) }
}
