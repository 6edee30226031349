import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { readTextPieces } from '../../core/report/text-pieces.ts'
import { cpuTime } from '../cpu-time.ts'

const codeIn = (text: string): readonly string[] => readTextPieces(text).flatMap((piece) => (piece.isCode ? [piece.text] : []))

describe('code in a sentence', () => {
  test.each<readonly [string, readonly string[]]>([
    ['Set "authenticationType": "xsuaa" (or "ias") on this route.', ['"authenticationType": "xsuaa"', '"ias"']],
    ['Write "a": { "b": [1, "}"] }, and no more.', ['"a": { "b": [1, "}"] }']],
    [
      'Replace cds.requires.auth in package.json with { "kind": "dummy" }: production',
      ['cds.requires.auth', 'package.json', '{ "kind": "dummy" }'],
    ],
    ["Use db.run('SELECT … WHERE ID = ?', [id]).", ["db.run('SELECT … WHERE ID = ?', [id])"]],
    ['.where`ID = ${id}`, or .where({ ID: id }).', ['.where`ID = ${id}`', '.where({ ID: id })']],
    [
      "Add annotate Shop with @(requires: '<role>'); to the model, or @restrict",
      ["annotate Shop with @(requires: '<role>');", '@restrict'],
    ],
    ["They annotate things with @(requires: 'a'), as @odata does", ["annotate things with @(requires: 'a')", '@odata']],
    ['They annotate Shop with @restrict', ['@restrict']],
    ['crypto.randomBytes(32).toString("hex") and NODE_ENV', ['crypto.randomBytes(32).toString("hex")', 'NODE_ENV']],
    ['Add <meta http-equiv="Content-Security-Policy"> with \'self\'.', ['<meta http-equiv="Content-Security-Policy">', "'self'"]],
    ['eval() runs @sap/xssec; see validateUrl', ['eval()', '@sap/xssec', 'validateUrl']],
  ])('%s', (text, code) => expect(codeIn(text)).toEqual(code))

  test.each([
    'An attacker on the internet can try passwords, e.g. of all users (and of none). Node.js and JavaScript run on GitHub.',
    'The driver’s values and the user’s role [sic] are read; client/server, 1.98.0.',
    'Une valeur { non fermée, et une parenthèse (ouverte',
  ])('none: %s', (text) => expect(codeIn(text)).toEqual([]))

  test('all pieces together are the text, whatever it is', () => {
    const texts = fc.string({
      unit: fc.constantFrom('a', 'B', '.', '"', "'", '`', '(', ')', '[', '{', '}', '@', '$', ':', ' ', '<', '>', '_', '1'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(
        texts,
        (text) =>
          readTextPieces(text)
            .map((piece) => piece.text)
            .join('') === text,
      ),
    )
  })

  test.each(['a(', '"', '{"', 'a`', '<a ', 'a.', '": {'])('30,000 times %j are read in little time', (piece) => {
    const begun = cpuTime()
    readTextPieces(piece.repeat(30_000))
    // what is quadratic takes minutes
    expect(cpuTime() - begun).toBeLessThan(20_000)
  })
})
