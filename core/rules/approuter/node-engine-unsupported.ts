import intersects from 'semver/ranges/intersects.js'
import validRange from 'semver/ranges/valid.js'
import { placeOf, versionWithin } from '../../model/approuter/index.ts'
import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** Versions of the approuter, and the lines of Node.js that they support. */
const SUPPORTED: readonly (readonly [string, string])[] = [
  ['>=21.0.0 <24.0.0', '^22 || ^24'],
  ['>=19.0.0 <21.0.0', '^20 || ^22'],
  ['>=15.0.0 <19.0.0', '^18 || ^20'],
]

/** A Node.js line that this version of the approuter was not made for. Lines that get no fixes any more are the business of npm/eol-node.
 *  Facts: CHANGELOG of @sap/approuter 23.0.0: 21 supports Node.js 22 and 24, 19 supports 20 and 22, 15 supports 18 and 20. */
export const nodeEngineUnsupported: Rule = defineRule({
  id: 'approuter/node-engine-unsupported',
  severity: 'LOW',
  confidence: 'high',
  cwe: [1104],
  since: '0.1.0',
  docs: 'https://www.npmjs.com/package/@sap/approuter#configurations',
  on: 'approuter',

  *check(approuter) {
    const { manifest } = approuter
    const node = at(manifest?.root, 'engines', 'node')
    const range = stringOf(node)
    if (manifest === undefined || node === undefined || range === undefined || range.length > 200 || validRange(range) === null)
      return
    const line = SUPPORTED.find(([versions]) => versionWithin(approuter, versions) === true)
    if (line === undefined || intersects(range, line[1])) return
    const args = { version: manifest.version ?? '', supported: line[1], range }
    yield { at: placeOf(manifest.file, node), args, sameAs: `${manifest.file} ${range}` }
  },

  text: {
    en: {
      title: 'The approuter does not support this Node.js',
      message: '@sap/approuter {version} supports Node.js {supported}; "engines" asks for {range}.',
      why: 'Fixes of the approuter are not made and not tested for this line: an update that is needed in a hurry may not run.',
      fix: 'Set "engines.node" to {supported}, or move to the version of @sap/approuter that supports it.',
    },
    fr: {
      title: 'L’approuter ne prend pas en charge ce Node.js',
      message: '@sap/approuter {version} prend en charge Node.js {supported} ; « engines » demande {range}.',
      why: 'Les correctifs de l’approuter ne sont ni faits ni testés pour cette branche : une mise à jour urgente peut ne pas démarrer.',
      fix: 'Donnez à « engines.node » la valeur {supported}, ou passez à la version de @sap/approuter qui le prend en charge.',
    },
  },
})
