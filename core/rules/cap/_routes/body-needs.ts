import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isConditional, type FunctionFact, type Value } from '../../../facts/index.ts'
import { isAround } from '../../../facts/span-index.ts'
import { areBodiesUnread } from '../../../model/reach/index.ts'
import { isDeveloperFile, isOfUi5App, isToolFile } from '../../../model/script/index.ts'
import type { Place, Span } from '../../../types.ts'
import type { Project } from '../../subjects.ts'
import { takesRequest } from './route-answers.ts'

/** Functions that take a field out of the body of their request, whatever else they do: `const { id } = req.body`. Without a body they throw. */
export const bodyNeeds: Extract<Span> = defineExtract({
  name: 'cap-body-needs',
  keywords: ['.body'],
  isFor: (path) => !isOfUi5App(path) && !isToolFile(path) && !isDeveloperFile(path),
  *collect({ facts, step }) {
    step(facts.bindings.length)
    for (const { function: fact, definitions } of facts.bindings) {
      if (!takesRequest(fact)) continue
      const needs = definitions.some(
        ({ kind, path, value, start }) =>
          kind === 'init' && value !== undefined && isFieldOfBody(value, path, fact) && !isConditional(facts.guards, start),
      )
      if (needs) yield { start: fact.start, end: fact.end }
    }
  },
})

function isFieldOfBody(value: Value, path: readonly string[], fact: FunctionFact): boolean {
  const body = path.length > 0 ? value : value.kind === 'member' ? value.object : undefined
  return (
    body?.kind === 'member' &&
    body.name === 'body' &&
    body.object.kind === 'reference' &&
    body.object.binding !== undefined &&
    fact.parameters.includes(body.object.binding)
  )
}

/** Whether each function that answers a route needs a body, and nothing in the project reads one. Needs the extract `bodyNeeds`. */
export function lacksBody(answering: readonly Place[], { scripts, npm }: Pick<Project, 'scripts' | 'npm'>): boolean {
  return (
    answering.length > 0 &&
    answering.every(
      ({ file, span }) => span !== undefined && scripts.of(file, bodyNeeds).some((one) => isAround(one, span.start)),
    ) &&
    areBodiesUnread(scripts, npm.packages)
  )
}
