import { Refusal } from '../core/index.ts'
import type { Route } from './_route.ts'

export const metrics: Route = {
  method: 'GET',
  path: '/api/metrics',
  summary: 'Figures of this process in the text format of Prometheus',
  answers: { 200: { description: 'The figures, where they are switched on', schema: 'Metrics', type: 'text/plain' } },
  refusals: ['not-found'],
  async handle(event, service) {
    if (service.metrics === undefined) throw new Refusal('not-found')
    const { type, text } = await service.metrics({ heldBytes: service.admission.heldBytes() })
    event.res.headers.set('content-type', type)
    return new TextEncoder().encode(text)
  },
}
