import { classifyHost, lastGiven } from '../../secrets/index.ts'

/** Options of curl that send a credential. Fact: curl man page, "-u" and "-H". */
const LOGIN = /\s(?:-u|--user|--oauth2-bearer)[ =]{0,2}["']?[^\s"'-]|\s(?:-H|--header)[ =]{0,2}["']Authorization:/i
const LONGEST = 1500

/** Whether a command of curl sends a credential to a host that everybody finds: written out, or in a variable of the same script. */
export function sendsLoginAbroad(text: string, index: number): boolean {
  const command = commandAt(text, index)
  if (!command.startsWith('curl') || !LOGIN.test(command)) return false
  const written = [...command.matchAll(/https:\/\/([\w.-]{1,200})/g)].map(([, host = '']) => host)
  if (written.some((host) => classifyHost(host) === 'public')) return true
  const named = new Set([...command.matchAll(/["'\s]\$\{?([A-Za-z_]\w{0,60})\}?(?=[/"'\s?])/g)].map(([, name = '']) => name))
  const before = text.slice(Math.max(0, index - REACH), index)
  return [...named].some((name) => {
    const host = hostGiven(name, before)
    return host !== undefined && classifyHost(host) === 'public'
  })
}

/** The command with the lines that go on after a backslash. */
function commandAt(text: string, index: number): string {
  const rest = text.slice(index, index + LONGEST)
  return /^(?:\\\r?\n|[^\n])*/.exec(rest)?.[0] ?? ''
}

const REACH = 10_000

/** The host of `URL="https://…"` before the command. */
function hostGiven(name: string, before: string): string | undefined {
  const at = lastGiven(name, before)
  return at === undefined ? undefined : /^["']?https:\/\/([\w.-]{1,200})/.exec(before.slice(at, at + 219))?.[1]
}
