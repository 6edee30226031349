import { describe, expect, test } from 'vitest'
import { openCredentials } from './open-credentials.ts'
import { createDice, drawShape } from './draw-shape.ts'

const dice = createDice('owners')
const PASSWORD = drawShape('[A-Z][0-9][a-z][A-Za-z0-9]{12}[0-9]{2}', dice)
const KEY = drawShape('[0-9a-f]{32}', dice)
const OTHER_KEY = drawShape('[0-9a-f]{32}', dice)

/** Row, impact and evidence of what is found. */
function tell(path: string, text: string): string[] {
  const { byRow } = openCredentials(text, { path }).found()
  return [...byRow.values()].flat().map(({ row, impact, evidence }) => `${row} ${impact} ${evidence}`)
}

describe('a key is of the vendor that its own name says', () => {
  test('not of one that stands before it', () => {
    const text = `const twilioKey = '${KEY}'\nconst weatherKey = '${OTHER_KEY}'\n`
    expect(tell('srv/a.js', text)).toEqual(['twilio-key takeover assumed', 'generic-secret takeover guessed'])
  })

  test('a name without a vendor is told by what stands before it', () => {
    expect(tell('srv/a.js', `// Twilio\nconst authToken = '${KEY}'\n`)).toEqual(['twilio-key takeover assumed'])
  })
})

describe('keys of Web Push', () => {
  const PRIVATE = drawShape('[A-Za-z0-9_-]{20}[0-9][A-Z][a-z][A-Za-z0-9_-]{19}[AEIMQUYc]', dice)
  const PUBLIC = `B${drawShape('[A-Za-z0-9_-]{20}[0-9][A-Z][a-z][A-Za-z0-9_-]{62}[AEIMQUYc]', dice)}`

  test('the private one is told, by either order of its name', () => {
    expect(tell('.env', `VAPID_PUBLIC_KEY=${PUBLIC}\nVAPID_PRIVATE_KEY=${PRIVATE}\n`)).toEqual(['vapid-key bounded shown'])
    expect(tell('config/config.env', `PRIVATE_VAPID_KEY=${PRIVATE}\n`)).toEqual(['vapid-key bounded shown'])
    expect(tell('srv/push.js', `push.setVapidDetails('mailto:it@kiosk.example', '${PUBLIC}', '${PRIVATE}')\n`)).toEqual([
      'vapid-key bounded shown',
    ])
  })

  test('the public one is for pages', () => {
    expect(tell('webapp/push.js', `const vapidKey = '${PUBLIC}'\nconst PUBLIC_VAPID_KEY = '${PUBLIC}'\n`)).toEqual([])
  })
})

