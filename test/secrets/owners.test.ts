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

describe('users of mocked authentication', () => {
  const users = (name: string, password: string): string =>
    JSON.stringify(
      { cds: { requires: { auth: { kind: 'mocked', users: { [name]: { password, roles: ['admin'] } } } } } },
      null,
      2,
    )

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
