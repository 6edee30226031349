import { createTextMasker, maskEntry, type Log, type LogEntry } from '../../core/index.ts'

/** Writes log lines to stderr: stdout belongs to reports. Control characters never reach a terminal, nor do `secrets` and what looks like a credential, whoever said them. */
export function createLog(
  form: 'text' | 'json',
  write: (line: string) => void = (line) => void process.stderr.write(line),
  secrets: readonly string[] = [],
): Log {
  const hidden = secrets.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
  const mask = createTextMasker()
  return (unmasked) => {
    const entry = maskEntry(unmasked, mask)
    let line = form === 'json' ? toJson(entry) : toText(entry)
    for (const secret of hidden) if (secret !== '') line = line.replaceAll(secret, '***')
    write(`${line}\n`)
  }
}

function toJson(entry: LogEntry): string {
  return escapeControls(JSON.stringify({ time: new Date().toISOString(), ...entry }, describeError))
}

function toText({ level, event, ...details }: LogEntry): string {
  const rest = Object.entries(details).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${typeof value === 'string' ? value : JSON.stringify(value, describeError)}`],
  )
  return escapeControls([new Date().toISOString(), level.padEnd(5), event, ...rest].join(' '))
}

/** An error by its name and message: what else a client put into it may be what was stored, or how it signed in. */
function describeError(_: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const cause = value.cause instanceof Error ? ` (${value.cause.name}: ${value.cause.message})` : ''
  return `${value.name}: ${value.message}${cause}`
}

function escapeControls(line: string): string {
  return line.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
