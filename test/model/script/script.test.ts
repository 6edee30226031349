import { describe, expect, test } from 'vitest'
import { collectFacts } from '../../../core/facts/index.ts'
import {
  findGuessableSecrets,
  findNamedUses,
  findWeakHashes,
  firstPartOf,
  leadingTextOf,
  createDevelopmentReader,
  isDeveloperFile,
  isToolFile,
  realmByPath,
  runsInBrowser,
  secretNounOf,
  splitWords,
} from '../../../core/model/script/index.ts'
import { parseScript } from '../../../core/parse/javascript.ts'
import { factsOf, shownIn } from '../../facts/facts-of.ts'
import { cpuTime } from '../../cpu-time.ts'

const nothing = (): void => undefined

describe('what a text begins with', () => {
  test.each([
    ['show("a" + b)', 'a', false],
    ['const base = "https://x.example.com"; show(`${base}/items/${id}`)', 'https://x.example.com/items/', false],
    ['const base = "a"; show(base + "/" + "b")', 'a/b', true],
    ['show("token=" + ("x" + y) + "z")', 'token=x', false],
    ['show(b + "a")', '', false],
    ['let a = "x"; a = "y"; show(a)', '', false],
    ['show(1)', '1', true],
  ])('%s', (text, expected, isWhole) => expect(leadingTextOf(shownIn(text))).toEqual({ text: expected, isWhole }))

  test.each([
    ['show(a + "b")', 'reference a'],
    ['const u = `${a.b}?x`; show(u)', 'member b'],
    ['show(`/x/${a}`)', 'literal'],
    ['show(test ? "#" : go())', 'literal'],
    ['show("" + a)', 'literal'],
  ])('the first part of %s', (text, expected) => {
    const part = firstPartOf(shownIn(text))
    const name = part?.kind === 'reference' || part?.kind === 'member' ? ` ${part.name}` : ''
    expect(`${part?.kind}${name}`).toBe(expected)
  })

  test('of several possible ones the first that fits', () => {
    const part = firstPartOf(shownIn('show(test ? "#" : go())'), ({ kind }) => kind === 'call')
    expect(part?.kind).toBe('call')
  })
})

describe('where a script runs', () => {
  test.each([
    ['webapp/Component.js', '', true],
    ['app/shop/webapp/util.js', 'require("fs")', true],
    ['src/Main.ts', 'import Controller from "sap/ui/core/mvc/Controller"', true],
    ['src/Main.js', 'sap.ui.define(["a"], function (a) {})', true],
    ['src/main.js', 'window.a = 1', true],
    ['public/main.js', 'a()', true],
    ['public/lib.js', 'define(["module"], function (module) { module.exports = 1 })', true],
    ['src/client/orders.js', 'import axios from "axios"', true],
    ['src/client/orders.js', 'const axios = require("axios"); module.exports = { axios }', false],
    ['src/tools/static/ship.js', 'module.exports = { execute: (args) => args }', false],
    ['index.html', 'a()', true],
    ['srv/server.js', 'window.a = 1', false],
    ['main.js', 'const cds = require("@sap/cds"); document.a', false],
    ['main.mjs', 'import fs from "node:fs"; globalThis.window = {}', false],
    ['lib/a.js', 'module.exports = 1', false],
  ])('%s: %s', (path, text, expected) => expect(runsInBrowser(path, factsOf(text, path))).toBe(expected))

  test.each([
    ['app/shop/webapp/model/data.js', 'browser'],
    ['webapp/a.js', 'browser'],
    ['app/index.html', 'browser'],
    ['webapp/lib/run.xsjs', 'server'],
    ['mywebapp/a.js', undefined],
    ['srv/a.js', undefined],
  ])('what the path %s tells whatever the script says: %s', (path, expected) => expect(realmByPath(path)).toBe(expected))

  test.each([
    ['srv/server.dev.js', true],
    ['srv/mock-auth.js', true],
    ['srv/auth.local.ts', true],
    ['examples/a/b.js', true],
    ['srv/device.js', false],
    ['srv/latest.js', false],
    ['srv/localize.js', false],
    ['srv/contest.js', false],
    ['srv/test-drive-service.cds', false],
    ['srv/example-service.js', false],
    ['srv/test-data.js', true],
    ['srv/mock-service.js', true],
    ['srv/orders.test.js', true],
    ['webapp/controller/Samples.controller.js', false],
    ['webapp/controller/Mock.controller.js', true],
    ['webapp/test/Sample.js', true],
  ])('%s is for developers: %s', (path, expected) => expect(isDeveloperFile(path)).toBe(expected))

  test.each([
    ['scripts/import.js', true],
    ['vite.config.ts', true],
    ['gulpfile.js', true],
    ['srv/scriptures.js', false],
    ['srv/configuration.js', false],
  ])('%s is a tool: %s', (path, expected) => expect(isToolFile(path)).toBe(expected))
})

