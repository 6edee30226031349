import type { H3Event } from 'h3'
import {
  loadVexWriter,
  Refusal,
  type Awaited,
  type DecidedFinding,
  type DecisionText,
  type DecideOutcome,
} from '../core/index.ts'
import { annotateReport } from './_annotate.ts'
import { decisionParams, decisionsRequest, decisionText, withdrawQuery } from './_decision-requests.ts'
import { RefusalWithMembers } from './_problem.ts'
import { projectsOf, readJson, readName } from './_projects.ts'
import { readReport } from './_read-report.ts'
import { parseRequest } from './_requests.ts'
import { readParams, readQuery } from './_route.ts'
import type { Service } from './_service.ts'
import { findStatuses } from './_statuses.ts'

/** States that mean that nothing is to be repaired: an entry of the configuration hides their findings. */
const HIDING: ReadonlySet<string> = new Set(['accepted', 'false-positive', 'not-affected'])

export async function listDecisions(event: H3Event, service: Service): Promise<readonly DecidedFinding[]> {
  return (await projectsOf(event, service)).decisions(readName(event))
}

/** What was decided as entries of `parapet.config.json`. */
export async function writeConfig(event: H3Event, service: Service): Promise<object> {
  const all = await listDecisions(event, service)
  return {
    suppress: all.flatMap(({ findingId, decision }) =>
      decision === undefined || decision.expired || !HIDING.has(decision.state)
        ? []
        : [{ id: findingId, reason: decision.reason, ...(decision.until !== undefined && { until: decision.until }) }],
    ),
  }
}

export async function decideOne(event: H3Event, service: Service): Promise<DecidedFinding> {
  const { findingId } = readParams(event, decisionParams)
  const etag = readPrecondition(event)
  const text = parseRequest(decisionText, await readJson(event, service))
  const found = await decide(event, service, [{ id: findingId, ...(etag !== undefined && { etag }) }], text)
  const [told] = found
  if (told?.decision === undefined) throw new Refusal('internal-error')
  event.res.status = etag === undefined ? 201 : 200
  event.res.headers.set('etag', `"${told.decision.etag}"`)
  return told
}

export async function withdrawDecision(event: H3Event, service: Service): Promise<Response> {
  const { findingId } = readParams(event, decisionParams)
  const etag = readPrecondition(event)
  const { by } = readQuery(event, withdrawQuery)
  // there is nothing to take back where none is expected
  await decide(event, service, [{ id: findingId, etag: etag ?? '' }], undefined, by)
  return new Response(null, { status: 204 })
}

export async function decideSeveral(event: H3Event, service: Service): Promise<readonly DecidedFinding[]> {
  const { findings, ...text } = parseRequest(decisionsRequest, await readJson(event, service))
  return decide(event, service, findings, text)
}

async function decide(
  event: H3Event,
  service: Service,
  findings: readonly Awaited[],
  text: DecisionText | undefined,
  by?: string,
): Promise<readonly DecidedFinding[]> {
  const projects = await projectsOf(event, service)
  const outcome: DecideOutcome = await projects.decide(readName(event), findings, text, by)
  if (outcome.kind === 'decided') return outcome.findings
  throw new RefusalWithMembers(new Refusal('decision-changed'), { findings: JSON.stringify(outcome.findings) })
}

/** The tag that the caller has seen; undefined: none. Throws the refusal `precondition-required`. */
function readPrecondition({ req }: H3Event): string | undefined {
  const [match, none] = [req.headers.get('if-match'), req.headers.get('if-none-match')]
  if (match !== null) return match.trim().replace(/^"|"$/g, '')
  if (none?.trim() === '*') return undefined
  throw new Refusal('precondition-required')
}

/** What the last scan of the main branch knows of vulnerable packages, with what was decided, as OpenVEX. */
export async function writeVex(event: H3Event, service: Service): Promise<Uint8Array> {
  const request = service.requestOf(event)
  const { lastScan } = await (await projectsOf(event, service)).find(readName(event))
  const { bytes } = await service.historyOf(request.space).read(lastScan.scanId, 'en')
  const statuses = await findStatuses(service, request, lastScan.scanId)
  const report = readReport(statuses === undefined ? bytes : annotateReport(bytes, statuses))
  // made by another version: the project has to be scanned again
  if (report === undefined) throw new Refusal('scan-not-found')
  const write = await loadVexWriter()
  return new TextEncoder().encode(write(report, { version: service.version, now: service.now().toISOString() }))
}
