import intersects from 'semver/ranges/intersects.js'
import validRange from 'semver/ranges/valid.js'
import { placeOf, versionWithin } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Versions of the approuter, the lines of Node.js that they support, and the newest line of versions among them; the newest first. */
const SUPPORTED: readonly { readonly versions: string; readonly lines: string; readonly newest: string }[] = [
  { versions: '>=21.0.0 <24.0.0', lines: '^22 || ^24', newest: '^23.0.0' },
  { versions: '>=19.0.0 <21.0.0', lines: '^20 || ^22', newest: '^20.0.0' },
  { versions: '>=15.0.0 <19.0.0', lines: '^18 || ^20', newest: '^18.0.0' },
]

/** A Node.js line that this version of the approuter does not support. Whether the line is still maintained is another question.
 *  Facts: CHANGELOG of @sap/approuter 23.0.0: 21 supports Node.js 22 and 24, 19 supports 20 and 22, 15 supports 18 and 20.
 *  Impact: none, a combination that nobody tests or mends; no fault is known. */
export const nodeEngineUnsupported: Rule = defineRule({
  id: 'approuter/node-engine-unsupported',
  impact: 'hygiene',
  circumstance: 'unfixed',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter?activeTab=code',
  on: 'approuter',

  *check(approuter) {
    const { manifest } = approuter
    const node = at(manifest?.root, 'engines', 'node')
    const range = stringOf(node)
    if (manifest === undefined || node === undefined || range === undefined || range.length > 200 || validRange(range) === null)
      return
    const index = SUPPORTED.findIndex(({ versions }) => versionWithin(approuter, versions) === true)
    const current = SUPPORTED[index]
    if (current === undefined || intersects(range, current.lines)) return
    const line = current.lines.split(' || ').at(-1) ?? current.lines
    const update = SUPPORTED.slice(0, index).find(({ lines }) => intersects(range, lines))
    yield {
      at: placeOf(manifest.file, node),
      args: { version: manifest.version ?? '', supported: current.lines, line, range, update: update?.newest ?? '' },
      ...(update === undefined && { variant: 'latest' }),
      groupKey: `${manifest.file} ${range}`,
    }
  },

  text: () => ({
    en: {
      title: 'Node.js version not supported by the approuter',
      message: '@sap/approuter {version} supports Node.js {supported}, but "engines" requires {range}.',
      why: 'SAP does not support this combination: an urgent security update of the approuter or of Node.js may break the app.',
      fix: 'Update @sap/approuter in package.json to "{update}", which supports {range}, or set "engines.node" to "{line}".',
      variants: { latest: { fix: 'Set "engines.node" to "{supported}" in package.json.' } },
    },
    fr: {
      title: 'Version de Node.js non prise en charge par l’approuter',
      message: '@sap/approuter {version} prend en charge Node.js {supported}, mais "engines" exige {range}.',
      why: 'SAP ne prend pas en charge cette combinaison : une mise à jour de sécurité urgente de l’approuter ou de Node.js pourrait empêcher l’application de fonctionner.',
      fix: 'Passez @sap/approuter à "{update}" dans package.json : cette version est compatible avec {range}. Vous pouvez aussi donner à "engines.node" la valeur "{line}".',
      variants: { latest: { fix: 'Donnez à "engines.node" la valeur "{supported}" dans package.json.' } },
    },
  }),
})
