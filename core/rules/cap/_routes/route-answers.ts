import { accessesOf, type CallValue, type FunctionFact } from '../../../facts/index.ts'
import { isRequestName } from '../../../model/script/index.ts'

/** Methods of a response that send. Facts: Express 5, response; Node.js, http.ServerResponse. */
const SENDS = /^(?:send|json|jsonp|end|write)$/
const RESPONSE = /^_?(?:res|resp|response|reply)$/i

/** `res.send(…)`, `res.status(200).json(…)`. */
export function isAnswer({ kind, callee }: CallValue): boolean {
  if (kind !== 'call' || callee.kind !== 'member' || !SENDS.test(callee.name ?? '')) return false
  return accessesOf(callee.object).some(({ binding, steps }) => {
    const isWhole = steps.every((step) => step === '()' || /^(?:status|type|set|header|code)$/.test(step))
    return binding?.kind === 'parameter' && RESPONSE.test(binding.name) && isWhole
  })
}

/** A function that answers a request, by the name of a parameter: `(req, res) => …`, `async (req) => …`. */
export function takesRequest({ parameters }: FunctionFact): boolean {
  return parameters.some((parameter) => isRequestName(parameter?.name))
}
