import { expect, test } from 'vitest'
import { findSuspicious } from '../../core/report/suspicious-literals.ts'
import { createChance } from '../hostile/mutate.ts'
import { createDice, drawShape } from '../secrets/draw-shape.ts'
import { runs } from '../soak.ts'

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789']
const PLACES: readonly ((value: string) => string)[] = [
  (value) => `const clarifaiKey = '${value}'`,
  (value) => `  "demio_key": "${value}",`,
  (value) => `curl -k -H "Authorization: Basic ${value}" https://a.example`,
  (value) => `@my.password: '${value}' entity E { }`,
  (value) => `  password : String default '${value}';`,
  (value) => `send(\`${value}\`, x)`,
  (value) => `PASSWORD=${value}`,
  (value) => `password: ${value} # a`,
  (value) => `<input type="password" value="${value}">`,
  (value) => `// the token is ${value}, says ops`,
  (value) => `https://a.example/b?token=${value}&c=d`,
]

test('a random value is found at each place', () => {
  for (let seed = 1; seed <= runs(20_000); seed++) {
    const chance = createChance(seed)
    const length = 24 + chance.below(40)
    const value = Array.from({ length }, () => chance.pick(LETTERS)).join('')
    const line = chance.pick(PLACES)(value)
    let shown = line
    for (const { start, end } of findSuspicious(line)) shown = shown.slice(0, start) + '*'.repeat(end - start) + shown.slice(end)
    for (let at = 0; at + 12 <= value.length; at++) expect(shown, `seed ${seed}`).not.toContain(value.slice(at, at + 12))
  }
})

test.each([
  ['small letters and digits', '[a-z0-9]{32}', (value: string) => `1;Ann;${value};ann@corp.cloud`],
  ['small letters and digits behind a mark', '[a-z0-9]{32}', (value: string) => `1;Ann;sk-${value};ann@corp.cloud`],
  ['letters behind a point', '[a-zA-Z]{24}', (value: string) => `1;Ann;s.${value};ann@corp.cloud`],
  ['a generated password in quotes', '[A-Za-z0-9!@*.#]{24}', (value: string) => `login('admin', '${value}')`],
  ['a generated password on a line of its own', '[A-Za-z0-9!@*.#]{24}', (value: string) => `        ${value}`],
  ['a generated password in a comment', '[A-Za-z0-9!@*.#]{24}', (value: string) => `eval(x) // ${value}`],
  ['a generated password in a row', '[A-Za-z0-9!@*.#]{24}', (value: string) => `1;Ann;${value};ann@corp.cloud`],
  ['two parts with a point between', '[A-Za-z0-9]{11}\\.[A-Za-z0-9]{8}', (value: string) => `<!-- dbPassword: ${value} -->`],
  ['capitals at a name', '[A-Z]{16}', (value: string) => `<!-- adminPwd: ${value} -->`],
  ['small letters at a name', '[a-z]{24}', (value: string) => `password: '${value}'`],
])('%s are found', (_, shape, place) => {
  let missed = 0
  for (let seed = 0; seed < runs(5000); seed++) {
    const value = drawShape(shape, createDice(`${shape} ${seed}`))
    if (!findSuspicious(place(value)).some(({ start, end }) => place(value).slice(start, end).includes(value.slice(4)))) missed++
  }
  // chance draws one that reads as a word
  expect(missed).toBeLessThan(runs(5000) / 20)
})

test.each([
  ['demio_key: >-', '        %3A6sf-1eKT/-'],
  ['const dbPassword =', "  '%3A6sf-1eKT/-'"],
  ['  "clientSecret":', '    "%3A6sf-1eKT/-",'],
  ['<clientSecret>', '  %3A6sf-1eKT/-'],
])('a value on the line below its name is found: %s', (before, line) => {
  expect(findSuspicious(line, before).map(({ start, end }) => line.slice(start, end))).toEqual(['%3A6sf-1eKT/-'])
  expect(findSuspicious(line, 'title:')).toEqual([])
})

test('the number in front of a random value belongs to it', () => {
  const [digits, random] = ['4821'.repeat(4), '9f3b7a1c'.repeat(2) + 'e05d62b8'.repeat(2)]
  expect(findSuspicious(`echo ${digits}|${random} x`)).toEqual([{ start: 5, end: 5 + 16 + 1 + 32 }])
})

test.each([
  "sap.ui.define(['sap/ui/core/mvc/Controller', 'sap/m/MessageToast'], function () {",
  "  password: 'Password',",
  'const password = req.data.password1',
  "  key: 'name',",
  'token: ${{ secrets.NPM_TOKEN }}',
  'module.exports = cds.service.impl(async function () {',
  '"@sap/cds-compiler": "^6.9.5",',
  'eval(location.hash)',
  'document.getElementsByTagNameNS(createSha256FromBase64())',
  'this.getOwnerComponent().getModel("i18n").getResourceBundle()',
  '"^/resources/(.*)$", "/odata/v4/CatalogService/Books(ID=1)/author?$select=ID"',
  '}).then(e=>a.b(c[d],e1))',
  'expect(total).toBeLessThanOrEqual(60_000)',
  "oPump.bindElement('/PumpSet(4711)/Name')",
  "'sap/ui/model/odata/v4/ODataListBinding', 'sap.m.P13nDimMeasurePanel'",
  "{ id: '0198c0de-0000-7000-8000-000000000000' }",
  'entity Books as projection on my.Books { *, author.name as author };',
])('%s: nothing to hide', (line) => {
  expect(findSuspicious(line)).toEqual([])
})
