import { createBusy } from './_admission.ts'
import type { Route } from './_route.ts'
import type { Ready } from './_schemas.ts'

export const ready: Route = {
  method: 'GET',
  path: '/api/ready',
  summary: 'Whether it takes scans: it does not while it shuts down, or while the history can’t be reached',
  answers: { 200: { description: 'It does', schema: 'Ready' } },
  refusals: ['storage-unavailable'],
  async handle(_, service): Promise<Ready> {
    if (service.admission.isDraining()) throw createBusy()
    await service.historyOf('').check()
    return { status: 'ready' }
  },
}
