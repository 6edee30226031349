import * as z from 'zod'
import type { ProjectSettings } from '../core/index.ts'
import { pageFields, type HistoryQuery } from './_requests.ts'
import { schemaOf } from './_schema-of.ts'

// the messages are keys of FAULTS

export interface ProjectsQuery extends HistoryQuery {
  readonly q?: string
  readonly tag?: string
}

const text = (fault: string, most: number): z.ZodType<string> =>
  z
    .string({ error: fault })
    .min(1, { error: fault })
    .max(most, { error: fault })
    .regex(/^[^\p{Cc}\u2028-\u202e\u2066-\u2069]*$/u, { error: fault })

const word = z.string({ error: 'search' }).max(300, { error: 'search' })

export const projectsQuery: z.ZodType<ProjectsQuery> = z.object({
  ...pageFields,
  q: word.optional(),
  tag: word.optional(),
})

export const projectParams: z.ZodType<{ readonly name: string }> = z.object({ name: z.string() })

export type ProjectChange = Partial<ProjectSettings>

export const projectChange: z.ZodType<ProjectChange> = schemaOf<ProjectChange>()(
  z.object(
    {
      title: text('title', 200).optional(),
      tags: z.array(text('tag', 50), { error: 'tags' }).max(20, { error: 'tags' }).optional(),
    },
    { error: 'not-an-object' },
  ),
)
