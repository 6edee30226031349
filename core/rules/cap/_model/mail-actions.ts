import { operationData, uncheckedInCode, type CapElement, type CapRoot, type CapService } from '../../../model/cap/index.ts'
import type { ReachModel } from '../../../model/reach/index.ts'
import type { Match, RuleText } from '../../../types.ts'
import { createOperationReader } from '../_callers/caller-checks.ts'
import { listElements } from '../_matches.ts'
import { RECIPIENT } from '../_rows/mail-recipients.ts'
import type { Change } from '../_rows/state-changes.ts'
import { isForAll } from './batch-actions.ts'

/** What a mail says, by the names of parameters. */
const BODY = /body|content|html|message|mail_?text|^text$/i
/** What the handler sends is a mail. */
const MAIL = /mail|smtp|graph\.microsoft/i

/**
 * Actions that all users may call, which take recipient and text of a mail, and whose handlers hand these to a mail server or to another system that sends mails with an account of the application.
 * Needs the extracts `stateChanges`, `handlerLinks`, `roleChecks` and `callerCheckExtracts`.
 */
export function* mailActions(
  service: CapService,
  root: CapRoot,
  reach: ReachModel,
  changesOf: (service: CapService, operation: CapElement) => readonly Change[],
): Generator<Match> {
  root.step(service.elements.length)
  const isHandled = createOperationReader(root, 'before', ({ passes }) => passes !== true)
  for (const action of service.elements) {
    if (action.kind !== 'action' || action.entity !== undefined || !isForAll(action, service)) continue
    const taken = [...(operationData(root, service.name, action.name)?.fields?.keys() ?? [])]
    const recipient = taken.find((name) => RECIPIENT.test(name))
    const body = taken.find((name) => name !== recipient && BODY.test(name))
    if (recipient === undefined || body === undefined) continue
    const changes = changesOf(service, action)
    const sent = changes.find((change) => isMail(change, action) && change.recipients?.includes(recipient) !== false)
    if (sent === undefined || changes.some(({ asks }) => asks === 'yes') || isHandled(service, action)) continue
    if (uncheckedInCode(root, service, [action]).length === 0) continue
    yield {
      at: action.place,
      args: {
        service: service.name,
        actions: listElements([action.name]),
        recipient,
        body,
        effect: sent.effect,
        role: '<role>',
      },
      variant: 'mail',
      exposure: reach.ofElement(service, action),
      groupKey: `${service.place.file} ${service.name} mail`,
    }
  }
}

function isMail({ effect, remote, path = '' }: Change, { name }: CapElement): boolean {
  return /sendMail\(/.test(effect) || (remote !== undefined && MAIL.test(`${remote} ${path} ${name}`))
}

export const MAIL_WORDS: { readonly en: RuleText; readonly fr: RuleText } = {
  en: {
    title: 'Mails with any recipient and text sent for any user',
    message:
      'Any authenticated user can call {actions:and} of the service {service}, which sends a mail with {recipient} and {body} of the request ({effect}); neither the model nor the handler checks who calls.',
    why: 'Any user can have the application send a mail of their own making to anyone, in the name and from the address of the company: phishing that passes all checks of its sender.',
    fix: "Take recipient and text from stored data by the key of the row that the mail is about, and annotate {actions:and} with @requires: '{role}', the role of those who may send it.",
  },
  fr: {
    title: 'E-mails à destinataire et texte libres pour tout utilisateur',
    message:
      'Tout utilisateur authentifié peut appeler {actions:et} du service {service}, qui envoie un e-mail avec {recipient} et {body} de la requête ({effect}) ; ni le modèle ni le gestionnaire ne vérifient l’appelant.',
    why: 'Tout utilisateur peut faire envoyer à quiconque un e-mail de son cru au nom et depuis l’adresse de l’entreprise : un hameçonnage qui passe tous les contrôles de l’expéditeur.',
    fix: "Tirez destinataire et texte des données enregistrées, par la clé de la ligne concernée, et annotez {actions:et} avec @requires: '{role}', le rôle de ceux qui peuvent envoyer l’e-mail.",
  },
}
