import { accessesOf, fieldOf, pathsOf, resolveValue, type CallValue, type ScriptFacts, type Value } from '../../../facts/index.ts'
import type { Span } from '../../../types.ts'

/** A switch of a database library that writes each query to the log, with its values. */
interface LoggedQueries {
  readonly at: Span
  readonly library: string
  readonly setting: string
}

interface SwitchRow {
  readonly call: RegExp
  readonly library: string
  readonly setting: string
  /** `set('debug', true)`: the setting is the first argument. */
  readonly isArgument?: true
}

/** Facts: mongoose 8, "Mongoose.prototype.set" (`debug`); knex 3, "debug" (queries with their bindings); sequelize 6, "logging", "logQueryParameters". */
const SWITCHES: readonly SwitchRow[] = [
  { call: /^module:mongoose (?:default )?set \(\)$/, library: 'mongoose', setting: 'debug', isArgument: true },
  { call: /^module:knex (?:default |knex )?\(\)$/, library: 'knex', setting: 'debug' },
  { call: /^module:sequelize (?:default |Sequelize )?new$/, library: 'sequelize', setting: 'logging' },
  { call: /^module:sequelize (?:default |Sequelize )?new$/, library: 'sequelize', setting: 'logQueryParameters' },
]

const LIBRARIES: ReadonlySet<string> = new Set(SWITCHES.map(({ library }) => library))

/** Queries that a script has its library log, whatever the environment. */
export function* queriesLogged(facts: ScriptFacts, isForDevelopers: (place: Span) => boolean): Generator<LoggedQueries> {
  if (!facts.imports.some(({ source }) => LIBRARIES.has(source))) return
  for (const call of facts.calls) {
    const paths = pathsOf(call).map((path) => path.join(' '))
    for (const row of SWITCHES) {
      if (!paths.some((path) => row.call.test(path))) continue
      const value = settingOf(call, row)
      if (value === undefined || !isOn(value) || isForDevelopers(call) || isForDevelopers(value)) continue
      yield { at: { start: value.start, end: value.end }, library: row.library, setting: row.setting }
      break
    }
  }
}

function settingOf({ args }: CallValue, { setting, isArgument }: SwitchRow): Value | undefined {
  const [first, second] = args
  if (isArgument === true) return first !== undefined && isLiteral(first, setting) ? second : undefined
  for (const argument of args) {
    const given = fieldOf(resolveValue(argument), setting)?.value
    if (given !== undefined) return given
  }
  return undefined
}

function isOn(value: Value): boolean {
  return isLiteral(value, true) || accessesOf(value).some(({ root, steps }) => root === 'global:console' && steps.length === 1)
}

function isLiteral(value: Value, wanted: string | boolean): boolean {
  return 'value' in value && value.value === wanted
}
