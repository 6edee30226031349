import { accessesOf, resolveValue, type CallValue, type Value } from '../../../facts/index.ts'
import { awaited } from '../../../facts/conditions.ts'
import { lastNameOf } from '../../../facts/literals.ts'
import { isNothing } from '../../../facts/values.ts'
import { isContextRoot, isRequestName } from '../../../model/script/index.ts'

/** The answer of a token endpoint, by its name: `tokenResponse`, `tokenExchangeResult`, `oauthTokenData`. */
const TOKEN_ANSWER = /^\w{0,40}?token(?:exchange|endpoint)?(?:response|result|answer|reply|resp|res|data|set|payload)$/i
/** Bound services with their credentials, as a whole. Facts: @sap/xsenv 5, README. */
const ALL_SERVICES = /^(?:read|get|filter|load)Services$/
/** Names of accounts that stand beside a credential: `TWILIO_ACCOUNT_SID`, `AWS_ACCESS_KEY_ID`. */
const ACCOUNT = /_ACCOUNT_SID$|ACCESS_KEY_ID$/
/** Who somebody is, as a whole. Facts: express-session, README, "req.session"; capire, "cds.context", `user.attr`. */
const CALLER = /^(?:session|user attr)$/

/** All of a file that a client sends, in a CAP handler. */
const CONTENT =
  /^(?:content|(?:file|csv|excel|xlsx|pdf|document|attachment|upload)_?(?:content|contents|data|buffer|base64|text|string)|base64_?(?:content|data|file|string))$/i

/**
 * What gives an address that lets its holder in until it expires, by the names that clients of storages share.
 * Facts: AWS SDK for JavaScript 3, @aws-sdk/s3-request-presigner and @aws-sdk/cloudfront-signer (`getSignedUrl`); @google-cloud/storage 7 (`getSignedUrl`); @azure/storage-blob 12 (`generateSasUrl`); minio 8 (`presignedGetObject`); @supabase/supabase-js 2 (`createSignedUrl`).
 */
const SIGNS_URL =
  /^(?:(?:get|create|generate|make)(?:Pre)?[sS]igned(?:Upload|Download)?U(?:rl|RL)(?:Promise|Sync)?|signUrl(?:Sync)?|generateSasUrl|presigned(?:Get|Put)?(?:Object|Url))$/

/** `const url = await getSignedUrl(client, command); console.log(url)`. */
function isSignedAddress(value: Value): boolean {
  const made = awaited(resolveValue(value))
  return made.kind === 'call' && SIGNS_URL.test(lastNameOf(made.callee) ?? '')
}

/** `console.log(req.user)`, `JSON.stringify(req.user)`; as a part of a text an object shows nothing. Fact: @sap/cds 9.9.3, lib/req/user.js: the id, roles and attributes of a user. */
export function isWholeUser(value: Value, { args }: CallValue): boolean {
  const isUser = accessesOf(value).some(({ binding, steps }) => isRequestName(binding?.name) && steps.join(' ') === 'user')
  return (
    isUser &&
    args.some(
      (given) =>
        given === value ||
        // a list of names, or a function, leaves something out
        (given.kind === 'call' &&
          lastNameOf(given.callee) === 'stringify' &&
          given.args[0] === value &&
          isNothing(given.args[1])),
    )
  )
}

/** What is logged and is no credential by its own name. */
export function partApart(value: Value): 'body' | 'content' | 'account' | 'result' | 'caller' | 'signed' | undefined {
  if (isSignedAddress(value)) return 'signed'
  if (value.kind === 'reference' && value.binding !== undefined && TOKEN_ANSWER.test(value.name)) return 'result'
  if (value.kind !== 'member' && value.kind !== 'reference') return undefined
  for (const { root, steps, binding } of accessesOf(value)) {
    const [first = '', second] = steps
    if (root === 'global:process' && first === 'env' && steps.length === 2 && ACCOUNT.test(second ?? '')) return 'account'
    if (root === 'module:@sap/xsenv' && ALL_SERVICES.test(first) && second === '()' && steps.length === 2) return 'result'
    if (isRequestName(binding?.name) && steps.length === 1 && first === 'body') return 'body'
    if (isContextRoot(root) && first === 'data' && steps.length > 1 && CONTENT.test(steps.at(-1) ?? '')) return 'content'
    if (isRequestName(binding?.name) && CALLER.test(steps.join(' '))) return 'caller'
  }
  return undefined
}
