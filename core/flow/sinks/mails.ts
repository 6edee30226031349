import { constantOf, fieldOf, pathOf, resolveValue, type CallValue, type Value } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'
import type { FlowDraft } from '../graph/draft.ts'
import { addFound } from './sink-parts.ts'
import { isWithin } from '../../facts/span-index.ts'

/** What an attachment is read from: a file, or an address. Fact: documentation of nodemailer 7, "Attachments". */
const READ_FROM = [
  ['path', FOUND_SINKS.attachedFile],
  ['href', FOUND_SINKS.attachedAddress],
] as const
const MAX_ATTACHMENTS = 50

const SENDING = /^_?send_?(?:e?mails?|multiple|async|)$/i

/** What a mail holds: `transport.sendMail({ to, html })`, `sgMail.send({ to, html })`, `sendMail(destination, [{ to, html }])`. Facts: nodemailer 7, @sendgrid/mail 8, SAP Cloud SDK 4 (README of each). */
export function addMails(call: CallValue, draft: FlowDraft): void {
  const name = lastNameOf(call.callee) ?? ''
  if (name === 'Part') addPart(call, draft)
  if (!SENDING.test(name)) return
  for (const argument of call.args) {
    const made = resolveValue(argument)
    for (const item of 'items' in made ? made.items.slice(0, MAX_ATTACHMENTS) : [made]) addMarkup(call, item, draft)
  }
  addAttachments(call, draft)
}

function addMarkup({ args, callee }: CallValue, given: Value, draft: FlowDraft): void {
  const mail = resolveValue(given)
  if (!['to', 'bcc', 'subject'].some((name) => fieldOf(mail, name) !== undefined)) return
  const value = fieldOf(mail, 'html')?.value
  if (value === undefined) return
  const isInside = args.some((span) => isWithin(value, span))
  const at = isInside ? value : (args[0] ?? value)
  addFound(FOUND_SINKS.mailMarkup, value, draft, { name: lastNameOf(callee) ?? '', at })
}

/**
 * A part of a mail of XS classic: `new $.net.Mail.Part({ text, contentType: 'text/html' })`.
 * Fact: SAP HANA XS JavaScript API Reference, $.net.Mail.Part (type, text, contentType).
 */
function addPart({ callee, args: [given] }: CallValue, draft: FlowDraft): void {
  if (given === undefined || pathOf(callee)?.join('.') !== 'global:$.net.Mail.Part') return
  const part = resolveValue(given)
  const type = fieldOf(part, 'contentType')?.value
  const value = fieldOf(part, 'text')?.value
  if (type === undefined || value === undefined || !/^text\/html\b/i.test(String(constantOf(type) ?? ''))) return
  addFound(FOUND_SINKS.mailMarkup, value, draft, { name: '$.net.Mail.Part', at: isWithin(value, given) ? value : given })
}

/** `transport.sendMail({ attachments: [{ path }] })`: the mail takes any file of the server with it. */
function addAttachments({ callee, args: [mail], start: from, end: to }: CallValue, draft: FlowDraft): void {
  if (mail === undefined || lastNameOf(callee) !== 'sendMail') return
  const settings = resolveValue(mail)
  const list = settings.kind === 'object' ? fieldOf(settings, 'attachments')?.value : undefined
  const items = list && resolveValue(list)
  if (items?.kind !== 'array') return
  for (const item of items.items.slice(0, MAX_ATTACHMENTS)) {
    const attachment = resolveValue(item)
    if (attachment.kind !== 'object') continue
    for (const [field, sink] of READ_FROM) {
      const value = fieldOf(attachment, field)?.value
      if (value === undefined) continue
      // of settings that were made before, where they are sent
      addFound(sink, value, draft, { at: from <= value.start && value.end <= to ? value : mail })
    }
  }
}
