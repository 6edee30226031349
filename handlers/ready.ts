import { createBusy } from './_admission.ts'
import type { Route } from './_route.ts'
import type { Ready } from './_schemas.ts'

export const ready: Route = {
  method: 'GET',
  path: '/api/ready',
  summary: 'Whether the service accepts scans: not during shutdown or without its history',
  answers: { 200: { description: 'It does', schema: 'Ready' } },
  refusals: ['storage-unavailable', 'queue-unavailable'],
  async handle(_, service): Promise<Ready> {
    if (service.admission.isDraining()) throw createBusy()
    await service.historyOf('').check()
    await service.jobs.check()
    return { status: 'ready', jobs: service.background ? service.jobs.place : 'none' }
  },
}
