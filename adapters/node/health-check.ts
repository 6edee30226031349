/** Ends with 0 where the service of this machine answers: the health check of an image that has neither a shell nor curl. */
const answer = await fetch(`http://127.0.0.1:${process.env['PORT'] ?? '3000'}/api/health`, {
  signal: AbortSignal.timeout(2000),
}).catch(() => undefined)
process.exit(answer?.ok === true ? 0 : 1)
