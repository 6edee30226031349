import {
  accepts,
  entityWords,
  exposedMembers,
  isAdministrative,
  isGuarded,
  toWords,
  writersOf,
  type CapMember,
  type CapRoot,
  type ExposedMember,
} from '../../model/cap/index.ts'
import type { Match, Place } from '../../types.ts'
import { quoteWord } from '../../quote.ts'
import { defineRule, type Rule } from '../rule.ts'
import { mayBeLimitedInCode, projectedNames, userHandlers } from './_handlers/user-handlers.ts'
import { memberName, ofUsers, usersWith, worstAtPlaces } from './_matches.ts'
import { bypassExtracts, createBypassReader } from './_model/bypassed-actions.ts'
import { clientDeciders, DECIDER_WORDS } from './_model/client-deciders.ts'
import { FILED_WORDS, filedRows } from './_model/filed-rows.ts'
import { namedOwners, OWNER_WORDS } from './_model/named-owners.ts'
import { PRESET_WORDS, presetOwners } from './_model/preset-owners.ts'
import { exposureOf } from './_model/restricted-exposures.ts'
import { ownerBodies, storedOwners } from './_rows/owner-bodies.ts'
import { callerCheckExtracts } from './_callers/caller-checks.ts'
import { rowFilters } from './_rows/row-filters.ts'
import { AUTHOR, authorHandlers } from './_rows/preset-authors.ts'

/**
 * Who made a row, such as the author of a comment, is what the client says.
 * Facts: capire, "Input Validation" (`@readonly` and its like: what clients send is dropped; everything else is written), "Managed Data" (`@cds.on.insert: $user`); "Fiori Drafts":
 * NEW makes a draft, which PATCH changes before CREATE or UPDATE of the entity activate it.
 * The same of a row that takes over the whole body of a request, where other code sets a field of its class to the user. Facts: Mongoose 8, `Model.findByIdAndUpdate`.
 * Impact: users make rows in the name of others. Where code presets the user, that rows may be made for others can still be meant; where a name alone says who it is, more so.
 */
export const authorFromClient: Rule = defineRule({
  id: 'cap/author-from-client',
  impact: 'data',
  evidence: 'assumed',
  confidence: 'medium',
  cwe: [915],
  since: '0.3.0',
  docs: 'https://cap.cloud.sap/docs/guides/services/constraints#readonly',
  extracts: [authorHandlers, userHandlers, ownerBodies, rowFilters, ...callerCheckExtracts, ...bypassExtracts],
  checks: {
    *project(project) {
      for (const { file, start, end, field, part, model, isOfUser } of storedOwners(project))
        yield {
          at: { file, span: { start, end } },
          args: { element: quoteWord(field), part, model: quoteWord(model) },
          variant: 'body',
          // their own rows they may give to others
          ...(isOfUser && { impact: 'bounded' as const }),
        }
    },

    *'cap-root'(root, { reach }) {
      if (root.test || root.runtime === 'java') return
      const handled = createAuthorReader(root)
      const matches: Match[] = []
      const members = [...exposedMembers(root)]
      for (const exposed of members) {
        const { service, entity, member, isWritten } = exposed
        if (member.key || member.toMany || !isWritten || isGuarded(member)) continue
        if (!AUTHOR.test(member.name) && !isOnlyPerson(exposed, root)) continue
        if (!accepts(entity, 'CREATE') && !accepts(entity, 'UPDATE')) continue
        const writers = writersOf(entity, service)
        if (writers.every(isAdministrative)) continue
        const found = handled(exposed)
        if (found === 'settled') continue
        if (
          found === undefined &&
          (!(isOfUser(exposed, root) || isOnlyPerson(exposed, root)) || mayBeLimitedInCode(root, service, entity))
        )
          continue
        const exposure = ofUsers(exposureOf(service, entity, reach, ['CREATE', 'UPDATE']))
        matches.push({
          at: found ?? member.place,
          args: { element: memberName(exposed), file: member.place.file, writers: usersWith(writers, exposure) },
          exposure,
          ...(found === undefined
            ? { variant: 'named', evidence: 'guessed' as const, groupKey: `${member.place.file} named` }
            : { groupKey: `${found.file} ${member.place.span?.start}` }),
        })
      }
      const reader = createBypassReader(root)
      yield* worstAtPlaces([
        ...matches,
        ...clientDeciders(root, reach, reader),
        ...namedOwners(root, reach, reader),
        ...filedRows(root, reach, reader),
        ...presetOwners(root, reach, members, handled),
      ])
    },
  },

  text: () => ({
    en: {
      title: 'Author of a row chosen by the client',
      message:
        '{element} is set to the authenticated user only as a default, or in new drafts, and is not read-only: {writers:or} can send another user.',
      why: 'A user can create or change rows in the name of another user, such as comments or requests that this user never made.',
      fix: 'Add @readonly to this element in {file}: the handler can still set it on the server. Or set it to req.user.id before CREATE whatever the request holds.',
      variants: {
        decider: DECIDER_WORDS.en,
        owner: OWNER_WORDS.en,
        filed: FILED_WORDS.en,
        preset: PRESET_WORDS.en,
        body: {
          title: 'Owner of a row stored with the whole request body',
          message:
            'This statement stores all of {part} in {model}, where other code sets {element} to the authenticated user: the client can send another one.',
          why: 'A user can give rows to other users, or take them over with all that is sent to their owner later.',
          fix: 'Name in the row what clients may choose, and leave {element} out. For a new row set it to the user of the request.',
        },
        named: {
          message:
            '{element} refers to the user who made the row, but is not read-only, and no handler sets it: {writers:or} can send any user.',
          fix: 'Add @readonly to this element in {file}, and set it to the authenticated user in a handler before CREATE. Or use createdBy of the aspect managed instead.',
        },
      },
    },
    fr: {
      title: 'Auteur d’une ligne choisi par le client',
      message:
        '{element} ne reçoit l’utilisateur authentifié que par défaut, ou dans les nouveaux brouillons, et n’est pas en lecture seule : {writers:ou} peuvent envoyer un autre utilisateur.',
      why: 'Un utilisateur peut créer ou modifier des lignes au nom d’un autre : des commentaires ou des demandes que celui-ci n’a jamais faits.',
      fix: 'Ajoutez @readonly à cet élément dans {file} : le gestionnaire peut toujours le définir côté serveur. Ou affectez-lui req.user.id avant CREATE, quoi que contienne la requête.',
      variants: {
        decider: DECIDER_WORDS.fr,
        owner: OWNER_WORDS.fr,
        filed: FILED_WORDS.fr,
        preset: PRESET_WORDS.fr,
        body: {
          title: 'Propriétaire d’une ligne enregistré avec tout le corps de la requête',
          message:
            'Cette instruction enregistre tout {part} dans {model}, où un autre code affecte l’utilisateur authentifié à {element} : le client peut en envoyer un autre.',
          why: 'Un utilisateur peut donner des lignes à d’autres utilisateurs, ou se les approprier avec tout ce qui est envoyé ensuite à leur propriétaire.',
          fix: 'Nommez dans la ligne ce que le client peut choisir, sans {element}. Pour une nouvelle ligne, affectez-lui l’utilisateur de la requête.',
        },
        named: {
          message:
            '{element} désigne l’utilisateur qui a créé la ligne, mais n’est pas en lecture seule, et aucun gestionnaire ne le définit : {writers:ou} peuvent envoyer n’importe quel utilisateur.',
          fix: 'Ajoutez @readonly à cet élément dans {file}, et affectez-lui l’utilisateur authentifié dans un gestionnaire avant CREATE. Ou utilisez createdBy de l’aspect managed.',
        },
      },
    },
  }),
})

