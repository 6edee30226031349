import { describe, expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import type { Report } from '../../core/report/types.ts'
import { allFindings, scanFiles } from '../scan-files.ts'
import { drawSecret } from '../secret-values.ts'

const PART = 6

/** All parts of a secret of six characters; header and footer of a key are none. */
function partsOf(secret: string): Set<string> {
  const lines = secret.split(/\n|\\+n/).filter((line) => !line.includes('-----') && line.length >= PART)
  const parts = new Set<string>()
  for (const line of lines) for (let at = 0; at + PART <= line.length; at++) parts.add(line.slice(at, at + PART))
  return parts
}

function leaksOf(report: Report, secrets: readonly string[]): string[] {
  const rendered = JSON.stringify(report)
  return secrets.flatMap((secret) => [...partsOf(secret)]).filter((part) => rendered.includes(part))
}

const KEYS = ['rsa-key', 'pkcs8-key', 'openssh-key', 'ec-key']

interface Placement {
  readonly path: string
  readonly kinds: readonly string[]
  readonly write: (secret: string) => string
  /** What the secret reads as, where it is written otherwise. */
  readonly plain?: (secret: string) => string
}

const lines = (before: string, secret: string, after: string): string =>
  `# one\n# two\n${before}${secret}${after}\n# five\n# six\n`
const VALUES = ['sap-binding', 'rsa-key-escaped', 'pkcs8-key-escaped']
const PASSWORDS = ['password', 'password-signs', 'password-percent']
const fromBase64 = (secret: string): string => Buffer.from(secret, 'base64').toString()

/** Where secrets stand in projects. */
const PLACEMENTS: readonly Placement[] = [
  {
    path: 'default-env.json',
    kinds: VALUES,
    write: (secret) => `{"VCAP_SERVICES":{"xsuaa":[{"credentials":{"clientid":"sb-a!t1","clientsecret":"${secret}"}}]}}`,
  },
  {
    path: '.env',
    kinds: VALUES,
    write: (secret) => lines('VCAP_SERVICES={"xsuaa":[{"credentials":{"clientsecret":"', secret, '"}}]}'),
  },
  {
    path: 'k8s/config.yaml',
    kinds: VALUES,
    write: (secret) => `data:\n  services: "{\\"clientsecret\\":\\"${secret.replaceAll('\\', '\\\\')}\\"}"\n`,
  },
  {
    path: 'k8s/secret.yaml',
    kinds: ['sap-binding-base64', 'rsa-key-base64'],
    write: (secret) => `kind: Secret\ndata:\n  value: ${secret}\n`,
    plain: fromBase64,
  },
  {
    path: 'srv/keys.js',
    kinds: [...VALUES, 'pkcs8-key-joined'],
    write: (secret) => `const key = '${secret}'\nmodule.exports = key\n`,
  },
  {
    path: 'webapp/Component.js',
    kinds: VALUES,
    write: (secret) => `sap.ui.define([], () => { const key = "${secret}"; eval(location.hash + "${secret}") })\n`,
  },
  {
    path: 'webapp/lib/a.min.js',
    kinds: VALUES,
    write: (secret) => `${'var a=1;'.repeat(500)}var k="${secret}";${'var b=2;'.repeat(500)}`,
  },
  { path: 'notes/key.txt', kinds: KEYS, write: (secret) => lines('', secret, '') },
  { path: 'chart/values.yaml', kinds: ['pkcs8-key-indented'], write: (secret) => `tls:\n  key: |\n    ${secret}\nother: 1\n` },
  { path: 'srv/old.js', kinds: ['pkcs8-key-commented'], write: (secret) => `// ${secret}\nmodule.exports = {}\n` },
  {
    path: 'srv/backend.js',
    kinds: PASSWORDS,
    write: (secret) => `const url = 'https://tech:${secret}@corp.cloud/sap'\nmodule.exports = url\n`,
  },
  {
    path: 'srv/db.js',
    kinds: PASSWORDS,
    write: (secret) => `const url = 'mongodb+srv://tech:${secret}@db.corp.cloud/sap?x=${'y'.repeat(300)}'\n`,
  },
  {
    path: '.env.production',
    kinds: PASSWORDS,
    write: (secret) => `DATABASE_URL=postgres://tech:${secret}@corp.cloud/shop\nREDIS=redis://:${secret}@corp.cloud\n`,
  },
  {
    path: 'webapp/index.html',
    kinds: PASSWORDS,
    write: (secret) =>
      `<html><head>\n<script id="sap-ui-bootstrap" src="http://tech:${secret}@ui5.corp.cloud/resources/sap-ui-core.js"></script>\n</head></html>\n`,
  },
  {
    path: 'webapp/controller/Main.controller.js',
    kinds: PASSWORDS,
    write: (secret) =>
      `const u = "https://tech:${secret}@corp.cloud"; eval(location.hash); eval("https://tech:${secret}@corp.cloud" + location.hash)\n`,
  },
  {
    path: 'xs-security.json',
    kinds: PASSWORDS,
    write: (secret) =>
      `{"xsappname":"a","oauth2-configuration":{"redirect-uris":["https://tech:${secret}@*.hana.ondemand.com/**"]}}\n`,
  },
  {
    path: 'srv/cat-service.js',
    kinds: PASSWORDS,
    write: (secret) =>
      `cds.connect.to('https://tech:${secret}@corp.cloud')\nmodule.exports = (srv) => srv.on('READ', (req) => cds.run("SELECT '" + req.data.x + "https://tech:${secret}@corp.cloud"))\n`,
  },
  {
    path: 'srv/hidden.js',
    kinds: [...PASSWORDS],
    write: (secret) =>
      `// parapet-disable-next-line secrets/basic-auth-url -- known\nconst url = 'https://tech:${secret}@corp.cloud/sap'\n`,
  },
  {
    path: 'srv/allowed.js',
    kinds: [...PASSWORDS],
    write: (secret) => `const url = 'https://tech:${secret}@corp.cloud/sap' // gitleaks:allow\n`,
  },
  {
    path: 'ui5.yaml',
    kinds: PASSWORDS,
    write: (secret) =>
      `specVersion: "3.0"\nserver:\n  customMiddleware:\n    - name: proxy\n      configuration:\n        baseUri: https://tech:${secret}@corp.cloud\n`,
  },
  {
    path: 'srv/application.properties',
    kinds: ['sap-binding'],
    write: (secret) => lines('a.clientsecret=', secret.replace('=', '\\='), ''),
  },
  {
    path: 'webapp/controller/Safe.controller.js',
    kinds: ['sap-binding'],
    write: (secret) => `eval(location.hash + "${secret.replace('=', '\\u003d')}")\n`,
  },
  {
    path: 'srv/names.js',
    kinds: ['password'],
    write: (secret) =>
      `const url = 'https://tech:${secret}@corp.cloud', ${'k'}${secret} = 1\nmodule.exports = { '${secret}': 'https://tech:${secret}x@corp.cloud' }\n`,
  },
]

const CASES = PLACEMENTS.flatMap((placement) =>
  placement.kinds.map((kind): [string, string, Placement] => [placement.path, kind, placement]),
)

describe('nothing of a secret is told', () => {
  test('there are sixty placements, and what is told is looked through', async () => {
    expect(CASES.length).toBeGreaterThanOrEqual(60)
    const { en } = await scanFiles(
      new Map([
        ['srv/a.js', file(password)],
        ['z.txt', ''],
      ]),
    )
    expect(leaksOf(en, ['https://tech:']).length).toBeGreaterThan(0)
  })

  test.each(CASES)('%s: %s', async (path, kind, placement) => {
    for (const end of ['\n', '\r\n']) {
      const secret = drawSecret(kind, `${path} ${end.length}`)
      const text = `é😀${end}`.repeat(path.endsWith('.json') || path.endsWith('.env') ? 0 : 1)
      const comment = path.endsWith('.html')
        ? `<!-- ${text} -->`
        : path.endsWith('.js')
          ? `/* ${text} */`
          : path.endsWith('.yaml')
            ? `# ${text}`.trimEnd() + end
            : text
      const content = new Map([
        [path, `\ufeff${text === '' ? '' : comment}${placement.write(secret)}`.replaceAll(/\r?\n/g, end)],
        ['README.md', 'x'],
      ])
      const { en, fr } = await scanFiles(content)
      const told = [...allFindings(en), ...en.suppressed].filter(({ ruleId }) => ruleId.startsWith('secrets/'))
      expect(told.length).toBeGreaterThan(0)
      const forms = [
        secret,
        ...(placement.plain === undefined ? [] : [placement.plain(secret)]),
        decodeURIComponent(kind === 'password-percent' ? secret : ''),
      ]
      expect(leaksOf(en, forms)).toEqual([])
      expect(leaksOf(fr, forms)).toEqual([])
    }
  })
})

const password = drawSecret('password', 'identity')
const file = (value: string): string => `const url = 'https://tech:${value}@corp.cloud/sap'\n`

describe('identity', () => {
  const idOf = async (text: string, fingerprintKey?: string): Promise<string | undefined> => {
    const { en } = await scanFiles(
      new Map([
        ['srv/a.js', text],
        ['z.txt', ''],
      ]),
      { options: { fingerprintKey, limits: DEFAULT_LIMITS } },
    )
    return allFindings(en)[0]?.id
  }

  test('the same value in two files is one finding', async () => {
    const { en } = await scanFiles(
      new Map([
        ['srv/a.js', file(password)],
        ['srv/b.js', `\n${file(password)}`],
        ['srv/c.js', file(drawSecret('password', 'other'))],
        ['z.txt', ''],
      ]),
    )
    expect(allFindings(en).map(({ file, occurrences }) => [file, occurrences])).toEqual([
      ['srv/a.js', [{ file: 'srv/b.js', line: 2 }]],
      ['srv/c.js', undefined],
    ])
  })

  test('the same key, written in two ways, is one finding', async () => {
    const key = drawSecret('rsa-key', 'twice')
    const { en } = await scanFiles(
      new Map([
        ['a.key', key],
        ['srv/b.js', `module.exports = "${key.replaceAll('\n', '\\n')}"`],
      ]),
    )
    expect(allFindings(en).map(({ occurrences }) => occurrences?.length)).toEqual([1])
  })

  test('an id stays where lines move, and changes with the value, as far as the key allows', async () => {
    expect(await idOf(`\n\n${file(password)}`)).toBe(await idOf(file(password)))
    const values = Array.from({ length: 40 }, (_, index) => drawSecret('password', `identity ${index}`))
    const keyed = await Promise.all(values.map((value) => idOf(file(value), 'some key')))
    expect(new Set(keyed).size).toBe(40)
    const unkeyed = await Promise.all(values.map((value) => idOf(file(value))))
    // two digits: most values differ, and nobody can try a dictionary
    expect(new Set(unkeyed).size).toBeGreaterThan(25)
    expect(new Set(unkeyed).size).toBeLessThanOrEqual(40)
    expect(unkeyed.some((id, index) => id === keyed[index])).toBe(false)
  })

  test('of 300 values without a key at most 256 can be told apart', async () => {
    const values = Array.from({ length: 300 }, (_, index) => drawSecret('password', `many ${index}`))
    expect(new Set(await Promise.all(values.map((value) => idOf(file(value))))).size).toBeLessThanOrEqual(256)
  })
})
