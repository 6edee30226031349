const ENDED: ReadonlySet<unknown> = new Set(['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'])
const TRIES = 5

/**
 * Sends a request again whose connection ended under it: an idle one that the server closed in the meantime, or one on which it refused before the body was
 * written. Beside other tests either happens now and then, and says nothing of the service.
 */
export async function sendAgain(send: () => Promise<Response>, tries = TRIES): Promise<Response> {
  try {
    return await send()
  } catch (error) {
    const cause = error instanceof TypeError && error.cause instanceof Error ? error.cause : undefined
    if (tries <= 1 || cause === undefined || !('code' in cause) || !ENDED.has(cause.code)) throw error
    return sendAgain(send, tries - 1)
  }
}
