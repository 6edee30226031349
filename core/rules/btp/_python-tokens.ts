import { createSpanIndex } from '../../facts/span-index.ts'
import { isPythonCode, pythonLineAt, splitArguments, type PythonSource } from '../../parse/python-source.ts'
import { blankPythonComments } from '../../parse/python-text.ts'
import type { Span } from '../../types.ts'
import type { Project } from '../subjects.ts'
import { deployedPython, readDeployedPython } from './_python-files.ts'

/** A token that is decoded without a look at its signature, audience or end. */
export interface PythonTokenFault {
  readonly file: string
  readonly span: Span
  /** As it is written: `"verify_aud": False`. */
  readonly setting: string
  readonly kind: 'signature' | 'audience' | 'expired'
}

/** Words of the settings: other files are not read. */
export const PYTHON_TOKEN: RegExp = /\bverify_(?:aud|exp|signature)\b|\bget_unverified_claims\b|\bjwt\.decode\(/

/**
 * Sources: PyJWT 2, "API Reference" (`options` of `jwt.decode`; without the key no other option counts when `verify_signature` is False); PyJWT 1 and
 * python-jose, `verify=False`, `jwt.get_unverified_claims`; RFC 8725, 3.2 (the algorithm "none").
 */
const SETTINGS: readonly { readonly written: RegExp; readonly kind: PythonTokenFault['kind'] }[] = [
  { written: /["']verify_signature["'][ \t]{0,5}:[ \t]{0,5}False\b/g, kind: 'signature' },
  { written: /\bget_unverified_claims\(/g, kind: 'signature' },
  { written: /\bverify[ \t]{0,5}=[ \t]{0,5}False\b/g, kind: 'signature' },
  { written: /\balgorithms[ \t]{0,5}=[ \t]{0,5}\[[^\]\n]{0,100}["']none["']/gi, kind: 'signature' },
  { written: /["']verify_aud["'][ \t]{0,5}:[ \t]{0,5}False\b/g, kind: 'audience' },
  { written: /["']verify_exp["'][ \t]{0,5}:[ \t]{0,5}False\b/g, kind: 'expired' },
]

/** What verifies tokens: the libraries of SAP, keys of a token service, `jwt.decode` with a key and without a setting that switches it off. */
const VERIFIES =
  /\bcreate_security_context\b|\bXsuaaTokenValidator\b|\bPyJWKClient\b|\bget_signing_key_from_jwt\b|\btoken_keys\b|\bjwks\b|\bverify_id_token\b|\bvalidate_token\(/i
/** The token is that of the caller. */
const OF_CALLER =
  /authorization|\bHTTPBearer\b|\boauth2_scheme\b|\bOAuth2\w{0,40}Bearer\b|\brequest\.(?:headers|cookies)\b|x-approuter-authorization/i
/** The code looks at the audience itself. */
const ASKS_AUDIENCE = /(?:\.get\(|\[)[ \t]{0,5}["'](?:aud|azp|cid|client_id)["']/
/** The end of a token does not count where it is renewed or revoked. */
const ABOUT_END = /refresh|renew|logout|log_out|revoke|expired|expir(?:y|es)/i

/** No call of `jwt.decode` is longer. */
const MOST_CHARACTERS = 3000

/** Yields the settings in deployed files that decide who calls. */
export function* findPythonTokenFaults(project: Project): Generator<PythonTokenFault> {
  const files = [...readDeployedPython(project, PYTHON_TOKEN)]
  if (files.length === 0) return
  const verifying = new Set(files.filter(({ source }) => decodesWithKey(source)).map(({ folder }) => folder))
  for (const { folder, text } of deployedPython(project)) {
    project.step(1 + (text.length >> 7))
    if (!verifying.has(folder) && VERIFIES.test(blankPythonComments(text))) verifying.add(folder)
  }
  for (const { path, folder, text, source } of files) {
    const isOfCaller = OF_CALLER.test(text)
    const asksAudience = ASKS_AUDIENCE.test(text)
    const endsAt = createSpanIndex(
      source.functions.filter(({ name }) => ABOUT_END.test(name)),
      ({ lines: { from, to } }) => ({ start: from, end: to }),
    )
    for (const fault of findSettings(path, source)) {
      project.step()
      if (fault.kind === 'signature' && (verifying.has(folder) || !isOfCaller)) continue
      if (fault.kind === 'audience' && asksAudience) continue
      if (fault.kind === 'expired' && endsAt(pythonLineAt(source.lines, fault.span.start)).length > 0) continue
      yield fault
    }
  }
}

function findSettings(file: string, source: PythonSource): PythonTokenFault[] {
  const found: PythonTokenFault[] = []
  for (const { written, kind } of SETTINGS)
    for (const { index, 0: setting } of source.text.matchAll(written)) {
      if (!isPythonCode(source, index)) continue
      const line = lineAround(source, index)
      if (kind === 'signature' && !/\bdecode\(|get_unverified_claims/.test(line)) continue
      if (kind !== 'signature' && /["']verify_signature["']\s{0,5}:\s{0,5}False\b/.test(line)) continue
      found.push({ file, span: { start: index, end: index + setting.length }, setting: setting.replace(/\($/, ''), kind })
    }
  return found
}

function lineAround({ text, lines }: PythonSource, offset: number): string {
  const { start = 0, end = 0 } = lines[pythonLineAt(lines, offset)] ?? {}
  return text.slice(start, Math.min(end, start + 2000))
}

function decodesWithKey({ text, code }: PythonSource): boolean {
  for (const { index, 0: call } of code.matchAll(/\bjwt\.decode\(/g)) {
    const given = splitArguments(code, index + call.length, Math.min(code.length, index + MOST_CHARACTERS))
    const written = given.map(({ start, end }) => text.slice(start, end)).join(',')
    if (given.length > 1 && !/\bverify(?:_signature["']\s{0,5}:|[ \t]{0,5}=)[ \t]{0,5}False\b|["']none["']/i.test(written))
      return true
  }
  return false
}
