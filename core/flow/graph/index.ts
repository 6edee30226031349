import { exportedSchemas } from '../checks/schemas.ts'
import type { Assignment, FunctionFact } from '../../facts/index.ts'
import { READ, type FileFlow, type FlowFunction, type RouteFunction } from '../types.ts'
import { toFunction, withFilled } from '../calls/function-nodes.ts'
import { detachStrings } from './detach.ts'
import { createGraphSteps, type GraphSteps, type FlowInput } from './input.ts'
import { addCheckedElsewhere } from '../servers/queries.ts'
import type { FlowDraft } from './draft.ts'
import { connectValue } from '../values/values.ts'
import { createDraft, type OpenDraft } from './create-draft.ts'

/**
 * The data flow of one script: values, calls, sources and sinks. Undefined: nothing in it takes part in any. Throws a StopSignal when the steps are used up before
 * anything was collected.
 */
export function toFileFlow(given: FlowInput): FileFlow | undefined {
  const steps = createGraphSteps(given.step)
  const { part, isCut } = steps
  const input = { ...given, step: steps.step }
  const opened = createDraft(input, steps)
  const { draft, handlers } = opened
  const { facts, graph, environment, calling, ends, objects, checks } = draft
  const functions = addFunctions(opened, steps)
  let routeFunctions: ReadonlyMap<FunctionFact, RouteFunction> = new Map()
  part(() => (routeFunctions = environment.steps.addRequests(handlers, draft)))
  part(() => environment.steps.addCalls(draft, input, handlers))
  part(() => facts.assignments.forEach((assignment) => addAssignment(assignment, opened)))
  const finish = environment.steps.addParts(draft, part)
  for (const { value } of facts.exports) if (value !== undefined) draft.use(value)
  part(() => connectOpen(opened))
  connectMerged(draft)
  part(() => addCheckedElsewhere(draft))
  const parts = finish()
  const schemas = exportedSchemas(facts, input.text, checks.parts)
  if (!takesPart(opened, parts.exports.functions.length + schemas.length)) return undefined
  if (isCut()) input.onCut?.()
  // strings of its own: a part of the text would keep all of it in memory
  return detachStrings({
    realm: input.realm,
    ...graph.finish(),
    functions: [
      ...facts.functions.flatMap((fact, index) => withFilled(functions[index], fact, draft.fields, routeFunctions.get(fact))),
      ...calling.madeFunctions,
    ],
    calls: calling.calls,
    ...ends,
    sinks: reachedSinks(draft),
    ...(objects.all.length > 0 && { objects: objects.all }),
    ...(checks.asked.length > 0 && { asked: checks.asked }),
    ...parts,
    ...(schemas.length > 0 && { exports: { ...parts.exports, schemas } }),
    shown: opened.shown,
  })
}

/** What a route of which an earlier one takes all requests does, nobody starts. */
function reachedSinks({ ends: { sinks }, server: { isShadowed } }: FlowDraft): FlowDraft['ends']['sinks'] {
  return sinks.filter(({ start }) => !isShadowed(start))
}

function addFunctions({ draft, checksOf, parametersOf }: OpenDraft, { part, isCut }: GraphSteps): FlowFunction[] {
  const { facts } = draft
  const describe = draft.environment.calls.describeFunctions(draft)
  return facts.functions.map((fact) => {
    let checks: ReturnType<typeof checksOf> = []
    if (!isCut()) part(() => (checks = checksOf(fact)))
    return toFunction(fact, parametersOf(fact), checks, draft, describe)
  })
}

function addAssignment(assignment: Assignment, { draft }: OpenDraft): void {
  const { operator } = assignment
  if (operator !== '-=' && operator !== '*=' && operator !== '/=') draft.environment.steps.addAssignment(assignment, draft)
}

/** What leads to a value is added when somebody uses it, and that may use others. */
function connectOpen({ open, draft }: OpenDraft): void {
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    draft.step()
    connectValue(value, draft)
  }
}

/** Fields of objects that are those of a value as well. */
function connectMerged({ fields, graph }: FlowDraft): void {
  for (const { owner, from } of fields.mergedInto)
    for (const [name, node] of graph.fieldsOf(owner)) graph.connect(from, node, READ, name)
}

/** `given`: how much it gives to other files. */
function takesPart({ draft: { ends, facts, environment } }: OpenDraft, given: number): boolean {
  return ends.sources.length + ends.sinks.length + ends.ports.length + given > 0 || environment.steps.isCalledByName(facts)
}
