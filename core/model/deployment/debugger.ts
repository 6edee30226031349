/** Whether a debugger of Node.js (`--inspect=0.0.0.0:9229`) accepts connections from outside of the machine; by default it listens on 127.0.0.1. */
export function isReachableDebugger(option: string): boolean {
  const address = /^--inspect(?:-brk|-wait)?=(.*)$/.exec(option)?.[1] ?? ''
  const host = address.replace(/(?:^|:)\d{0,5}$/, '')
  return host !== '' && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(host)
}
