/**
 * Function words of English that are no words of French. Left out: those that are (an, as, but, for, on, or, pour), and those that name code in
 * our texts (any, in, is, to, where).
 */
const ENGLISH =
  /(?<![\w.$@/<{:=-])(?:[Tt]he|[Aa]nd|[Oo]f|[Ww]ith|are|was|were|[Tt]hat|[Tt]his|[Tt]hese|[Tt]hose|[Ww]hich|[Ff]rom|[Bb]y|[Ii]ts|[Nn]ot|be|been|[Ee]very|[Ww]hen|has|have|will|would|can|could|should|must|[Yy]our|[Tt]heir|[Tt]hen|than|[Tt]here|does|into|[Oo]nly|[Ww]ithout|because|through|between)(?![\w:('"}=>/-]|\.\w)/

/** What stands in a French text and is not French: quoted code, placeholders, calls, options, addresses. */
const CODE =
  /"[^"]*"|`[^`]*`|'[^']*'|\{[^{}]*\}|<[^<>]*>|https?:\/\/\S+|\bannotate \S+ with\b|\bfor \([^()]*\)|\S*[\w$]\([^()]*\)|(?<!\S)--?\w[\w-]*/g

/** An English word in a text that should be French. */
export function englishIn(text: string): string | undefined {
  return ENGLISH.exec(text.replace(CODE, ' '))?.[0]
}
