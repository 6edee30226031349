import type { Budget } from '../budget.ts'
import { isPublicHost } from '../hosts.ts'
import { countLook } from './layers.ts'
import { classifyName } from './names.ts'
import { isPlaceholder, isReference } from './values.ts'

/** `cf set-env shop-srv QUEUE_URL "https://…"`: the name and the value. Fact: reference of the Cloud Foundry CLI, set-env, with its short form. */
const SET =
  /(?<![\w./-])cf[ \t]{1,8}(?:set-env|se)[ \t]{1,8}["']?[^\s"']{1,100}["']?[ \t]{1,8}["']?([A-Za-z_]\w{1,80})["']?[ \t]{1,8}["']?([^\s"']{1,300})/g
/** Before and behind a command: one script sets all of an app. */
const REACH = 6000
const ADDRESS = /^[a-z][a-z\d+.-]{0,20}:\/\/(?:[^/@]{0,200}@)?([\w.-]{3,200})/i
/** Whose it is, or which of their things it moves. */
const OWNER =
  /(?:^|_)(?:user(?:_?(?:name|id))?|login|e?mail|account|(?:client|account|app|tenant|device|project|key|access_?key)_?id|access_?key)(?:_|$)/i
/** What needs no user beside it. */
const ALONE = /(?:api_?key|token)$/i

/** Whether a script sets, beside a credential of an app, the public address of the same system and whose the credential is: the variables begin with the same word. */
export function isSetWithAddress(name: string, text: string, start: number, budget: Budget): boolean {
  const system = wordOf(name)
  if (system === undefined) return false
  const reach = text.slice(Math.max(0, start - REACH), start + REACH)
  countLook(budget, reach.length)
  const others = [...reach.matchAll(SET)].filter(
    ([, other = '', value = '']) =>
      other !== name && wordOf(other) === system && !isReference(value) && !isPlaceholder(value, other),
  )
  const isOwned = ALONE.test(name) || others.some(([, other = '']) => OWNER.test(other))
  const isHalf = OWNER.test(name) && others.some(([, other = '']) => classifyName(other) !== undefined)
  return (isOwned || isHalf) && others.some(([, , value = '']) => isPublicHost(ADDRESS.exec(value)?.[1]))
}

/** `QUEUE` of `QUEUE_SECRET_KEY`. */
function wordOf(name: string): string | undefined {
  return /^([A-Za-z]{2,40})_./.exec(name)?.[1]?.toLowerCase()
}
