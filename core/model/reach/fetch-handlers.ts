import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { functionOf } from '../../facts/callbacks.ts'
import { createInnerIndex, spanOf } from '../../facts/span-index.ts'
import type { FunctionFact } from '../../facts/index.ts'
import type { Span } from '../../types.ts'
import { blankComments } from './code-words.ts'
import { followCalls } from './raw-servers.ts'

/** Facts: Next.js 15, "route.js"; Expo Router 4, "API Routes"; SvelteKit 2, "+server"; Astro 5, "Endpoints". */
const VERB = /^(?:GET|POST|PUT|PATCH|DELETE)$/

/** What looks at who calls: headers and cookies of the request, and what is called for sessions and tokens; a word in a message asks nobody. */
const ASKS =
  /\b(?:req|request|oReq|oRequest)\.(?:headers|cookies)\b|\b(?:headers|cookies|auth|clerk|supabase)\w{0,30}\s{0,5}[(.]|(?:session|passport|authenticat|authoriz|verif|signature|timingSafeEqual|currentUser|get_?User|get_?Token|withAuth|require_?(?:auth|user|login|role))\w{0,30}\s{0,5}[(.](?! )/i

/** Files of which the exported names are methods of HTTP. Facts as those of the methods; elsewhere a name like that is one of the project. */
const ROUTE = /(?:^|\/)(?:[^/]{0,200}\+api|route|\+server)\.[cm]?[jt]sx?$|(?:^|\/)pages\/\S{0,500}\.[cm]?[jt]s$/

/** What such frameworks run in front of the routes below its folder. Facts: Next.js 15 and 16, "middleware" and "proxy"; Expo Router 6, "+middleware"; SvelteKit 2, "hooks.server"; Astro 5, "Middleware". */
const IN_FRONT = /(?:^|\/)(?:\+?middleware|proxy|hooks\.server)\.[cm]?[jt]s$/
const ABOUT_CALLER = /auth|session|token|cookie|clerk|supabase|passport|user|log_?in|sign_?in|jwt|verif/i

/** Functions that answer a method of HTTP by their exported names, `export async function POST(request)`, and those that they call, where nothing in them asks who calls. */
export const fetchHandlerSpans: Extract<Span> = defineExtract({
  name: 'reach-fetch-handlers',
  withFlow: true,
  isFor: (path) => ROUTE.test(path),
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
    // of a name that is given several times, the last value counts
    const answering = new Map<string, FunctionFact>()
    for (const { name, value } of facts.exports) {
      const answers = VERB.test(name) ? functionOf(value) : undefined
      if (answers !== undefined) answering.set(name, answers)
    }
    if (answering.size === 0) return []
    step(text.length)
    const code = blankComments(text)
    const callsIn = createInnerIndex(facts.calls)
    const found = new Set<FunctionFact>()
    for (const one of new Set(answering.values())) {
      const all = followCalls([one], callsIn)
      const isAsked = all.some((fact) => {
        step(1 + ((fact.end - fact.start) >> 4))
        return ASKS.test(code.slice(fact.start, fact.end))
      })
      if (!isAsked) for (const fact of all) found.add(fact)
    }
    return [...found].map(spanOf)
  },
})

/** A file that such a framework runs in front of routes, and that seems to ask who calls. */
export const fetchMiddlewares: Extract<true> = defineExtract({
  name: 'reach-fetch-middlewares',
  keywords: ['middleware', 'Middleware', 'proxy', 'handle', 'onRequest', 'export default'],
  isFor: (path) => IN_FRONT.test(path),
  *collectText(text) {
    if (ABOUT_CALLER.test(blankComments(text))) yield true
  },
})
