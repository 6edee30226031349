import { expect, test } from 'vitest'
import { allFindings, scanFiles } from '../scan-files.ts'

const route = (source: string, destination: string, more = ''): string =>
  `    { "source": "^/${source}/(.*)$", "destination": "${destination}", "csrfProtection": false${more} }`

async function found(routes: readonly string[]): Promise<readonly string[]> {
  const { en } = await scanFiles(
    new Map([
      ['README.md', ''],
      ['router/xs-app.json', `{\n  "routes": [\n${routes.join(',\n')}\n  ]\n}\n`],
    ]),
  )
  return allFindings(en).flatMap(({ ruleId, line, severity, occurrences = [] }) =>
    ruleId === 'approuter/csrf-disabled' ? [`${severity} ${line} and ${occurrences.map((one) => one.line).join(', ')}`] : [],
  )
}

test('routes of one backend are one finding', async () => {
  expect(await found([route('lockers', 'depot'), route('keys', 'depot'), route('guests', 'depot')])).toEqual([
    'MEDIUM 3 and 4, 5',
  ])
})

test('another backend stays a finding of its own, and the worst route of one tells its level', async () => {
  const only = ', "httpMethods": ["PUT"]'
  expect(await found([route('lockers', 'depot'), route('keys', 'depot', only), route('guests', 'desk')])).toEqual([
    'MEDIUM 3 and 4',
    'MEDIUM 5 and ',
  ])
})

test('own approuters that call their destinations alike are findings of their own', async () => {
  const router = (folder: string, source: string): readonly (readonly [string, string])[] => [
    [`${folder}/package.json`, '{ "dependencies": { "@sap/approuter": "^20" } }'],
    [`${folder}/xs-app.json`, `{ "routes": [\n${route(source, 'depot')}\n] }`],
  ]
  const { en } = await scanFiles(new Map([...router('desk', 'lockers'), ...router('gate', 'keys')]))
  const told = allFindings(en).filter(({ ruleId }) => ruleId === 'approuter/csrf-disabled')
  expect(told.map(({ file }) => file)).toEqual(['desk/xs-app.json', 'gate/xs-app.json'])
})

test('apps of one MTA are one finding, and those of another are another', async () => {
  const app = (file: string, source: string): readonly [string, string] => [
    file,
    `{ "routes": [\n${route(source, 'depot', ', "authenticationType": "xsuaa"')}\n] }`,
  ]
  const mta = (id: string): readonly [string, string] => [`${id}/mta.yaml`, `_schema-version: "3.1"\nID: ${id}\n`]
  const { en } = await scanFiles(
    new Map([
      mta('desk'),
      app('desk/one/xs-app.json', 'lockers'),
      app('desk/two/xs-app.json', 'keys'),
      mta('gate'),
      app('gate/one/xs-app.json', 'guests'),
    ]),
  )
  const told = allFindings(en).filter(({ ruleId }) => ruleId === 'approuter/csrf-disabled')
  expect(told.map(({ file }) => file)).toEqual(['desk/one/xs-app.json', 'gate/one/xs-app.json'])
})
