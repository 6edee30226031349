import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { keyOf, resolveValue, type Value } from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { createDevelopmentReader, isDeployedCode, isLoginPassword, runsInBrowser } from '../../../model/script/index.ts'
import type { Span } from '../../../types.ts'
import { createRowReader, hashingOf } from './password-rows.ts'

/** A new account whose password is something else that its row says of the person. */
export interface CopiedPassword extends Span {
  /** Of the column, as the code writes it. */
  readonly field: string
  /** What becomes the password: `birthday`. */
  readonly source: string
}

/** A key, too: here the row has something of a person beside it. */
const KEY = /^(?:user_?)?clave$/i
/** What others know of a person, or find out. */
const KNOWN_TO_OTHERS =
  /^(?:\w{0,20}(?:document|identity|passport|employee|personnel|staff|badge)_?(?:number|no|num|nr|id|code)|num(?:ero)?_?(?:de_?)?doc(?:umento)?|dni|nif|cpf|ssn|cedula|e_?mail(?:_?address)?|correo|birth_?(?:day|date)|date_?of_?birth|fecha_?(?:de_?)?nacimiento|user_?name|usuario|login(?:_?name)?|(?:mobile|phone|telephone|telefono)(?:_?(?:number|no))?)$/i

/** `if (!user.password) user.password = user.documentNumber` in scripts of servers. Fact: OWASP ASVS 4.0, 2.3.1 (initial passwords are random). */
export const copiedPasswords: Extract<CopiedPassword> = defineExtract({
  name: 'cap-copied-passwords',
  keywords: ['pass', 'pwd', 'clave', 'contrase', 'senha', 'kennwort'],
  prefilter: (text) => /(?:pass\w{0,10}|pwd|clave|contrase\w{1,4}|senha|kennwort)\s{0,3}\??\??\|{0,2}=\s{0,9}[\w$!]/i.test(text),
  isFor: isDeployedCode,
  *collect({ path, facts, step }) {
    if (runsInBrowser(path, facts)) return
    const isForDevelopers = createDevelopmentReader(facts)
    step(facts.calls.length)
    const isRow = createRowReader(facts)
    for (const { target, value } of facts.assignments) {
      step()
      const { name = '', object } = target
      if ((!isLoginPassword(name) && !KEY.test(name)) || !isRow(object)) continue
      const source = copiedFrom(value, keyOf(object))
      if (source === undefined || isForDevelopers(value)) continue
      yield { start: source.start, end: source.end, field: name, source: source.name }
    }
  },
})

/** `user.birthday` of `user.password || user.birthday`, and of what hashes it. */
function copiedFrom(value: Value, row: string | undefined): (Span & { readonly name: string }) | undefined {
  const source = resolveValue(hashingOf(value)?.args[0] ?? awaited(resolveValue(value)))
  for (const one of 'options' in source ? source.options : [source])
    if (one.kind === 'member' && row !== undefined && keyOf(one.object) === row && KNOWN_TO_OTHERS.test(one.name ?? ''))
      return { start: one.start, end: one.end, name: one.name ?? '' }
  return undefined
}
