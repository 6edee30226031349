import { isRefusal, type ScanStatuses } from '../core/index.ts'
import { describeRequest, type RequestFacts } from './_request.ts'
import type { Service } from './_service.ts'

/** What the project of a scan tells of its findings; undefined where nobody knows, or not now: a report that can be read is read all the same. */
export async function findStatuses(
  { projectsOf, log }: Service,
  request: RequestFacts,
  scanId: string,
): Promise<ScanStatuses | undefined> {
  try {
    return await (await projectsOf(request.space)).statusesOf(scanId)
  } catch (cause) {
    if (!isRefusal(cause)) throw cause
    log({ level: 'warn', event: 'statuses-unavailable', ...describeRequest(request), cause })
    return undefined
  }
}
