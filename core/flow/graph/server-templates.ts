import type { CallValue } from '../../facts/index.ts'
import { SERVER_TEMPLATES } from '../tables/server-templates.ts'
import { ANY_FIELD, CONCAT, READ } from '../types.ts'
import type { FlowDraft } from './draft.ts'
import { templateOf } from './templates.ts'

const MAX_FIELDS = 50

/** Adds the text that a template engine gives: of the data the fields that the template, a constant, writes as they are. */
export function addServerTemplate(call: CallValue, paths: readonly string[], result: number, draft: FlowDraft): void {
  if (!paths.some((path) => path.startsWith('module:'))) return
  const engine = SERVER_TEMPLATES.find(({ renders }) => paths.some((path) => renders.test(path)))
  const given = engine && call.args[engine.data]
  if (engine === undefined || given === undefined) return
  const { text } = templateOf(call, draft)
  const { graph, use } = draft
  for (const [, name = ''] of [...text.matchAll(engine.raw)].slice(0, MAX_FIELDS)) {
    let here = use(given)
    for (const field of PLAIN.test(name) ? name.split('.') : [ANY_FIELD]) {
      const next = graph.add(call)
      graph.connect(here, next, READ, field)
      here = next
    }
    graph.connect(here, result, CONCAT)
  }
}

const PLAIN = /^[A-Za-z_$][\w$]{0,80}(?:\.[A-Za-z_$][\w$]{0,80}){0,2}$/
