import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { lastNameOf } from '../../facts/literals.ts'
import {
  accessesOf,
  stringConstantOf,
  resolveValue,
  type CallValue,
  type FunctionFact,
  type MemberValue,
  type ScriptFacts,
  type Value,
} from '../../facts/index.ts'
import type { ProjectFile } from '../../files.ts'
import { inEachLanguage } from '../../arguments.ts'
import { methodAround } from '../../facts/callbacks.ts'
import { lastName } from '../../paths.ts'
import type { Localized, Span } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'

/** What a page does with a collection of Firestore. */
interface CollectionAccess {
  readonly at: Span
  readonly collection: string
  /** Callers choose it: what is written is no name of one. */
  readonly isChosen?: true
  /** `role`: it writes the role of a user. */
  readonly access: 'read' | 'write' | 'role'
}

/** Methods of references and queries (Firebase JavaScript SDK 8, `firebase.firestore`). */
const METHODS: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ['set', 'write'],
  ['add', 'write'],
  ['update', 'write'],
  ['delete', 'write'],
  ['get', 'read'],
  ['onSnapshot', 'read'],
])
/** Functions that take a reference or a query first (Firebase JavaScript SDK 9 and later, `firebase/firestore`). */
const FUNCTIONS: ReadonlyMap<string, 'read' | 'write'> = new Map([
  ['setDoc', 'write'],
  ['addDoc', 'write'],
  ['updateDoc', 'write'],
  ['deleteDoc', 'write'],
  ['getDoc', 'read'],
  ['getDocs', 'read'],
  ['onSnapshot', 'read'],
])
const ROLE_FIELD = /^(?:user_?)?roles?$|^is_?admin$/i
const MAX_DEPTH = 12
/** `name`, `user.domain`: what the caller, or the data of the user, says. */
const CHOSEN_BY: ReadonlySet<Value['kind']> = new Set(['reference', 'member'])
const CHOSEN: Localized<string> = { en: ', chosen at run time', fr: ', choisie à l’exécution' }

