import { IN_ATTRIBUTE, IN_CODE } from '../types.ts'

const MAX_TAG = 400

/** Where a text of markup ends: in the value of an attribute, or of one that is code. */
export function placeInTag(text: string): typeof IN_ATTRIBUTE | typeof IN_CODE | undefined {
  const tag = text.slice(text.lastIndexOf('<'))
  if (!/^<[a-z]/i.test(tag) || tag.length > MAX_TAG) return undefined
  let quote = ''
  let begins = 0
  for (let at = 0; at < tag.length; at++) {
    const character = tag[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return undefined
    else if ((character === '"' || character === "'") && tag[at - 1] === '=') [quote, begins] = [character, at]
  }
  if (quote === '') return tag.endsWith('=') ? IN_ATTRIBUTE : undefined
  const name = /[\w:-]{1,40}=$/.exec(tag.slice(Math.max(0, begins - MAX_NAME), begins))?.[0] ?? ''
  return /^on[a-z]/i.test(name) || /^\s*javascript:/i.test(tag.slice(begins + 1)) ? IN_CODE : IN_ATTRIBUTE
}

const MAX_NAME = 41
