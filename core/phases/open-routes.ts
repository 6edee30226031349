import type { FlowHit } from '../flow/index.ts'
import { append } from '../lists.ts'
import type { Place, Span } from '../types.ts'
import { isAround } from '../facts/span-index.ts'

/** Functions that answer routes without asking who calls. */
export interface OpenRoutes {
  /** Notes them while the hits are told. */
  notedIn(hits: Iterable<FlowHit>): Iterable<FlowHit>
  hold(place: Place): boolean
}

/** Which functions answer such routes is known once the data flow is solved, when the findings of single files have been made already. */
export function createOpenRoutes(): OpenRoutes {
  const spans = new Map<string, Span[]>()
  return {
    *notedIn(hits) {
      for (const hit of hits) {
        for (const { file, span } of hit.api.answeredBy ?? []) if (span !== undefined) append(spans, file, span)
        yield hit
      }
    },
    hold: ({ file, span }) => span !== undefined && (spans.get(file) ?? []).some((one) => isAround(one, span.start)),
  }
}
