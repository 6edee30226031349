import { expect, test } from 'vitest'
import { guessLocale, readArguments } from '../../adapters/terminal/arguments.ts'
import { helpText } from '../../adapters/terminal/help.ts'
import { UsageFault } from '../../adapters/terminal/usage.ts'

test('the help is in the language of the option or of the environment', () => {
  expect(helpText('en')).toMatch(/^Usage: parapet scan <folder or zip> \[options\]\n {7}parapet scan-all /)
  expect(helpText('fr')).toMatch(/^Usage : parapet scan <dossier ou zip> \[options\]\n {8}parapet scan-all /)
  expect(readArguments(['--help'], { PARAPET_LANG: 'fr' }).locale).toBe('fr')
  expect(readArguments(['--help', '--lang', 'en'], { PARAPET_LANG: 'fr' }).locale).toBe('en')
  expect([['--lang=fr'], ['--lang', 'fr'], ['scan', 'fr'], []].map((args) => guessLocale(args, {}))).toEqual([
    'fr',
    'fr',
    'en',
    'en',
  ])
})

test('the help of a command has its options alone', () => {
  const scan = helpText('en', 'scan')
  expect(scan).toContain('--fail-on-new SEVERITY')
  expect(scan).not.toMatch(/--resume|parapet watch/)
  expect(helpText('en', 'lsp').split('\n').length).toBeLessThan(8)
  expect(helpText('en', 'scan-all')).toContain('--resume')
  // what it refuses or does not heed is not offered
  expect(helpText('en', 'watch')).toMatch(/--format FORMAT +text or json\n/)
  expect(helpText('en', 'watch')).not.toMatch(/sarif|--output|--fail-on SEVERITY|--source-url/)
  expect(helpText('en').match(/--format FORMAT/g)).toHaveLength(1)
  // a name that is none has that of all
  expect(helpText('en', 'history')).toBe(helpText('en'))
})

test.each([
  [['scan-all', '--help'], 'scan-all', 'en'],
  [['scan-all', 'a', 'b', '--help', '--lang', 'fr'], 'scan-all', 'fr'],
  [['scan', '-o', 'x', '--fail-on', 'severe', '-h'], 'scan', 'en'],
  [['watch', '--resume', '--help'], 'watch', 'en'],
])('%j asks for help, whatever is missing or wrong', (args, command, locale) => {
  expect(readArguments(args)).toMatchObject({ help: true, command, locale })
})

test.each([
  [['scan', '.', '--no-color'], /NO_COLOR=1/, /l’environnement/],
  [['serve', '--port', '1'], /PORT=8080 parapet serve/, /l’environnement/],
  [['scan', '.', '-f', 'json,sarif'], /one by one: -f json -o a\.json/, /un par un/],
  [['scan', '.', '-o', 'x'], /Each --output belongs/, /Chaque --output/],
  [
    ['scan', '.', '--rule', 'cap/cql-injektion'],
    /^There is no rule .*did you mean/,
    /^Il n’y a pas de règle .*vouliez-vous dire/,
  ],
])('%j is refused in both languages', (args, en, fr) => {
  const refused = (): unknown => readArguments(args)
  expect(refused).toThrow(UsageFault)
  const fault = faultOf(refused)
  expect(fault.text.en).toMatch(en)
  expect(fault.text.fr).toMatch(fr)
})

function faultOf(refused: () => unknown): UsageFault {
  try {
    refused()
  } catch (error) {
    if (error instanceof UsageFault) return error
  }
  throw new Error('nothing was refused')
}
