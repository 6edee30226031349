import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../soak.ts'
import { scanFiles } from '../../scan-files.ts'

const KEYS = (
  'name modules resources requires provides parameters properties type service service-plan config path init_data instance destinations ' +
  'applications env routes extends ID scopes attributes oauth2-configuration redirect-uris role-templates scope-references authorities ' +
  'foreign-scope-references role-collections role-template-references grant-as-authority-to-apps build-parameters valueRequired Name URL Authentication ProxyType group data whitelistIPs keep-existing'
).split(' ')
const WORDS = fc.constantFrom(
  'xsuaa',
  'nodejs',
  'java',
  'destination',
  'identity',
  'saas-registry',
  'hana-cloud',
  'NoAuthentication',
  'http://a.b',
  '~{a/b}',
  '${a}',
  'true',
  'x',
  'https://*/**',
  '*',
)
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 7 },
    WORDS,
    fc.jsonValue({ maxDepth: 1 }),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), fc.string()), tie('tree'), { maxKeys: 6 }),
  ),
}))

it('no rule fails on descriptors that hold anything', async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, tree, async (one, two, three) => {
      const files = new Map([
        ['mta.yaml', JSON.stringify(one)],
        ['a.mtaext', JSON.stringify(two)],
        ['xs-security.json', JSON.stringify(three)],
        ['manifest.yml', JSON.stringify(two)],
        ['destinations.json', JSON.stringify(three)],
        ['app/manifest.json', JSON.stringify(one)],
        ['README.md', ''],
      ])
      const { en } = await scanFiles(files)
      expect(en.notices.filter(({ code }) => code === 'rule-failed')).toEqual([])
    }),
    { numRuns: runs(10_000, 60) },
  )
})
