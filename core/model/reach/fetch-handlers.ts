import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { spanOf } from '../../facts/span-index.ts'
import type { ProjectFile } from '../../files.ts'
import type { Span } from '../../types.ts'
import { blankComments } from './code-words.ts'
import { followCalls } from './raw-servers.ts'

/** Facts: Next.js 15, "route.js"; Expo Router 4, "API Routes"; SvelteKit 2, "+server"; Astro 5, "Endpoints". */
const VERB = /^(?:GET|POST|PUT|PATCH|DELETE)$/

/** What looks at who calls: headers and cookies of the request, and what is called for sessions and tokens; a word in a message asks nobody. */
const ASKS =
  /\b(?:req|request)\.(?:headers|cookies)\b|\b(?:headers|cookies|auth|clerk|supabase)\w{0,30}\s{0,5}[(.]|(?:session|passport|authenticat|authoriz|verif|signature|timingSafeEqual|currentUser|get_?User|get_?Token|withAuth|require_?(?:auth|user|login|role))\w{0,30}\s{0,5}[(.](?! )/i

/** What such frameworks run in front of all routes. Facts: Next.js 15 and 16, "middleware" and "proxy"; Expo Router 6, "+middleware"; SvelteKit 2, "hooks.server"; Astro 5, "Middleware". */
const IN_FRONT = /(?:^|\/)(?:\+?middleware|proxy|hooks\.server)\.[cm]?[jt]s$/

/** Functions that answer a method of HTTP by their exported names, `export async function POST(request)`, and those that they call, where nothing in them asks who calls. */
export const fetchHandlerSpans: Extract<Span> = defineExtract({
  name: 'reach-fetch-handlers',
  withFlow: true,
  // no name is in lower case: a file without one has no such route
  keywords: [
    'function GET',
    'function POST',
    'function PUT',
    'function PATCH',
    'function DELETE',
    'const GET',
    'const POST',
    'const PUT',
    'const PATCH',
    'const DELETE',
  ],
  collect({ facts, text, step }) {
    const answering = facts.exports.flatMap(({ name, value }) => (VERB.test(name) ? (functionOf(value) ?? []) : []))
    if (answering.length === 0) return []
    step(text.length)
    const code = blankComments(text)
    return answering.flatMap((one) => {
      const all = followCalls([one], facts)
      return all.some(({ start, end }) => ASKS.test(code.slice(start, end))) ? [] : all.map(spanOf)
    })
  },
})

/** Whether a file stands in front of all routes of such a framework, which may ask for a login. */
export function hasFetchMiddleware(files: ReadonlyMap<string, ProjectFile>): boolean {
  return [...files.keys()].some((path) => IN_FRONT.test(path))
}
