import { readQuery, type Route } from './_route.ts'
import { historyQuery } from './_requests.ts'

export const history: Route = {
  method: 'GET',
  path: '/api/scan/history',
  summary: 'The stored scans, newest first',
  query: historyQuery,
  answers: { 200: { description: 'One entry for each', schema: 'History' } },
  refusals: ['storage-unavailable'],
  handle: (event, service) => service.historyOf(service.requestOf(event).space).list(readQuery(event, historyQuery)),
}
