import { describe, expect, test } from 'vitest'
import { createBudget } from '../../core/budget.ts'
import { CALLBACK_SOURCES, PAGE_CALLBACK_SOURCES } from '../../core/flow/models/callback-sources.ts'
import { solve, toFileFlow, toHit } from '../../core/flow/index.ts'
import { factsOf } from '../facts/facts-of.ts'

function faultsOf(text: string, realm: 'server' | 'browser' = 'server'): readonly string[] {
  const path = realm === 'server' ? 'srv/worker.js' : 'webapp/Component.js'
  const flow = toFileFlow({ path, realm, text, facts: factsOf(text, path), step: () => undefined })
  const files = flow === undefined ? [] : [{ path, flow }]
  return solve(files, createBudget(1_000_000)).arrivals.map((arrival) => toHit(arrival, files).fault)
}

/** `consumer.run({ eachMessage: (first) => … })`, written from an access path: what a reader of the table takes it to say. */
function writtenFrom(call: string, at: string, event = '', sent = true, count?: number): string {
  const [source = '', ...steps] = call.slice('module:'.length).split(' ')
  const isNew = steps.at(-1) === 'new'
  const made = (isNew ? steps.slice(0, -1) : steps)
    .reduce((text, step) => (step === '()' ? `${text}()` : step === 'new' ? `new (${text})()` : `${text}.${step}`), 'library')
    .replaceAll('.default', '')
  const [, argument = '', field, parameter = '', rest = ''] =
    /^Argument\[(\d)\](?:\.Member\[(\w+)\])?\.Parameter\[(\d)\](.*)$/.exec(at) ?? []
  const data = rest.replaceAll('.ArrayElement', '[0]').replaceAll(/\.Member\[(\w+)\]/g, '.$1')
  const beside = count === undefined ? Number(parameter) + 1 : count - 1
  const read = sent ? `p${parameter}${data}` : `p${beside}${data}`
  const parameters = Array.from({ length: count ?? 3 }, (_, index) => `p${index}`)
  const callback = `(${parameters.join(', ')}) => require('child_process').exec(${read}.toString())`
  const given = field === undefined ? callback : `{ ${field}: ${callback} }`
  const front = [event === '' ? `'jobs'` : `'${event}'`, '{}', '{}', '{}']
  const args = [...front.slice(0, Number(argument)), given]
  return `const library = require('${source}')\n${isNew ? `new (${made})` : made}(${args.join(', ')})\n`
}

/** `new library.Server()`, what `module:ws Server new on` is called of. */
function serverOf(call: string): string {
  const steps = call.split(' ').slice(1, -1)
  return steps.reduce((text, step) => {
    if (step === '()') return `${text}('/orders')`
    if (step === 'new') return `new (${text})()`
    return step === 'default' ? text : `${text}.${step}`
  }, 'library')
}

describe('what packages hand to functions', () => {
  const rows = CALLBACK_SOURCES.flatMap(({ calls, at, event, listener, parameters }) =>
    listener === undefined ? calls.map((call) => [call, at, event, parameters] as const) : [],
  )

  test.each(rows)('%s %s', (call, at, event, count) => {
    const [sent, beside, other] = [
      writtenFrom(call, at, event, true, count),
      writtenFrom(call, at, event, false, count),
      writtenFrom(call, at, 'close', true, count),
    ]
    expect(faultsOf(sent), `the row finds nothing in the script that this test writes from it:\n${sent}`).toContain(
      'cap/command-injection',
    )
    expect(faultsOf(beside), `the row takes another parameter for the data:\n${beside}`).toEqual([])
    if (event !== undefined) expect(faultsOf(other), `the row takes other events:\n${other}`).toEqual([])
  })

  const connections = CALLBACK_SOURCES.flatMap(({ calls, event = '', listener }) =>
    listener === undefined ? [] : calls.map((call) => [call, event, listener] as const),
  )

  test.each(connections)('%s %s: what the client sends', (call, event, { method, event: sent = 'order', at }) => {
    const inner = (name: string): string => writtenFrom(`module:connection ${method}`, at, name).split('\n')[1] ?? ''
    const text = (outer: string, name: string): string => `const library = require('${/^module:(\S+)/.exec(call)?.[1]}')
const server = ${serverOf(call)}
server.on('${outer}', (library) => { ${inner(name)} })
`
    expect(faultsOf(text(event, sent)), text(event, sent)).toContain('cap/command-injection')
    expect(faultsOf(text(event, 'disconnect')), 'no event of the client').toEqual([])
    expect(faultsOf(text('close', sent)), 'no connection').toEqual([])
  })

  test('is data where a message was sent, and nothing beside it', () => {
    const text = (body: string): string => `const { Kafka } = require('kafkajs')
const { exec } = require('child_process')
const consumer = new Kafka({ brokers: ['broker:9092'] }).consumer({ groupId: 'planning' })
async function start() {
  await consumer.connect()
  await consumer.run({ eachMessage: handle })
}
async function handle({ topic, message }) {
  ${body}
}`
    expect(faultsOf(text('const job = JSON.parse(message.value.toString())\n  exec(`print ${job.name}`)'))).toEqual([
      'cap/command-injection',
    ])
    expect(faultsOf(text('exec(`print ${topic}`)'))).toEqual([])
  })
})

describe('what browsers hand to functions', () => {
  const rows = PAGE_CALLBACK_SOURCES.flatMap(({ calls, at, event }) => calls.map((call) => [call, at, event] as const))

  test.each(rows)('%s %s', (call, at, event) => {
    const [first = '', ...steps] = call.slice('global:'.length).split(' ')
    const run = steps.reduce((text, step) => (step === 'new' ? `new ${text}('jobs')` : `${text}.${step}`), first)
    const [, argument = '', parameter = '', rest = ''] = /^Argument\[(\d)\]\.Parameter\[(\d)\](.*)$/.exec(at) ?? []
    const read = `p${parameter}${rest.replaceAll(/\.Member\[(\w+)\]/g, '.$1')}`
    const show = (what: string, name = event ?? 'jobs'): string =>
      `${run}(${argument === '0' ? '' : `'${name}', `}(p0, p1) => { document.body.innerHTML = decodeURIComponent(${what}) })\n`
    expect(
      faultsOf(show(read), 'browser'),
      `the row finds nothing in the script that this test writes from it:\n${show(read)}`,
    ).toContain('ui5/xss-dom-sink')
    expect(faultsOf(show('p1'), 'browser'), 'the row takes another parameter for the data').toEqual([])
    if (event !== undefined) expect(faultsOf(show(read, 'close'), 'browser'), 'the row takes other events').toEqual([])
  })
})
