import { requiresLogin } from '../../model/approuter/index.ts'
import { privilegesOf, PSEUDO_ROLES, roleChecks, rolesIn, type CapAnnotation, type CapRoot } from '../../model/cap/index.ts'
import { pathsOf, type Ui5App, type Ui5Control } from '../../model/ui5/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { accountUses } from './_account-uses.ts'
import { answeredRights, computedRights } from './_answered-rights.ts'
import { askedEntries } from './_asked-entries.ts'
import { groupDecisions } from './_group-decisions.ts'
import { judgeDecisions, judgeNamed } from './_judged-decisions.ts'
import { keptFlags } from './_kept-flags.ts'
import { NAMED_WORDS, namedAdministrators } from './_named-administrators.ts'
import { logsInByPageAlone } from './_page-accounts.ts'
import { roleDecisions, sentCredentials, serverSessions } from './_role-decisions.ts'
import { roleGuardedWrites, type RoleGuardedWrite } from './_role-guarded-writes.ts'
import { isRolePath, SAYS_CHANGE } from './_role-words.ts'
import { askingScripts, showsSamplesAlone } from './_unchecked-logins.ts'
import { fileNameOf } from '../../paths.ts'

// Facts: API of sap.m.UploadCollection (`uploadEnabled`, `fileDeleted`) and sap.m.upload.UploadSet (`uploadEnabled`, `beforeItemRemoved`, `afterItemRemoved`)
const SHOWS = ['visible', 'enabled', 'mode', 'uploadEnabled'] as const
/** Events by which a user starts something. */
const EVENTS =
  'press delete accept confirm beforeDelete select change submit fileDeleted beforeUploadStarts beforeItemRemoved afterItemRemoved'.split(
    ' ',
  )

/**
 * A role of the user, or the owner of a row, decides in the browser alone who may change data or open a page.
 * Facts: SAPUI5 documentation, "Browser Security": what runs in the browser can be changed by its user; authorization belongs to the server. Web
 * Storage (HTML standard): so can what a page has stored.
 * Impact: the server may well check the role, and nothing in the project says whether it does. A single condition may repeat what the server checks; a guard
 * of all routes, or roles that the user can edit, are the access control that the project shows.
 */
