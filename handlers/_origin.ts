import { Refusal, type ScanOrigin } from '../core/index.ts'

/** What a request says of its source, with the address of the source as links need it. Throws the refusal `invalid-request`. */
export async function toOrigin({ branch, commit, release, sourceUrl }: ScanOrigin): Promise<ScanOrigin | undefined> {
  if ([branch, commit, release, sourceUrl].every((said) => said === undefined)) return undefined
  const origin = {
    ...(branch !== undefined && { branch }),
    ...(commit !== undefined && { commit: commit.toLowerCase() }),
    ...(release !== undefined && { release }),
  }
  if (sourceUrl === undefined) return origin
  // few say where their source is shown
  const { completeSourceUrl } = await import('./_source-url.ts')
  const complete = completeSourceUrl(sourceUrl, origin.commit)
  if (complete === undefined) throw new Refusal('invalid-request', { errors: [{ path: 'sourceUrl', message: 'source-url' }] })
  return { ...origin, sourceUrl: complete }
}