describe('what only holds for developers', () => {
  const holds = (text: string): boolean => {
    const start = text.indexOf('HERE')
    return createDevelopmentReader(factsOf(text))({ start, end: start + 4 })
  }
  test.each([
    "if (process.env.NODE_ENV !== 'production') HERE",
    "if ('production' !== process.env.NODE_ENV) { HERE }",
    "if (process.env.NODE_ENV == 'development') { a(); HERE }",
    "if (a && process.env.NODE_ENV === 'test') HERE",
    'if (isProd) a(); else HERE',
    'if (!isProduction) HERE',
    'if (cds.env.production !== true) HERE',
    'if (isDev === true) HERE',
    'if (isProd === false) HERE',
    "if (['dev', 'test'].includes(stage)) HERE",
    "if (cds.env.profiles.includes('development')) HERE",
    "if (!cds.env.profiles.includes('production')) HERE",
    "const live = process.env.NODE_ENV === 'production'; if (!live) HERE",
    'function f() { if (isProduction) return; HERE }',
    'function f() { if (isProduction) throw a; b(HERE) }',
    'a(isDev ? HERE : b)',
    'a(isProduction ? b : HERE)',
    'a({ ...(isDev && { b: HERE }) })',
    'isDevelopment && a(HERE)',
    "switch (stage) { case 'dev': HERE }",
    'if (isNotProduction()) HERE',
  ])('%s', (text) => expect(holds(text)).toBe(true))
  test.each([
    'HERE',
    "if (process.env.NODE_ENV === 'production') HERE",
    "if (process.env.NODE_ENV !== 'development') HERE",
    'if (isDev) a(); else HERE',
    'if (isDev) { a() } HERE',
    'function f() { if (isDev) return; HERE }',
    'function f() { if (isProduction) { a() } HERE }',
    'function f() { if (isProduction) return } HERE',
    'a(isDev ? b : HERE)',
    'a(isProduction && HERE)',
    'if (a) HERE',
    'if (a.devices) HERE',
    'if (process.env.NODE_ENV) HERE',
    'const a = b, b = a; if (a) HERE',
  ])('not %s', (text) => expect(holds(text)).toBe(false))
})

describe('names', () => {
  test.each([
    ['sessionToken', 'session token'],
    ['SESSION_TOKEN', 'session token'],
    ['parseJWTToken', 'parse jwt token'],
    ['x-csrf-token', 'x csrf token'],
    ['_nonce', 'nonce'],
    ['oAuth2Token', 'o auth2 token'],
    ['', ''],
  ])('%s', (name, words) => expect(splitWords(name).join(' ')).toBe(words))

  test.each([
    'token',
    'token2',
    'accessToken',
    'reset_token',
    'generateOTP',
    'userPassword',
    'createPasswordFor',
    'tokenForUser',
    'csrfTokenValue',
    'session_id',
    'sessionId',
    'apiKey',
    'API_KEY',
    'clientSecret',
    'nonce',
    'verificationCode',
    'oauthState',
    'tokenString',
    'randomToken',
    'newPassword',
    'generatePin',
  ])('%s is one of a secret', (name) => expect(secretNounOf(name)).toBeDefined())
  test.each([
    'tokenizer',
    'tokenize',
    'passwordless',
    'tokenCount',
    'tokens_per_minute',
    'tokenExpiresAt',
    'cancelToken',
    'syncToken',
    'pageToken',
    'state',
    'code',
    'key',
    'primaryKey',
    'monkey',
    'keyboard',
    'sessionTimeout',
    'secretary',
    'nonceLength',
    'hasPassword',
    'isToken',
    'mockToken',
    'pin',
    '',
    'isTokenValid',
  ])('%s is none', (name) => expect(secretNounOf(name)).toBeUndefined())
})

