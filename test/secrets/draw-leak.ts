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
] as const

const ROWS = TOKEN_ROWS.filter(({ shape }) => shape !== undefined)

const OTHERS = Array.from({ length: 8 }, (_, other) => `other ${other}`)

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
