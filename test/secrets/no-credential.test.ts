import { describe, expect, test } from 'vitest'
import { openCredentials } from './open-credentials.ts'
import { createDice, drawShape } from './draw-shape.ts'

const drawn = (shape: string): string => drawShape(shape, createDice('no credential'))
const KEY = drawn('[A-Z][0-9][a-z][A-Za-z0-9]{20}[0-9]{2}')
const KEY_ID = `AK${'IA'}${drawn('[A-Z2-7]{16}')}`

/** Row and evidence of what is found. */
function tell(path: string, text: string): string[] {
  const { byRow } = openCredentials(text, { path }).found()
  return [...byRow.values()]
    .flat()
    .map(({ row, impact, evidence, variant }) => [row, impact, evidence, variant].filter(Boolean).join(' '))
}

/** DER of a certificate, as it stands in base64 without its header: SEQUENCE { SEQUENCE { [0] version 3, … */
const bytes = (text: string): number[] => [...text].map((sign) => sign.charCodeAt(0))
const toBase64 = (head: readonly number[]): string => Buffer.from([...head, ...bytes(KEY.repeat(6))]).toString('base64')
const CERTIFICATE = toBase64([0x30, 0x82, 0x03, 0x10, 0x30, 0x82, 0x01, 0xf8, 0xa0, 0x03, 0x02, 0x01, 0x02, 0x02, 0x09])
const PRIVATE_DER = toBase64([0x30, 0x82, 0x04, 0xbe, 0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09])

describe('constants of protocols', () => {
  test.each(['on_behalf_of', 'client_secret_post', 'urn_ietf_token'])('%s', (value) => {
    expect(tell('srv/auth.js', `const body = { requested_token: '${value}' }\nthis.tokenValue = "${value}"\n`)).toEqual([])
  })

  test('what was drawn is none of them', () => {
    expect(tell('srv/auth.js', `const url = 'https://api.corp.cloud'\nthis.tokenValue = "${KEY}"\n`)).toEqual([
      'generic-secret takeover assumed',
    ])
  })

  test('a command is no word of a sentence', () => {
    expect(tell('srv/cf.js', `/** Tells about a CF authentication problem\n * @param {string} text\n */\n`)).toEqual([])
    expect(tell('deploy.sh', `cf auth deployer Xk7#pq9!Lm2\n`)).toEqual(['cf-login takeover assumed'])
  })
})

describe('comparisons without blanks', () => {
  test.each(['u.user===x&&u.password===sPassword', 'a==b&&login.password==entered'])('%s', (code) => {
    expect(tell('webapp/controller/Login.js', `function f(u,x){return ${code}}\n`)).toEqual([])
  })

  test('what an address holds behind the same sign is found', () => {
    expect(tell('webapp/controller/Login.js', `const at='/login?user=deployer&password=Xk7pq9Lm2rT4'\n`)).toHaveLength(1)
  })
})

describe('passes that are none of a login', () => {
  test.each([
    `model.update("/HeadSet(GatePassReqNo='" + requestId + "')", payload)`,
    `const text = "Bill: " + bill + "\\n" +\n  "Gate Pass: " + (out.GatePassNo || "none") + "\\n"`,
    `row.GatePassNo = 'Xk7pqz9Lm2'`,
    `const boardingPass = 'Xk7pqz9Lm2'`,
    `header.addStyleClass(isOk ? "test-header-pass" : "test-header-fail")`,
  ])('%s', (code) => {
    expect(tell('webapp/controller/A.controller.js', `${code}\n`)).toEqual([])
  })

  test('a password beside them is one', () => {
    expect(tell('srv/a.js', `const gatePassword = 'Kranich!4711x'\n`)).toEqual(['generic-password takeover assumed'])
    expect(tell('srv/a.js', `const userPass = 'Kranich!4711x'\n`)).toEqual(['generic-password takeover assumed'])
  })
})