export const clientSideAuthorization: Rule = defineRule({
  id: 'ui5/client-side-authorization',
  impact: 'data',
  reach: 'user',
  evidence: 'guessed',
  confidence: 'low',
  cwe: [602],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html#ensure-authorization-checks-are-performed-on-the-server-side',
  extracts: [
    accountUses,
    roleGuardedWrites,
    roleChecks,
    roleDecisions,
    keptFlags,
    sentCredentials,
    serverSessions,
    answeredRights,
    computedRights,
    askedEntries,
    groupDecisions,
    askingScripts,
    namedAdministrators,
  ],
  on: 'ui5-app',
  grades: {
    rights: { evidence: 'assumed' },
    computed: { evidence: 'assumed' },
    denied: { evidence: 'assumed' },
    entry: { evidence: 'assumed' },
    route: { evidence: 'assumed' },
    address: { evidence: 'assumed' },
    stored: { evidence: 'assumed' },
    steered: { evidence: 'assumed' },
    named: { evidence: 'assumed' },
  },

  *check(app, { capRoots, approuters, scripts: ofProject, once }) {
    const routes = approuters.flatMap((approuter) => approuter.routes)
    if (capRoots.some(checksRoles) || routes.some(({ scopes }) => scopes !== undefined)) return
    const ownersChecked = capRoots.some(checksOwners)
    // a flag that somebody is logged in is nothing where the approuter asks for it in front of the services
    const logsIn = requiresLogin(approuters)
    const scripts = new Map(app.scripts.get(roleGuardedWrites).map(({ file, value }) => [file, value]))
    if (scripts.size > 0) yield* judgeViews(app, scripts)
    // what a login leaves behind beside the answer, only a server of the project tells
    const leavesNothing = capRoots.some(({ services }) => services.length > 0) && ofProject.get(serverSessions).length === 0
    const grade = showsSamplesAlone(app) ? { circumstance: 'demo' as const } : {}
    const decided = [...judgeDecisions(app, scripts, logsIn, leavesNothing, once), ...judgeNamed(app)]
    // what the page keeps is all that says who its user is
    const isOfPage = logsInByPageAlone(app, { approuters, capRoots })
    for (const match of decided)
      yield {
        ...match,
        ...(isOfPage && match.variant === 'stored' && match.evidence === undefined && { evidence: 'shown' }),
        ...grade,
      }
    for (const { file, value } of [...app.scripts.get(askedEntries), ...app.scripts.get(groupDecisions)]) {
      if (logsIn && /authenticat|log_?[io]n/i.test(value.name)) continue
      yield {
        at: { file, span: value.at },
        args: { role: value.name, property: '', handler: '' },
        variant: 'entry',
        groupKey: `${app.root} entry`,
      }
    }
    const writing = new Set([...scripts.values()].flatMap(({ methods }) => methods))
    for (const [file, { guarded, calling }] of scripts) {
      const seen = new Set<number>()
      const handing = calling.filter(({ called }) => called.some((name) => writing.has(name)))
      for (const { at: span, role, by } of [...guarded, ...handing]) {
        if (seen.has(span.start) || (by === 'owner' && ownersChecked)) continue
        seen.add(span.start)
        yield { at: { file, span }, args: { role, property: '', handler: '' }, variant: by }
      }
    }
  },

  text: () => ({
    en: {
      title: 'Client-side authorization without a server-side check in the project',
      message:
        'The property "{property}" of this control depends on a role ("{role}"), and {handler} changes data; no server in this project checks the role.',
      why: 'Any user can send the request from the browser console or a proxy, whatever the page shows. If the service does not check the role either, every user can change the data.',
      fix: "Require the role in the service as well. In CDS: @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }] on the entity, or @requires: '<role>' on the action. If a service outside this project checks the role, suppress this finding with that reason.",
      variants: {
        named: NAMED_WORDS.en,
        computed: {
          message:
            'The page computes from a role ("{role}") which controls are available, such as the one that calls {handler}, which changes data; no server in this project checks the role.',
        },
        rights: {
          message:
            'The page asks the service what the user may do ("{role}") and makes controls available by the answer, such as the one that calls {handler}, which changes data; no server in this project checks the right when it is used.',
          why: 'Any user can send the request from the browser console or a proxy, whatever the page shows. If the service answers what a user may do and does not check it again when data is changed, every user can change the data.',
        },
        denied: {
          message:
            'This condition refuses the action in the browser ("{role}"), and what follows changes data; no server in this project checks the right.',
          why: 'Any user can send the request from the browser console or a proxy, without this code. If the service does not check the right either, every user can change the data.',
        },
        answered: {
          message:
            'A mark of the row that the service delivers refuses the action in the browser ("{role}"), and the code behind it changes data; no server in this project checks the right.',
          why: 'Any user can send the request from the browser console or a proxy, skipping this code. If the service computes the mark but does not check it again for a change, every user can change the data.',
        },
        entry: {
          message:
            'The page asks a service whether the user may go on ("{role}"), and only the page acts on the answer; no server in this project checks it when data is read or changed.',
          why: 'Any user can skip this step in the developer tools, or send the later requests without the page. If the services do not check the right again, every user can read and change the data behind it.',
          fix: "Check the right in the services behind this page, for each request. In CDS: @requires: '<role>' on the service or action. If services outside this project check it, suppress this finding with that reason.",
        },
        code: {
          message:
            'This condition on a role ("{role}") decides in the browser whether data is changed; no server in this project checks the role.',
          why: 'Any user can send the request from the browser console or a proxy, without this code. If the service does not check the role either, every user can change the data.',
        },
        owner: {
          message:
            'This condition compares the owner of a row ("{role}") with the user and decides in the browser whether data is changed; no server in this project checks the owner.',
          why: 'Any user can send the request from the browser console or a proxy, without this code. If the service does not check the owner either, every user can change the rows of others.',
          fix: "Compare the owner in the service as well. In CDS: @restrict: [{ grant: ['UPDATE', 'DELETE'], to: 'authenticated-user', where: 'createdBy = $user' }] on the entity. If a service outside this project checks it, suppress this finding with that reason.",
        },
        route: {
          message:
            'A guard of the routes reads a role ("{role}") in the browser to decide which pages open; no server in this project checks the role.',
          why: 'Any user can change the role in the developer tools and open every page, or send its requests without the page. If the services do not check the role either, every user can read and change the data behind it.',
          fix: 'Require the role in the services behind these pages. In CDS: @requires: \'<role>\' on the service; with an approuter: "scope" on the routes of xs-app.json. If services outside this project check it, suppress this finding with that reason.',
        },
        address: {
          message:
            'A parameter of the URL ("{role}") decides in the browser which controls or pages are available; no server in this project checks the role.',
          why: 'Any user can write another value into the URL and use what is reserved for that role, or send its requests without the page. If the services do not check the role either, every user can read and change the data behind it.',
          fix: "Ask the server for the roles of the user instead of the URL, and require the role in the services. In CDS: @requires: '<role>' on the service or action. If services outside this project check it, suppress this finding with that reason.",
        },
        steered: {
          message:
            'After the login, a role ("{role}") decides in the browser which page opens; no server in this project checks the role.',
          why: 'Any user can open the page of another role by its URL, or send its requests without the page. If the services do not check the role either, every user can read and change the data behind it.',
        },
        stored: {
          message:
            'The app keeps the user or their roles in the browser storage ("{role}"), which the user can edit; no server in this project checks them.',
          why: 'Any user can write another role or user into the storage in the developer tools, and the app lets them in. If the services do not check it either, every user can read and change the data behind it.',
          fix: 'Ask the server for the user and the roles on each start (GET /user-api/currentUser of the approuter), and require the role in the services. If services outside this project check it, suppress this finding with that reason.',
        },
      },
    },
    fr: {
      title: 'Autorisation côté client sans contrôle côté serveur dans le projet',
      message:
        'La propriété "{property}" de ce contrôle dépend d’un rôle ("{role}"), et {handler} modifie des données ; aucun serveur de ce projet ne vérifie le rôle.',
      why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, quoi que la page affiche. Si le service ne vérifie pas non plus le rôle, chacun peut modifier les données.',
      fix: "Exigez aussi le rôle dans le service. En CDS : @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<rôle>' }] sur l’entité, ou @requires: '<rôle>' sur l’action. Si un service hors de ce projet vérifie le rôle, masquez ce constat en indiquant ce motif.",
      variants: {
        named: NAMED_WORDS.fr,
        computed: {
          message:
            'La page calcule à partir d’un rôle ("{role}") quels contrôles sont disponibles, dont celui qui appelle {handler}, lequel modifie des données ; aucun serveur de ce projet ne vérifie le rôle.',
        },
        rights: {
          message:
            'La page demande au service des droits ("{role}") et en fait dépendre des contrôles, dont celui qui appelle {handler}, lequel modifie des données ; aucun serveur de ce projet ne vérifie ce droit lors de son usage.',
          why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, quoi que la page affiche. Si le service dit ce qu’un utilisateur peut faire sans le vérifier à nouveau lors d’une modification, chacun peut modifier les données.',
        },
        denied: {
          message:
            'Cette condition refuse l’action dans le navigateur ("{role}"), et la suite modifie des données ; aucun serveur de ce projet ne vérifie le droit.',
          why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, sans passer par ce code. Si le service ne vérifie pas non plus le droit, chacun peut modifier les données.',
        },
        answered: {
          message:
            'Un indicateur de la ligne fournie par le service refuse l’action dans le navigateur ("{role}"), et la suite modifie des données ; aucun serveur de ce projet ne vérifie le droit.',
          why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, sans passer par ce code. Si le service calcule l’indicateur sans le vérifier à nouveau lors d’une modification, chacun peut modifier les données.',
        },
        entry: {
          message:
            'La page demande à un service si l’utilisateur peut continuer ("{role}"), et elle seule tient compte de la réponse ; aucun serveur de ce projet ne la vérifie lors des lectures et des modifications.',
          why: 'Tout utilisateur peut sauter cette étape dans les outils de développement, ou envoyer les requêtes suivantes sans la page. Si les services ne vérifient pas ce droit à nouveau, chacun peut lire et modifier les données.',
          fix: "Vérifiez ce droit dans les services derrière cette page, à chaque requête. En CDS : @requires: '<rôle>' sur le service ou l’action. Si des services hors de ce projet le vérifient, masquez ce constat en indiquant ce motif.",
        },
        code: {
          message:
            'Cette condition sur un rôle ("{role}") décide dans le navigateur si des données sont modifiées ; aucun serveur de ce projet ne vérifie le rôle.',
          why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, sans passer par ce code. Si le service ne vérifie pas non plus le rôle, chacun peut modifier les données.',
        },
        owner: {
          message:
            'Cette condition compare le propriétaire d’une ligne ("{role}") avec l’utilisateur et décide dans le navigateur si des données sont modifiées ; aucun serveur de ce projet ne vérifie le propriétaire.',
          why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, sans passer par ce code. Si le service ne vérifie pas non plus le propriétaire, chacun peut modifier les lignes des autres.',
          fix: "Comparez aussi le propriétaire dans le service. En CDS : @restrict: [{ grant: ['UPDATE', 'DELETE'], to: 'authenticated-user', where: 'createdBy = $user' }] sur l’entité. Si un service hors de ce projet le vérifie, masquez ce constat en indiquant ce motif.",
        },
        route: {
          message:
            'Un contrôle des routes lit un rôle ("{role}") dans le navigateur pour décider quelles pages s’ouvrent ; aucun serveur de ce projet ne vérifie le rôle.',
          why: 'Tout utilisateur peut changer ce rôle dans les outils de développement et ouvrir chaque page, ou en envoyer les requêtes. Si les services ne vérifient pas non plus le rôle, chacun peut lire et modifier les données.',
          fix: 'Exigez le rôle dans les services derrière ces pages. En CDS : @requires: \'<rôle>\' sur le service ; avec un approuter : "scope" sur les routes de xs-app.json. Si des services hors de ce projet le vérifient, masquez ce constat en indiquant ce motif.',
        },
        address: {
          message:
            'Un paramètre de l’URL ("{role}") décide dans le navigateur des contrôles ou des pages disponibles ; aucun serveur de ce projet ne vérifie le rôle.',
          why: 'Tout utilisateur peut écrire une autre valeur dans l’URL et utiliser ce qui est réservé à ce rôle, ou en envoyer les requêtes. Si les services ne vérifient pas non plus le rôle, chacun peut lire et modifier les données.',
          fix: "Demandez les rôles de l’utilisateur au serveur et non à l’URL, et exigez le rôle dans les services. En CDS : @requires: '<rôle>' sur le service ou l’action. Si des services hors de ce projet le vérifient, masquez ce constat en indiquant ce motif.",
        },
        steered: {
          message:
            'Après la connexion, un rôle ("{role}") décide dans le navigateur quelle page s’ouvre ; aucun serveur de ce projet ne vérifie le rôle.',
          why: 'Tout utilisateur peut ouvrir la page d’un autre rôle par son URL, ou en envoyer les requêtes. Si les services ne vérifient pas non plus le rôle, chacun peut lire et modifier les données.',
        },
        stored: {
          message:
            'L’identité de l’utilisateur ou ses droits sont conservés dans le stockage du navigateur ("{role}"), qu’il peut modifier ; aucun serveur de ce projet ne les vérifie.',
          why: 'Tout utilisateur peut écrire un autre rôle ou un autre utilisateur dans le stockage, et l’application le laisse entrer. Si les services ne vérifient rien non plus, chacun peut lire et modifier les données.',
          fix: 'Demandez l’utilisateur et ses rôles au serveur à chaque démarrage (GET /user-api/currentUser de l’approuter) et exigez le rôle dans les services. Si des services hors de ce projet le vérifient, masquez ce constat en indiquant ce motif.',
        },
      },
    },
  }),
})

