import * as z from 'zod'
import { LOCALES, type RefusalCode } from '../core/index.ts'
import { EXAMPLES, OPERATION_IDS, PARAMETER_EXAMPLES } from './_examples.ts'
import { PROBLEMS } from './_errors.ts'
import { PROBLEM_TYPE } from './_problem.ts'
import { COMMON_REFUSALS, type Route, type RouteAnswer } from './_route.ts'
import { SCHEMAS, type Schemas } from './_schemas.ts'

type Json = Readonly<Record<string, unknown>>

/** The OpenAPI 3.1 document, made from the routes and from the schemas that validate. */
export function describeInterface(routes: readonly Route[], version: string, base: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w{1,20})/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Parapet', version, summary: 'Finds security vulnerabilities in SAP UI5 and CAP projects' },
    servers: [{ url: base === '' ? '/' : base }],
    security: [{}, { token: [] }],
    paths,
    components: { schemas: describeSchemas(), securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  }
}

function describeRoute(route: Route): Json {
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(route.answers)) responses[status] = describeAnswer(answer)
  const codes = new Map<number, RefusalCode[]>()
  for (const code of new Set([...COMMON_REFUSALS, ...route.refusals])) {
    const { status } = PROBLEMS[code]
    codes.set(status, [...(codes.get(status) ?? []), code])
  }
  for (const [status, known] of codes) {
    responses[status] = { description: known.join(', '), content: { [PROBLEM_TYPE]: describeContent('Problem') } }
  }
  return {
    operationId: OPERATION_IDS[`${route.method} ${route.path}`],
    summary: route.summary,
    parameters: [
      ...describeParameters('path', route.params),
      ...describeParameters('query', route.query),
      ...describeParameters('header', route.headers),
      ...describeLanguage(route),
    ],
    ...(route.body && { requestBody: { required: true, content: { [route.body.type]: describeContent(route.body.schema) } } }),
    responses,
  }
}

function describeAnswer({ description, schema, type = 'application/json', events, headers }: RouteAnswer): Json {
  return {
    description,
    ...(headers && { headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: 'string' } }])) }),
    ...(schema && {
      content: {
        [type]: describeContent(schema),
        ...(events && { 'text/event-stream': { schema: { type: 'string' } } }),
      },
    }),
  }
}

function describeParameters(where: 'path' | 'query' | 'header', schema: z.ZodType | undefined): Json[] {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema)
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: where,
    required: required.includes(name),
    schema,
    example: PARAMETER_EXAMPLES[name],
  }))
}

function describeLanguage(route: Route): Json[] {
  if (route.localised === undefined) return []
  const schema = { type: 'string', enum: LOCALES }
  return [
    { name: 'lang', in: 'query', required: false, schema, example: PARAMETER_EXAMPLES['lang'] },
    { name: 'Accept-Language', in: 'header', required: false, schema: { type: 'string' } },
  ]
}

/** A body with its shape, and how it looks; limits and the document itself are examples of themselves. */
function describeContent(name: keyof Schemas): Json {
  return { schema: refer(name), ...(isExemplified(name) && { example: EXAMPLES[name] }) }
}

function isExemplified(name: keyof Schemas): name is keyof typeof EXAMPLES {
  return Object.hasOwn(EXAMPLES, name)
}

const refer = (name: keyof Schemas): Json => ({ $ref: `#/components/schemas/${name}` })

function describeSchemas(): Json {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id })
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}` })
  // a reference within the document needs no id of its own, and a validator would take it for another document
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, { ...schema, $id: undefined, $schema: undefined }]),
  )
}
