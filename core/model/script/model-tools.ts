import {
  accessesOf,
  fieldOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type ObjectValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { lastNameOf } from '../../facts/literals.ts'

/**
 * Whether a script may hold tools of a language model: what describes their arguments, and what a model answers to have one run.
 * Facts: OpenAI API, "Function calling" (`tool_calls`, `function.arguments`, `parameters`); Anthropic API, "Tool use" (`tool_use`, `input`, `input_schema`); LangChain, "Tool calling" (`tool_calls`, `args`, `schema`);
 * specification of MCP, "Tools" (`inputSchema`); AI SDK, "Tools" (`inputSchema`, `execute`).
 */
export const MAY_HOLD_TOOLS: RegExp =
  /\b(?:input_schema|inputSchema|tool_use|tool_calls?|toolCalls?|function_call|functionCall|getToolCalls|DynamicStructuredTool|registerTool|langchain|modelcontextprotocol)\b|\bfunction\.arguments\b|\bparameters["']?\s{0,4}:[^]{0,40}\btype["']?\s{0,4}:\s{0,4}["']object["']/

/** What runs a tool, beside its description. */
const RUNS = /^(?:execute|handler|run|func|invoke|implementation|callback)$/
/** Where the arguments of a tool are described. */
const SCHEMAS: readonly string[] = ['parameters', 'input_schema', 'inputSchema', 'schema']
/** Where all that describes a tool stands: `{ definition: { function: { … } }, execute }`. */
const DESCRIPTIONS: readonly string[] = ['definition', 'function', 'spec', 'tool']
const MAX_DEPTH = 2

/** Where the arguments stand in what a model answers: `call.function.arguments`, `block.input`, `call.args`. */
const ARGUMENTS = /^(?:arguments|input|args)$/

/**
 * Functions that a language model has run, whose first parameter is what the model writes for the text of a prompt: those of objects that describe a tool, those that packages make tools of, and those of a map out
 * of which the name in the answer of the model chooses.
 */
export function findModelTools(facts: ScriptFacts): ReadonlySet<FunctionFact> {
  return new Set([...describedTools(facts, isSchema), ...registeredTools(facts), ...chosenTools(facts)])
}

/** Those of the script's own loop: nothing but its code looks at what the model writes. */
export function findUncheckedTools(facts: ScriptFacts): ReadonlySet<FunctionFact> {
  return new Set([...describedTools(facts, isJsonSchema), ...chosenTools(facts)])
}

function* describedTools({ values }: ScriptFacts, fits: (schema: Value) => boolean): Generator<FunctionFact> {
  for (const { value: tool } of values) {
    const runs = tool.kind === 'object' ? tool.fields.find(({ key }) => RUNS.test(key ?? '')) : undefined
    const fact = runs && functionOf(runs.value)
    if (fact !== undefined && tool.kind === 'object' && fact.parameters.length > 0 && isDescribed(tool, fits)) yield fact
  }
}

/** `tool(async ({ id }) => …, { name, schema })` of LangChain, `server.tool('find', { id: z.string() }, async ({ id }) => …)` of MCP. */
function* registeredTools({ calls }: ScriptFacts): Generator<FunctionFact> {
  for (const { callee, args } of calls) {
    if (args.length < 2 || !/^(?:tool|registerTool)$/.test(lastNameOf(callee) ?? '')) continue
    const tool = functionOf(callee.kind === 'member' ? args.at(-1) : args[0])
    if (tool !== undefined) yield tool
  }
}

function isDescribed(tool: ObjectValue, fits: (schema: Value) => boolean, depth = 0): boolean {
  const fitting = (name: string): boolean => {
    const schema = fieldOf(tool, name)?.value
    return schema !== undefined && fits(resolveValue(schema))
  }
  if (fieldOf(tool, 'description') !== undefined && SCHEMAS.some(fitting)) return true
  return (
    depth < MAX_DEPTH &&
    DESCRIPTIONS.some((name) => {
      const field = fieldOf(tool, name)?.value
      const inner = field && resolveValue(field)
      return inner?.kind === 'object' && isDescribed(inner, fits, depth + 1)
    })
  )
}

/** `{ type: 'object', properties: { … } }` */
function isJsonSchema(schema: Value): boolean {
  return schema.kind === 'object' && ['type', 'properties'].some((name) => fieldOf(schema, name) !== undefined)
}

/** Or `z.object({ … })`, by which the package that has the tool run checks its arguments. */
function isSchema(schema: Value): boolean {
  return isJsonSchema(schema) || (schema.kind === 'call' && lastNameOf(schema.callee) === 'object')
}

/** `TOOLS[block.name](block.input)`, `const run = TOOLS[call.function.name]; run(JSON.parse(call.function.arguments))`. */
function* chosenTools({ calls }: ScriptFacts): Generator<FunctionFact> {
  for (const call of calls) {
    const [first] = call.args
    const chosen = first === undefined ? undefined : resolveValue(call.callee)
    if (first === undefined || chosen?.kind !== 'member' || chosen.name !== undefined || chosen.property === undefined) continue
    if (!isStep(chosen.property, /^name$/) || !isArguments(first)) continue
    const map = resolveValue(chosen.object)
    if (map.kind !== 'object') continue
    for (const { value } of map.fields) {
      const tool = functionOf(value)
      if (tool !== undefined) yield tool
    }
  }
}

function isArguments(value: Value): boolean {
  const given = resolveValue(value)
  return isParse(given) ? given.args[0] !== undefined && isStep(given.args[0], ARGUMENTS) : isStep(given, ARGUMENTS)
}

function isParse(value: Value): value is CallValue {
  return value.kind === 'call' && lastNameOf(value.callee) === 'parse'
}

function isStep(value: Value, name: RegExp): boolean {
  return accessesOf(value).some(({ steps }) => name.test(steps.at(-1) ?? ''))
}

/** An argument that a tool is run with, as it is to be written: `args.id` of `(args)`, `id` of `({ id })`. */
export function toolArgument(value: Value, tools: ReadonlySet<FunctionFact>): string | undefined {
  if (tools.size === 0) return undefined
  for (const { binding, steps } of accessesOf(value)) {
    if (binding?.kind !== 'parameter' || !tools.has(binding.function)) continue
    const definition = binding.definitions.find(({ parameter }) => parameter === 0)
    const [name = '', more] = steps
    if (definition === undefined || more !== undefined || !/^\w+$/.test(name)) continue
    return definition.path.length === 0 ? `${binding.name}.${name}` : binding.name
  }
  return undefined
}