/** Whether a CAP application of the project asks for roles anywhere: then its authorization is judged by the rules on its model. */
function checksRoles({ services, scripts }: CapRoot): boolean {
  return (
    services.some(
      (service) =>
        service.access.kind === 'roles' ||
        [service, ...service.elements].some(({ annotations }) => restrictsToRole(annotations.get('restrict'))) ||
        service.elements.some(({ access }) => access?.kind === 'roles'),
    ) || scripts.get(roleChecks).length > 0
  )
}

/** Whether rows of a CAP application of the project are restricted to those of the user. */
function checksOwners({ services }: CapRoot): boolean {
  return services.some(({ elements }) =>
    elements.some(({ annotations }) => privilegesOf(annotations.get('restrict')?.value).some(({ where }) => where !== undefined)),
  )
}

/** One privilege for a role is enough: others may be for all users. */
function restrictsToRole(restrict: CapAnnotation | undefined): boolean {
  return restrict !== undefined && rolesIn('restrict', restrict.value).some(({ word }) => !PSEUDO_ROLES.has(word))
}

function* judgeViews({ root, views, scripts: all }: Ui5App, scripts: ReadonlyMap<string, RoleGuardedWrite>): Generator<Match> {
  const anywhere = new Set([...scripts.values()].flatMap(({ methods }) => methods))
  const answered = all.get(answeredRights)
  const computed = all.get(computedRights)
  const known: KnownRights = {
    answered: new Set(answered.map(({ value }) => value.model)),
    computed: new Set(computed.map(({ value }) => value.flag)),
  }
  // what a service answers, or the page computes, is one for all views, where that happens
  const told = new Set<string>()
  for (const { file, controller, controls, test } of views) {
    if (test) continue
    // a fragment does not say whose it is
    const writing = controller === undefined ? anywhere : new Set(scripts.get(controller)?.methods)
    if (writing.size === 0 && known.answered.size + known.computed.size === 0) continue
    for (const control of controls) {
      const shown = roleShowing(control, known)
      if (shown === undefined) continue
      const { property, role, at, by, key } = shown
      const handler = handlersOf(control).find((name) => writing.has(name) || (by !== undefined && SAYS_CHANGE.test(name)))
      if (handler === undefined) continue
      if (by === undefined) {
        yield { at: { file, span: at }, args: { property, role, handler }, groupKey: `${file} ${role}` }
        continue
      }
      const from =
        by === 'rights'
          ? answered.find(({ value }) => value.model === key)
          : computed.find(({ value, file: own }) => value.flag === key && (!key.startsWith('#') || own === controller))
      const group = by === 'rights' ? key : by
      if (from === undefined || told.has(group)) continue
      told.add(group)
      const source = 'role' in from.value ? from.value.role : role
      yield {
        at: { file: from.file, span: from.value.at },
        args: { property, role: source, handler },
        variant: by,
        groupKey: `${root} ${group}`,
      }
    }
  }
}

