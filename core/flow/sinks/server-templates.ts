import type { CallValue } from '../../facts/index.ts'
import { SERVER_TEMPLATES } from '../tables/server-templates.ts'
import { MAX_FIELDS, PLAIN_NAME } from '../tables/templates.ts'
import { ANY_FIELD, CONCAT } from '../types.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { readBelow, templateOf } from './templates.ts'

/** Adds the text that a template engine gives: of the data the fields that the template, a constant, writes as they are. */
export function addServerTemplate(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  if (!paths.some((path) => path.startsWith('module:'))) return
  const engine = SERVER_TEMPLATES.find(({ renders }) => paths.some((path) => renders.test(path)))
  const given = engine && call.args[engine.data]
  if (engine === undefined || given === undefined) return
  const { text } = templateOf(call, draft)
  const { graph, use } = draft
  for (const [, name = ''] of [...text.matchAll(engine.raw)].slice(0, MAX_FIELDS)) {
    const path = PLAIN_NAME.test(name) ? name.split('.') : [ANY_FIELD]
    graph.connect(readBelow(use(given), path, call, draft), result, CONCAT)
  }
}
