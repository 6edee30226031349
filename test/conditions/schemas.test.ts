import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

/** What is a fault of one field, and of the other one. */
const FAULTS: readonly string[] = ['cap/cql-injection', 'cap/path-traversal', 'cap/reflected-xss', 'cap/command-injection']

/** The faults of what a route makes of two fields of a query. */
function faultsOf(before: string, own = '', elsewhere = ''): readonly string[] {
  const server = `const cds = require('@sap/cds')
const fs = require('fs')
const { exec } = require('child_process')
const { z } = require('zod')
const Joi = require('joi')
const yup = require('yup')
const Ajv = require('ajv')
const schemas = require('./schemas')
const app = require('express')()
const ajv = new Ajv()
${own}
app.get('/claims', async (req, res) => {
    ${before}
    await cds.run("SELECT * FROM CLAIMS WHERE NAME = '" + name + "'")
    fs.readFile('/claims/' + name, () => undefined)
    res.send('<p>' + name + '</p>')
    exec('print ' + other)
})
`
  const files = [
    ['srv/server.js', server],
    ['srv/schemas.js', `const { z } = require('zod')\nconst Joi = require('joi')\nconst yup = require('yup')\n${elsewhere}`],
  ].flatMap(([path = '', text = '']) => {
    const flow = toFileFlow({ path, realm: 'server', text, facts: factsOf(text, path), step: () => undefined })
    return flow === undefined ? [] : [{ path, flow }]
  })
  const found = new Set(solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files).fault))
  return FAULTS.filter((fault) => found.has(fault))
}

const UNCHECKED = 'const { name, other } = req.query'

/** What a field may be, as a condition of code asks it and as libraries describe it. */
const FIELDS: readonly (readonly [what: string, asked: string, zod: string, joi: string, yup: string, json: string])[] = [
  [
    'one of a list',
    `['a', 'b'].includes(name)`,
    `z.enum(['a', 'b'])`,
    `Joi.string().valid('a', 'b')`,
    `yup.string().oneOf(['a', 'b'])`,
    `{ enum: ['a', 'b'] }`,
  ],
  [
    'of a form',
    '/^[a-z]{1,8}$/.test(name)',
    'z.string().regex(/^[a-z]{1,8}$/)',
    'Joi.string().pattern(/^[a-z]{1,8}$/)',
    'yup.string().matches(/^[a-z]{1,8}$/)',
    `{ type: 'string', pattern: '^[a-z]{1,8}$' }`,
  ],
  [
    'a text of some length',
    'name.length < 80',
    'z.string().max(80)',
    'Joi.string().max(80)',
    'yup.string().max(80)',
    `{ type: 'string', maxLength: 80 }`,
  ],
]

describe('what a schema lets through', () => {
  test('is asked, or each is a fault', () => {
    expect(faultsOf(UNCHECKED)).toEqual(FAULTS)
  })

  test.each(FIELDS)('%s: counts what a condition counts', (_, asked, zod, joi, ofYup, json) => {
    const wanted = faultsOf(`${UNCHECKED}\n    if (!(${asked})) return res.sendStatus(400)`)
    const read = 'const { name, other } = '
    const object = (name: string, any: string, made: string): string => `${made}({ name: ${name}, other: ${any} })`
    const [ofZod, ofJoi, ofY] = [
      object(zod, 'z.string()', 'z.object'),
      object(joi, 'Joi.string()', 'Joi.object'),
      object(ofYup, 'yup.string()', 'yup.object'),
    ]
    const ofAjv = `ajv.compile({ type: 'object', properties: { name: ${json}, other: { type: 'string' } } })`
    const ways: Readonly<Record<string, readonly string[]>> = {
      zod: faultsOf(`${read}schema.parse(req.query)`, `const schema = ${ofZod}`),
      'zod of another file': faultsOf(`${read}schemas.claim.parse(req.query)`, '', `exports.claim = ${ofZod}`),
      'zod with a result': faultsOf(
        `const checked = schema.safeParse(req.query)\n    if (!checked.success) return res.sendStatus(400)\n    ${read}checked.data`,
        `const schema = ${ofZod}`,
      ),
      joi: faultsOf(
        `const { error, value } = schema.validate(req.query)\n    if (error) return res.sendStatus(400)\n    ${read}value`,
        `const schema = ${ofJoi}`,
      ),
      yup: faultsOf(`${read}await schema.validate(req.query)`, `const schema = ${ofY}`),
      'yup of another file': faultsOf(`${read}await schemas.claim.validate(req.query)`, '', `exports.claim = ${ofY}`),
      ajv: faultsOf(`if (!validate(req.query)) return res.sendStatus(400)\n    ${UNCHECKED}`, `const validate = ${ofAjv}`),
    }
    for (const [way, faults] of Object.entries(ways)) expect(faults, way).toEqual(wanted)
  })

  test.each(FIELDS)('%s: reports no more for what is refused beside it', (_, _asked, zod) => {
    const schema = `const schema = z.object({ name: ${zod}, other: z.string() })`
    const read = 'const { name, other } = schema.parse(req.query)'
    const faults = faultsOf(read, schema)
    for (const more of [`name.includes('<')`, `name.includes("'") || name.includes('..')`, '!name', `typeof name !== 'string'`])
      for (const one of faultsOf(`${read}\n    if (${more}) return res.sendStatus(400)`, schema)) expect(faults).toContain(one)
  })
})
