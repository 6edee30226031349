/** Whether a text holds one of these words, anywhere: to be asked before a pattern for them is run over the whole of it. */
export function holdsAny(text: string, words: readonly string[]): boolean {
  for (const word of words) if (text.includes(word)) return true
  return false
}
