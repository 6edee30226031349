import { expect, test } from 'vitest'
import { breakIn } from './broken-sentences.ts'

test.each([
  ['Remove "" from ./.', 'empty quotes'],
  ['No lock file pins the versions in ./.', 'a path for the root of the project'],
  ['The value is run as code by ….', 'a name that was cut off'],
  ['The value is run as code by ….run.', 'a name that was cut off'],
  ['The module  has no route.', 'a gap'],
  ['The module , which is public, has a route.', 'a sign without a word before it'],
  ['The service Shop exposes () to all.', 'empty parentheses'],
  ['The default is undefined.', 'an argument without a value'],
])('sees a broken sentence: %s', (text, what) => {
  expect(breakIn(text)).toBe(what)
})

test.each([
  'Call window.open(url, "_blank", "noopener"), or load ./lib/init.js by a relative path.',
  'La route "^/(.*)$" sert le dossier "../../..", qui contient package.json.',
  'Add where: (owner = $user) to this privilege, or use .where`ID = ${id}`.',
  "EXEC runs the quoted value: '''' || ESCAPE_SINGLE_QUOTES(:NAME) || ''''.",
  'Pass the value with "cf push --var NAME=…" from a pipeline secret.',
  'Run ENTRYPOINT ["npm", "run", "start"] in production.',
])('leaves a whole one alone: %s', (text) => {
  expect(breakIn(text)).toBeUndefined()
})