/** What handlers do with the author: the place that presets it; `settled`: they may decide it; undefined: nothing. */
function createAuthorReader(root: CapRoot): (exposed: ExposedMember) => Place | 'settled' | undefined {
  const known = root.scripts.get(authorHandlers).map(({ file, value }) => ({
    file,
    value,
    event: root.eventOf({ file, ...value, events: [] }),
  }))
  return ({ service, entity, member }) => {
    const names = projectedNames(root, entity.qualified)
    root.step(known.length)
    const own = known.filter(
      ({ value, event }) =>
        (value.entities?.some((name) => names.has(name)) ?? true) &&
        (!event.isCertain || event.services.includes(service)) &&
        (value.element === '*' || value.element === member.name || value.element.startsWith(`${member.name}_`)),
    )
    if (own.some(({ value }) => !value.isPreset)) return 'settled'
    const [first] = own
    return first && { file: first.file, span: { start: first.value.start, end: first.value.end } }
  }
}

/** Who wrote a comment or gave a file is not for others to say; a request may be entered for somebody. */
const WROTE = /^(?:author|uploader|poster|commenter|creator|(?:uploaded|posted|written) by)$/
const USERS = /(?:^| )(?:users?|accounts?|employees?|members?|user profiles?|colleagues?|personnels?|persons?|people)$/

function isOfUser({ member }: ExposedMember, root: CapRoot): boolean {
  return WROTE.test(toWords(member.name)) && isPerson(member, root)
}

function isPerson({ target, type }: CapMember, root: CapRoot): boolean {
  return type === 'Association' && target !== undefined && root.projected(target).some((name) => USERS.test(entityWords(name)))
}

/** Whoever wrote a comment is the only person whom its row names, by no other word than what people are called: `employee`, `to_User`. */
const POSTS = /(?:^| )(?:comments?|repl(?:y|ies)|posts?)$/
const PLAIN = /^(?:to )?(?:users?|accounts?|employees?|members?|personnels?|persons?|colleagues?)$/

function isOnlyPerson({ entity, member }: ExposedMember, root: CapRoot): boolean {
  if (!PLAIN.test(toWords(member.name)) || !POSTS.test(entityWords(entity.qualified)) || !isPerson(member, root)) return false
  const links = entity.members().filter(({ target, toMany }) => target !== undefined && !toMany)
  // CAP knows who made the row
  if (root.lookUp(entity.qualified, 'createdBy') !== 'missing') return false
  // beside what the comment is about, which may not be a person
  return links.length > 1 && links.every((one) => one.name === member.name || !isPerson(one, root))
}
