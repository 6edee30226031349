import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastNameOf } from '../../facts/literals.ts'
import type { CallValue, FunctionFact, Guard, ScriptFacts } from '../../facts/types.ts'
import { PSEUDO_ROLES, roleChecks, rolesIn, type CapAnnotation, type CapRoot } from '../../model/cap/index.ts'
import { isDataWrite, MODEL_WRITE_KEYWORDS, pathsOf, type Ui5App, type Ui5Control } from '../../model/ui5/index.ts'
import type { Match, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isRolePath, roleIn } from './_role-words.ts'

/** What a script changes on a server: by one of its methods, or behind a condition on the role of the user. */
interface RoleGuardedWrite {
  /** Methods of the script that change something, also through one another. */
  readonly methods: readonly string[]
  readonly guarded: readonly { readonly at: Span; readonly role: string }[]
}

const roleGuardedWrites: Extract<RoleGuardedWrite> = defineExtract({
  name: 'ui5-role-guarded-writes',
  keywords: [...MODEL_WRITE_KEYWORDS, '.delete(', '.execute(', 'fetch(', '.ajax('],
  prefilter: (text) =>
    /\bsubmit(?:Changes|Batch)\b|\bcallFunction\b|\.(?:create|update|remove)\(\s{0,40}["'`]\/|[cC]ontext(?:\([^()]{0,40}\))?\.(?:delete|execute)\(|["'`](?:POST|PUT|PATCH|DELETE|MERGE)["'`]|bindContext\(/.test(
      text,
    ),
  collect({ facts, step }) {
    const writes = facts.calls.filter((call) => isDataWrite(call) || isContextWrite(call))
    if (writes.length === 0) return []
    const guarded = writes.flatMap((write) => {
      step(facts.guards.length)
      return guardedBy(write, facts) ?? []
    })
    return [{ methods: [...methodsThatWrite(writes, facts)], guarded }]
  },
})

/** OData V4: `context.delete()`, `model.bindContext("/approve(...)").execute()`. */
function isContextWrite({ callee }: CallValue): boolean {
  if (callee.kind !== 'member') return false
  const owner = lastNameOf(callee.object.kind === 'call' ? callee.object.callee : callee.object) ?? ''
  if (callee.name === 'delete') return /context$/i.test(owner)
  return (callee.name === 'execute' || callee.name === 'invoke') && /(?:context|binding|action|operation)$/i.test(owner)
}

/** The method of a controller around a call: callbacks in it are its own. */
function methodAround(from: FunctionFact): string | undefined {
  let here: FunctionFact | undefined = from
  while (here !== undefined && here.owner === undefined) here = here.parent
  return here === undefined ? undefined : here.name.slice(here.name.lastIndexOf('.') + 1)
}

function methodsThatWrite(writes: readonly CallValue[], { calls }: ScriptFacts): ReadonlySet<string> {
  const callers = new Map<string, Set<string>>()
  for (const { callee, function: around } of calls) {
    if (callee.kind !== 'member' || callee.name === undefined || callee.object.kind !== 'this') continue
    const caller = methodAround(around)
    if (caller !== undefined) callers.set(callee.name, (callers.get(callee.name) ?? new Set()).add(caller))
  }
  const found = new Set<string>()
  const open = writes.flatMap(({ function: around }) => methodAround(around) ?? [])
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue
    found.add(name)
    open.push(...(callers.get(name) ?? []))
  }
  return found
}

function guardedBy(write: CallValue, { guards }: ScriptFacts): { at: Span; role: string } | undefined {
  for (const guard of guards) {
    const role = isBefore(guard, write) ? roleIn(guard.test) : undefined
    if (role !== undefined) return { at: { start: guard.test.start, end: guard.test.end }, role }
  }
  return undefined
}

/** It holds where the call runs: around it, or a way out in front of it, in its function or in one around that. */
function isBefore({ inside, exits, end, function: around }: Guard, call: CallValue): boolean {
  if (inside.start <= call.start && call.end <= inside.end) return true
  return exits && end <= call.start && around.start <= call.start && call.end <= around.end && around.kind !== 'file'
}

const SHOWS = ['visible', 'enabled'] as const
/** Events by which a user starts something. */
const EVENTS = ['press', 'delete', 'accept', 'confirm', 'beforeDelete', 'select', 'change', 'submit'] as const

/**
 * A role of the user decides in the browser alone who may change data.
 * Facts: SAPUI5 documentation, "Browser Security": what runs in the browser can be changed by its user; authorization belongs to the server.
 * Impact: the server may well check the role, and nothing in the project says whether it does.
 */
export const clientSideAuthorization: Rule = defineRule({
  id: 'ui5/client-side-authorization',
  impact: 'hygiene',
  confidence: 'low',
  cwe: [602],
  since: '0.1.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Authorization_Cheat_Sheet.html#ensure-authorization-checks-are-performed-on-the-server-side',
  extracts: [roleGuardedWrites, roleChecks],
  on: 'ui5-app',

  *check(app, { capRoots }) {
    if (capRoots.some(checksRoles)) return
    const scripts = new Map(app.scripts.get(roleGuardedWrites).map(({ file, value }) => [file, value]))
    if (scripts.size === 0) return
    yield* judgeViews(app, scripts)
    for (const [file, { guarded }] of scripts) {
      const seen = new Set<number>()
      for (const { at: span, role } of guarded) {
        if (seen.has(span.start)) continue
        seen.add(span.start)
        yield { at: { file, span }, args: { role, property: '', handler: '' }, variant: 'code' }
      }
    }
  },

  text: {
    en: {
      title: 'Client-side authorization without a server-side check in the project',
      message:
        'The property "{property}" of this control depends on a role ("{role}"), and {handler} changes data; no server in this project checks the role.',
      why: 'Any user can send the request from the browser console or a proxy, whatever the page shows. If the service does not check the role either, every user can change the data.',
      fix: "Require the role in the service as well. In CDS: @restrict: [{ grant: 'READ' }, { grant: 'WRITE', to: '<role>' }] on the entity, or @requires: '<role>' on the action. If a service outside this project checks the role, suppress this finding with that reason.",
      variants: {
        code: {
          message:
            'This condition on a role ("{role}") decides in the browser whether data is changed; no server in this project checks the role.',
          why: 'Any user can send the request from the browser console or a proxy, without this code. If the service does not check the role either, every user can change the data.',
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
        code: {
          message:
            'Cette condition sur un rôle ("{role}") décide dans le navigateur si des données sont modifiées ; aucun serveur de ce projet ne vérifie le rôle.',
          why: 'Tout utilisateur peut envoyer la requête depuis la console du navigateur ou un proxy, sans passer par ce code. Si le service ne vérifie pas non plus le rôle, chacun peut modifier les données.',
        },
      },
    },
  },
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

/** One privilege for a role is enough: others may be for all users. */
function restrictsToRole(restrict: CapAnnotation | undefined): boolean {
  return restrict !== undefined && rolesIn('restrict', restrict.value).some(({ word }) => !PSEUDO_ROLES.has(word))
}

function* judgeViews({ views }: Ui5App, scripts: ReadonlyMap<string, RoleGuardedWrite>): Generator<Match> {
  const anywhere = new Set([...scripts.values()].flatMap(({ methods }) => methods))
  for (const { file, controller, controls, test } of views) {
    if (test) continue
    // a fragment does not say whose it is
    const writing = controller === undefined ? anywhere : new Set(scripts.get(controller)?.methods)
    if (writing.size === 0) continue
    for (const control of controls) {
      const handler = handlersOf(control).find((name) => writing.has(name))
      const shown = handler === undefined ? undefined : roleShowing(control)
      if (handler !== undefined && shown !== undefined)
        yield { at: { file, span: shown.at }, args: { property: shown.property, role: shown.role, handler } }
    }
  }
}

function handlersOf({ properties }: Ui5Control): string[] {
  return EVENTS.flatMap(
    (event) => /^\s{0,20}\.?([\w$]{1,100})\s{0,20}(?:\(|$)/u.exec(properties.get(event)?.value ?? '')?.[1] ?? [],
  )
}

function roleShowing({ properties }: Ui5Control): { property: string; role: string; at: Span } | undefined {
  for (const property of SHOWS) {
    const value = properties.get(property)
    const path = value && pathsOf(value.binding).find((path) => isRolePath(path.model, path.path))
    if (value !== undefined && path !== undefined)
      return { property, role: path.model === '' ? path.path : `${path.model}>${path.path}`, at: value.at }
  }
  return undefined
}
