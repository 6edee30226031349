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

/** A Node.js line that this version of the approuter does not support. Whether the line is still maintained is another question.
 *  Facts: CHANGELOG of @sap/approuter 23.0.0: 21 supports Node.js 22 and 24, 19 supports 20 and 22, 15 supports 18 and 20.
 *  Severity: an unsupported combination, of which no fault is known, LOW. */
export const nodeEngineUnsupported: Rule = defineRule({
  id: 'approuter/node-engine-unsupported',
  severity: 'LOW',
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
    const line = SUPPORTED.find(([versions]) => versionWithin(approuter, versions) === true)
    if (line === undefined || intersects(range, line[1])) return
    const args = { version: manifest.version ?? '', supported: line[1], range }
    yield { at: placeOf(manifest.file, node), args, sameAs: `${manifest.file} ${range}` }
  },

  text: {
    en: {
      title: 'Node.js version not supported by the approuter',
      message: '@sap/approuter {version} supports Node.js {supported}, but "engines" requires {range}.',
      why: 'The approuter is not tested with this Node.js version: a security fix may fail to start when it has to be deployed at once.',
      fix: 'Set "engines.node" to "{supported}" in package.json, or update @sap/approuter to a version that supports {range}.',
    },
    fr: {
      title: 'Version de Node.js non prise en charge par l’approuter',
      message: '@sap/approuter {version} prend en charge Node.js {supported}, mais "engines" exige {range}.',
      why: 'L’approuter n’est pas testé avec cette version de Node.js : un correctif de sécurité à déployer en urgence peut ne pas démarrer.',
      fix: 'Donnez à "engines.node" la valeur "{supported}" dans package.json, ou passez à une version de @sap/approuter compatible avec {range}.',
    },
  },
})
