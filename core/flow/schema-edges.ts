import type { FlowSchema } from './check-types.ts'
import { PLAIN_VALUE } from './field-marks.ts'
import type { Connect } from './joined-edges.ts'
import type { LinkedFile, Linker } from './links.ts'
import { CHECKED_FIELDS } from './places.ts'
import { CLEAN, COPY, MOVE } from './types.ts'

/** What a schema makes of what it is given; undefined: nothing that it lets through is of any danger. */
export function schemaEdge({
  lets,
  marks,
}: Pick<FlowSchema, 'lets' | 'marks'>): readonly [operation: number, name: string] | undefined {
  if (lets === 'known') return undefined
  if (lets === 'form') return [CLEAN, PLAIN_VALUE]
  return marks.length > 0 ? [MOVE, CHECKED_FIELDS + marks.join(' ')] : [COPY, '']
}

/** Connects what schemas of other files were given with what they give. */
export function connectSchemas(files: readonly LinkedFile[], bases: readonly number[], linker: Linker, connect: Connect): void {
  for (const [file, { flow }] of files.entries())
    for (const { from, to, module } of flow.schemaCalls ?? []) {
      const target = linker.fileOf(file, module.source)
      const schema = target === undefined ? undefined : files[target]?.flow.schemas?.find(({ name }) => name === module.name)
      const edge = schema && schemaEdge(schema)
      const base = bases[file] ?? 0
      if (edge !== undefined) connect(base + from, base + to, ...edge)
    }
}
