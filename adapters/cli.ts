import { existsSync } from 'node:fs'
import { isRefusal, VERSION } from '../core/index.ts'
import { isSettingsFault } from './node/settings.ts'
import { tuneEngine } from './node/tune-engine.ts'
import { advisoriesCommand } from './terminal/advisories-command.ts'
import { guessLocale, readArguments } from './terminal/arguments.ts'
import { compareCommand } from './terminal/compare-command.ts'
import { explainRule, listRules } from './terminal/explain-command.ts'
import { helpText } from './terminal/help.ts'
import { writeConfig } from './terminal/init-command.ts'
import { scanCommand } from './terminal/scan-command.ts'
import { findNearMiss } from '../core/host.ts'
import { describeInTerminal } from './terminal/path-not-found.ts'
import { tell } from './terminal/tell.ts'
import { CommandFault, EXIT, UsageFault } from './terminal/usage.ts'
import { say } from './terminal/words.ts'

async function main(): Promise<number> {
  const args = readArguments(process.argv.slice(2), process.env)
  const { command, operands, locale } = args
  if (args.version) return print(`${VERSION}\n`)
  if (args.help || command === 'help') return print(helpText(locale, command === 'help' ? operands[0] : command))
  if (command === 'scan') return scanCommand(args)
  if (command === 'scan-all') return (await import('./terminal/scan-all/scan-all-command.ts')).scanAllCommand(args)
  if (command === 'watch') return (await import('./terminal/watch-command.ts')).watchCommand(args)
  if (command === 'lsp') return (await import('./terminal/lsp-command.ts')).lspCommand(args)
  if (command === 'advisories') return advisoriesCommand(args)
  if (command === 'compare') return compareCommand(args)
  if (command === 'explain') return print(explainRule(args))
  if (command === 'rules') return print(listRules(args))
  if (operands.length > 0) throw unknownCommand(command)
  if (command === 'init') return print(await writeConfig(process.cwd(), locale))
  if (command !== 'serve' && command !== 'worker') throw unknownCommand(command)
  // whoever loads it has started the service, or the worker that its arguments ask for
  await import('./node/main.ts')
  return new Promise<number>(() => {})
}

const COMMANDS = [
  'scan',
  'scan-all',
  'watch',
  'lsp',
  'serve',
  'worker',
  'rules',
  'explain',
  'compare',
  'advisories',
  'init',
  'help',
]

function unknownCommand(command: string | undefined): UsageFault {
  if (command === undefined) return new UsageFault('')
  if (COMMANDS.includes(command))
    return new UsageFault({ en: `parapet ${command} takes no operands`, fr: `parapet ${command} n’attend aucun opérande` })
  if (existsSync(command))
    return new UsageFault({
      en: `A folder or ZIP is scanned by a command: parapet scan ${command.slice(0, 200)}`,
      fr: `Un dossier ou un ZIP s’analyse par une commande : parapet scan ${command.slice(0, 200)}`,
    })
  const meant = findNearMiss(command, COMMANDS)
  const name = command.slice(0, 50)
  if (meant !== undefined)
    return new UsageFault({
      en: `There is no command ${name}: did you mean ${meant}?`,
      fr: `Il n’y a pas de commande ${name} : vouliez-vous dire ${meant} ?`,
    })
  return new UsageFault({
    en: `There is no command ${name}. A folder or ZIP is scanned by parapet scan <folder or zip>`,
    fr: `Il n’y a pas de commande ${name}. Un dossier ou un ZIP s’analyse par parapet scan <dossier ou zip>`,
  })
}

function print(text: string): number {
  process.stdout.write(text)
  return EXIT.done
}

function explain(error: unknown): number {
  const locale = guessLocale(process.argv.slice(2), process.env)
  if (error instanceof UsageFault && error.message === '') process.stderr.write(helpText(locale))
  else if (error instanceof CommandFault) tell(error.text[locale])
  else if (error instanceof UsageFault) tell(error.text[locale], '', say(locale, 'helpExplains'))
  else if (isSettingsFault(error)) tell(`${error.message}.`)
  else if (isRefusal(error)) tell(`${describeInTerminal(error, locale)} (${error.code})`)
  else {
    tell(...(error instanceof Error ? (error.stack ?? error.message) : String(error)).split('\n'))
    return EXIT.internal
  }
  return EXIT.usage
}

// a pipe that was closed early (`| head`) is not a fault
process.stdout.on('error', () => process.exit(EXIT.done))
tuneEngine('scans')
// not awaited: what is bundled as CommonJS may not
void main()
  .catch(explain)
  .then((code) => (process.exitCode = code))
