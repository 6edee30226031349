import type { H3Event } from 'h3'
import { Refusal, type Project, type ProjectRow, type Projects } from '../core/index.ts'
import { MAX_JSON, parseJson, readBody } from './_body.ts'
import { readMediaType } from './_multipart.ts'
import { projectChange, projectParams, projectsQuery } from './_project-requests.ts'
import { parseRequest } from './_requests.ts'
import { readParams, readQuery } from './_route.ts'
import { refuseEncoding } from './_scan.ts'
import type { Service } from './_service.ts'

export const projectsOf = (event: H3Event, service: Service): Promise<Projects> =>
  service.projectsOf(service.requestOf(event).space)

/** The name in the address; h3 has read what needs no percent code already. */
export function readName(event: H3Event): string {
  const { name } = readParams(event, projectParams)
  try {
    return decodeURIComponent(name)
  } catch {
    throw new Refusal('project-not-found')
  }
}

export async function listProjects(event: H3Event, service: Service): Promise<readonly ProjectRow[]> {
  const { limit, offset = 0, q = '', tag } = readQuery(event, projectsQuery)
  const rows = await (await projectsOf(event, service)).list()
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  const wanted = rows.filter(({ name, title = '', tags }) => {
    const text = `${name}\n${title}`.toLowerCase()
    return (tag === undefined || tags.includes(tag)) && words.every((word) => text.includes(word))
  })
  return wanted.slice(offset, limit === undefined ? undefined : offset + limit)
}

export async function readProject(event: H3Event, service: Service): Promise<Project> {
  return (await projectsOf(event, service)).find(readName(event))
}

export async function changeProject(event: H3Event, service: Service): Promise<Project> {
  const change = parseRequest(projectChange, await readJson(event, service))
  return (await projectsOf(event, service)).change(readName(event), change)
}

export async function removeProject(event: H3Event, service: Service): Promise<Response> {
  const history = service.historyOf(service.requestOf(event).space)
  await (
    await projectsOf(event, service)
  ).remove(readName(event), async (scanId) => {
    try {
      await history.remove(scanId)
    } catch (error) {
      // somebody else deleted it meanwhile
      if (!(error instanceof Refusal && error.code === 'scan-not-found')) throw error
    }
  })
  return new Response(null, { status: 204 })
}

/** The JSON of a small body. Throws refusals. */
export async function readJson(event: H3Event, { admission, clock }: Service): Promise<unknown> {
  // exactly this type: a page of another site can send text/plain without being asked
  if (readMediaType(event.req.headers.get('content-type')) !== 'application/json') throw new Refusal('unsupported-media-type')
  refuseEncoding(event)
  const ticket = admission.admit(MAX_JSON)
  try {
    const body = await readBody(event.req, MAX_JSON, ticket.cancelled, { hold: ticket.hold, clock })
    ticket.received()
    return parseJson(body)
  } finally {
    ticket.release()
    ticket.end()
  }
}
