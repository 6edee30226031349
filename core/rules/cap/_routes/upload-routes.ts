import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { stringConstantOf, resolveValue, type CallValue } from '../../../facts/index.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import type { Span } from '../../../types.ts'

/** A route by its path, from its name to its last handler: one that takes files of any type, or one that answers a link. */
export interface FileRoute extends Span {
  readonly kind: 'takes' | 'answers'
  readonly path: string
}

/** The type that the sender of a file says. Facts: Express 5, `req.get`; multer, `req.file.mimetype`. */
const SAID_TYPE = /\[\s{0,5}['"`]content-type['"`]\s{0,5}\]|\.(?:get|header)\(\s{0,5}['"`]content-type['"`]|\.mimetype\b/i
/** A body parser for whatever is sent, or a form with files. Facts: Express 5, `express.raw` (`type`); multer, busboy, express-fileupload. */
const TAKES_ANY =
  /\btype\s{0,5}:\s{0,5}(?:['"`]\*\/\*['"`]|\(\s{0,5}\w{0,20}\s{0,5}\)\s{0,5}=>\s{0,5}true\b)|\.(?:single|array|any|fields)\(|\bbusboy\b|\.files\b/i
/** The code looks at the type. */
const LOOKS_AT_TYPE =
  /fileFilter|allow|whitelist|permitted|forbidden|blocked|supported|415\b|file-?type|magic|(?:mime|type)s?\w{0,20}\s{0,5}[!=]==?|(?:mime|type)\w{0,20}\.(?:startsWith|match|test|includes)|\.(?:includes|has|test)\([^()]{0,60}(?:mime|type)/i

/** A function that may look at it: `ensurePdf(req)`, `uploads.accepts(type)`. */
const MAY_LOOK = /(?:check|ensure|assert|valid|verif|guard|accept|only|filter|reject|scan)\w{0,40}\(/i
/** What may stand between path and handler: the parser of the body. */
const PARSES = /^(?:raw|single|array|any|fields|none|fileUpload|authenticate)$/

/** Routes of a server that take files as the sender describes them, where the file says nothing of types, and routes that answer links. */
export const fileRoutes: Extract<FileRoute> = defineExtract({
  name: 'cap-file-routes',
  keywords: ['content-type', 'Content-Type', 'mimetype'],
  prefilter: (text) => SAID_TYPE.test(text) && TAKES_ANY.test(text) && !text.includes('fileFilter'),
  *collect({ text, facts, step }) {
    for (const call of facts.calls) {
      step()
      const route = routeOf(call)
      if (route === undefined) continue
      const { verb, path } = route
      const { start, end } = call
      if (verb === 'get') yield { start, end, kind: 'answers', path }
      else {
        const code = text.slice(start, end)
        if (SAID_TYPE.test(code) && TAKES_ANY.test(code) && !LOOKS_AT_TYPE.test(code) && !MAY_LOOK.test(code) && isAlone(call))
          yield { start, end, kind: 'takes', path }
      }
    }
  },
})

/** Nothing but body parsers and handlers written there: another function may look at the type. */
function isAlone({ args }: CallValue): boolean {
  return args.slice(1).every((given) => {
    if (given.kind === 'function') return true
    const made = resolveValue(given)
    return made.kind === 'call' && PARSES.test(lastNameOf(made.callee) ?? '')
  })
}

function routeOf({ callee, args: [first] }: CallValue): { readonly verb: string; readonly path: string } | undefined {
  const verb = callee.kind === 'member' ? (callee.name ?? '') : ''
  const path = stringConstantOf(first)
  if (!/^(?:get|post|put)$/.test(verb) || path === undefined || !path.startsWith('/')) return undefined
  return { verb, path }
}
