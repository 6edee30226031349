import { inflateRawSync } from 'node:zlib'
import { createBundledAdvisories } from '../../core/advisories/bundled.ts'
import { createBundledCatalogue } from '../../core/catalogue/bundled.ts'
import { createBudget, StopSignal } from '../../core/budget.ts'
import { createEngine } from '../../core/engine.ts'
import { isRefusal } from '../../core/errors.ts'
import { collectFacts } from '../../core/facts/index.ts'
import { collectSqlFacts } from '../../core/facts/sqlscript.ts'
import { createKeywordIndex } from '../../core/keywords/index.ts'
import { DEFAULT_LIMITS } from '../../core/limits.ts'
import { readLock } from '../../core/parse/lock/index.ts'
import { parseCds } from '../../core/parse/cds/index.ts'
import { ParseFailure } from '../../core/parse/failure.ts'
import { parseCsv } from '../../core/parse/csv.ts'
import { parseHtml } from '../../core/parse/html.ts'
import { parseScript } from '../../core/parse/javascript.ts'
import { parseJson } from '../../core/parse/json.ts'
import { parseProperties } from '../../core/parse/properties.ts'
import { parseSqlScript } from '../../core/parse/sqlscript/index.ts'
import { parseXml } from '../../core/parse/xml.ts'
import { parseYaml } from '../../core/parse/yaml.ts'
import { openArchive } from '../../core/project/archive.ts'
import { decodeText } from '../../core/project/decode.ts'
import { createGlobMatcher } from '../../core/project/glob.ts'
import { inflateExactly } from '../../core/project/inflate.ts'
import { classifyPath } from '../../core/project/kinds.ts'
import { RULES } from '../../core/rules/index.ts'
import { scan } from '../../core/scan.ts'
import { LEGIT } from '../hostile/legit-archives.ts'
import { drawArchive, mutateBytes, type Chance } from '../hostile/mutate.ts'
import { PROJECT } from '../hostile/project.ts'
import { buildZip } from '../hostile/zip-builder.ts'
import { toSource } from '../scan-files.ts'
import { SAMPLES, TOKENS } from './samples.ts'