const collectionAccess: Extract<CollectionAccess> = defineExtract({
  name: 'ui5-firestore-access',
  keywords: ['.collection(', 'collection(db', 'firebase/firestore'],
  prefilter: (text) => /\bcollection\(/.test(text),
  collect: ({ facts, text, step }) => {
    const way: Way = { facts, text, step, methodsOf: createMethodReader(facts, step) }
    return facts.calls.flatMap((call) => {
      const found = accessOf(call)
      const path = found && pathOf(found.reference, way)
      // documents of the user, by the id that Firebase gave them
      if (found === undefined || path === undefined || (path.isOwn && found.access !== 'role')) return []
      const name = call.callee.kind === 'member' ? call.callee : call
      const { collection, isChosen } = path
      return [{ at: { start: name.start, end: name.end }, collection, access: found.access, ...(isChosen && { isChosen }) }]
    })
  },
})

/** How users of the app get their accounts. */
const signUps: Extract<true> = defineExtract({
  name: 'ui5-firebase-sign-up',
  keywords: ['createUserWithEmailAndPassword', 'signInAnonymously'],
  collectText: () => [true],
})
const firebaseUses: Extract<true> = defineExtract({
  name: 'ui5-firebase-use',
  keywords: ['firebase.firestore', 'getFirestore', 'firebase/firestore'],
  collectText: () => [true],
})

/**
 * Pages that read and write collections of Cloud Firestore, in a project without security rules.
 * Facts: Firebase documentation, "Get started with Cloud Firestore Security Rules" (2026-06): requests of pages are allowed by these rules alone; they are
 * written in firestore.rules, which `firestore.rules` of firebase.json names. What is checked in the page, its user can leave out.
 * Impact: rules may exist where the project doesn't show them, so a link is assumed. Where everybody can sign up, everybody is a user.
 */
export const firestoreWithoutRules: Rule = defineRule({
  id: 'ui5/firestore-without-rules',
  impact: 'data',
  reach: 'user',
  evidence: 'assumed',
  grades: {
    'read-open': { reach: 'anyone' },
    open: { reach: 'anyone' },
    'role-open': { impact: 'takeover', reach: 'anyone' },
    role: { impact: 'takeover' },
  },
  confidence: 'medium',
  cwe: [862, 602],
  since: '0.2.0',
  docs: 'https://firebase.google.com/docs/firestore/security/get-started',
  extracts: [collectionAccess, signUps, firebaseUses],
  on: 'ui5-app',

  *check({ root, scripts }, { files }) {
    const found = scripts.get(collectionAccess)
    if (found.length === 0 || scripts.get(firebaseUses).length === 0 || hasRules(files)) return
    const isOpen = scripts.get(signUps).length > 0
    for (const { file, value } of found) {
      const variant = variantOf(value.access, isOpen)
      yield {
        at: { file, span: value.at },
        args: { collection: value.collection, chosen: value.isChosen ? inEachLanguage(CHOSEN) : '' },
        ...(variant !== undefined && { variant }),
        // many collections are read together: what is missing is missing for all of them
        groupKey: value.access === 'read' ? `${root} read` : `${root} ${value.collection} ${value.access}`,
      }
    }
  },

  text: () => ({
    en: {
      title: 'Firestore data without security rules in the project',
      message:
        'The page writes the Firestore collection "{collection}"{chosen}, and the project contains no security rules for it.',
      why: 'Checks in the page protect nothing: any user can send the same request from the developer tools. If the deployed rules do not check it either, every user can change all documents of this collection.',
      fix: 'Add a firestore.rules file that allows this access only to the owner of a document or to a role that users cannot write, name it in firebase.json ("firestore": { "rules": "firestore.rules" }), and deploy it.',
      variants: {
        open: {
          why: 'Checks in the page protect nothing, and anyone can sign up. If the deployed rules do not check this request either, anyone can change all documents of this collection.',
        },
        read: {
          message:
            'The app reads Firestore collections, such as "{collection}"{chosen}, and the project contains no security rules for them.',
          why: 'Checks in the page protect nothing: any user can send the same request from the developer tools. If the deployed rules do not check it either, every user can read all their documents.',
        },
        'read-open': {
          message:
            'The app reads Firestore collections, such as "{collection}"{chosen}, and the project contains no security rules for them.',
          why: 'Checks in the page protect nothing, and anyone can sign up. If the deployed rules do not check this request either, anyone can read all their documents.',
        },
        role: {
          title: 'User role written by the browser',
          message:
            'The page writes the role of a user to the Firestore collection "{collection}"{chosen}, and the project contains no security rules for it.',
          why: 'Users can send the same request with another role. If the deployed rules do not refuse it, every user can become an administrator of the app.',
          fix: 'Assign roles on a server (Admin SDK, custom claims). Add a firestore.rules file that refuses writes to the role, name it in firebase.json ("firestore": { "rules": "firestore.rules" }), and deploy it.',
        },
        'role-open': {
          title: 'User role written by the browser',
          message:
            'The page writes the role of a user to the Firestore collection "{collection}"{chosen}, and the project contains no security rules for it.',
          why: 'Anyone can sign up and send the same request with another role. If the deployed rules do not refuse it, anyone can become an administrator of the app.',
          fix: 'Assign roles on a server (Admin SDK, custom claims). Add a firestore.rules file that refuses writes to the role, name it in firebase.json ("firestore": { "rules": "firestore.rules" }), and deploy it.',
        },
      },
    },
    fr: {
      title: 'Données Firestore sans règles de sécurité dans le projet',
      message:
        'La page modifie la collection Firestore "{collection}"{chosen}, et le projet ne contient aucune règle de sécurité pour elle.',
      why: 'Les contrôles de la page ne protègent rien : tout utilisateur peut envoyer la même requête depuis les outils de développement. Si les règles déployées ne la contrôlent pas non plus, chacun peut modifier tous les documents de cette collection.',
      fix: 'Ajoutez un fichier firestore.rules qui réserve cet accès au propriétaire du document ou à un rôle que les utilisateurs ne peuvent pas modifier, indiquez-le dans firebase.json ("firestore": { "rules": "firestore.rules" }) et déployez-le.',
      variants: {
        open: {
          why: 'Les contrôles de la page ne protègent rien, et n’importe qui peut s’inscrire. Si les règles déployées ne contrôlent pas non plus cette requête, n’importe qui peut modifier tous les documents de cette collection.',
        },
        read: {
          message:
            'L’application lit des collections Firestore, dont "{collection}"{chosen}, et le projet ne contient aucune règle de sécurité pour elles.',
          why: 'Les contrôles de la page ne protègent rien : tout utilisateur peut envoyer la même requête depuis les outils de développement. Si les règles déployées ne la contrôlent pas non plus, chacun peut lire tous leurs documents.',
        },
        'read-open': {
          message:
            'L’application lit des collections Firestore, dont "{collection}"{chosen}, et le projet ne contient aucune règle de sécurité pour elles.',
          why: 'Les contrôles de la page ne protègent rien, et n’importe qui peut s’inscrire. Si les règles déployées ne contrôlent pas non plus cette requête, n’importe qui peut lire tous leurs documents.',
        },
        role: {
          title: 'Rôle de l’utilisateur écrit par le navigateur',
          message:
            'La page écrit le rôle d’un utilisateur dans la collection Firestore "{collection}"{chosen}, et le projet ne contient aucune règle de sécurité pour elle.',
          why: 'Les utilisateurs peuvent envoyer la même requête avec un autre rôle. Si les règles déployées ne la refusent pas, chacun peut devenir administrateur de l’application.',
          fix: 'Attribuez les rôles sur un serveur (Admin SDK, custom claims). Ajoutez un fichier firestore.rules qui refuse de modifier le rôle, indiquez-le dans firebase.json ("firestore": { "rules": "firestore.rules" }) et déployez-le.',
        },
        'role-open': {
          title: 'Rôle de l’utilisateur écrit par le navigateur',
          message:
            'La page écrit le rôle d’un utilisateur dans la collection Firestore "{collection}"{chosen}, et le projet ne contient aucune règle de sécurité pour elle.',
          why: 'N’importe qui peut s’inscrire et envoyer la même requête avec un autre rôle. Si les règles déployées ne la refusent pas, n’importe qui peut devenir administrateur de l’application.',
          fix: 'Attribuez les rôles sur un serveur (Admin SDK, custom claims). Ajoutez un fichier firestore.rules qui refuse de modifier le rôle, indiquez-le dans firebase.json ("firestore": { "rules": "firestore.rules" }) et déployez-le.',
        },
      },
    },
  }),
})

function variantOf(access: CollectionAccess['access'], isOpen: boolean): string | undefined {
  if (access === 'write') return isOpen ? 'open' : undefined
  return isOpen ? `${access}-open` : access
}

/** What the rules allow is not read: who wrote some has thought of it. */
function hasRules(files: ReadonlyMap<string, ProjectFile>): boolean {
  return [...files.keys()].some((path) => /(?:^|\/|\.)firestore\.rules$/.test(path))
}

/** What a call does, and the reference or query that it does it with. */
function accessOf({ kind, callee, args }: CallValue): { reference: Value; access: CollectionAccess['access'] } | undefined {
  if (kind !== 'call') return undefined
  const [first, second] = args
  if (callee.kind === 'member' && callee.name !== undefined) {
    const access = METHODS.get(callee.name)
    return access && { reference: callee.object, access: access === 'write' && writesRole(first) ? 'role' : access }
  }
  const access = FUNCTIONS.get(lastNameOf(callee) ?? '')
  if (access === undefined || first === undefined) return undefined
  return { reference: first, access: access === 'write' && writesRole(second) ? 'role' : access }
}

function writesRole(document: Value | undefined): boolean {
  const fields = document === undefined ? undefined : resolveValue(document)
  return fields?.kind === 'object' && fields.fields.some(({ key }) => key !== undefined && ROLE_FIELD.test(key))
}

/** The collection that a reference or query leads to, as its name is written where callers choose it, and whether it is confined to what is the user's own. */
function pathOf(
  reference: Value,
  { facts: { assignments }, text, step, methodsOf }: Way,
): { collection: string; isOwn: boolean; isChosen?: true } | undefined {
  let isOwn = false
  let here = resolveValue(reference)
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    if (here.kind === 'member') {
      // `this.requestRef = …` in another method
      const field = here
      step(assignments.length)
      const kept = assignments.findLast(({ target }) => isSameField(target, field))
      if (kept === undefined) return undefined
      here = resolveValue(kept.value)
      continue
    }
    if (here.kind !== 'call') return undefined
    isOwn ||= here.args.some((argument) => lastNameOf(argument) === 'uid')
    // what a method beside it gives: `this.collectionOf(name)`
    const given = ownResultOf(here, methodsOf)
    if (given !== undefined) {
      here = resolveValue(given)
      continue
    }
    const name = lastNameOf(here.callee)
    const isModular = here.callee.kind !== 'member'
    const last = here.args.at(-1)
    const next = isModular ? here.args[0] : here.callee.kind === 'member' ? here.callee.object : undefined
    if (name === 'collection' || (isModular && name === 'doc' && here.args.length > 1)) {
      const named = here.args[isModular ? 1 : 0]
      const constant = stringConstantOf(named)
      if (constant !== undefined) return { collection: constant.split('/')[0] ?? constant, isOwn }
      if (name === 'collection' && named !== undefined && CHOSEN_BY.has(named.kind) && isOfFirestore(here))
        return { collection: text.slice(named.start, named.end), isOwn, isChosen: true }
      if (name === 'collection' || last === undefined) return undefined
    }
    if (next === undefined) return undefined
    here = resolveValue(next)
  }
  return undefined
}

