import { isAscii } from 'node:buffer'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

export interface CompiledOptions {
  /**
   * Where compiled code is kept: beside the program. It is run unseen, so nobody may write there who may not write the program as well; a folder for caches that the
   * environment names could lie in what is scanned.
   */
  readonly folder: string
  /** Of the program's text: V8 compares nothing but its length. */
  readonly fingerprint: string
  readonly isWorthKeeping: boolean
  /** Where the program looks for the scripts of its threads: code that is kept has no `import.meta`. */
  readonly url: string
  /** Imports what stays outside of the program: code that is kept can't. */
  readonly load: (module: string) => Promise<unknown>
}

const HASH = 'sha256'
const HASH_BYTES = 32
/** Microseconds of CPU that the run took whose code is kept, a float of 64 bits in front of the code. */
const SPENT_BYTES = 8
/** A run that takes so many times as long has met code that the kept one doesn't hold: a first scan may have been of next to nothing. Renewed a few times at most. */
const WORTH_RENEWING = 3

/**
 * Runs a program in CommonJS with what V8 made of it the last time: that holds the functions that were run, so that none is compiled again. Node.js has a cache of
 * its own since 22.1, which keeps what is compiled before anything is run, a fifth of this, and gains a third of it. Missing, cut or foreign code is compiled anew.
 * Facts: Node.js 20, `vm.Script` (cachedData, createCachedData); V8, "Code caching for JavaScript developers".
 */
export function runCompiled(program: string, { folder, fingerprint, isWorthKeeping, url, load }: CompiledOptions): void {
  const { v8, modules } = process.versions
  const name = createHash(HASH)
    .update(JSON.stringify([fingerprint, v8, modules, process.arch]))
    .digest('hex')
  const file = join(folder, `${name}.code`)
  const kept = readCode(file)
  const cachedData = kept?.code
  const script = new Script(`(function(require,module,exports,load,PARAPET_URL){${readText(program)}\n})`, {
    filename: program,
    ...(cachedData !== undefined && { cachedData }),
  })
  const known = script.cachedDataRejected === true ? 0 : (kept?.spent ?? 0)
  if (isWorthKeeping)
    process.once('exit', () => {
      const spent = cpuTime()
      if (spent > known * WORTH_RENEWING) writeCode(file, spent, script.createCachedData())
    })
  const module = { exports: {} }
  script.runInThisContext()(createRequire(program), module, module.exports, load, url)
}

/** Text of one byte a letter is not decoded: that took longer than reading what V8 made of it. */
function readText(file: string): string {
  const bytes = readFileSync(file)
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8')
}

/** Undefined where there is none, or not all of it. */
function readCode(file: string): { readonly spent: number; readonly code: Buffer } | undefined {
  try {
    const kept = readFileSync(file)
    const content = kept.subarray(HASH_BYTES)
    return kept.subarray(0, HASH_BYTES).equals(hashOf(content))
      ? { spent: content.readDoubleLE(0), code: content.subarray(SPENT_BYTES) }
      : undefined
  } catch {
    return undefined
  }
}

/** In one step: who starts meanwhile reads the whole or nothing. A program that may not be written to is compiled each time. */
function writeCode(file: string, spent: number, code: Buffer): void {
  const head = Buffer.alloc(SPENT_BYTES)
  head.writeDoubleLE(spent)
  const content = Buffer.concat([head, code])
  const temporary = `${file}.${process.pid}.tmp`
  try {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(temporary, Buffer.concat([hashOf(content), content]), { flag: 'wx' })
    renameSync(temporary, file)
  } catch {
    attempt(() => rmSync(temporary, { force: true }))
  }
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

function attempt(work: () => void): void {
  try {
    work()
  } catch {
    // nothing is kept
  }
}

function hashOf(content: Buffer): Buffer {
  return createHash(HASH).update(content).digest()
}
