import { answerJob, toJobAnswer } from './_jobs.ts'
import { jobParams, jobQuery } from './_job-requests.ts'
import { pickLocale, setLanguage } from './_language.ts'
import { readParams, readQuery, type Route } from './_route.ts'

const path = '/api/scan/jobs/:id'

/** Jobs that are listed where no limit is asked for: each takes a question to the queue. */
const MAX_LISTED = 200

/** Scans that nobody waits for. */
export const jobRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/scan/jobs',
    summary: 'Scans that were handed in with "Prefer: respond-async", newest first',
    query: jobQuery,
    localised: true,
    answers: { 200: { description: 'One for each', schema: 'Jobs' } },
    refusals: ['queue-unavailable'],
    async handle(event, service) {
      const jobs = await service.jobs.list(service.requestOf(event).space, { limit: MAX_LISTED, ...readQuery(event, jobQuery) })
      setLanguage(event, pickLocale(event, service.language))
      return jobs.map((job) => toJobAnswer(event, service, job))
    },
  },
  {
    method: 'GET',
    path,
    summary: 'What becomes of a scan that was handed in',
    params: jobParams,
    localised: true,
    answers: { 200: { description: 'Its state', schema: 'Job', headers: ['Retry-After'] } },
    refusals: ['job-not-found', 'queue-unavailable'],
    async handle(event, service) {
      const { id } = readParams(event, jobParams)
      return answerJob(event, service, await service.jobs.find(service.requestOf(event).space, id.toLowerCase()))
    },
  },
  {
    method: 'DELETE',
    path,
    summary: 'Cancels a scan that waits or runs',
    params: jobParams,
    answers: { 204: { description: 'It is cancelled, or had ended before' } },
    refusals: ['job-not-found', 'queue-unavailable'],
    async handle(event, service) {
      const { id } = readParams(event, jobParams)
      await service.jobs.cancel(service.requestOf(event).space, id.toLowerCase())
      return new Response(null, { status: 204 })
    },
  },
]