describe('stored under a name', () => {
  const namesIn = (text: string): string[] =>
    [...findNamedUses(factsOf(text), (name) => /token/i.test(name))].map(({ name }) => name)
  test.each([
    ['const token = a', ['token']],
    ['let token; token = a', ['token']],
    ['a.token = b', ['token']],
    ["a['token'] = b", ['token']],
    ['f({ token: a })', ['token']],
    ['class A { token = a }', ['token']],
    ['function createToken() { return a }', ['createToken']],
    ['const createToken = () => a', ['createToken']],
    ['a.setToken(b)', ['Token']],
    ["a.setItem('token', b)", ['token']],
    ['const { token } = a', []],
    ['f(token)', []],
  ])('%s', (text, expected) => expect(namesIn(text)).toEqual(expected))
})

describe('secrets that can be guessed', () => {
  const found = (text: string): string[] =>
    [...findGuessableSecrets(factsOf(text), nothing)].map(({ name, source }) => `${name} ${source}`)
  test.each([
    ['const token = Math.random()', ['token Math.random()']],
    ['const { random } = Math; const token = random()', ['token Math.random()']],
    ['const token = `${new Date().getTime()}`', ['token Date.now()']],
    ['const token = hash(Date.now())', []],
    ['const token = verify(Math.random())', []],
    ['const token = { at: Date.now() }', []],
    ['const token = list[Math.random()]', ['token Math.random()']],
    ['const token = tokens[Math.random()]', []],
    ['const crypto = window.crypto; const token = crypto.random()', []],
    ['f({ state: Math.random() })', []],
    ['f({ client_id: a, state: Math.random() })', ['state Math.random()']],
    ['const a = Math.random(); const token = a, secret = a', ['token Math.random()']],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected))
})

describe('secrets that are hashed', () => {
  const found = (text: string): string[] =>
    [...findWeakHashes(factsOf(text), nothing)].map(({ name, algorithm }) => `${name} ${algorithm}`)
  test.each([
    ["createHash('md5').update(password)", ['password MD5']],
    ["createHash('sha1').update(a).update('b' + token)", ['token SHA-1']],
    ["const h = createHash('SHA-1'); h.update(pwd)", ['pwd SHA-1']],
    ['md5(user.password)', ['password MD5']],
    ['function hashPassword(text) { return md5(text) }', ['hashPassword MD5']],
    ["createHash('sha256').update(password)", ['password SHA-256']],
    ["createHash('sha256').update(token)", []],
    ["createHash('md5')", []],
    ['createHash(a).update(password)', []],
    ["createHash('md5').update(salt)", []],
    ['const etag = md5(token)', []],
    ['md5(passwordless)', []],
  ])('%s', (text, expected) => expect(found(text)).toEqual(expected))
})

test('long texts take time in proportion', () => {
  const many = 1000
  const text = [
    ...Array.from(
      { length: many },
      (_, index) => `const token${index} = 'a' + token${index - 1}; if (isDev) { md5(token${index}) }`,
    ),
    `const token = ${'a + '.repeat(many)}Math.random()`,
  ].join('\n')
  const facts = collectFacts(parseScript(text, 'a.js'), text)
  const started = cpuTime()
  expect([...findGuessableSecrets(facts, nothing)].length).toBeLessThan(2)
  expect([...findWeakHashes(facts, nothing)].length).toBeGreaterThan(0)
  expect(cpuTime() - started).toBeLessThan(20_000)
})
