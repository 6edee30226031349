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
