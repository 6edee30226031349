import fc from 'fast-check'
import { expect, test } from 'vitest'
import { scanFiles } from '../scan-files.ts'
import { runs } from '../soak.ts'

/** Expressions and statements that rules on code ask about, with holes for others. */
const PIECES = [
  'const #a = #b',
  'let { #a: #b } = #c',
  '#a = #b',
  '#a.#b = #c',
  'cds.User.default = #a',
  'req.user = #a',
  'cds.context = { user: #a }',
  'process.env.NODE_TLS_REJECT_UNAUTHORIZED = #a',
  'if (#a) { #b } else #c',
  'if (!#a) return #b',
  'switch (#a) { case #b: #c; default: #a }',
  '#a && #b',
  'function #a(req, res, next) { #b; return #c }',
  'class #a extends cds.User { is() { return true } #b = #c }',
  'window.addEventListener("message", #a)',
  'window.onmessage = #a',
  'localStorage.setItem(#a, #b)',
  'window.open(#a, "_blank")',
]
const VALUES = [
  '#a',
  '#a.#b',
  '#a[#b]',
  '#a(#b)',
  'new #a(#b)',
  '{ #a: #b }',
  '{ ...#a }',
  '[#a, #b]',
  '(#a) => #b',
  'async function (#a) { #b }',
  '`x${#a}`',
  '#a + #b',
  '#a === #b',
  '#a ? #b : #c',
  '#a || #b',
  '!#a',
  'await #a',
  'this.#a',
  'this.#a.bind(this)',
  '"message"',
  '"*"',
  '"none"',
  '"md5"',
  '"token"',
  'false',
  'true',
  'null',
  '0',
  '/x/',
  'cds.User.Privileged',
  'jwt.decode(#a)',
  'require("jsonwebtoken")',
  'require("crypto")',
  'Math.random()',
  'createHash(#a).update(#b)',
  'createCipheriv(#a, #b, #c)',
  'Buffer.from(#a, "base64")',
  '#a.split(".")',
  'req.headers',
  'process.env.API_KEY',
  'parent.postMessage(#a, #b)',
  '#a.origin',
  '#a.data',
  'createHmac("sha256", #a).digest()',
  '{ rejectUnauthorized: #a }',
  '{ algorithms: #a, ignoreExpiration: #b }',
  '{ checkServerIdentity: #a }',
  '#a.includes(#b)',
  '{ client_id: #a, state: #b }',
]
const NAMES = [
  'a',
  'token',
  'password',
  'req',
  'event',
  'isDev',
  'jwt',
  'user',
  'origin',
  'url',
  'is',
  'state',
  'constructor',
  '__proto__',
  'crypto',
  'toString',
]

const { value } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(...NAMES),
    fc
      .tuple(fc.constantFrom(...VALUES), fc.array(tie('value'), { minLength: 3, maxLength: 3 }))
      .map(([shape, parts]) => fill(shape, parts, NAMES)),
  ),
}))

/** Puts parts into the holes; a hole that names something gets a name. */
function fill(shape: string, parts: readonly string[], names: readonly string[]): string {
  return shape.replaceAll(
    /([.{,]\s?|let \{ |class |function |const )?#([abc])/g,
    (_, before: string | undefined, hole: string) => {
      const index = hole.charCodeAt(0) - 97
      const part = parts[index] ?? 'a'
      const name = names[(part.length + index) % names.length] ?? 'a'
      if (before === undefined) return part
      return `${before}${name}`
    },
  )
}

const piece = fc
  .tuple(fc.constantFrom(...PIECES), fc.array(value, { minLength: 3, maxLength: 3 }))
  .map(([shape, parts]) => fill(shape, parts, NAMES))
const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join('\n'))

/** What failed once. */
const CIRCLES = 'const jwt = new jwt(a)\njwt.decode(a)\nlocalStorage.setItem(a, password)'
const PART_OF_ITSELF = 'const req = `x${req}`\nwindow.open(req, "_blank")'

test('no rule fails on code of any shape', async () => {
  let parsed = 0
  await fc.assert(
    fc.asyncProperty(text, text, async (server, page) => {
      const files = new Map([
        ['package.json', '{ "dependencies": { "@sap/cds": "^9" } }'],
        ['srv/server.js', `const cds = require('@sap/cds')\n${server}`],
        ['app/webapp/Component.js', page],
        ['README.md', ''],
      ])
      const { en } = await scanFiles(files)
      if (en.complete) parsed++
      expect(en.notices.filter(({ code }) => code === 'rule-failed' || code === 'time-limit')).toEqual([])
    }),
    {
      numRuns: runs(10_000, 50),
      examples: [
        [CIRCLES, CIRCLES],
        ['', PART_OF_ITSELF],
      ],
    },
  )
  expect(parsed, 'some of them parse').toBeGreaterThan(50)
}, 300_000)