describe('invented values', () => {
  test.each([
    'MyPassword123',
    'ch4ngeme',
    'SecurePass123!',
    'AdminPassword123!',
    'SuPeR!SaVe42#Pw',
    'StrongPassword2024',
    'NuovaPassword123!',
    'MeinSicheresPasswort1',
  ])('%s in a README', (value) => {
    expect(tell('README.md', `\`\`\`yaml\nuser: DBADMIN\npassword: ${value}\n\`\`\`\n`)).toEqual([])
    expect(tell('docs/a.md', `hana-cli massUsers --user ADMIN --password ${value}\n`)).toEqual([])
  })

  test('in code one is a password that everybody tries', () => {
    expect(tell('srv/a.js', `const password = 'MyPassword123'\n`)).toEqual(['generic-password takeover guessed weak'])
  })

  test('a password that a person made is none', () => {
    expect(tell('srv/a.js', `const password = 'Kranich!4711x'\n`)).toEqual(['generic-password takeover assumed'])
    expect(tell('README.md', `password: Kranich!4711x\n`)).toEqual(['generic-password takeover guessed'])
  })

  test('beside placeholders of a README, whatever other hosts it names', () => {
    const text = (url: string): string => `\`\`\`\nclientid="sb-shop!t1"\nclientsecret="${KEY}"\nurl="${url}"\n\`\`\`\n`
    expect(
      tell(
        'readme.md',
        `See https://community.corp.cloud\n${text('https://<your-account>.authentication.eu10.hana.ondemand.com')}`,
      ),
    ).toEqual(['sap-uaa-clientsecret takeover guessed'])
    expect(tell('readme.md', text('https://corp.authentication.eu10.hana.ondemand.com'))).toEqual([
      'sap-uaa-clientsecret takeover assumed',
    ])
  })

  test.each(['{{- $password := (randAlphaNum 32 | b64enc) }}', 'password: (genPrivateKey "rsa")', 'password: randAlphaNum 16'])(
    'functions of Helm: %s',
    (line) => expect(tell('chart/templates/secret.yaml', `data:\n  ${line}\n`)).toEqual([]),
  )

  test.each([
    'tu-contraseña-1',
    'sua_senha_aqui1',
    'la-tua-password1',
    'inserisci-qui-2',
    'votre_secret_ici1',
    'hier-eintragen-1',
    '在此输入密码123',
    'ваш-пароль-1',
  ])('placeholders in other languages: %s', (value) => expect(tell('srv/config.js', `const password = '${value}'\n`)).toEqual([]))
})

describe('what is not secret', () => {
  test('the access key ID in a presigned address, and no other', () => {
    const address = `https://bucket.s3.eu-central-1.amazonaws.com/a?X-Amz-Credential=${KEY_ID}%2F20260101%2Feu-central-1%2Fs3%2Faws4_request&X-Amz-Signature=00`
    expect(tell('docs/a.js', `const link = '${address}'\n`)).toEqual([])
    expect(tell('srv/a.js', `const old = 'https://s3.amazonaws.com/b/a?AWSAccessKeyId=${KEY_ID}&Expires=1'\n`)).toEqual([])
    expect(tell('srv/a.js', `const aws = { id: '${KEY_ID}' }\n`)).toEqual(['aws-access-key-id defence shown'])
  })

  test('a certificate in base64, but the key in base64', () => {
    expect(tell('srv/trust.js', `const signingKey = '${CERTIFICATE}'\n`)).toEqual([])
    expect(tell('srv/trust.js', `const signingKey = '${PRIVATE_DER}'\n`)).toEqual(['generic-secret takeover assumed'])
  })

  test('the UUID of a row under a name that only ends like that of a key, and what was drawn otherwise', () => {
    const row = '5f1d2c3b-9a8e-4c7d-b6a5-0123456789ab'
    const request = (value: string): string => `vars:pre-request {\n  ID: ${row}\n  TOUR_KEY: ${value}\n}\n`
    expect(tell('http/Update Tour.bru', request(row))).toEqual([])
    expect(tell('srv/.env', `PAYMENT_API_KEY=${row}\n`)).toHaveLength(1)
    // services give out such keys
    expect(tell('srv/rates.js', `const COINS_KEY = '${row}'\n`)).toHaveLength(1)
    expect(tell('http/Update Tour.bru', request(KEY))).toHaveLength(1)
  })

  test('keys of Google that a page shows', () => {
    const key = `AI${'za'}${drawn('[A-Za-z0-9_-]{35}')}`
    const page = 'gcp-api-key defence shown browser'
    expect(tell('webapp/firebase.js', `init({ apiKey: "${key}", authDomain: "a.firebaseapp.com" })\n`)).toEqual([page])
    expect(tell('srv/a.js', `const u = 'https://maps.googleapis.com/maps/api/js?key=${key}'\n`)).toEqual([page])
    expect(tell('webapp/view/Map.view.xml', `<m:Map apiKey="${key}"/>\n`)).toEqual([page])
    expect(tell('srv/genai.js', `const key = '${key}'\n`)).toEqual(['gcp-api-key takeover assumed'])
  })
})

