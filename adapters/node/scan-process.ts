import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, writeFile } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FromChild, ToChild } from './process/child-protocol.ts'
import { createReportJoiner } from './process/report-pieces.ts'
import type { ScanWorker, StartWorker } from './worker-protocol.ts'

export interface ProcessOptions {
  /** MiB of the heap of a scan. */
  readonly heap: number
  /** Folders that a scan may read; undefined: all. */
  readonly roots: readonly string[] | undefined
  readonly script: URL
  /** Called between pieces of a report: what brought them is let go of. */
  readonly collectYoung: () => void
}

/**
 * What is let go of is given back to the system. Left alone, glibc's allocator takes buffers of up to 32 MiB from places of its own, one for each thread, as soon as one such
 * buffer was let go of, and hardly gives these back: behind a large project a process held 350 MB, which is 150 with these settings; it peaks 60 MB lower, for the same CPU.
 * Other allocators don't know the names.
 * Fact: mallopt(3).
 */
const KEEP_LITTLE: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

/** Pieces of a report, of 1 MiB each, between two collections: each is held three times by what receives it. */
const PIECES = 4

/**
 * Starts scans in processes of their own: one allocation of a native function that fails ends the process in which it happens, and no limit of a thread holds it.
 * No environment, no standard output; as few rights as the platform gives: to read its script and the folders that may be scanned, to start its one thread.
 */
export function startProcesses(options: ProcessOptions): StartWorker {
  const [command = process.execPath, ...args] = commandOf(options)
  return (events) => {
    const child = spawn(command, args, {
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      // Windows has no sockets without it
      env: { ...KEEP_LITTLE, ...(process.env['SystemRoot'] !== undefined && { SystemRoot: process.env['SystemRoot'] }) },
      cwd: dirname(fileURLToPath(options.script)),
      windowsHide: true,
    })
    const lastWords = collectLastWords(child)
    const gone = new Promise<void>((resolve) => {
      child.once('exit', (code, signal) => {
        resolve()
        events.lost(new Error(`a scan process ended with ${signal ?? code}: ${lastWords()}`), isOutOfMemory(signal, lastWords()))
      })
      child.once('error', (error) => {
        resolve()
        events.lost(error, false)
      })
    })
    // who writes to one that is ending is told by its end
    child.stdin?.on('error', () => undefined)
    giveUpFirst(child)
    const report = createReportJoiner()
    let pieces = 0
    child.on('message', (message: FromChild) => {
      if (message.type === 'thread-lost') events.lost(new Error(message.message), message.isOutOfMemory)
      else if (message.type === 'piece') {
        report.add(message.piece)
        if (++pieces % PIECES === 0) options.collectYoung()
      } else if (message.type === 'worn') events.worn()
      else if (message.type === 'done') events.message({ ...message, outcome: report.join(message.outcome) })
      else events.message(message)
    })
    const send = (message: ToChild): void => {
      // one that has ended is told of by its end
      if (child.connected) child.send(message, () => undefined)
    }
    const worker: ScanWorker = {
      scan(source, scanOptions, advisories) {
        if (source.kind === 'directory') return send({ type: 'scan', source, options: scanOptions, advisories })
        const { bytes, name } = source
        send({ type: 'scan', source: { kind: 'archive', size: bytes.byteLength, name }, options: scanOptions, advisories })
        child.stdin?.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      },
      answer: send,
      raise: (why) => send({ type: 'raise', why }),
      async end() {
        child.kill('SIGKILL')
        await gone
      },
    }
    return worker
  }
}

/** MiB that a process needs beside the heap of a scan: code, buffers, an upload, stacks. Node.js 22 and 24 map half a gigabyte more than 20. */
const BESIDE_HEAP = majorVersion() >= 22 ? 1200 : 700

function majorVersion(): number {
  return Number(process.versions.node.split('.')[0])
}

/** On Linux, where they are there: ended with this process whatever it does, no rights gained, no more memory than a scan needs, no dump of what it holds. */
function commandOf({ heap, roots, script }: ProcessOptions): string[] {
  const path = fileURLToPath(script)
  const node = [process.execPath, `--max-old-space-size=${heap}`, ...permissionsOf(dirname(path), roots), path, String(heap)]
  if (process.platform !== 'linux') return node
  const [setpriv, prlimit] = [findTool('setpriv'), findTool('prlimit')]
  return [
    ...(setpriv === undefined ? [] : [setpriv, '--pdeathsig', 'KILL', '--no-new-privs', '--']),
    ...(prlimit === undefined ? [] : [prlimit, `--data=${(heap + BESIDE_HEAP) * 2 ** 20}`, '--core=0', '--']),
    ...node,
  ]
}

/** Facts: Node.js, "Permissions" of versions 20.20 and 24: the same model under two names; folders end in `*`. */
function permissionsOf(folder: string, roots: readonly string[] | undefined): string[] {
  if (process.versions['bun'] !== undefined || process.versions['deno'] !== undefined) return []
  // of 20 and 22 a comma separates folders
  const isListed = roots !== undefined && !roots.some((root) => root.includes(','))
  const readable = isListed ? [folder, ...roots].map((root) => join(root, '*')) : ['*']
  // where an open file lies is asked of the kernel
  if (isListed && process.platform === 'linux') readable.push('/proc/*')
  return [
    majorVersion() >= 24 ? '--permission' : '--experimental-permission',
    '--allow-worker',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    // two warnings on experiments
    '--no-warnings',
  ]
}

const TOOLS = ['/usr/bin', '/bin']

function findTool(name: string): string | undefined {
  return TOOLS.map((folder) => join(folder, name)).find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** Where a machine has no memory left, a scan ends before the service does. */
function giveUpFirst({ pid }: ChildProcess): void {
  if (process.platform === 'linux' && pid !== undefined) writeFile(`/proc/${pid}/oom_score_adj`, '1000', () => undefined)
}

const LAST_WORDS = 2000

function collectLastWords(child: ChildProcess): () => string {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    words = (words + text).slice(-LAST_WORDS)
  })
  return () => words.trim()
}

/** How V8, the allocator and the kernel end a process that has no memory left. */
const BY_MEMORY: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGABRT', 'SIGSEGV', 'SIGTRAP', 'SIGBUS', 'SIGKILL'])

function isOutOfMemory(signal: NodeJS.Signals | null, words: string): boolean {
  return BY_MEMORY.has(signal) || /out of memory|allocation failed|bad_alloc/i.test(words)
}
