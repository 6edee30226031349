import type { Log, LogEntry } from '../../core/index.ts'

/** Writes log lines to stderr: stdout belongs to reports. Control characters never reach a terminal. */
export function createLog(form: 'text' | 'json', write: (line: string) => void = (line) => void process.stderr.write(line)): Log {
  return (entry) => write(`${form === 'json' ? toJson(entry) : toText(entry)}\n`)
}

function toJson(entry: LogEntry): string {
  return escapeControls(JSON.stringify({ time: new Date().toISOString(), ...entry }))
}

function toText({ level, event, ...details }: LogEntry): string {
  const rest = Object.entries(details).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return escapeControls([new Date().toISOString(), level.padEnd(5), event, ...rest].join(' '))
}

function escapeControls(line: string): string {
  return line.replaceAll(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
