import { isDeveloperFile, isToolFile } from '../../model/script/index.ts'
import type { FlowHit } from '../../flow/index.ts'
import type { Match, Place } from '../../types.ts'
import { defineRule, type Rule } from '../rule.ts'
import { gradeHit, ofStored, wordStore } from './_flow-grade.ts'
import { wordPart } from './_matches.ts'
import { handedServices } from './_handlers/handed-services.ts'
import { readHandlers } from './_handlers/read-handlers.ts'
import { readsWholeModel } from './_model/whole-services.ts'

const FIX_SQL = {
  en: "Use the driver’s placeholders (? or $1) and pass the values as parameters: db.run('SELECT … WHERE ID = ?', [id]). Compare a variable schema, table or column name with an allowlist in the code.",
  fr: "Utilisez les marqueurs de paramètre du pilote (? ou $1) et passez les valeurs en paramètres : db.run('SELECT … WHERE ID = ?', [id]). Si un nom de schéma, de table ou de colonne est variable, comparez-le à une liste d’autorisation définie dans le code.",
}

/** XSJS has database APIs of its own: SAP HANA XS JavaScript API reference, $.hdb and $.db. */
const FIX_XSJS = {
  en: 'Use ? placeholders and pass the values: conn.executeQuery("… WHERE ID = ?", id) with $.hdb, or statement.setString(1, id) after conn.prepareStatement with $.db. Compare a variable table or column name with an allowlist in the code.',
  fr: 'Utilisez des marqueurs de paramètre ? et passez les valeurs : conn.executeQuery("… WHERE ID = ?", id) avec $.hdb, ou statement.setString(1, id) après conn.prepareStatement avec $.db. Si un nom de table ou de colonne est variable, comparez-le à une liste d’autorisation définie dans le code.',
}

/** A tagged template would bind a value where the query needs a name. */
const FIX_COLUMNS = {
  en: 'Compare the column name with an allowlist first, for example: if (!["title", "price"].includes(name)) return req.reject(400). Do the same with a sort direction from the request.',
  fr: 'Comparez d’abord le nom de colonne à une liste d’autorisation, par exemple : if (!["title", "price"].includes(name)) return req.reject(400). Faites de même pour un sens de tri envoyé par le client.',
}

/** A condition or columns of one query: an empty detail is text of CQL. */
const OF_QUERY: ReadonlySet<string | undefined> = new Set([undefined, 'columns', 'condition', 'tokens'])

/** More are not told. */
const MAX_PLACES = 12

/** Where the texts are put together that one helper runs, if there are several: `runStatement(text)` of a data layer is right by itself, each of its callers has to be repaired. */
function toComposed(hit: FlowHit): Pick<Match, 'alsoAt'> {
  const places = new Map<string, Place>()
  for (const { steps } of [hit, ...(hit.others?.() ?? [])]) {
    const join = steps.findIndex(({ step }) => step === 'join')
    const at = steps[join]?.at
    if (at?.file === undefined || !steps.slice(join).some(({ step }) => step === 'call')) continue
    places.set(`${at.file} ${at.span?.start}`, at)
    if (places.size === MAX_PLACES) break
  }
  return places.size < 2 ? {} : { alsoAt: [...places.values()] }
}

/**
 * The text of a query put together from values instead of passing them as parameters.
 * CAP binds the values of its own template tags, of objects and of the second argument; a template in parentheses is a plain string.
 * Facts: capire, "Avoiding SQL injection" (cds.ql); @sap/cds 9.9 lib/ql, which arguments are parsed; documentation of hdb and @sap/hana-client.
 * `req.query` as a whole is CQN that CAP made, no text.
 * Impact: reads and changes data beyond the rights of the caller with one request; whether a condition leads beyond what a service without a login shows is assumed, and a role that reads all tables anyway gains little. Who writes what was stored before or comes from another system is assumed.
 */
