import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { constantOf, type CallValue } from '../../../facts/index.ts'
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

/** Routes of a server that take files as the sender describes them, where the file says nothing of types, and routes that answer links. */
export const fileRoutes: Extract<FileRoute> = defineExtract({
  name: 'cap-file-routes',
  keywords: ['content-type', 'Content-Type', 'mimetype'],
  prefilter: (text) => SAID_TYPE.test(text) && TAKES_ANY.test(text),
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
        if (SAID_TYPE.test(code) && TAKES_ANY.test(code) && !LOOKS_AT_TYPE.test(code) && !/fileFilter/.test(text))
          yield { start, end, kind: 'takes', path }
      }
    }
  },
})

function routeOf({ callee, args: [first] }: CallValue): { readonly verb: string; readonly path: string } | undefined {
  const verb = callee.kind === 'member' ? (callee.name ?? '') : ''
  const path = first && constantOf(first)
  if (!/^(?:get|post|put)$/.test(verb) || typeof path !== 'string' || !path.startsWith('/')) return undefined
  return { verb, path }
}
