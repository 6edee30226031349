import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runs } from '../../soak.ts'
import { scanFiles } from '../../scan-files.ts'

const KEYS = (
  'cds requires auth db api kinds kind impl config validation x5t proofToken enabled credentials url username authentication destination ' +
  'features service_level_restrictions restrict_service_scope log sanitize_values odata batch_limit extensibility extension-allowlist for new-fields ' +
  'annotations cds.xt.ExtensibilityService profile profiles [production] [production!] [development] dependencies devDependencies @sap/cds ' +
  '@sap/xssec @sap/cds-mtx @cap-js/hana @cap-js/sqlite'
).split(' ')
const WORDS = fc.constantFrom<unknown>(
  'sqlite',
  'hana',
  'sql',
  'ias',
  'jwt',
  'mocked',
  'basic',
  'rest',
  'http://a.example',
  'BasicAuthentication',
  '*',
  '@restrict',
  '^6',
  '9.9.3',
  '>=8',
  'mtx-sidecar',
  'production',
  '',
  true,
  false,
  null,
  0,
  5,
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 7 },
    WORDS,
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.oneof({ arbitrary: fc.constantFrom(...KEYS), weight: 20 }, fc.string()), tie('tree'), { maxKeys: 6 }),
  ),
}))
const name = fc.constantFrom(
  'CDS_CONFIG',
  'cds_requires_db',
  'CDS_REQUIRES_AUTH_KIND',
  'cds.log.sanitize_values',
  'cds__x',
  'cds_',
  'NODE_ENV',
)

test('no rule fails, whatever the configuration of CAP holds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(tree, { minLength: 4, maxLength: 4 }), name, async ([one, two, three, four], variable) => {
      const json = (value: unknown): string => JSON.stringify(value ?? null)
      const requires = { requires: one, '[production]': { requires: two } }
      const files = new Map([
        ['package.json', json({ dependencies: { '@sap/cds': three, '@sap/cds-mtx': '^2' }, cds: requires })],
        ['x/package.json', json(four)],
        ['x/.cdsrc.json', json(three)],
        ['x/.cdsrc.yaml', json({ requires: four })],
        ['x/default-env.json', json({ [variable]: one })],
        ['mtx/sidecar/package.json', json({ dependencies: three, cds: two })],
        [
          'mta.yaml',
          json({ modules: [{ name: 'm', type: 'nodejs', path: 'gen/srv', properties: { [variable]: json(one), CDS_X: two } }] }),
        ],
        ['pom.xml', `<p><cds.services.version>${json(three)}</cds.services.version></p>`.replaceAll(/[&<]{2,}|&/g, '')],
        ['srv/s.cds', 'service S { entity E { key ID : UUID } }'],
        [
          'srv/s.js',
          'module.exports = (srv) => srv.on("x", (req) => req.reject({ status: 400, message: req.stack, $sanitize: false }))',
        ],
        ['README.md', ''],
      ])
      const { en } = await scanFiles(files)
      expect(en.notices.filter(({ code }) => code === 'rule-failed' || code === 'time-limit')).toEqual([])
    }),
    { numRuns: runs(10_000, 60) },
  )
}, 120_000)
