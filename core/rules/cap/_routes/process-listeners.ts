import { defineExtract, type Extract } from '../../../extracts/extract.ts'
import { isDeveloperFile } from '../../../model/script/index.ts'

/** Listeners that keep the process alive: they don't end it themselves. */
const LISTENS = /\bprocess\s{0,9}\.\s{0,9}(?:on|addListener)\s{0,9}\(\s{0,9}["'`](?:unhandledRejection|uncaughtException)["'`]/
const ENDS = /\bprocess\s{0,9}\.\s{0,9}exit\b|\bshutdown\b/i
const MAX_LISTENER = 600

/** One item for each script that keeps the process alive, whatever nobody catches. */
export const processListeners: Extract<true> = defineExtract({
  name: 'cap-process-listeners',
  keywords: ['unhandledrejection', 'uncaughtexception'],
  isFor: (path) => !isDeveloperFile(path),
  collectText: (text) =>
    text
      .split(/(?=\bprocess\b\s{0,9}\.\s{0,9}(?:on|addListener)\b)/)
      .some((part) => LISTENS.test(part) && !ENDS.test(part.slice(0, MAX_LISTENER)))
      ? [true]
      : [],
})
