import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** How the kernel writes 127.0.0.1 and ::1: words of four bytes, the last byte first. */
const LOOPBACK: ReadonlySet<string> = new Set(['0100007F', '00000000000000000000000001000000'])

/** The addresses on which a process listens, as the kernel tells them: `loopback`, or the address in hexadecimal. Only Linux tells. */
export function listListeners(pid: number): string[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => linkOf(`/proc/${pid}/fd/${name}`)))
  return ['tcp', 'tcp6'].flatMap((table) =>
    readFileSync(`/proc/${pid}/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .flatMap((line) => {
        const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
        if (state !== '0A' || !sockets.has(`socket:[${inode}]`)) return []
        const [address = ''] = local.split(':')
        return LOOPBACK.has(address) ? ['loopback'] : [address]
      }),
  )
}

/** What was closed meanwhile leads nowhere. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
