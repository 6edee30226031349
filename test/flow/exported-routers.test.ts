import { describe, expect, test } from 'vitest'
import { toFileFlow } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'
import { allFindings, scanFiles } from '../scan-files.ts'

const ROUTER = `const express = require('express')
const router = express.Router()
router.get('/run', (req, res) => { require('child_process').exec(req.query.command); res.send('done') })
`
const keys = (count: number, value: string): string => Array.from({ length: count }, (_, at) => `k${at}: ${value}`).join(', ')

/** An object that holds itself under so many names. */
const cyclic = (count: number): string =>
  `${ROUTER}const api = { router }\n${Array.from({ length: count }, (_, at) => `api.k${at} = api\n`).join('')}module.exports = api\n`
/** Objects that each hold the next one under so many names. */
const nested = (count: number): string =>
  `${ROUTER}const a = { ${keys(count, 'router')} }\nconst b = { ${keys(count, 'a')} }\nconst c = { ${keys(count, 'b')} }\nmodule.exports = { router, ${keys(count, 'c')} }\n`
/** The same object under so many names, each an export. */
const named = (count: number): string =>
  `${ROUTER}const api = { router, ${keys(count, '1')} }\n${Array.from({ length: count }, (_, at) => `exports.k${at} = api\n`).join('')}exports.router = router\n`

function stepsOf(text: string): number {
  let steps = 0
  const step = (count = 1): void => {
    steps += count
  }
  toFileFlow({ path: 'routes.js', realm: 'server', text, facts: factsOf(text, 'routes.js'), step })
  return steps
}

describe('routers in objects that a file exports', () => {
  test.each([
    ['an object that holds itself', cyclic],
    ['objects in objects', nested],
    ['one object under several names', named],
  ])('%s: each is looked at once', async (_, write) => {
    expect(stepsOf(write(80))).toBeLessThan(4 * stepsOf(write(40)))
    const { en } = await scanFiles(
      new Map([
        ['package.json', '{ "dependencies": { "express": "^4" } }'],
        ['server.js', `const app = require('express')()\napp.use('/r', require('./routes').router)\napp.listen(3000)\n`],
        ['routes.js', write(40)],
      ]),
    )
    expect(allFindings(en).map(({ ruleId, severity }) => `${severity} ${ruleId}`)).toContain('CRITICAL cap/command-injection')
  })
})
