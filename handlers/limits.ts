import {
  MAX_FINDINGS,
  MAX_FINDINGS_PER_RULE_AND_FILE,
  MAX_FINDINGS_PER_RULE_AND_LOCK,
  MAX_NESTING,
  MAX_NOTICES,
  MAX_PATH_BYTES,
  MAX_PATH_SEGMENTS,
} from '../core/index.ts'
import { MAX_OPEN_BODIES, SLOW_AFTER_MS, SLOW_SHARE } from './_admission.ts'
import { MAX_JSON } from './_body.ts'
import { DELIVERY_SHARE, MAX_DELIVERIES } from './_delivery.ts'
import { MAX_PARTS, MAX_PART_HEADERS } from './_multipart.ts'
import { MAX_TRANSFER_MS, MIN_RATE } from './_pace.ts'
import type { Route } from './_route.ts'
import type { LimitsAnswer } from './_schemas.ts'

export const limits: Route = {
  method: 'GET',
  path: '/api/limits',
  summary: 'Every limit in force: bytes, milliseconds, counts',
  answers: { 200: { description: 'The limits', schema: 'Limits' } },
  refusals: [],
  handle: (_, service): LimitsAnswer => ({
    ...service.limits,
    transferRate: MIN_RATE,
    transferTime: MAX_TRANSFER_MS,
    bodies: MAX_OPEN_BODIES,
    slowBodies: MAX_OPEN_BODIES * SLOW_SHARE,
    slowHeld: Math.floor(service.limits.held * SLOW_SHARE),
    slowAfter: SLOW_AFTER_MS,
    answers: MAX_DELIVERIES,
    answersHeld: Math.floor(service.limits.held * DELIVERY_SHARE),
    json: MAX_JSON,
    parts: MAX_PARTS,
    partHeaders: MAX_PART_HEADERS,
    pathBytes: MAX_PATH_BYTES,
    pathSegments: MAX_PATH_SEGMENTS,
    nesting: MAX_NESTING,
    findings: MAX_FINDINGS,
    findingsPerRuleAndFile: MAX_FINDINGS_PER_RULE_AND_FILE,
    findingsPerRuleAndLock: MAX_FINDINGS_PER_RULE_AND_LOCK,
    notices: MAX_NOTICES,
    history: service.retention,
    directory: service.resolveDirectory !== undefined,
  }),
}
