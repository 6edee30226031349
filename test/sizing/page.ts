import * as z from 'zod'
import { renderSizing, type Figures } from './table.ts'

export const FIGURES: string = new URL('figures.json', import.meta.url).pathname
export const PAGE: string = new URL('../../docs/operations.md', import.meta.url).pathname

const measured = z.object({ cpuSeconds: z.number(), peakBytes: z.number(), archiveBytes: z.number(), reportBytes: z.number() })
export const figures: z.ZodType<Figures> = z.object({ S: measured, M: measured, L: measured })

const MARKED = /(<!-- sizing: npm run sizing -->\n)[^]*?(<!-- end of sizing -->)/

/** The page with the tables of these figures between its marks. Throws where it has none. */
export function putSizing(page: string, all: Figures): string {
  if (!MARKED.test(page)) throw new Error('docs/operations.md has no marks of the sizing')
  return page.replace(MARKED, (_, begin: string, end: string) => `${begin}\n${renderSizing(all)}\n${end}`)
}
