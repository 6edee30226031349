/**
 * A piece of code within a sentence: a plain word, which could be read as one of the sentence, stands in quotes; the path of a binding stands in braces, as
 * in a view; a parameter goes without its type, a result without `await`.
 */
export function quoteWord(code: string): string {
  if (/^[a-z]+$/.test(code)) return `"${code}"`
  if (/^(?:[A-Za-z][\w-]*>\/?|\/)[A-Za-z_]\w*(?:\/[A-Za-z_]\w*)*$/.test(code)) return `{${code}}`
  return /^([A-Za-z_$][\w$]*)\??: [A-Za-z{[(].*$/.exec(code)?.[1] ?? code.replace(/^await /, '')
}

/** A command within a sentence stands in quotes, unless it has quotes of its own. */
export function quoteCommand(command: string): string {
  return command.includes('"') ? command : `"${command}"`
}

/** The value of a setting within a sentence: booleans and numbers are bare, as files write them, any other text stands in quotes. */
export function quoteValue(value: string): string {
  return /^(?:true|false|null|-?\d+(?:\.\d+)?)$/i.test(value) ? value : `"${value}"`
}