describe('requests of developers', () => {
  const basic = (pair: string): string => Buffer.from(pair).toString('base64')
  test('a login for requests to the machine itself alone', () => {
    const environment = (host: string): string =>
      `vars {\n  HOST: http://${host}/odata/v4/orders\n  USERNAME: rita\n  PASSWORD: rita4471\n}\n`
    expect(tell('requests/environments/local.bru', environment('localhost:4004'))).toEqual([])
    expect(tell('requests/environments/test.bru', environment('orders.corp.cloud'))).toHaveLength(1)
  })

  test.each([
    `Basic ${basic('alice:wonderland')}`,
    `Basic alice:wonderland`,
    `Basic max.mustermann@corp.cloud:mustermann`,
    `Basic job-execution:Morgen7`,
  ])('a mock user: %s', (header) => {
    expect(tell('test/orders.http', `GET http://localhost:4004/orders\nAuthorization: ${header}\n`)).toEqual([])
  })

  test('a user of a back end, whom the server of the machine hands on', () => {
    const header = (user: string, password: string): string =>
      `GET http://localhost:4004/orders\nAuthorization: Basic ${basic(`${user}:${password}`)}\n`
    const drawnUp = ['Qu', 'arry#', '48', '15'].join('')
    expect(tell('requests/orders.http', header('WEBERT2', drawnUp))).toEqual(['basic-auth-header takeover assumed'])
    expect(tell('requests/orders.http', header('weber', drawnUp))).toEqual([])
    expect(tell('requests/orders.http', header('QUARRY1', drawnUp))).toEqual([])
    expect(tell('requests/orders.http', header('WEBERT2', 'quarry48'))).toEqual([])
  })

  test('somebody of a company by name and surname, whom the server of the machine hands on', () => {
    const header = (login: string): string => `POST http://localhost:4004/orders\n# Authorization: Basic ${login}\n`
    const password = ['quarry', '@', 'west'].join('')
    expect(tell('srv/orders.http', header(`rosa.weber@corp.cloud ${password}`))).toEqual(['basic-auth-header takeover assumed'])
    expect(tell('srv/orders.http', header(`rosa.weber@example.com ${password}`))).toEqual([])
    expect(tell('srv/orders.http', header(`jane.doe@corp.cloud ${password}`))).toEqual([])
    expect(tell('srv/orders.http', header(`rosa.weber@corp.cloud weber@west`))).toEqual([])
    expect(tell('srv/orders.http', header(`rosa@corp.cloud ${password}`))).toEqual([])
    expect(tell('srv/orders.http', header(`manager.weber@corp.cloud ${password}`))).toEqual([])
    expect(tell('srv/orders.http', header(`rosa.weber@corp.cloud Test@western`))).toEqual([])
  })

  test('a key as the header of a request', () => {
    const request = (host: string): string =>
      `### prices\nGET https://${host}/prices\nX-API-Key: ${KEY}\nAccept: application/json\n`
    expect(tell('requests/prices.http', request('prices.corp.cloud'))).toEqual(['generic-secret takeover assumed'])
    expect(tell('requests/prices.http', request('prices.corp.internal'))).toEqual(['generic-secret takeover guessed'])
  })

  test('a password of mail with its address and server in the body of a request for the machine itself', () => {
    const password = Array.from({ length: 4 }, () => drawn('[b-df-hj-np-tv-z]{4}')).join(' ')
    const body = (fields: string): string =>
      `POST http://localhost:4004/inbox\n\n{ ${fields}, "password": "${password}" }\n\n###\nGET https://ocr.corp.cloud/pages\n`
    expect(tell('requests/inbox.http', body('"emailId": "rosa.weber@corp.cloud", "hostName": "imap.corp.cloud"'))).toEqual([
      'generic-password takeover assumed',
    ])
    expect(tell('requests/inbox.http', body('"useremail": "rosa.weber@corp.cloud", "host": "imap.corp.cloud"'))).toEqual([
      'generic-password takeover assumed',
    ])
    expect(tell('requests/inbox.http', body('"emailId": "rosa.weber@corp.cloud"'))).toEqual(['generic-password takeover guessed'])
  })

  test('somebody on a server', () => {
    const header = (host: string): string => `GET https://${host}/orders\nAuthorization: Basic ${basic(`tech:${KEY}`)}\n`
    expect(tell('requests/orders.http', header('s4.corp.cloud'))).toEqual(['basic-auth-header takeover assumed'])
    expect(tell('srv/orders.txt', header('s4.corp.cloud'))).toEqual(['basic-auth-header takeover shown'])
    expect(tell('srv/orders.txt', header('s4.corp.internal'))).toEqual(['basic-auth-header takeover assumed'])
  })
})