describe('what is complete', () => {
  const SID = `AC${drawShape('[0-9a-f]{32}', dice)}`
  const SECRET = drawShape('[A-Z][0-9][a-z][A-Za-z0-9_-]{22}[0-9]{2}', dice)
  const MEDIA_KEY = drawShape('[1-9][0-9]{14}', dice)

  test('the authentication token of Twilio with the SID of its account', () => {
    const code = (sid: string): string =>
      `const accountSid = '${sid}'\nconst authToken = '${KEY}'\nsend('https://api.twilio.com/2010-04-01/Accounts/' + accountSid)\n`
    expect(tell('srv/a.js', code(SID))).toEqual(['twilio-key takeover shown'])
    expect(tell('webapp/controller/A.controller.js', code(SID))).toEqual(['twilio-key takeover shown'])
    expect(tell('README.md', code(SID))).toEqual(['twilio-key takeover assumed'])
    expect(tell('srv/a.js', code('ACxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'))).toEqual(['generic-secret takeover assumed'])
    expect(tell('srv/a.js', code(SID).replace(KEY, `SK${KEY}`))).not.toContain('twilio-key takeover shown')
  })

  test('the secret of Cloudinary with its key and its cloud', () => {
    const code = (name: string): string =>
      `media.config({\n  cloud_name: ${name},\n  api_key: '${MEDIA_KEY}',\n  api_secret: '${SECRET}'\n})\n`
    expect(tell('srv/a.js', code(`'kiosk'`))).toContain('cloudinary-secret takeover shown')
    expect(
      tell('.env', `CLOUDINARY_CLOUD_NAME=kiosk\nCLOUDINARY_API_KEY=${MEDIA_KEY}\nCLOUDINARY_API_SECRET=${SECRET}\n`),
    ).toEqual(['cloudinary-secret takeover shown'])
    expect(tell('.env', `CLOUDINARY_NAME=kiosk\nCLOUDINARY_API=${MEDIA_KEY}\nCLOUDINARY_API_SECRET=${SECRET}\n`)).toEqual([
      'cloudinary-secret takeover shown',
    ])
    expect(tell('.env', `CLOUDINARY_API_SECRET=${SECRET}\n`)).toEqual(['cloudinary-secret takeover assumed'])
    expect(tell('srv/a.js', code('process.env.CLOUD'))).not.toContain('cloudinary-secret takeover shown')
  })

  test('the password of a database whose address leaves it open', () => {
    const text = (host: string, value: string): string =>
      `# Kiosk\n\n    URI=mongodb+srv://kiosk_user:<db_password>@${host}/kiosk\n${'\nMore of it.\n'.repeat(100)}\n- Or: \`set MONGODB_PASSWORD=${value}\` before running\n`
    expect(tell('README.md', text('kiosk.ab1cd.mongodb.net', PASSWORD))).toEqual(['generic-password takeover assumed'])
    expect(tell('README.md', text('localhost', PASSWORD))).toEqual(['generic-password takeover guessed'])
    expect(tell('README.md', text('kiosk.ab1cd.mongodb.net', 'your_password'))).toEqual([])
    expect(tell('README.md', text('kiosk.ab1cd.mongodb.net', 'MyPassword2024'))).toEqual([])
  })

  test('settings of a README, but no links', () => {
    const settings = (host: string): string =>
      `\`\`\`sh\nexport DB_HOST=${host}\nexport DB_USER=kiosk\nexport DB_PASSWORD=${PASSWORD}\n\`\`\`\n`
    expect(tell('README.md', settings('db.kiosk-shop.cloud'))).toEqual(['generic-password takeover assumed'])
    expect(tell('README.md', settings('localhost'))).toEqual(['generic-password takeover guessed'])
    const link = `See https://kiosk-tools.io/docs\n\nexport DB_USER=kiosk\nexport DB_PASSWORD=${PASSWORD}\n`
    expect(tell('README.md', link)).toEqual(['generic-password takeover guessed'])
  })

  test('a registry that is retired is less', () => {
    expect(tell('.npmrc', `//registry.kiosk-shop.cloud/:_authToken=${PASSWORD}\n`)).toEqual(['npmrc-credential takeover shown'])
    expect(tell('.npmrc', `//npm.sap.com/:_authToken=${PASSWORD}\n`)).toEqual(['npmrc-credential takeover assumed'])
    expect(tell('.npmrc', `//npm.sap.com/:_authToken="${PASSWORD}"\n`)).toEqual(['npmrc-credential takeover assumed'])
  })

  test('secrets by name and version are none', () => {
    const args = `args: ['run', 'deploy', '--set-secrets', 'DB_PASSWORD=db-password:latest,DB_URI=db-uri:latest']\n`
    expect(tell('cloudbuild.yaml', args)).toEqual([])
    expect(
      tell('deploy.sh', 'gcloud run deploy kiosk --set-secrets DB_PASSWORD=kiosk-db-2:3,API_KEY=kiosk-api:latest\n'),
    ).toEqual([])
  })
})

