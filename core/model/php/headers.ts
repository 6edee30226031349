import { addFault, isRaw, writtenAt, type PhpCall, type Run } from './run.ts'
import { NOTHING, unknownsOf, writtenText, type PhpValue } from './values.ts'

/** `header('Content-Type: …')`, `header("Location: …")`, headers of CORS. */
export function judgeHeader(run: Run, call: PhpCall, [value = NOTHING]: readonly PhpValue[]): void {
  const [first] = value.parts
  const head = typeof first === 'string' ? first : ''
  if (/^content-type\s{0,5}:/i.test(head)) run.isData = !/html/i.test(head)
  if (/^access-control-allow-origin\s{0,5}:/i.test(head)) {
    const isEchoed = unknownsOf(value).some(({ origin, clean }) => origin === 'header' && !clean.includes('all'))
    if (isEchoed) addFault(run, call, { kind: 'cors', variant: 'echoed', sink: 'header', part: 'Origin' })
    else if (/:\s{0,5}\*/.test(writtenText(value) ?? '')) addFault(run, call, { kind: 'cors', sink: 'header', part: '*' })
  }
  if (!/^(?:location|refresh)\s{0,5}:/i.test(head)) return
  const raw = unknownsOf(value).find((one) => isRaw(one, 'html'))
  const before = value.parts.slice(0, raw === undefined ? 0 : value.parts.indexOf(raw)).join('')
  if (raw !== undefined && raw.origin !== 'header' && /^location\s{0,5}:\s{0,9}(?:https?:\/\/)?$/i.test(before))
    addFault(run, call, { kind: 'redirect', sink: 'header', part: raw.part })
}

/** `curl_setopt($ch, CURLOPT_SSL_VERIFYPEER, false)`, an address of the request. */
export function judgeSetting(run: Run, call: PhpCall, values: readonly PhpValue[]): void {
  const [, option, given] = call.args.map((one) => writtenAt(run, one))
  const [, , value = NOTHING] = values
  if (/^CURLOPT_SSL_VERIFY(?:PEER|HOST)$/.test(option ?? '') && /^(?:false|0)$/i.test(given ?? ''))
    addFault(run, call, { kind: 'tls', sink: 'curl_setopt', part: `${option ?? ''}, ${given ?? ''}` })
  const raw = option === 'CURLOPT_URL' ? unknownsOf(value).find((one) => isRaw(one, 'path')) : undefined
  const before = raw === undefined ? '' : value.parts.slice(0, value.parts.indexOf(raw)).join('')
  if (raw !== undefined && !/^https?:\/\/[^/]{1,200}\//i.test(before))
    addFault(run, call, { kind: 'file', variant: 'address', sink: 'curl_setopt', part: raw.part })
}
