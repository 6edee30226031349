import { fieldOf, resolveValue, type CallValue } from '../../facts/index.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { FlowDraft } from './draft.ts'
import { FOUND_SINKS } from '../models/found-sinks.ts'

/** What an attachment is read from: a file, or an address. Fact: documentation of nodemailer 7, "Attachments". */
const READ_FROM = [
  ['path', FOUND_SINKS.attachedFile],
  ['href', FOUND_SINKS.attachedAddress],
] as const
const MAX_ATTACHMENTS = 50

/** `transport.sendMail({ attachments: [{ path }] })`: the mail takes any file of the server with it. */
export function addAttachments({ callee, args: [mail], start: from, end: to }: CallValue, { sinks, use }: FlowDraft): void {
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
      const { start, end } = from <= value.start && value.end <= to ? value : mail
      sinks.push({ ...sink, node: use(value), start, end })
    }
  }
}
