import type { H3Event } from 'h3'
import type { RefusalCode } from '../core/index.ts'
import { projectParams, projectsQuery } from './_project-requests.ts'
import type { Route } from './_route.ts'
import type { Service } from './_service.ts'

type Handlers = typeof import('./_projects.ts')

/** Those who only scan never ask for projects: what answers is loaded when it is wanted. */
const later =
  (pick: (handlers: Handlers) => (event: H3Event, service: Service) => unknown) =>
  async (event: H3Event, service: Service): Promise<unknown> =>
    pick(await import('./_projects.ts'))(event, service)

const refusals: readonly RefusalCode[] = ['project-not-found', 'storage-unavailable']
const path = '/api/projects/:name'

export const projectRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/api/projects',
    summary: 'The projects: scans of one name belong together',
    query: projectsQuery,
    answers: { 200: { description: 'One row for each, by name', schema: 'Projects' } },
    refusals: ['storage-unavailable'],
    handle: later(({ listProjects }) => listProjects),
  },
  {
    method: 'GET',
    path,
    summary: 'A project with its scans and what is open',
    params: projectParams,
    answers: { 200: { description: 'The project', schema: 'Project' } },
    refusals,
    handle: later(({ readProject }) => readProject),
  },
  {
    method: 'PATCH',
    path,
    summary: 'Changes the title and the tags of a project',
    params: projectParams,
    body: { type: 'application/json', schema: 'ProjectChange' },
    answers: { 200: { description: 'The project as it is now', schema: 'Project' } },
    refusals: [...refusals, 'unsupported-media-type', 'upload-too-large', 'request-timeout'],
    handle: later(({ changeProject }) => changeProject),
  },
  {
    method: 'DELETE',
    path,
    summary: 'Deletes a project with all its scans',
    params: projectParams,
    answers: { 204: { description: 'It is gone' } },
    refusals,
    handle: later(({ removeProject }) => removeProject),
  },
]