describe('users of mocked authentication', () => {
  const users = (name: string, password: string): string =>
    JSON.stringify(
      { cds: { requires: { auth: { kind: 'mocked', users: { [name]: { password, roles: ['admin'] } } } } } },
      null,
      2,
    )

  test('a password beside a user whose name says of what', () => {
    const settings = (user: string): string =>
      `{ "kiosk": { "hanaEndpoint": "kiosk.hana.prod-eu10.hanacloud.ondemand.com:443", "hanaUser": "${user}", "hanaPassword": "${PASSWORD}" } }\n`
    expect(tell('.generator.json', settings('KIOSK_ADMIN'))).toEqual(['sap-hana-connect takeover shown'])
    expect(tell('.generator.json', settings('<user>'))).toEqual(['sap-hana-connect takeover assumed'])
  })

  test('an address without its scheme, known by its port', () => {
    const settings = (address: string): string =>
      `PORT=4000\nHANA_DB_URL=${address}\nHANA_DB_USERNAME=KIOSK_ADMIN\nHANA_DB_PASSWORD=${PASSWORD}\n`
    expect(tell('.env', settings('kiosk.hana.trial-us10.hanacloud.ondemand.com:443'))).toEqual([
      'sap-hana-connect takeover shown',
    ])
    expect(tell('.env', settings('kiosk.hana.trial-us10'))).toEqual(['sap-hana-connect takeover assumed'])
    expect(tell('.env', settings('$DB_ADDRESS'))).toEqual(['sap-hana-connect takeover assumed'])
  })

  test('a login that is sent to an address by its variable', () => {
    const code = (sent: string): string =>
      `const login = { userid: 'kiosk', password: '${PASSWORD}' }\nawait axios.post('https://sms.kiosk-shop.cloud/send', ${sent}, {})\n`
    expect(tell('srv/sms.js', code('login'))).toEqual(['generic-password takeover shown'])
    expect(tell('srv/sms.js', code('message'))).toEqual(['generic-password takeover assumed'])
  })

  test('a person with a password that nobody invented', () => {
    expect(tell('package.json', users('anna.weber@kiosk-shop.cloud', PASSWORD))).toEqual(['generic-password takeover assumed'])
  })

  test.each([
    ['a user of the documentation', 'alice', PASSWORD],
    ['one with an address', 'alice@kiosk-shop.cloud', PASSWORD],
    ['an address of documentation', 'anna.weber@example.com', PASSWORD],
  ])('%s is a guess', (_, name, password) => {
    expect(tell('package.json', users(name, password))).toEqual(['generic-password takeover guessed'])
  })

  test('a password that everybody invents', () => {
    expect(tell('package.json', users('anna.weber@kiosk-shop.cloud', 'initial'))).toEqual([])
  })
})

describe('commands', () => {
  test('a commented login with a password that everybody invents shows how it is used', () => {
    const login = 'cf login -u anna@kiosk-shop.cloud -p MyPassword1'
    expect(tell('deploy.sh', `#!/bin/sh\n# ${login}\n`)).toEqual([])
    expect(tell('deploy.sh', `#!/bin/sh\n${login}\n`)).toEqual(['cf-login takeover guessed'])
    expect(tell('deploy.sh', `#!/bin/sh\n# cf login -u anna@kiosk-shop.cloud -p ${PASSWORD}\n`)).toEqual([
      'cf-login takeover assumed',
    ])
  })

  test('a feed of NuGet', () => {
    const command = 'dotnet nuget add source https://feed.kiosk-shop.cloud/v3/index.json -n kiosk -u build'
    expect(tell('build.sh', `${command} -p ${PASSWORD} --store-password-in-clear-text\n`)).toEqual([
      'command-password takeover shown',
    ])
    expect(tell('build.sh', `${command} -p "$FEED_PASSWORD"\n`)).toEqual([])
  })
})

test.each(['changer-moi', 'suasenha123', 'votremotdepasse', 'ihrPasswort', 'tucontrasena'])('%s is a placeholder', (value) => {
  expect(tell('.env', `SMTP_PASSWORD=${value}\n`)).toEqual([])
})