/** One thing to throw chance at. `run` throws where something went wrong: whatever may happen to a caller it catches itself. */
export interface FuzzTarget {
  readonly name: string
  /** Rounds that are run whatever time they take. */
  readonly rounds?: number
  /** What rounds are made of, told with their number: ` of 250 values`. */
  readonly each?: string
  run(chance: Chance, round: number): void | Promise<void>
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A text with one to five changes: tokens set in, repeated, parts cut, doubled, or taken from another one. */
export function mutateText(samples: readonly string[], chance: Chance): string {
  let text = chance.pick(samples)
  for (let change = chance.below(5); change >= 0; change--) {
    const at = chance.below(text.length + 1)
    const end = at + chance.below(chance.pick([2, 10, 80]))
    switch (chance.below(7)) {
      case 0:
      case 1:
        text = text.slice(0, at) + chance.pick(TOKENS) + text.slice(at)
        break
      case 2:
        text =
          text.slice(0, at) + `${chance.pick(TOKENS)}${chance.pick(TOKENS)}`.repeat(chance.pick([3, 30, 300])) + text.slice(at)
        break
      case 3:
        text = text.slice(0, at) + text.slice(end)
        break
      case 4:
        text = text.slice(0, end) + text.slice(at, end).repeat(chance.pick([1, 2, 20])) + text.slice(end)
        break
      case 5: {
        const other = chance.pick(samples)
        const from = chance.below(other.length + 1)
        text = text.slice(0, at) + other.slice(from, from + 60) + text.slice(at)
        break
      }
      default:
        text = text.slice(0, at) + String.fromCharCode(chance.below(chance.pick([128, 65_536]))) + text.slice(at + 1)
    }
  }
  return text.slice(0, 200_000)
}

/** A reader may throw a ParseFailure, or a StopSignal where it is given steps; nothing else. */
function reader(name: string, samples: readonly string[], read: (text: string, chance: Chance) => unknown): FuzzTarget {
  return {
    name,
    run(chance) {
      // what reaches a reader came through decodeText
      const text = mutateText(samples, chance).toWellFormed()
      try {
        read(text, chance)
      } catch (error) {
        if (!(error instanceof ParseFailure) && !(error instanceof StopSignal)) throw error
      }
    },
  }
}

async function zipTarget(): Promise<FuzzTarget> {
  const archives = await Promise.all(
    LEGIT.map((writer) =>
      writer.write(
        new Map([
          ['package.json', utf8('{"name":"shop"}')],
          ['a/b.js', utf8('x\n'.repeat(50))],
        ]),
      ),
    ),
  )
  return {
    name: 'zip',
    run(chance) {
      const bytes = chance.below(4) === 0 ? drawArchive(chance) : mutateBytes(chance.pick(archives), archives, chance)
      try {
        for (const entry of openArchive(bytes, { entries: 1000 }).entries)
          if (entry.size <= 2 ** 20 && entry.read()?.length !== entry.size) throw new Error('a wrong length')
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    },
  }
}

function inflateTarget(): FuzzTarget {
  const streams = SAMPLES.json.flatMap((text) => [text, text.repeat(6)]).map(deflated)
  return {
    name: 'inflate',
    run(chance) {
      const stream = mutateBytes(chance.pick(streams), streams, chance)
      let expected: Uint8Array | undefined
      try {
        expected = inflateRawSync(stream, { maxOutputLength: 2 ** 20 })
      } catch {
        expected = undefined
      }
      try {
        const bytes = inflateExactly(stream, expected?.length ?? chance.below(1000), 'a')
        if (expected !== undefined && Buffer.compare(bytes, expected) !== 0) throw new Error('other bytes than zlib')
      } catch (error) {
        if (!isRefusal(error) || expected !== undefined) throw error
      }
    },
  }
}

/** The deflate data of an archive with one entry: its header has 30 bytes and a name of one. */
function deflated(text: string): Uint8Array {
  const bytes = buildZip({ entries: [{ name: 'a', data: text }] })
  return bytes.subarray(31, 31 + new DataView(bytes.buffer).getUint32(18, true))
}

const decodeTarget: FuzzTarget = {
  name: 'decode',
  run(chance) {
    const raw = mutateBytes(utf8(mutateText(SAMPLES.script, chance)), [utf8('\ufeff\u0000a')], chance)
    const decoded = decodeText(raw)
    if (decoded === undefined) return
    if (!decoded.text.isWellFormed()) throw new Error('a lone surrogate')
    if (Buffer.compare(utf8(decoded.text), decoded.bytes) !== 0) throw new Error('bytes of another text')
  },
}

const keywordTarget: FuzzTarget = {
  name: 'keywords',
  run(chance) {
    const letters = ['a', 'b', 'A', 'B', '(', '\u00e9', '.']
    const word = (length: number): string => Array.from({ length }, () => chance.pick(letters)).join('')
    const keywords = Array.from({ length: 1 + chance.below(6) }, () => word(2 + chance.below(4)))
    const bytes = Buffer.from(word(chance.below(60)))
    const hits = createKeywordIndex(keywords).find(bytes)
    const folded = bytes.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte))
    for (const keyword of keywords) {
      const hay = /[A-Z]/.test(keyword) ? bytes : Buffer.from(folded)
      const wanted: number[] = []
      for (let at = hay.indexOf(keyword); at >= 0; at = hay.indexOf(keyword, at + 1)) wanted.push(at)
      if (wanted.join() !== [...hits.offsets(keyword)].join())
        throw new Error(`"${keyword}" in "${bytes}": ${hits.offsets(keyword).join()} instead of ${wanted.join()}`)
      if (hits.has(keyword) !== wanted.length > 0) throw new Error(`has("${keyword}")`)
    }
  },
}