describe('keys of collections and pages', () => {
  test.each(['sKey', 'siteKey', 'cacheKey', 'selectedKey', 'publishableKey', 'rowKey', 'primaryKey', 'translationKey'])(
    '%s',
    (name) => {
      expect(tell('webapp/a.js', `const ${name} = '${KEY}'\nfetch('https://api.corp.cloud')\n`)).toEqual([])
    },
  )

  test.each([
    'orders-2024-by-customer-id',
    'com.corp.shop.orders.v2',
    '4f6c1a52-91d7-4b39-8a6e-1d1f6b6f0e55',
    'INV-2024-000123-000456',
  ])('no key was drawn: %s', (value) => expect(tell('srv/a.js', `const weatherKey = '${value}'\n`)).toEqual([]))

  test('one that tells nothing of what it is for is a guess', () => {
    expect(tell('srv/a.js', `const weatherKey = '${KEY}'\n`)).toEqual(['generic-secret takeover guessed'])
    expect(tell('srv/a.js', `const weatherKey = '${KEY}'\nfetch('https://api.corp.cloud')\n`)).toEqual([
      'generic-secret takeover assumed',
    ])
  })
})

describe('manifests of Cloud Foundry', () => {
  const manifest = (line: string): string => `applications:\n  - name: guide\n    env:\n${line}\n`

  test('a key of which the rest is left out', () => {
    expect(tell('manifest.yml', manifest('    #   VITE_MODEL_API_KEY=sk-ant-... npm run build'))).toEqual([])
    expect(tell('manifest.yml', manifest(`      VITE_MODEL_API_KEY: ${KEY}`))).toEqual(['cf-manifest-env takeover assumed'])
  })

  test('a key of the sandbox for trying interfaces', () => {
    const sandbox = drawn('[A-Za-z][0-9][A-Za-z0-9]{30}')
    expect(tell('manifest.yml', manifest(`      SANDBOX-API-KEY: "${sandbox} (do not use)"`))).toEqual([
      'sap-apihub-key bounded shown',
    ])
  })
})

describe('descriptors of an MTA', () => {
  const property = (line: string): string =>
    `_schema-version: "3.1"\nID: guide\nmodules:\n  - name: srv\n    properties:\n      ${line}\n`

  test('a key of the sandbox gives less than one of an unknown service', () => {
    const key = drawn('[A-Za-z][0-9][A-Za-z0-9]{30}')
    expect(tell('mta.yaml', property(`KeyOfHubSandbox: ${key}`))).toEqual([])
    expect(tell('mta.yaml', property(`ApiKeyHubSandbox: ${key}`))).toEqual(['sap-apihub-key bounded shown'])
    expect(tell('mta.yaml', property(`PaymentApiKey: ${key}`))).toEqual(['sap-mta-property takeover assumed'])
  })
})