function handlersOf({ properties }: Ui5Control): string[] {
  return EVENTS.flatMap(
    (event) => /^\s{0,20}\.?([\w$]{1,100})\s{0,20}(?:\(|$)/u.exec(properties.get(event)?.value ?? '')?.[1] ?? [],
  )
}

/** Models that a service filled with rights, and flags that a script computes of roles. */
interface KnownRights {
  readonly answered: ReadonlySet<string>
  readonly computed: ReadonlySet<string>
}

function roleShowing(
  { properties }: Ui5Control,
  { answered, computed }: KnownRights,
): { property: string; role: string; at: Span; by: 'rights' | 'computed' | undefined; key: string } | undefined {
  for (const property of SHOWS) {
    const value = properties.get(property)
    const paths = value === undefined ? [] : pathsOf(value.binding)
    const right = paths.find(({ model }) => answered.has(model))
    // a field of a row of the service has its name by chance
    const flag = paths.find(({ model, path }) => computed.has(fileNameOf(path)) && (model !== '' || path.startsWith('/')))
    const path = right ?? flag ?? paths.find((one) => isRolePath(one.model, one.path))
    if (value === undefined || path === undefined) continue
    const role = path.model === '' ? path.path : `${path.model}>${path.path}`
    return {
      property,
      role,
      at: value.at,
      by: right ? 'rights' : flag ? 'computed' : undefined,
      key: right ? path.model : fileNameOf(path.path),
    }
  }
  const id = `#${properties.get('id')?.value ?? ''}`
  const control = properties.get('id')
  return control !== undefined && computed.has(id)
    ? { property: 'visible', role: id, at: control.at, by: 'computed', key: id }
    : undefined
}
