/** Where a text of markup ends. `code`: what a browser runs; `address`: nothing of it stands there yet, so that what follows chooses the scheme. */
export type MarkupPlace = 'tag' | 'attribute' | 'address' | 'code' | 'script'

const MAX_TAG = 400
const MAX_NAME = 41

/** Attributes of which browsers run an address with the scheme `javascript:`. Facts: HTML standard, "javascript: URLs"; SVG 2, "Links". */
const ADDRESSES = /^(?:(?:a|area) (?:xlink:)?href|i?frame src|embed src|object data|form action|(?:button|input) formaction)$/i

/** @param from behind the last part of the text that nobody knows */
export function placeInMarkup(text: string, from = 0): MarkupPlace | undefined {
  const opened = text.lastIndexOf('<')
  if (opened < 0) return undefined
  return placeInTag(text.slice(opened), from - opened) ?? (isInScript(text) ? 'script' : undefined)
}

function isInScript(text: string): boolean {
  return text.lastIndexOf('<script') > text.lastIndexOf('</script')
}

function placeInTag(tag: string, from: number): MarkupPlace | undefined {
  if (!/^<[a-z]/i.test(tag)) return undefined
  if (tag.length > MAX_TAG) return tag.includes('>') ? undefined : 'tag'
  let quote = ''
  let begins = 0
  for (let at = 0; at < tag.length; at++) {
    const character = tag[at] ?? ''
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === '>') return undefined
    else if ((character === '"' || character === "'") && tag[at - 1] === '=') [quote, begins] = [character, at]
  }
  if (quote === '' && !tag.endsWith('=')) return 'tag'
  const end = quote === '' ? tag.length : begins
  const attribute = /([\w:-]{1,40})=$/.exec(tag.slice(Math.max(0, end - MAX_NAME), end))?.[1] ?? ''
  const value = quote === '' ? '' : tag.slice(begins + 1)
  if (quote !== '' && (/^on[a-z]/i.test(attribute) || /^\s*javascript:/i.test(value))) return 'code'
  const element = /^<([a-z][a-z\d]{0,20})\s/i.exec(tag)?.[1] ?? ''
  const isBeginning = value.trim() === '' && from < end + quote.length
  return isBeginning && ADDRESSES.test(`${element} ${attribute}`) ? 'address' : 'attribute'
}
