import type { ProjectFile } from '../../files.ts'
import { membersOf, at, stringOf, type DataNode } from '../../parse/data.ts'
import { createLineTable, positionAt, type LineTable } from '../../parse/position.ts'
import type { Span } from '../../types.ts'
import { findKubernetesObjects } from '../deployment/index.ts'
import { parseJsonIn } from '../../parse/json.ts'

/** A descriptor longer than that is no text of a ConfigMap (Kubernetes API: 1 MiB in all). */
const MAX_LENGTH = 200_000

/**
 * Descriptors that stand as text in a ConfigMap, `xs-app.json: |`, which a workload mounts beside its approuter (SAP tutorials for the Kyma runtime do so).
 * In a block of YAML whose lines are kept (`|`) each part stands where it is written, else all of it stands where the text does.
 */
export function* findMountedDescriptors(files: ReadonlyMap<string, ProjectFile>): Generator<{ file: string; root: DataNode }> {
  for (const { kind, file, node } of findKubernetesObjects(files)) {
    if (kind !== 'ConfigMap') continue
    const lines = files.get(file)?.lines
    for (const { key, value } of membersOf(at(node, 'data'))) {
      const text = stringOf(value)
      if (text === undefined || text.length > MAX_LENGTH || !/^xs-app(?:\.json)?$/i.test(key)) continue
      const root = parseJsonIn(text)
      if (root === undefined) continue
      const offsetOf = lines === undefined ? undefined : mapBlock(text, value, lines)
      yield { file, root: move(root, ({ start, end }) => (offsetOf ? { start: offsetOf(start), end: offsetOf(end) } : value)) }
    }
  }
}

/** From an offset in a block's text to one in its file: the block is the same lines, each with the same indentation. Undefined: it is not such a block. */
function mapBlock(text: string, { start }: Span, lines: LineTable): ((offset: number) => number) | undefined {
  const own = createLineTable(text)
  const first = positionAt(lines, start).line - 1
  if (lines[first] !== start) return undefined
  let indentation: number | undefined
  for (const [index, from] of own.entries()) {
    const [rawFrom, rawNext, next] = [lines[first + index], lines[first + index + 1], own[index + 1]]
    if (rawFrom === undefined || rawNext === undefined || next === undefined || next - from < 2) continue
    const difference = rawNext - rawFrom - (next - from)
    if (difference !== (indentation ??= difference)) return undefined
  }
  const shift = indentation
  if (shift === undefined || shift <= 0) return undefined
  return (offset) => {
    const { line, column } = positionAt(own, offset)
    return (lines[first + line - 1] ?? start) + shift + column - 1
  }
}

/** The same tree with other spans. JSON nests no deeper than its parser lets it. */
function move(node: DataNode, spanOf: (span: Span) => Span): DataNode {
  const { start, end } = spanOf(node)
  if (node.kind === 'array') return { ...node, start, end, items: node.items.map((item) => move(item, spanOf)) }
  if (node.kind !== 'object') return { ...node, start, end }
  const members = node.members.map(({ key, keySpan, value }) => {
    const moved = spanOf(keySpan)
    return { key, keySpan: { start: moved.start, end: moved.end }, value: move(value, spanOf) }
  })
  return { ...node, start, end, members }
}
