/**
 * `tsx adapters/scripts/refresh-controls.ts [--date=2026-11-20] <folder of an unpacked @openui5 package>...`: writes core/flow/tables/control-types.ts from the
 * metadata of the controls in it (`npm pack @openui5/sap.m`).
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { collectFacts, constantOf, fieldOf, pathOf, resolveValue, type Value } from '../../core/facts/index.ts'
import { INPUTS } from '../../core/flow/tables/controls.ts'
import { parseScript } from '../../core/parse/javascript.ts'

const TARGET = new URL('../../core/flow/tables/control-types.ts', import.meta.url)

const folders = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
const day = process.argv.find((argument) => argument.startsWith('--date='))?.slice('--date='.length)
const date = day ?? new Date().toISOString().slice(0, 10)
if (folders.length === 0 || !/^\d{4}-\d{2}-\d{2}$/.test(date))
  throw new Error('needs folders of packages, and a date like 2026-11-20')

interface ControlType {
  readonly parent: string
  readonly aggregation: string | undefined
}

const types = new Map<string, ControlType>()
const versions: string[] = []
for (const folder of folders) {
  const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  versions.push(`${String(name)} ${String(version)}`)
  for (const entry of await readdir(join(folder, 'src'), { recursive: true }))
    if (entry.endsWith('.js')) readControls(await readFile(join(folder, 'src', entry), 'utf8'), entry)
}

const lines = [...types.keys()].toSorted().flatMap((type) => {
  const aggregation = aggregationOf(type)
  const takesInput = !INPUTS.has(type) && ancestorsOf(type).some((ancestor) => INPUTS.has(ancestor))
  const parent = takesInput ? (types.get(type)?.parent ?? '-') : '-'
  return aggregation === undefined && !takesInput ? [] : [`${type} ${parent} ${aggregation ?? '-'}`]
})

await writeFile(
  TARGET,
  `// Written by adapters/scripts/refresh-controls.ts on ${date} from the metadata of controls in ${versions.join(', ')}: facts alone.

/** One line each: type, its parent where that takes input of the user, its default aggregation; \`-\` for none. */
export const CONTROL_TYPES = \`${lines.join('\n')}\`
`,
)

function readControls(text: string, path: string): void {
  if (!text.includes('.extend(') || !text.includes('metadata')) return
  for (const { callee, args } of collectFacts(parseScript(text, path), text).calls) {
    const [first, second] = args
    if (callee.kind !== 'member' || callee.name !== 'extend' || first === undefined || second === undefined) continue
    const type = constantOf(first)
    const metadata = fieldIn(second, 'metadata')
    if (typeof type !== 'string' || metadata === undefined) continue
    const aggregation = fieldIn(metadata, 'defaultAggregation')
    const named = aggregation && constantOf(aggregation)
    types.set(type, { parent: typeOf(callee.object, path), aggregation: typeof named === 'string' ? named : undefined })
  }
}

function fieldIn(value: Value, name: string): Value | undefined {
  return fieldOf(resolveValue(value), name)?.value
}

/** `module:sap/m/InputBase`, `module:./InputBase`. */
function typeOf(value: Value, path: string): string {
  const written = (pathOf(value)?.[0] ?? '').replace(/^\w+:/, '')
  const module = written.startsWith('.') ? join(path, '..', written) : written
  return module.replaceAll('/', '.')
}

function ancestorsOf(type: string): string[] {
  const found: string[] = []
  for (let here = types.get(type)?.parent; here !== undefined && !found.includes(here); here = types.get(here)?.parent)
    found.push(here)
  return found
}

function aggregationOf(type: string): string | undefined {
  return [type, ...ancestorsOf(type)].map((one) => types.get(one)?.aggregation).find(Boolean)
}
