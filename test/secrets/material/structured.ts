import { BARE_CARRIERS, CODE_CARRIERS, SETTING_CARRIERS, carry, carrySafe, type Carrier } from './carriers.ts'
import type { Draw } from './draw.ts'
import { writeSample, type Sample, type Write } from './sample.ts'
import { MORE_TOKENS } from './tokens-more.ts'
import { PLATFORM_TOKENS, type TokenType } from './tokens-platform.ts'
import { SERVICE_TOKENS } from './tokens-services.ts'

export const TOKENS: Readonly<Record<string, TokenType>> = { ...PLATFORM_TOKENS, ...SERVICE_TOKENS, ...MORE_TOKENS }

const NAMED: Readonly<Record<string, Carrier>> = { ...SETTING_CARRIERS, ...CODE_CARRIERS }
/** How many carriers each type is written into. */
const CARRIERS_EACH = 4

/** Each type of token in several carriers. */
export function writeStructured(seed: string, draw: Draw): Sample[] {
  return Object.entries(TOKENS).flatMap(([type, token]) => {
    const carriers = Object.entries(token.needsName === true ? NAMED : { ...NAMED, ...BARE_CARRIERS })
    return Array.from({ length: CARRIERS_EACH }, (_, at) => {
      const [where, carrier] = draw.one(carriers)
      return writeSample('structured', `${type} in ${where} ${at}`, carry(carrier, draw.one(token.names), make(token)), seed)
    })
  })
}

/** What stands where a token would: too short a text, a placeholder, a reference, a part of something longer. */
export function writeStructuredTwins(seed: string, draw: Draw): Sample[] {
  return Object.entries(TOKENS).flatMap(([type, token]) => {
    const name = draw.one(token.names)
    const [where, carrier] = draw.one(Object.entries(NAMED))
    const twins: [string, Write][] = [
      [`a placeholder for ${type} in ${where}`, carrySafe(carrier, name, (pen) => blank(pen, token))],
      [`a reference to ${type}`, referTo(name, draw)],
    ]
    if (typeof token.make === 'string' && token.needsName !== true) {
      twins.push([`a short ${type}`, carrySafe(neutral, 'id', (pen) => shorten(pen, token.make))])
      twins.push([
        `${type} inside a digest`,
        carrySafe(
          neutral,
          'integrity',
          (pen) =>
            `sha512-${pen.shape('{w20}')}${pen.shape(String(token.make)).replaceAll(/[^A-Za-z0-9+/]/g, '')}${pen.shape('{w20}')}==`,
        ),
      ])
    }
    return twins.map(([twin, write]) => writeSample('structured', twin, write, seed))
  })
}

const make =
  (token: TokenType) =>
  (draw: Draw): string =>
    typeof token.make === 'string' ? draw.shape(token.make) : token.make(draw)

const neutral: Carrier = (_pen, name, value) => ['config/items.json', `{\n  "items": [\n    { "${name}": "${value}" }\n  ]\n}\n`]

/** The last group of the shape cut to a quarter, so that no shorter form of it is met. */
function shorten(draw: Draw, shape: TokenType['make']): string {
  if (typeof shape !== 'string') return ''
  const last = shape.lastIndexOf('{')
  return draw.shape(
    shape.slice(0, last) +
      shape
        .slice(last)
        .replace('{g}', '{h8}-{h4}')
        .replace(/^\{([a-zA-Z])(\d+)/, (_, letter, length) => `{${String(letter)}${Math.max(1, Math.floor(Number(length) / 4))}`),
  )
}

function blank(draw: Draw, token: TokenType): string {
  const start = typeof token.make === 'string' ? (/^[^{]*/.exec(token.make)?.[0] ?? '') : ''
  return draw.one([
    `<your-${start.replaceAll(/\W/g, '')}token>`,
    `${start}xxxxxxxxxxxxxxxxxxxxxxxx`,
    `${start}XXXXXXXXXXXXXXXXXXXXXXXXXXXX`,
    `${start}************************`,
    `YOUR_TOKEN_HERE`,
    `<<insert token>>`,
    `change-me`,
    `[REDACTED]`,
    `TODO`,
    `${start}your-token-goes-here`,
  ])
}

function referTo(name: string, draw: Draw): Write {
  const upper = name.replaceAll(/(?<=[a-z])(?=[A-Z])|[.-]/g, '_').toUpperCase()
  const variable = name.replaceAll(/\W/g, '_')
  return () =>
    draw.one([
      ['srv/lib/a.js', `const ${variable} = process.env.${upper}\n`] as const,
      ['srv/lib/b.ts', `const ${variable} = process.env['${upper}'] ?? ''\n`] as const,
      [
        'deploy.sh',
        `export ${upper}="$(vault read -field=value secret/${upper})"\ncurl -H "Authorization: Bearer $${upper}" https://x.corp.cloud\n`,
      ] as const,
      ['.github/workflows/a.yml', `jobs:\n  a:\n    env:\n      ${upper}: \${{ secrets.${upper} }}\n`] as const,
      ['chart/templates/s.yaml', `env:\n  - name: ${upper}\n    value: {{ .Values.${variable} }}\n`] as const,
      [
        'docker-compose.yml',
        `services:\n  a:\n    environment:\n      ${upper}: \${${upper}}\n      B_${upper}: \${${upper}:?missing}\n`,
      ] as const,
      ['app.properties', `a.${name}=\${${upper}}\n`] as const,
      ['src/A.java', `class A { String ${variable} = System.getenv("${upper}"); }\n`] as const,
      ['a.py', `${upper} = os.environ["${upper}"]\n`] as const,
    ])
}
