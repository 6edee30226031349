import type { H3Event } from 'h3'
import type { RefusalCode } from '../core/index.ts'
import { decisionParams, withdrawQuery } from './_decision-requests.ts'
import { projectParams } from './_project-requests.ts'
import type { Route } from './_route.ts'
import type { Service } from './_service.ts'

type Handlers = typeof import('./_decisions.ts')

/** What answers is loaded when it is wanted. */
const later =
  (pick: (handlers: Handlers) => (event: H3Event, service: Service) => unknown) =>
  async (event: H3Event, service: Service): Promise<unknown> =>
    pick(await import('./_decisions.ts'))(event, service)

const refusals: readonly RefusalCode[] = ['project-not-found', 'storage-unavailable']
const writing: readonly RefusalCode[] = [
  ...refusals,
  'finding-not-found',
  'decision-changed',
  'unsupported-media-type',
  'upload-too-large',
  'request-timeout',
]
const path = '/api/projects/:name/decisions'

export const decisionRoutes: readonly Route[] = [
  {
    method: 'GET',
    path,
    summary: 'What was decided about findings of a project',
    params: projectParams,
    answers: { 200: { description: 'One entry for each finding, with what was decided before', schema: 'Decisions' } },
    refusals,
    handle: later(({ listDecisions }) => listDecisions),
  },
  {
    method: 'PUT',
    path,
    summary: 'Decides on several findings at once, or on none of them',
    params: projectParams,
    body: { type: 'application/json', schema: 'DecisionsRequest' },
    answers: { 200: { description: 'What holds for them now', schema: 'Decisions' } },
    refusals: writing,
    handle: later(({ decideSeveral }) => decideSeveral),
  },
  {
    method: 'GET',
    path: `${path}/config`,
    summary: 'What was decided, as entries of parapet.config.json',
    params: projectParams,
    answers: { 200: { description: 'Entries of `suppress`', schema: 'Suppressions' } },
    refusals,
    handle: later(({ writeConfig }) => writeConfig),
  },
  {
    method: 'PUT',
    path: `${path}/:findingId`,
    summary: 'Decides on a finding, with If-Match or If-None-Match',
    params: decisionParams,
    body: { type: 'application/json', schema: 'DecisionRequest' },
    answers: {
      200: { description: 'The decision in the place of the one before', schema: 'DecidedFinding', headers: ['ETag'] },
      201: { description: 'The first decision', schema: 'DecidedFinding', headers: ['ETag'] },
    },
    refusals: [...writing, 'precondition-required'],
    handle: later(({ decideOne }) => decideOne),
  },
  {
    method: 'DELETE',
    path: `${path}/:findingId`,
    summary: 'Takes a decision back; its history keeps it',
    params: decisionParams,
    query: withdrawQuery,
    answers: { 204: { description: 'It holds no more' } },
    refusals: [...refusals, 'finding-not-found', 'decision-changed', 'precondition-required'],
    handle: later(({ withdrawDecision }) => withdrawDecision),
  },
  {
    method: 'GET',
    path: '/api/projects/:name/vex',
    summary: 'Advisories of the last scan with decisions, as OpenVEX',
    params: projectParams,
    answers: { 200: { description: 'OpenVEX 0.2.0', schema: 'Vex' } },
    refusals: [...refusals, 'scan-not-found'],
    handle: later(({ writeVex }) => writeVex),
  },
]
