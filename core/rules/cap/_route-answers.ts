import { accessesOf, type CallValue } from '../../facts/index.ts'

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