describe('settings of npm', () => {
  const settings = (line: string): string => `@claims:registry=https://gitlab.claims.cloud/npm/\n${line}\n`

  test('the setting of a registry is no comment', () => {
    const token = `gl${'pat'}-${drawn('[A-Za-z0-9]{20}')}`
    expect(tell('.npmrc', settings(`//gitlab.claims.cloud/npm/:_authToken=${token}`))).toEqual(['gitlab-pat takeover shown'])
    expect(tell('.npmrc', settings(`; //gitlab.claims.cloud/npm/:_authToken=${token}`))).toEqual(['gitlab-pat takeover assumed'])
  })
})

describe('mail by the name of its service', () => {
  const mail = (service: string): string =>
    `const transport = createTransport({ service: '${service}', auth: { user: 'guide@museum.cloud', pass: '${drawn('[a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4}')}' } })\n`

  test('anybody reaches the host', () => {
    expect(tell('srv/mail.js', mail('gmail'))).toEqual(['generic-password takeover shown'])
    expect(tell('srv/mail.js', mail('museum'))).toEqual(['generic-password takeover assumed'])
  })
})

describe('initial passwords in a header', () => {
  const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`
  const proxy = (host: string, pair: string): string =>
    `module.exports = { proxies: [{ context: '/plant', host: '${host}', port: 50100, headers: { Authorization: '${basic(pair)}' } }] }\n`
  const initial = ['init', '1234'].join('')

  test.each(['init1234', 'welcome1'])('%s of a named user at another machine', (password) => {
    expect(tell('Gruntfile.js', proxy('plantdev01', `rossini:${password}`))).toEqual(['basic-auth-header takeover assumed'])
  })

  test.each([
    ['Gruntfile.js', proxy('localhost', `rossini:${initial}`)],
    ['Gruntfile.js', proxy('erp.example.com', `rossini:${initial}`)],
    ['Gruntfile.js', proxy('plantdev01', `alice:${initial}`)],
    ['Gruntfile.js', proxy('plantdev01', `rossini:test1234`)],
    ['test/proxy.js', proxy('plantdev01', `rossini:${initial}`)],
    ['srv/login.js', `const header = '${basic(`rossini:${initial}`)}'\n`],
  ])('nothing is known of it in %s: %s', (path, text) => {
    expect(tell(path, text)).toEqual([])
  })
})

describe('the parameter appid', () => {
  const id = drawn('[0-9a-f]{32}')

  test('of another service it is public', () => {
    expect(tell('srv/calls.js', `const at = 'https://calls.museum-haus.de/room?appid=${id}&channel=tours'\n`)).toEqual([])
  })

  test('of OpenWeather it is a key', () => {
    const code = `const at = 'https://api.openweathermap.org/data/2.5/weather?q=Bern&appid=${id}'\n`
    expect(tell('srv/weather.js', code)).toEqual(['openweather-key bounded shown'])
  })
})

describe('constants that a check demands', () => {
  test.each(['Password is required', 'passwordRequired', 'ERR_PASSWORD_REQUIRED'])('a text: %s', (value) => {
    expect(tell('srv/texts.js', `const TEXTS = { REQUIRED_PASSWORD: '${value}' }\n`)).toEqual([])
  })

  const password = drawn('[a-z]{4}[0-9]{2}@[a-z]{3}[$#][0-9]')

  test.each([
    'if (user === REQUIRED_USER && password === REQUIRED_PASSWORD) next()',
    'if (settings.REQUIRED_PASSWORD !== body.pwd) refuse()',
    'if (!timingSafeEqual(Buffer.from(given.password), Buffer.from(REQUIRED_PASSWORD))) refuse()',
  ])('a password: %s', (check) => {
    expect(tell('srv/auth.js', `const REQUIRED_PASSWORD = '${password}'\n${check}\n`)).toEqual([
      'generic-password takeover assumed',
    ])
  })

  test.each(['AUTH-0017', 'E-PWD-001', 'err.pwd.42', 'auth/missing-password2', 'A-Za-z0-9!@#'])(
    'a code or a pattern: %s',
    (value) => {
      const code = `export const REQUIRED_PASSWORD = '${value}'\nconst codes = { ALLOWED_PASSWORD: '${value}', REQUIRED_OLD_PWD: '${value}' }\n`
      expect(tell('srv/codes.ts', `${code}if (error.code === REQUIRED_PASSWORD) show(codes.REQUIRED_OLD_PWD)\n`)).toEqual([])
    },
  )
})