interface Way {
  readonly facts: ScriptFacts
  readonly text: string
  readonly step: (count?: number) => void
  readonly methodsOf: (name: string) => readonly FunctionFact[]
}

/** The methods of a file by their names, read when one is asked for. */
function createMethodReader({ functions }: ScriptFacts, step: (count?: number) => void): Way['methodsOf'] {
  let byName: ReadonlyMap<string, readonly FunctionFact[]> | undefined
  const read = (): ReadonlyMap<string, readonly FunctionFact[]> => {
    step(functions.length)
    const found = new Map<string, FunctionFact[]>()
    for (const method of functions) {
      if (method.owner === undefined) continue
      const name = lastName(method.name)
      const known = found.get(name)
      if (known === undefined) found.set(name, [method])
      else known.push(method)
    }
    return found
  }
  return (name) => {
    const methods = (byName ??= read()).get(name) ?? []
    step(methods.length)
    return methods
  }
}

/** Of a method of the same class or object that gives one thing alone, and no promise of something. */
function ownResultOf({ callee }: CallValue, methodsOf: Way['methodsOf']): Value | undefined {
  if (callee.kind !== 'member' || callee.name === undefined || callee.object.kind !== 'this') return undefined
  const owner = methodAround(callee.object.function)?.owner
  const method = owner && methodsOf(callee.name).find((one) => one.owner === owner)
  return method?.returns.length === 1 ? method.returns[0] : undefined
}

/** Methods and functions by the name `collection` are many: whose it is, the place that it is taken from says. */
function isOfFirestore({ callee }: CallValue): boolean {
  return accessesOf(callee).some(({ root, steps }) => FIRESTORE.test([root, ...steps].join(' ')))
}

const FIRESTORE =
  /^(?:global:(?:window )?firebase|module:firebase\/[\w./-]{1,60}(?: default)?) firestore \(\) collection$|^module:firebase\/firestore(?:\/lite)? collection$/

function isSameField({ object, name }: MemberValue, other: Value): boolean {
  return (
    other.kind === 'member' && name !== undefined && name === other.name && object.kind === 'this' && other.object.kind === 'this'
  )
}
