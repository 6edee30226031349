import { classifyHost } from '../../secrets/index.ts'

/** Options of curl that send a credential. Fact: curl man page, "-u" and "-H". */
const LOGIN = /\s(?:-u|--user|--oauth2-bearer)[ =]{0,2}["']?[^\s"'-]|\s(?:-H|--header)[ =]{0,2}["']Authorization:/i
const LONGEST = 1500

/** Whether a command of curl sends a credential to a host that everybody finds: written out, or in a variable of the same script. */
export function sendsLoginAbroad(text: string, index: number): boolean {
  const command = commandAt(text, index)
  if (!command.startsWith('curl') || !LOGIN.test(command)) return false
  const written = [...command.matchAll(/https:\/\/([\w.-]{1,200})/g)].map(([, host = '']) => host)
  const named = [...command.matchAll(/["'\s]\$\{?([A-Za-z_]\w{0,60})\}?(?=[/"'\s?])/g)].flatMap(
    ([, name = '']) => hostGiven(name, text, index) ?? [],
  )
  return [...written, ...named].some((host) => classifyHost(host) === 'public')
}

/** The command with the lines that go on after a backslash. */
function commandAt(text: string, index: number): string {
  const rest = text.slice(index, index + LONGEST)
  return /^(?:\\\r?\n|[^\n])*/.exec(rest)?.[0] ?? ''
}

const REACH = 10_000

/** The host of `URL="https://…"` before the command. */
function hostGiven(name: string, text: string, index: number): string | undefined {
  const before = text.slice(Math.max(0, index - REACH), index)
  const at = before.lastIndexOf(`${name}=`)
  if (at === -1 || /\w/.test(before[at - 1] ?? '')) return undefined
  return /^["']?https:\/\/([\w.-]{1,200})/.exec(before.slice(at + name.length + 1, at + name.length + 220))?.[1]
}
