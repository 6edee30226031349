import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findCfIgnores, findGitIgnores, readDockerIgnore } from '../../../core/model/deployment/ignore.ts'
import { findLocalFiles } from '../../../core/model/deployment/local-files.ts'
import { runs } from '../../soak.ts'
import { readProject } from '../project.ts'
import { cpuTime } from '../../cpu-time.ts'

const covers = (texts: Readonly<Record<string, string>>, path: string): boolean => findGitIgnores(readProject(texts)).covers(path)

describe('.gitignore as Git reads it', () => {
  test.each([
    ['default-env.json', 'srv/default-env.json', true],
    ['default-*.json', 'srv/default-env.json', true],
    ['/default-env.json', 'srv/default-env.json', false],
    ['/default-env.json', 'default-env.json', true],
    ['srv/default-env.json', 'a/srv/default-env.json', false],
    ['srv/', 'srv/default-env.json', true],
    ['default-env.json/', 'default-env.json', false],
    ['**/default-env.json', 'a/b/default-env.json', true],
    ['srv/**', 'srv/a/b', true],
    ['srv/**/b', 'srv/b', true],
    ['srv/**/b', 'srv/x/y/b', true],
    ['*', '.env', true],
    ['*.env', '.env', true],
    ['.env*', '.env.local', true],
    ['?env', '.env', true],
    ['[._]env', '.env', true],
    ['[!.]env', '.env', false],
    ['[a-c]x', 'bx', true],
    ['\\#x', '#x', true],
    ['\\!x', '!x', true],
    ['x\\ ', 'x ', true],
    ['x   ', 'x', true],
    ['# .env', '.env', false],
    ['.ENV', '.env', false],
    ['.env\n!.env', '.env', false],
    ['!.env\n.env', '.env', true],
    // what lies in an ignored folder can't come back
    ['srv/\n!srv/.env', 'srv/.env', true],
    ['srv/*\n!srv/.env', 'srv/.env', false],
    ['', '.env', false],
    ['/', '.env', false],
    ['.env\r\n', '.env', true],
  ])('%j and %s: %s', (text, path, expected) => {
    expect(covers({ '.gitignore': text }, path)).toBe(expected)
  })

  test('a deeper file counts more, and only below its folder', () => {
    const texts = { '.gitignore': '*.json', 'srv/.gitignore': '!default-env.json', 'app/.gitignore': '.env' }
    expect(covers(texts, 'srv/default-env.json')).toBe(false)
    expect(covers(texts, 'app/default-env.json')).toBe(true)
    expect(covers(texts, 'srv/.env')).toBe(false)
    expect(covers(texts, 'app/x/.env')).toBe(true)
    expect(covers(texts, 'apps/.env')).toBe(false)
  })

  test('.cfignore is a file of its own', () => {
    const files = readProject({ '.gitignore': '.env', 'srv/.cfignore': '.env' })
    expect(findCfIgnores(files).covers('srv/.env')).toBe(true)
    expect(findCfIgnores(files).covers('.env')).toBe(false)
  })

  test('patterns that cost a regular expression its time', () => {
    const text = Array.from({ length: 2000 }, () => `${'*a'.repeat(140)}b`).join('\n')
    const began = cpuTime()
    covers({ '.gitignore': text }, `${'a'.repeat(250)}/`.repeat(30) + 'a'.repeat(250))
    expect(cpuTime() - began).toBeLessThan(20_000)
  })

  test('any patterns', () => {
    const part = fc.constantFrom('*', '**', '/', '!', '[', ']', '\\', 'a', '?', '-', ' ', '\n', '^')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.constantFrom('a', 'a/a', 'a/a/a'), (parts, path) => {
        expect(typeof covers({ '.gitignore': parts.join('') }, path)).toBe('boolean')
      }),
      { numRuns: runs(10_000) },
    )
  })
})

describe('.dockerignore', () => {
  const leavesOut = (text: string, path: string, context = ''): boolean =>
    readDockerIgnore(
      'Dockerfile',
      context,
      readProject({ [context === '' ? '.dockerignore' : `${context}/.dockerignore`]: text }),
    ).covers(path)

  test.each([
    ['.env', '.env', true],
    // bound to the folder of the build, unlike in .gitignore
    ['.env', 'srv/.env', false],
    ['**/.env', 'srv/.env', true],
    ['**/.env', '.env', true],
    ['srv', 'srv/.env', true],
    ['/srv/', 'srv/.env', true],
    ['./srv', 'srv/.env', true],
    ['*', '.env', true],
    // what lies in a folder that is left out can come back
    ['srv\n!srv/.env', 'srv/.env', false],
    ['*\n!srv\nsrv/.env', 'srv/.env', true],
    ['# .env', '.env', false],
  ])('%j and %s: %s', (text, path, expected) => {
    expect(leavesOut(text, path)).toBe(expected)
  })

  test('paths are those below the folder of the build', () => {
    expect(leavesOut('.env', 'srv/.env', 'srv')).toBe(true)
  })

  test('one of the Dockerfile’s own name counts alone', () => {
    const files = readProject({ '.dockerignore': '.env', 'prod.Dockerfile.dockerignore': '.git' })
    expect(readDockerIgnore('prod.Dockerfile', '', files).covers('.env')).toBe(false)
    expect(readDockerIgnore('Dockerfile', '', files).covers('.env')).toBe(true)
  })
})

test('files of somebody’s own machine', () => {
  const files = readProject({
    '.env': 'PORT=1',
    'a/.env': 'DB_PASSWORD=abcdefgh',
    'b/.env': 'DB_PASSWORD=${DB_PASSWORD}',
    '.env.example': 'DB_PASSWORD=abcdefgh',
    'default-env.json': '{"VCAP_SERVICES":{"x":[]}}',
    'a/default-env.json': '{"VCAP_SERVICES":{"x":[{"credentials":{"clientsecret":"abcdefgh"}}]}}',
    'b/default-env.json': '[[5]]',
    'test/default-env.json': '{"VCAP_SERVICES":{}}',
    '.cdsrc-private.json': '{"requires":{"auth":{"binding":{"key":"auth-key"}}}}',
    '.cdsrc.json': '{"requires":{"auth":{"credentials":{"clientsecret":"abcdefgh"}}}}',
    'service-key.json': '{"clientsecret":"abcdefgh"}',
  })
  expect(Object.fromEntries(findLocalFiles(files).map(({ path, holds }) => [path, holds]))).toEqual({
    '.env': 'settings',
    'a/.env': 'credentials',
    'b/.env': 'settings',
    'default-env.json': 'bindings',
    'a/default-env.json': 'credentials',
    'b/default-env.json': 'settings',
    '.cdsrc-private.json': 'bindings',
    'service-key.json': 'credentials',
  })
})