export const cqlInjection: Rule = defineRule({
  id: 'cap/cql-injection',
  impact: 'data',
  grades: {
    stored: { evidence: 'assumed' },
    'sql-stored': { evidence: 'assumed' },
    'sql-untraced': { evidence: 'guessed' },
    'cql-untraced': { evidence: 'guessed' },
    'columns-untraced': { evidence: 'guessed' },
  },
  confidence: 'medium',
  cwe: [89],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/cds-ql#avoiding-sql-injection',
  docsByVariant: { xsjs: 'https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html' },
  on: 'flow',
  extracts: [readHandlers, handedServices],

  *check(hit, { reach, capRoots }) {
    const { detail, origin, quotedPart, quotedSink, isGuess } = hit
    const exposure = reach.ofStatement(hit)
    const match = {
      ...gradeHit(hit),
      exposure,
      args: {
        part: origin === 'stored' || origin === 'unknown' ? wordPart(quotedPart, origin === 'unknown') : quotedPart,
        sink: quotedSink,
        kept: wordStore(hit),
      },
    }
    if (origin === 'unknown') {
      // a script that is run by hand gets its arguments from its user
      if (isToolFile(hit.at.file) || isDeveloperFile(hit.at.file)) return
      yield {
        at: match.at,
        args: match.args,
        confidence: 'medium',
        variant: `${detail === 'sql' || detail === 'columns' ? detail : 'cql'}-untraced`,
      }
      return
    }
    if (origin === 'stored') {
      // neither who writes the rows nor whether the database answers a caller without a login is in the project
      const reached = reach.isWithoutDatabase(hit.at.file) ? { ...exposure, reach: 'user' as const } : exposure
      const variant = detail === 'sql' ? 'sql-stored' : 'stored'
      yield { ...match, ...ofStored(hit), exposure: reached, confidence: 'medium', variant }
      return
    }
    const isNamed =
      detail === 'sql' || detail === 'columns' || detail === 'whole' || detail === 'condition' || detail === 'tokens'
    const isXsjs = detail === 'sql' && /\.xsjs(?:lib)?$/i.test(hit.at.file)
    const variant = hit.marks.has('model-written') ? 'model' : isXsjs ? 'xsjs' : isNamed ? detail : undefined
    // the condition of one query, where the service asks nobody who calls: what it reads is open anyway, by a fault of its own
    const isOfQuery = OF_QUERY.has(detail) && !hit.isOpen
    const isOpen = isOfQuery && exposure.reach === 'anyone'
    yield {
      ...match,
      ...(isGuess && { confidence: 'medium' }),
      ...(isOpen && { evidence: 'assumed' as const }),
      // who reads everything may still not change it
      ...(isOfQuery && hit.api.owner === 'SELECT' && readsWholeModel(exposure, capRoots) && { impact: 'bounded' as const }),
      ...(variant !== undefined && { variant }),
      ...toComposed(hit),
    }
  },

  text: () => ({
    en: {
      title: 'SQL injection: query text built from request data',
      message: 'Data sent by the client ({part}){kept} is concatenated into the query text passed to {sink}.',
      why: 'An attacker can inject further CQL into the query and so reach data to which the handler should give no access.',
      fix: 'Write a tagged template without parentheses, whose values CAP binds, and without quotes around ${…}: .where`ID = ${id}`, or cds.ql`SELECT from Books where ID = ${id}`. Or pass an object: .where({ ID: id }).',
      variants: {
        sql: {
          title: 'SQL injection through request data',
          message: 'Data sent by the client ({part}){kept} is concatenated into the SQL statement passed to {sink}.',
          why: 'An attacker can inject SQL and read, change or delete everything that the database user can access, bypassing every @requires and @restrict.',
          fix: FIX_SQL.en,
        },
        xsjs: {
          title: 'SQL injection through request data',
          message: 'Data sent by the client ({part}){kept} is concatenated into the SQL statement passed to {sink}.',
          why: 'An attacker can inject SQL and read, change or delete everything that the database user of the service can access.',
          fix: FIX_XSJS.en,
        },
        'sql-untraced': {
          title: 'SQL built from a value that may not be safe',
          message:
            '{part} is concatenated into the SQL statement passed to {sink}; nothing in the code shows that its value is safe.',
          why: 'If an attacker can choose that value freely, now or after a later change, they can inject SQL, bypassing every @requires and @restrict.',
          fix: FIX_SQL.en,
        },
        'cql-untraced': {
          title: 'Query text built from a value that may not be safe',
          message:
            '{part} is concatenated into the query text passed to {sink}; nothing in the code shows that its value is safe.',
          why: 'If an attacker can choose that value freely, now or after a later change, they can alter what the query reads or writes.',
        },
        stored: {
          title: 'SQL injection: query text built from stored or remote data',
          message: 'Data written by clients or another system ({part}) is concatenated into the query text passed to {sink}.',
        },
        'sql-stored': {
          title: 'SQL injection through stored or remote data',
          message: 'Data written by clients or another system ({part}) is concatenated into the SQL statement passed to {sink}.',
          fix: FIX_SQL.en,
        },
        columns: { fix: FIX_COLUMNS.en },
        'columns-untraced': {
          title: 'Query text built from a value that may not be safe',
          message:
            '{part} is concatenated into the query text passed to {sink}; nothing in the code shows that its value is safe.',
          why: 'If an attacker can choose that value freely, now or after a later change, they can alter what the query reads or writes.',
          fix: FIX_COLUMNS.en,
        },
        whole: {
          title: 'SQL injection: query text taken from the request',
          message: 'Data sent by the client ({part}){kept} is passed unchanged to {sink} as query text.',
          why: 'An attacker controls what the query reads or changes. CAP checks @requires and @restrict for requests to a service, not for queries that a handler sends to the database.',
          fix: 'Define the queries in the code and select one of them by a name from the request; pass values as parameters.',
        },
        condition: {
          title: 'CQL injection: whole condition taken from the request',
          message:
            'The client sends the whole condition ({part}){kept} that {sink} takes: columns, operators and subqueries are of its choice.',
          why: 'An attacker can match any row and infer columns and other entities that the service does not expose, by conditions and subqueries on them; an update or deletion affects any row.',
          fix: 'Build the condition from the fields that clients may filter by, each as a value: .where({ name: { like: text } }). Or let clients filter the exposed entity by $filter, which CAP checks.',
        },
        tokens: {
          title: 'SQL injection: request data among the tokens of a condition',
          message:
            'Data sent by the client ({part}){kept} is a string in the list passed to {sink}. CAP writes such strings into the query as they are.',
          why: 'An attacker can send SQL instead of a value, match any row, and read columns and tables that the service does not expose by subqueries.',
          fix: 'Pass an object, whose values CAP binds: .where({ name: text }). In a list of tokens, write the value as { val: text } and the column as { ref: ["name"] }.',
        },
        model: {
          title: 'SQL injection: query written by a language model',
          message: 'From what the client asks ({part}), a language model writes the query passed to {sink}, or a part of it.',
          why: 'An attacker can word the prompt so that the model writes another query (prompt injection), and read, change or delete everything that the database user can access.',
          fix: 'Define the queries in the code. Let the model return only the name of one of them and its values: compare the name with an allowlist, and pass the values as parameters.',
        },
      },
      steps: { sink: 'The value is part of the query text passed to {sink}.' },
    },
    fr: {
      title: 'Injection SQL : texte de requête composé à partir de données du client',
      message: 'Une donnée envoyée par le client ({part}){kept} est concaténée dans le texte de requête passé à {sink}.',
      why: 'Un attaquant peut injecter du CQL dans la requête, et ainsi accéder à des données que le gestionnaire ne devrait pas exposer.',
      fix: 'Écrivez un gabarit étiqueté sans parenthèses, dont CAP lie les valeurs, et sans guillemets autour de ${…} : .where`ID = ${id}`, ou cds.ql`SELECT from Books where ID = ${id}`. Ou passez un objet : .where({ ID: id }).',
      variants: {
        sql: {
          title: 'Injection SQL par des données du client',
          message: 'Une donnée envoyée par le client ({part}){kept} est concaténée dans l’instruction SQL passée à {sink}.',
          why: 'Un attaquant peut injecter du SQL et lire, modifier ou supprimer tout ce à quoi l’utilisateur de la base a accès, en contournant tous les @requires et @restrict.',
          fix: FIX_SQL.fr,
        },
        xsjs: {
          title: 'Injection SQL par des données du client',
          message: 'Une donnée envoyée par le client ({part}){kept} est concaténée dans l’instruction SQL passée à {sink}.',
          why: 'Un attaquant peut injecter du SQL et lire, modifier ou supprimer tout ce à quoi l’utilisateur de base de données du service a accès.',
          fix: FIX_XSJS.fr,
        },
        'sql-untraced': {
          title: 'Instruction SQL composée à partir d’une valeur potentiellement dangereuse',
          message:
            '{part} est concaténé dans l’instruction SQL passée à {sink} ; rien dans le code ne montre que sa valeur est sûre.',
          why: 'Si un attaquant peut choisir librement cette valeur, aujourd’hui ou après une modification du code, il peut injecter du SQL, en contournant tous les @requires et @restrict.',
          fix: FIX_SQL.fr,
        },
        'cql-untraced': {
          title: 'Texte de requête composé à partir d’une valeur potentiellement dangereuse',
          message:
            '{part} est concaténé dans le texte de requête passé à {sink} ; rien dans le code ne montre que sa valeur est sûre.',
          why: 'Si un attaquant peut choisir librement cette valeur, aujourd’hui ou après une modification du code, il peut changer ce que la requête lit ou modifie.',
        },
        stored: {
          title: 'Injection SQL : texte de requête composé avec des données stockées ou distantes',
          message:
            'Une donnée écrite par un client ou un autre système ({part}) est concaténée dans le texte de requête passé à {sink}.',
        },
        'sql-stored': {
          title: 'Injection SQL par des données stockées ou distantes',
          message:
            'Une donnée écrite par un client ou un autre système ({part}) est concaténée dans l’instruction SQL passée à {sink}.',
          fix: FIX_SQL.fr,
        },
        columns: { fix: FIX_COLUMNS.fr },
        'columns-untraced': {
          title: 'Texte de requête composé à partir d’une valeur potentiellement dangereuse',
          message:
            '{part} est concaténé dans le texte de requête passé à {sink} ; rien dans le code ne montre que sa valeur est sûre.',
          why: 'Si un attaquant peut choisir librement cette valeur, aujourd’hui ou après une modification du code, il peut changer ce que la requête lit ou modifie.',
          fix: FIX_COLUMNS.fr,
        },
        whole: {
          title: 'Injection SQL : texte de requête fourni par l’appelant',
          message: 'Une donnée envoyée par le client ({part}){kept} est passée telle quelle à {sink} comme texte de requête.',
          why: 'Un attaquant décide de ce que la requête lit ou modifie. CAP vérifie @requires et @restrict pour les requêtes adressées à un service, pas pour celles qu’un gestionnaire envoie à la base de données.',
          fix: 'Définissez les requêtes dans le code et choisissez-en une d’après un nom envoyé par le client ; passez les valeurs en paramètres.',
        },
        condition: {
          title: 'Injection CQL : condition entière fournie par l’appelant',
          message:
            'Le client envoie la condition entière ({part}){kept} que prend {sink} : colonnes, opérateurs et sous-requêtes sont de son choix.',
          why: 'Un attaquant peut sélectionner n’importe quelle ligne et déduire des colonnes et d’autres entités que le service n’expose pas, par des conditions et sous-requêtes ; une modification ou suppression touche n’importe quelle ligne.',
          fix: 'Construisez la condition à partir des champs que les clients peuvent filtrer, chacun comme valeur : .where({ name: { like: text } }). Ou laissez les clients filtrer l’entité exposée par $filter, que CAP contrôle.',
        },
        tokens: {
          title: 'Injection SQL : donnée du client parmi les jetons d’une condition',
          message:
            'Une donnée envoyée par le client ({part}){kept} est une chaîne de la liste passée à {sink}. CAP écrit ces chaînes telles quelles dans la requête.',
          why: 'Un attaquant peut envoyer du SQL à la place d’une valeur, sélectionner n’importe quelle ligne et lire, par des sous-requêtes, des colonnes et tables que le service n’expose pas.',
          fix: 'Passez un objet, dont CAP lie les valeurs : .where({ name: text }). Dans une liste de jetons, écrivez la valeur sous la forme { val: text } et la colonne sous la forme { ref: ["name"] }.',
        },
        model: {
          title: 'Injection SQL : requête écrite par un modèle de langage',
          message:
            'D’après ce que demande le client ({part}), un modèle de langage écrit la requête passée à {sink}, ou une partie de celle-ci.',
          why: 'Un attaquant peut formuler le prompt de sorte que le modèle écrive une autre requête (injection de prompt) et lire, modifier ou supprimer tout ce à quoi l’utilisateur de la base a accès.',
          fix: 'Définissez les requêtes dans le code. Demandez au modèle de ne renvoyer que le nom de l’une d’elles et ses valeurs : comparez le nom à une liste d’autorisation et passez les valeurs en paramètres.',
        },
      },
      steps: { sink: 'La valeur fait partie du texte de requête passé à {sink}.' },
    },
  }),
})
