import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { getsVersionsWithin } from '../../../model/npm/index.ts'
import { isDeveloperFile } from '../../../model/script/index.ts'
import type { Project } from '../../subjects.ts'

/** Sets how queries are parsed, in whatever way: `app.set('query parser', 'extended')`, Fastify's `querystringParser`. */
const SETS_PARSER = /["'`]query parser["'`]|\bquerystringParser\b/

/** Scripts that choose the parser of queries. */
export const queryParsers: Extract<true> = defineExtract({
  name: 'cap-query-parsers',
  keywords: ['query parser', 'querystringparser'],
  isFor: (path) => !isDeveloperFile(path),
  collectText: (text) => (SETS_PARSER.test(text) ? [true] : []),
})

/** What is known of the queries of a project. */
export interface QueryReader {
  /** In a file, `req.query.x` is a text or a list of texts, never an object: Express 5 with its own parser. */
  areTexts(file: string): boolean
}

/**
 * Fact: Express 5, "Moving to Express 5" (`"query parser"` is `"simple"` by default; that is `node:querystring`, which nests nothing). Without a version nothing is known.
 */
export function createQueryReader({ scripts, npm }: Pick<Project, 'scripts' | 'npm'>): QueryReader {
  const isSet = scripts.get(queryParsers).length > 0
  return { areTexts: (file) => !isSet && getsVersionsWithin(file, 'express', '>=5.0.0', npm) }
}
