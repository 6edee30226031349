import type { ScanOptions, ScanOrigin, SourceData } from '../core/index.ts'
import type { Service } from './_service.ts'

/** What a body says is to be scanned. */
export interface ScanRequest {
  readonly source: SourceData
  readonly projectName: string
  readonly origin?: ScanOrigin
}

/** The inputs of a new scan beside its source. */
export function toScanOptions(service: Service, { projectName, origin }: ScanRequest): ScanOptions {
  const { upload: _, held: __, ...limits } = service.limits
  return {
    scanId: service.createScanId(),
    scannedAt: service.now().toISOString(),
    projectName,
    limits,
    suppressions: service.suppressions,
    fingerprintKey: service.fingerprintKey,
    origin,
  }
}
