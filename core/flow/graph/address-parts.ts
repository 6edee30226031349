import { resolveValue, type Value } from '../../facts/index.ts'
import { firstPartOf, leadingTextOf } from '../../model/script/index.ts'
import type { SinkDetail } from '../types.ts'

/** What stands before the value in an address. `first`: the part that decides about scheme and host, where that is no constant. */
export function addressParts(value: Value): { readonly detail: SinkDetail; readonly first: Value | undefined } {
  const { text: written } = leadingTextOf(value)
  const text = written + beginOf(value)
  if (/^(?:(?:http|ws)s?:\/\/[^/]{1,300}\/|\/(?![/\\]))[^?]{0,2000}\?/i.test(text)) return { detail: 'query', first: undefined }
  if (/^(?:http|ws)s?:\/\/[^/]{1,300}\//i.test(text)) return { detail: 'fixed-host', first: undefined }
  if (/^\/(?![/\\])/.test(text)) return { detail: 'fixed-path', first: undefined }
  // `https://${host}/…`: the next part is the host
  if (/^(?:(?:http|ws)s?:)?\/\/[^/]{0,300}$/i.test(text)) return { detail: 'begin', first: undefined }
  const here = resolveValue(value)
  if (here.kind !== 'concat' && here.kind !== 'template') return { detail: 'begin', first: undefined }
  const first = firstPartOf(value)
  if (text !== '') return { detail: 'later', first: undefined }
  // const root = mirror ? `https://${mirror}` : '/api': what was marked as standing behind a host decides about none
  const isEither = first?.kind === 'literal' && here.parts[0] !== undefined && resolveValue(here.parts[0]).kind === 'choice'
  return { detail: 'later', first: isEither ? here.parts[0] : first }
}

/** `?search=` of `/items${text ? `?search=${text}` : ''}`: what the one part that is written in full begins with. */
function beginOf(value: Value): string {
  const here = resolveValue(value)
  const [, part] = here.kind === 'concat' ? here.parts : here.kind === 'template' ? [undefined, here.parts[0]] : []
  if (part?.kind !== 'choice') return ''
  return part.options.map((option) => leadingTextOf(option).text).find((text) => text.startsWith('?')) ?? ''
}
