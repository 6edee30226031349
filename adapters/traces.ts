/**
 * `parapet/traces`: spans for a host that has set up a provider of OpenTelemetry. Without one they cost next to nothing and go nowhere; nothing else of Parapet loads `@opentelemetry/api`.
 */
import { context, SpanStatusCode, trace, type Context, type Span } from '@opentelemetry/api'
import { isRefusal, VERSION, type ScanPhase, type ScanRunner } from '../core/index.ts'

/**
 * The same runner; each scan is a span `parapet.scan` within the caller's span, and each of its phases a span within that: `parapet.waiting`, `parapet.reading`, `parapet.asking`,
 * `parapet.checking`, `parapet.reporting`. Attributes say what a scan ended as and how many findings it has, and nothing that a client said: neither names nor paths.
 */
export function traceScans(runner: ScanRunner): ScanRunner {
  return async (source, options, control) => {
    // asked each time: the host may set its provider up later
    const tracer = trace.getTracer('parapet', VERSION)
    const attributes = { 'parapet.scan.id': options.scanId, 'parapet.scan.source': source.kind }
    const scan = tracer.startSpan('parapet.scan', { attributes })
    const within: Context = trace.setSpan(context.active(), scan)
    const begin = (phase: ScanPhase): Span => tracer.startSpan(`parapet.${phase}`, {}, within)
    let current: { readonly phase: ScanPhase; readonly span: Span } = { phase: 'waiting', span: begin('waiting') }
    try {
      const outcome = await context.with(within, () =>
        runner(source, options, {
          ...control,
          onProgress(progress) {
            const { phase } = progress
            if (phase !== current.phase) {
              current.span.end()
              current = { phase, span: begin(phase) }
            }
            control.onProgress?.(progress)
          },
        }),
      )
      scan.setAttribute('parapet.scan.outcome', outcome.facts?.complete === false ? 'incomplete' : 'done')
      scan.setAttribute('parapet.scan.findings', outcome.entry.summary.total)
      return outcome
    } catch (error) {
      const outcome = isRefusal(error) ? 'refused' : control.signal?.aborted === true ? 'cancelled' : 'failed'
      scan.setAttribute('parapet.scan.outcome', outcome)
      if (isRefusal(error)) scan.setAttribute('parapet.scan.refusal', error.code)
      // without its message: that may hold what was scanned
      if (outcome === 'failed') scan.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      current.span.end()
      scan.end()
    }
  }
}
