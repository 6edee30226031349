/** What the page, the terminal and the documents write where a reason belongs. */
const PLACEHOLDER = /^(?:<[^<>]{0,100}>|reason|raison|\.{3}|\u2026)$/i

/** Whether somebody gave a reason: a suppression that was copied and never filled in has none. */
export function isReasonGiven(text: string): boolean {
  const reason = text.trim()
  return reason !== '' && !PLACEHOLDER.test(reason)
}
