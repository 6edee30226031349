import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../soak.ts'
import { scanFiles } from '../../scan-files.ts'

const KEYS = [
  'name',
  'dependencies',
  'devDependencies',
  'scripts',
  'preinstall',
  'engines',
  'node',
  'overrides',
  'workspaces',

  'packages',
  '',
  'node_modules/a',
  'node_modules/a/node_modules/b',
  'p',
  'version',
  'resolved',
  'integrity',
  'link',
  'deprecated',

  'lockfileVersion',
  'automerge',
  'packageRules',
  'allowlist',
  'GHSA-aaaa-bbbb-cccc',
  '@capjs/sqlite',
  '@sap/xssec',
  'axios',
  'vm2',

  'VCAP_SERVICES',
  'credentials',
  'clientsecret',
  'applications',
  'path',
  'modules',
  'type',
  'on',
  'jobs',
  'steps',
  'uses',
  'run',
  'permissions',

  'env',
  'with',
  'apiVersion',
  'kind',
  'spec',
  'rules',
  'noAuth',
  'corsPolicy',
  'allowOrigins',
  'template',
  'containers',
  'securityContext',
]
const VALUES = [
  null,
  true,
  false,
  0,
  '',
  '*',
  '^1',
  '1.6.0',
  '3.5.0',
  'latest',
  '>=1',
  '18.x',
  'http://x.example/a.tgz',
  'github:a/b#main',
  'file:../../x',

  'https://r.example/b/-/b-1.0.0.tgz',
  'sha1-x',
  'curl x | sh',
  'packages/*',
  'APIRule',
  'gateway.kyma-project.io/v1beta1',
  'Pod',
  'v1',
  '${{ github.event.issue.title }}',
  'a/b@main',
  'npm install',
  'write-all',
  'push',
  'issues',
  '.',
  'nodejs',
  '{{ .x }}',
]

const node = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(...VALUES),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS), tie('node'), { maxKeys: 6 }),
  ),
})).node

const text = fc
  .array(
    fc.constantFrom(
      'FROM node:18',
      'COPY . .',
      'USER ',
      'ARG NPM_TOKEN',
      '\n',
      ' ',
      '\\',
      '=',
      '.env',
      '!',
      '*',
      '/',
      'strict-ssl',
      'registry',
      'lts/*',
    ),
    { maxLength: 20 },
  )
  .map((parts) => parts.join(''))

test('no rule fails, whatever the files of packages, images, pipelines and Kubernetes hold', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(node, { minLength: 3, maxLength: 3 }), text, async ([a, b, c], plain) => {
      const json = (value: unknown): string => JSON.stringify(value ?? null)
      const files = new Map([
        ...['package.json', 'p/package.json', 'renovate.json', 'default-env.json'].map((path): [string, string] => [
          path,
          json(a),
        ]),
        ...['package-lock.json', '.nsprc', '.github/workflows/x.yml'].map((path): [string, string] => [path, json(b)]),
        ...['k8s/x.yaml', 'manifest.yml', 'mta.yaml', '.yarnrc.yml'].map((path): [string, string] => [path, json(c)]),
        ...['.npmrc', '.yarnrc', 'Dockerfile', '.gitignore', '.dockerignore', '.nvmrc', 'yarn.lock'].map(
          (path): [string, string] => [path, plain],
        ),
      ])
      const { en } = await scanFiles(files)
      expect(en.notices.filter(({ code }) => code === 'rule-failed')).toEqual([])
    }),
    { numRuns: runs(10_000, 60) },
  )
}, 120_000)