const globTarget: FuzzTarget = {
  name: 'globs',
  run(chance) {
    const draw = (parts: readonly string[], length: number): string => Array.from({ length }, () => chance.pick(parts)).join('')
    const pattern = draw(['a', 'b', '*', '**', '?', '/', '/**/', '.', '[', '('], 1 + chance.below(40))
    const path = draw(['a', 'b', 'ab', '/', '.'], 1 + chance.below(60))
    const globs = createGlobMatcher(pattern.length * path.length * 4 + 1000)
    globs.matches(pattern, path)
    if (globs.isSpent) throw new Error(`${pattern} on ${path}`)
    classifyPath(path)
  },
}

function scanTarget(): FuzzTarget {
  const engine = createEngine(RULES)
  const ports = { advisories: createBundledAdvisories(), catalogue: createBundledCatalogue() }
  const options = {
    scanId: '0',
    scannedAt: '2026-11-20T00:00:00.000Z',
    projectName: 'x',
    limits: DEFAULT_LIMITS,
    suppressions: true,
  }
  const extra: readonly (readonly [string, readonly string[]])[] = [
    ['mta.yaml', SAMPLES.yaml],
    ['srv/cat.cds', SAMPLES.cds],
    ['srv/cat.js', SAMPLES.script],
    ['srv/cat.ts', SAMPLES.script],
    ['webapp/view/Main.view.xml', SAMPLES.xml],
    ['.env', SAMPLES.properties],
    ['package-lock.json', SAMPLES.lock],
    ['yarn.lock', SAMPLES.lock],
    ['pnpm-lock.yaml', SAMPLES.lock],
    ['ui5.yaml', SAMPLES.yaml],
    ['db/src/p.hdbprocedure', SAMPLES.sqlscript],
    ['db/data/x-Users.csv', SAMPLES.csv],
    ['webapp/view/Other.view.json', SAMPLES.json],
    ['webapp/view/Third.view.html', SAMPLES.html],
    ['parapet.config.json', ['{"exclude":["a"],"suppress":[{"rule":"ui5/eval","reason":"x"}]}']],
  ]
  const base = [...[...PROJECT].map(([path, content]): [string, readonly string[]] => [path, [content]]), ...extra]
  return {
    name: 'scan',
    async run(chance) {
      const files = new Map<string, Uint8Array>()
      for (const [path, samples] of base) {
        const text = chance.below(3) === 0 ? mutateText(samples, chance) : chance.pick(samples)
        files.set(path, chance.below(20) === 0 ? mutateBytes(utf8(text), [utf8('x')], chance) : utf8(text))
      }
      try {
        const { records } = await scan(toSource(files), options, engine, ports, {})
        const report: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(records.en))
        if (JSON.stringify(report).includes('"rule-failed"'))
          throw new Error(`a rule failed: ${JSON.stringify(report).match(/\{"code":"rule-failed".{0,200}/)?.[0] ?? ''}`)
      } catch (error) {
        if (!isRefusal(error)) throw error
      }
    },
  }
}

/** All targets, the gate first. */
export async function createTargets(): Promise<readonly FuzzTarget[]> {
  const lockNames = ['package-lock.json', 'yarn.lock', 'pnpm-lock.yaml']
  return [
    await zipTarget(),
    inflateTarget(),
    decodeTarget,
    reader('json', SAMPLES.json, parseJson),
    reader('yaml', SAMPLES.yaml, parseYaml),
    reader('properties', SAMPLES.properties, parseProperties),
    reader('xml', SAMPLES.xml, parseXml),
    reader('html', SAMPLES.html, parseHtml),
    reader('cds', SAMPLES.cds, parseCds),
    reader('script', SAMPLES.script, (text, chance) => {
      const tree = parseScript(text, chance.pick(['a.js', 'a.ts', 'a.tsx', 'a.mjs', 'a.d.ts']))
      collectFacts(tree, text, createBudget(1_000_000))
    }),
    reader('sqlscript', SAMPLES.sqlscript, (text) => collectSqlFacts(parseSqlScript(text), createBudget(1_000_000))),
    reader('csv', SAMPLES.csv, parseCsv),
    reader('locks', SAMPLES.lock, (text, chance) => {
      const path = chance.pick(lockNames)
      const found = classifyPath(path)
      if (found.class !== 'out') readLock(path, found.kind, text)
    }),
    keywordTarget,
    globTarget,
    scanTarget(),
  ]
}
