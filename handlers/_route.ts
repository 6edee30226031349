import type { H3, H3Event } from 'h3'
import type { z } from 'zod'
import { Refusal, type RefusalCode } from '../core/index.ts'
import { deliver } from './_delivery.ts'
import { JSON_TYPE, setDataHeaders } from './_headers.ts'
import { parseRequest } from './_requests.ts'
import type { Schemas } from './_schemas.ts'
import type { Service } from './_service.ts'

export interface RouteAnswer {
  readonly description: string
  readonly schema?: keyof Schemas
  /** Of its body, where that is not `application/json`. */
  readonly type?: string
  /** Also as server-sent events. */
  readonly events?: true
  readonly headers?: readonly string[]
}

/** One operation of the interface: what it does, and what the OpenAPI document says of it. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** As h3 writes it: `/api/scan/:scanId`. */
  readonly path: `/api/${string}`
  readonly summary: string
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly headers?: z.ZodType
  readonly body?: { readonly type: string; readonly schema: keyof Schemas }
  /** Its answer is in the language of the request. */
  readonly localised?: true
  readonly answers: Readonly<Record<number, RouteAnswer>>
  /** Beside those that every route may give. */
  readonly refusals: readonly RefusalCode[]
  handle(event: H3Event, service: Service): unknown
}

/** What any route may refuse. */
export const COMMON_REFUSALS: readonly RefusalCode[] = [
  'invalid-request',
  'unauthorized',
  'forbidden-origin',
  'method-not-allowed',
  'unknown-host',
  'busy',
  'internal-error',
]

/** Puts the routes into an app. h3 answers a wrong method with 404, so each path says itself which ones it has. */
export function addRoutes(app: H3, routes: readonly Route[], service: Service): void {
  for (const path of new Set(routes.map((route) => route.path))) {
    const methods: string[] = []
    for (const route of routes.filter((other) => other.path === path)) {
      for (const method of route.method === 'GET' ? (['GET', 'HEAD'] as const) : [route.method]) {
        methods.push(method)
        app.on(method, path, async (event) => {
          setDataHeaders(event)
          return toBody(event, service, await route.handle(event, service))
        })
      }
    }
    const allow = methods.join(', ')
    app.all(path, () => {
      throw new Refusal('method-not-allowed', { allow })
    })
  }
  app.all('/api/**', () => {
    throw new Refusal('not-found')
  })
}

/** JSON of any size is taken in pieces: what a handler returns as a value is rendered here. */
function toBody(event: H3Event, service: Service, value: unknown): unknown {
  if (value instanceof Response || value instanceof ReadableStream || value instanceof Uint8Array) return value
  event.res.headers.set('content-type', JSON_TYPE)
  return deliver(event, service, new TextEncoder().encode(JSON.stringify(value)))
}

/** The parameters in the path, by a schema. Throws the refusal `invalid-request`. */
export function readParams<T>(event: H3Event, schema: z.ZodType<T>): T {
  return parseRequest(schema, event.context.params ?? {})
}

/** The query, by a schema; a member that stands twice is none of its texts. Throws the refusal `invalid-request`. */
export function readQuery<T>(event: H3Event, schema: z.ZodType<T>): T {
  const { searchParams } = event.url
  const names = [...new Set(searchParams.keys())]
  const members = names.map((name) => {
    const values = searchParams.getAll(name)
    return [name, values.length === 1 ? values[0] : values]
  })
  return parseRequest(schema, Object.fromEntries(members))
}
