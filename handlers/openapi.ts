import type { Route } from './_route.ts'

/** `routes` is asked for late: this route is one of them. */
export function createOpenApiRoute(routes: () => readonly Route[]): Route {
  // made of schemas, which takes the time of a small scan
  let known: { readonly version: string; readonly base: string; readonly document: object } | undefined
  return {
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description of the interface',
    answers: { 200: { description: 'OpenAPI 3.1', schema: 'OpenApi' } },
    refusals: [],
    async handle(_, { version, base }) {
      if (known?.version !== version || known.base !== base) {
        // few ask for it: what describes it is loaded then
        const { describeInterface } = await import('./_openapi.ts')
        known = { version, base, document: describeInterface(routes(), version, base) }
      }
      return known.document
    },
  }
}
