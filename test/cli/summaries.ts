import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const summary = z.object({
  totals: z.record(z.string(), z.unknown()),
  projects: z.array(
    z.object({
      project: z.string(),
      source: z.string(),
      outcome: z.string(),
      resumed: z.boolean(),
      counts: z.record(z.string(), z.number()).optional(),
      reports: z.array(z.string()),
      duration: z.number(),
      code: z.string().optional(),
    }),
  ),
})

/** What `parapet scan-all` wrote about all projects. */
export function readSummaryOf(folder: string): z.infer<typeof summary> {
  return summary.parse(JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')))
}
