import { defineExtract, type Extract } from '../../extracts/extract.ts'
import type { Scripts } from '../../extracts/scripts.ts'
import { isMultitenant, type CapRoot } from '../../model/cap/index.ts'
import type { ReachModel } from '../../model/reach/index.ts'
import { isDeployedCode, isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { FlowStep, GradeFacts, Match, Place, Span } from '../../types.ts'
import { lookupCaches } from './_routes/lookup-caches.ts'
import { sharedConnections } from './_routes/shared-connections.ts'
import { fullLogs, isForAll } from './_routes/shared-logs.ts'
import { sharedStates } from './_routes/shared-state.ts'
import { statusObjects } from './_routes/status-objects.ts'
import { sharedAnswers, type SharedAnswer } from './_callers/shared-answers.ts'
import { sharedTokens } from './_callers/shared-tokens.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isAround } from '../../facts/span-index.ts'

/** Names of what scripts read of `global`, which all files of a process have in common. */
const globalReads: Extract<string> = defineExtract({
  name: 'cap-global-reads',
  keywords: ['global.', 'globalThis.', 'global?.', 'globalThis?.', '= global'],
  isFor: isDeployedCode,
  *collectText(text) {
    for (const [, name] of text.matchAll(READ_OF_GLOBAL)) if (name !== undefined) yield name
    for (const [, names = ''] of text.matchAll(TAKEN_OUT)) yield* names.match(/\w{1,80}/g) ?? []
  },
})

/** `global.login`, but where it is only written. */
const READ_OF_GLOBAL = /\bglobal(?:This)?\??\.(\w{1,80})\b(?!\s{0,4}=(?!=))/g
/** `const { login } = global` */
const TAKEN_OUT = /\{([^{}]{1,200})\}\s{0,4}=\s{0,4}global(?:This)?\b/g
const OF_GLOBAL = /^global(?:This)?\.(\w+)$/

/**
 * A handler that keeps data of its request where other requests read it: a variable of the module, a field of the service, a map.
 * Facts: capire, "Isolated transient data" (an instance serves all tenants and users); cds-lint, "no-shared-handler-variable".
 * Impact: users read data of others, of other tenants where these share the process. It takes two requests at the right time, which is assumed for one
 * tenant, unless another operation empties what is kept, so that each request finds it. Of a service without a login little more than its answers tell anyway. What a function finds for a key, of nothing but that key, is the same
 * for all who ask for it. What the data flow leads through a table belongs to no request; that a handler reads rows for its caller and keeps them, the extract of
 * shared states tells, though in the script of the handler alone. Of a server of the project's own it is told of credentials: whoever asks it next acts as the user who logged in.
 */
export const sharedHandlerState: Rule = defineRule({
  id: 'cap/shared-handler-state',
  impact: 'data',
  confidence: 'medium',
  cwe: [488],
  since: '0.2.0',
  docs: 'https://cap.cloud.sap/docs/guides/security/data-protection#isolated-transient-data',
  extracts: [sharedStates, lookupCaches, sharedAnswers, sharedTokens, sharedConnections, globalReads, statusObjects, fullLogs],
  checks: {
    *project({ scripts }) {
      for (const { file, value } of scripts.get(sharedTokens))
        yield { at: { file, span: { start: value.start, end: value.end } }, args: { name: value.name }, variant: 'token' }
      for (const { file, value } of scripts.get(sharedAnswers)) yield ofAnswer(file, value)
      // a connection for each request is one for each tenant or user: what they see without a login is a finding of its own
      for (const { file, value } of scripts.get(sharedConnections))
        yield {
          at: { file, span: { start: value.start, end: value.end } },
          args: { name: value.name },
          reach: 'user',
          variant: 'connection',
        }
    },

    *'cap-root'(root, { reach }) {
      if (root.test) return
      for (const { file, value } of root.scripts.get(sharedStates)) {
        const { start, end, name, kind, isLazy, isGivenOut, isForLater } = value
        if (isLookup(file, value, root.scripts) || isToken(file, value, root.scripts)) continue
        if (isLazy === true && !isMultitenant(root)) continue
        const status = ofStatus(file, name, root)
        const later = isForLater === true ? { evidence: 'shown' as const } : {}
        const match = {
          ...toMatch({ file, span: { start, end } }, name, kind === 'collection', root, reach),
          ...later,
          ...status,
        }
        // whoever asks next gets what the last caller has sent, and nothing else
        if (isGivenOut === true && match.impact === 'bounded' && status.impact === undefined)
          yield { ...match, impact: 'data', variant: 'replaced' }
        else yield isLazy === true && kind !== 'collection' ? { ...match, variant: 'loaded' } : match
      }
    },

    *flow({ at, sink, steps, detail }, { capRoots, reach, scripts }) {
      // what a request stored in a table once, and a timer or another request reads there, is no longer data of a request
      if (steps.some(isOfTable) || !isRead(sink, scripts)) return
      if (isDeveloperFile(at.file) || isToolFile(at.file) || (at.span !== undefined && isLookup(at.file, at.span, scripts)))
        return
      const root = capRoots.find(({ files }) => files.some(({ path }) => path === at.file))
      if (root?.test === true) return
      if (root !== undefined) {
        const status = ofStatus(at.file, sink, root)
        yield { ...toMatch(at, sink, detail === 'collection', root, reach), ...status, flow: steps }
      }
      // of a server of the project's own it is told where others act as the user by it
      else if (detail === 'credential')
        yield {
          at,
          evidence: 'assumed',
          impact: 'takeover',
          exposure: reach.ofServer(at.file).exposure,
          args: { name: sink },
          variant: 'credential',
          groupKey: `${at.file} ${sink}`,
          flow: steps,
        }
    },
  },

  text: () => ({
    en: {
      title: 'Request data shared between requests',
      message: 'The handler stores data of the current request in "{name}", which is shared by all requests of the process.',
      why: 'Concurrent or later requests use the same data: a user can receive or change another user’s data.',
      fix: 'Declare the variable inside the handler, or keep the value in cds.context, which belongs to the request. Store data that several requests need in the database.',
      variants: {
        loaded: {
          title: 'Data of one tenant shared by all tenants',
          message: 'Data loaded for one request is kept in "{name}", which is shared by all tenants of the process.',
          why: 'The data belongs to the tenant of the first request: users of other tenants receive it, too.',
          fix: 'Load the data in each request, or keep it in a Map by tenant, for reading and writing: cache.set(cds.context.tenant, value).',
        },
        token: {
          title: 'Token of one user shared by all users',
          message:
            'The token that is obtained with the token of the caller is kept in "{name}", which is shared by all requests of the process.',
          why: 'Requests of all later users are sent with the token of the first one: they read and change data with the permissions of that user.',
          fix: 'Obtain the token in each request. Or keep it in a Map whose keys contain the tenant and the user, for reading and writing: tokens.set(`${req.tenant}:${req.user.id}`, token).',
        },
        answer: {
          title: 'Answer for one user cached for all users',
          message:
            '{asked} is called with the token of the caller, and its result is kept in "{name}" under a key that contains neither the user nor the tenant.',
          why: 'The other system checks the permissions of the first user alone. The next users who ask for the same key get the cached data, also without permission to read it there.',
          fix: 'Add the tenant and the user to the key, for reading and writing: `${tenant}:${user.id}:${id}`. Or cache only data that all users may read, obtained with a technical user.',
        },
        connection: {
          title: 'Database connection switched for all requests',
          message:
            'Code that runs for a request sets {name} to a connection that depends on this request; all requests of the process use it.',
          why: 'Concurrent requests use the connection that was set last: users read and change the data of another tenant.',
          fix: 'Delete the assignment, and run the queries of a request on a connection of its own: keep the connections in a Map by tenant, and call db.run(query). Or use the multitenancy of CAP (cds.requires.multitenancy).',
        },
        credential: {
          title: 'Credentials of one user shared by all requests',
          message:
            'The handler stores credentials of the current request in "{name}", which is shared by all requests of the process.',
          why: 'Once a user has logged in, requests of other callers, even without a login, are sent with the credentials of that user.',
          fix: 'Keep the credentials in the session of the user, on the server (req.session of express-session with a store), and use them for requests of that session only.',
        },
        replaced: {
          title: 'Data of all users replaced by one request',
          message:
            'The handler replaces "{name}" with data that the client sends, and another handler returns it to all callers of the process.',
          why: 'An unauthenticated attacker replaces with one request what all users get, and the data that was there is lost.',
          fix: 'Restrict who may call this handler (@requires), and keep the data in the database, as rows that belong to a user.',
        },
        collection: {
          title: 'Request data not separated by tenant and user',
          message:
            'The handler keeps data of the current request in the collection "{name}", which is shared by all requests of the process.',
          fix: 'Use a Map whose keys contain the tenant and the user, for reading and writing: cache.set(`${req.tenant}:${req.user.id}:${id}`, value). Or keep the data in the database.',
        },
      },
    },
    fr: {
      title: 'Données d’une requête partagées entre requêtes',
      message:
        'Le gestionnaire conserve des données de la requête en cours dans "{name}", que partagent toutes les requêtes du processus.',
      why: 'D’autres requêtes, simultanées ou ultérieures, utilisent les mêmes données : un utilisateur peut recevoir ou modifier celles d’un autre.',
      fix: 'Déclarez la variable dans le gestionnaire, ou gardez la valeur dans cds.context, qui appartient à la requête. Stockez dans la base les données dont plusieurs requêtes ont besoin.',
      variants: {
        loaded: {
          title: 'Données d’un locataire partagées entre tous les locataires',
          message:
            'Des données chargées pour une requête sont conservées dans "{name}", que partagent tous les locataires du processus.',
          why: 'Ces données appartiennent au locataire de la première requête : les utilisateurs des autres locataires les reçoivent aussi.',
          fix: 'Chargez les données à chaque requête, ou conservez-les dans un objet Map dont la clé est le locataire, en lecture comme en écriture : cache.set(cds.context.tenant, value).',
        },
        token: {
          title: 'Jeton d’un utilisateur partagé entre tous les utilisateurs',
          message:
            'Le jeton obtenu avec celui de l’appelant est conservé dans "{name}", que partagent toutes les requêtes du processus.',
          why: 'Les requêtes des utilisateurs suivants sont envoyées avec le jeton du premier : ils lisent et modifient des données avec les droits de celui-ci.',
          fix: 'Obtenez le jeton à chaque requête. Ou conservez-le dans un objet Map dont les clés contiennent le locataire et l’utilisateur, en lecture comme en écriture : tokens.set(`${req.tenant}:${req.user.id}`, token).',
        },
        answer: {
          title: 'Réponse destinée à un utilisateur mise en cache pour tous',
          message:
            '{asked} est appelé avec le jeton de l’appelant, et son résultat est conservé dans "{name}" sous une clé qui ne contient ni l’utilisateur ni le locataire.',
          why: 'L’autre système ne vérifie que les droits du premier utilisateur : quiconque demande ensuite la même clé reçoit les données en cache, même sans droit de les y lire.',
          fix: 'Ajoutez le locataire et l’utilisateur à la clé, en lecture comme en écriture : `${tenant}:${user.id}:${id}`. Ou ne mettez en cache que des données lisibles par tous, obtenues avec un utilisateur technique.',
        },
        connection: {
          title: 'Connexion à la base changée pour toutes les requêtes',
          message:
            'Du code exécuté pour une requête affecte à {name} une connexion qui dépend de cette requête ; toutes les requêtes du processus l’utilisent.',
          why: 'Les requêtes simultanées utilisent la dernière connexion affectée : des utilisateurs lisent et modifient les données d’un autre locataire.',
          fix: 'Supprimez l’affectation, et exécutez les requêtes sur une connexion propre : conservez les connexions dans un objet Map dont la clé est le locataire, et appelez db.run(query). Ou utilisez la multilocation de CAP (cds.requires.multitenancy).',
        },
        credential: {
          title: 'Identifiants d’un utilisateur partagés par toutes les requêtes',
          message:
            'Le gestionnaire conserve des identifiants de la requête en cours dans "{name}", que partagent toutes les requêtes du processus.',
          why: 'Dès qu’un utilisateur s’est connecté, les requêtes d’autres appelants, même non authentifiés, sont envoyées avec les identifiants de cet utilisateur.',
          fix: 'Gardez les identifiants dans la session de l’utilisateur, sur le serveur (req.session d’express-session avec un magasin), et ne les utilisez que pour les requêtes de cette session.',
        },
        replaced: {
          title: 'Données de tous les utilisateurs remplacées par une requête',
          message:
            'Le gestionnaire remplace "{name}" par des données qu’envoie le client, et un autre gestionnaire les renvoie à tous les appelants du processus.',
          why: 'Un attaquant non authentifié remplace par une seule requête ce que reçoivent tous les utilisateurs, et les données précédentes sont perdues.',
          fix: 'Limitez qui peut appeler ce gestionnaire (@requires), et conservez les données dans la base, sous forme de lignes qui appartiennent à un utilisateur.',
        },
        collection: {
          title: 'Données de requête non séparées selon le locataire et l’utilisateur',
          message:
            'Le gestionnaire conserve des données de la requête en cours dans la collection "{name}", que partagent toutes les requêtes du processus.',
          fix: 'Utilisez un objet Map dont les clés contiennent le locataire et l’utilisateur, en lecture comme en écriture : cache.set(`${req.tenant}:${req.user.id}:${id}`, value). Ou gardez les données dans la base.',
        },
      },
    },
  }),
})

/** What a function finds for a key is kept for all who ask for that key. */
function isLookup(file: string, { start }: Span, scripts: Scripts): boolean {
  return scripts.of(file, lookupCaches).some((write) => isAround(write, start))
}

/** What is kept in `global`, some script has to read; of other places, the flow knows. */
function isRead(name: string, scripts: Scripts): boolean {
  const kept = OF_GLOBAL.exec(name)?.[1]
  return kept === undefined || scripts.get(globalReads).some(({ value }) => value === kept)
}

/** How far the work of another user has come: that is little to learn, and whoever asks for it, learns it. What is kept for the whole app all of its users are to have, where they are of one tenant. */
function ofStatus(file: string, name: string, root: CapRoot): GradeFacts {
  const [binding = ''] = name.split('.')
  const isOfAll = !isMultitenant(root) && isForAll(binding, root.scripts.of(file, fullLogs))
  return isOfAll || root.scripts.of(file, statusObjects).some((one) => one === binding)
    ? { impact: 'bounded', evidence: 'shown' }
    : {}
}

/** By a row of a table. */
function isOfTable({ step, args }: FlowStep): boolean {
  return step === 'store' && args?.['name']?.startsWith('rows') === true
}

/** Told as such. */
function isToken(file: string, { start }: Span, scripts: Scripts): boolean {
  return scripts.of(file, sharedTokens).some((token) => token.start === start)
}

/** Whether the other system answers all users alike, only it knows. */
function ofAnswer(file: string, { start, end, name, asked }: SharedAnswer): Match {
  return {
    at: { file, span: { start, end } },
    evidence: 'assumed',
    reach: 'user',
    args: { name, asked },
    variant: 'answer',
    groupKey: `${file} answer`,
  }
}

function toMatch(at: Place, name: string, isCollection: boolean, root: CapRoot, reach: ReachModel): Match {
  // of a service without a login there are no users to tell apart; that it has none is a finding of its own
  const isOpen = reach.at(at).reach === 'anyone' && !isMultitenant(root)
  return {
    at,
    evidence: isMultitenant(root) ? 'shown' : 'assumed',
    ...(isOpen && { impact: 'bounded' as const }),
    confidence: isCollection ? 'low' : 'medium',
    args: { name },
    ...(isCollection && { variant: 'collection' }),
    // what a file keeps in one place is moved at once
    groupKey: `${at.file} ${isCollection ? name : placeOf(name)} ${isCollection ? 'collection' : ''}`,
  }
}

/** `memory` of `memory.orders`; fields of a service or of the process are places of their own. */
function placeOf(name: string): string {
  const [owner = name, ...fields] = name.split('.')
  return fields.length === 0 || /^(?:this|global|globalThis)$/.test(owner) ? name : owner
}
