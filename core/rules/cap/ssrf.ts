import type { Scripts } from '../../extracts/scripts.ts'
import type { FlowHit } from '../../flow/index.ts'
import { defineRule, type Rule } from '../rule.ts'
import { isWithin } from '../../facts/span-index.ts'
import { usesPublicDestinations } from './_xs/destinations.ts'
import { xsLogins } from './_xs/logins.ts'
import { sentRequests } from './_callers/propagated-tokens.ts'
import { IS_TRUSTED_HOST, trustingServers } from './_callers/trusted-proxies.ts'
import { unreadAnswers, unreadCaptchas } from './_callers/captcha-checks.ts'
import { gradeHit, ofStored } from './_flow-grade.ts'
import { IS_OWN_HOST, wordPart } from './_matches.ts'

/** A request line of an OData batch. */
const BATCH = {
  en: {
    title: 'Request data in the text of an OData batch request',
    message: 'Request data ({part}) is written into a request line (… HTTP/1.1) of a multipart batch without being encoded.',
    why: 'A line break in the value ends the request line: an attacker can add headers and, where the boundary can be guessed, further requests, with the permissions that the server has in the other system. Other characters change the path and its parameters.',
    fix: 'Encode the value where it is inserted, encodeURIComponent(value); in an OData literal, double its quotes first: encodeURIComponent(value.replaceAll("\'", "\'\'")). Or build the batch with the SAP Cloud SDK.',
  },
  fr: {
    title: 'Données de la requête dans le texte d’un lot (batch) OData',
    message:
      'Des données de la requête ({part}) sont écrites sans encodage dans une ligne de requête (… HTTP/1.1) d’un lot multipart.',
    why: 'Un saut de ligne dans la valeur termine la ligne de requête : un attaquant peut ajouter des en-têtes et, si la frontière est devinable, d’autres requêtes, avec les droits du serveur dans l’autre système. D’autres caractères changent le chemin et ses paramètres.',
    fix: 'Encodez la valeur à l’endroit où elle est insérée, encodeURIComponent(valeur) ; dans un littéral OData, doublez d’abord ses apostrophes : encodeURIComponent(valeur.replaceAll("\'", "\'\'")). Ou construisez le lot avec le SAP Cloud SDK.',
  },
}

/**
 * A request of the server whose address, or a part of it, a client chooses.
 * Facts: Fetch standard; documentation of axios, got, undici; SAP Cloud SDK, "executeHttpRequest" (destinationName decides about host and credentials).
 * Impact: whoever decides about the host reads and changes data of what only the server reaches; where only a later part of the address is theirs, the host has to
 * have something to abuse. Where the answer of a request that only reads is thrown away, they learn which hosts answer.
 */
export const ssrf: Rule = defineRule({
  id: 'cap/ssrf',
  impact: 'data',
  // of an address that was stored before, who may write it is often not known
  grades: {
    stored: { evidence: 'assumed' },
    // what the other destinations of the subaccount lead to, the project does not say
    destination: { evidence: 'assumed' },
    // what the code asks of the service then, another one may not understand
    service: { evidence: 'assumed' },
    // another application behind the same router would have to be worth a call
    ownHost: { impact: 'bounded', evidence: 'assumed', inOpenRoute: 'assumed' },
    // which hosts answer, and how
    blind: { evidence: 'assumed', inOpenRoute: 'assumed' },
    path: { impact: 'bounded' },
    storedPath: { impact: 'bounded' },
    // what else the token opens at that host, the project does not say
    trusted: { evidence: 'assumed' },
    remote: { impact: 'bounded' },
    // the answer changes nothing, and tells nothing
    captcha: { impact: 'defence', evidence: 'shown', inOpenRoute: 'shown' },
    // which rows it finds: mostly what callers may ask anyway
    filter: { impact: 'bounded', evidence: 'shown', inOpenRoute: 'shown' },
    batch: { impact: 'bounded', evidence: 'shown', inOpenRoute: 'shown' },
    // with whose rights the other system runs the request, the project does not say
    changeset: { evidence: 'assumed', inOpenRoute: 'assumed' },
    // with those of the caller, whose token it gets
    propagated: { impact: 'bounded' },
  },
  confidence: 'high',
  cwe: [918],
  since: '0.2.0',
  docs: 'https://cheatsheetseries.owasp.org/cheatsheets/Server_Side_Request_Forgery_Prevention_Cheat_Sheet.html',
  on: 'flow',
  extracts: [unreadAnswers, unreadCaptchas, xsLogins, sentRequests, trustingServers],

  *check(hit, { reach, scripts, files }) {
    if (hit.detail === 'destination' || hit.detail === 'service') {
      const isStored = hit.origin === 'stored'
      const args = { part: wordPart(hit.quotedPart, isStored), sink: hit.quotedSink }
      yield { ...gradeHit(hit), ...(isStored && { confidence: 'medium' as const }), args, variant: hit.detail }
      return
    }
    if (hit.detail === 'filter' || hit.detail === 'batch' || hit.detail === 'changeset') {
      const groupKey = `${hit.detail} ${hit.at.file}`
      const isPropagated = hit.detail === 'changeset' && isSentWithToken(hit, scripts)
      const variant = isPropagated ? 'propagated' : hit.detail
      if (hit.origin !== 'stored')
        yield { ...gradeHit(hit), confidence: 'medium', args: { part: hit.quotedPart }, variant, groupKey }
      return
    }
    const isHost = hit.detail === undefined || hit.detail === 'begin'
    if (hit.origin === 'stored') {
      const args = { part: wordPart(hit.quotedPart, isHost), sink: hit.quotedSink }
      const match = { ...gradeHit(hit), confidence: 'medium' as const, args }
      yield isHost ? { ...match, ...ofStored(hit), variant: 'stored' } : { ...match, variant: 'storedPath' }
      return
    }
    const args = { part: hit.quotedPart, sink: hit.quotedSink }
    if (isHost && isOwnHost(hit, scripts) && reach.ofServer(hit.at.file).isRouted) {
      yield { ...gradeHit(hit), args, variant: 'ownHost', confidence: 'medium' }
      return
    }
    const { file, span } = hit.at
    if (isHost && span !== undefined && scripts.of(file, unreadAnswers).some((one) => isWithin(span, one))) {
      yield { ...gradeHit(hit), args, variant: 'blind' }
      return
    }
    if (!isHost && scripts.of(file, unreadCaptchas).some((one) => span && isWithin(span, one))) {
      yield { ...gradeHit(hit), args, variant: 'captcha', confidence: 'medium' }
      return
    }
    const variant = isHost ? undefined : variantOf(hit)
    // the caller may send the same request to that host itself
    const givesNothing = variant === 'path' && file.endsWith('.xsjs') && usesPublicDestinations(scripts.of(file, xsLogins), files)
    yield {
      ...gradeHit(hit),
      args,
      ...(variant !== undefined && { variant, confidence: 'medium' }),
      ...(givesNothing && { evidence: 'assumed' }),
    }
  },

  text: () => ({
    en: {
      title: 'Server-side request forgery (SSRF) through request data',
      message: 'Request data ({part}) determines the host that {sink} calls.',
      why: 'An attacker can make the server call internal services, cloud metadata endpoints or other systems that only the server can reach.',
      fix: 'Take the target from the configuration: look it up by a key from the request, for example in a constant Map: TARGETS.get(key). Or reject the request unless the host (new URL(value).host for a URL) is in a list of allowed hosts.',
      variants: {
        stored: {
          title: 'Server-side request forgery (SSRF) through stored data',
          message: '{part} determines the host that {sink} calls, and clients of the service can write this data.',
          fix: 'Before each call, check that new URL(value).host is in a list of allowed hosts. If users must be able to enter any host, refuse those that resolve to private, loopback or link-local addresses.',
        },
        destination: {
          title: 'Destination chosen by request data',
          message: '{part} determines the name of the destination that {sink} uses.',
          why: 'An attacker can make the server call any destination of the subaccount, with the credentials that are stored there.',
          fix: 'Let the request choose a key of a constant Map, for example DESTINATIONS.get(key). Or reject the request unless the name is in a list of allowed destinations.',
        },
        service: {
          title: 'Remote service chosen by request data',
          message: '{part} determines the name of the service that {sink} connects to.',
          why: 'An attacker can make the handler use any service of cds.requires, the database included, with the credentials that are configured for it and past @restrict.',
          fix: 'Let the request choose a key of a constant Map, for example SERVICES.get(key). Or reject the request unless the name is in a list of allowed services.',
        },
        ownHost: {
          title: 'Server-side request to the host of the request',
          message:
            '{part} determines the host that {sink} calls. The router of the platform only forwards requests for hosts of this application.',
          why: 'An attacker can choose among the hosts that are routed to this application, and the server then calls itself there.',
          fix: 'Take the address from the configuration or from VCAP_APPLICATION (application_uris) instead of the request.',
        },
        blind: {
          message: 'Request data ({part}) determines the host that {sink} calls; of the response, only the status is used.',
          why: 'An attacker can find out which internal hosts and ports answer, and make the server send requests to systems that only it can reach.',
        },
        filter: {
          title: 'Request data in the filter of a server-side request',
          message: 'Request data ({part}) is written between the quotes of a filter expression (OData or SCIM).',
          why: 'A quote in the value ends the literal, so an attacker can change the condition and find other rows in the system that gets the filter, with the permissions of the server. Encoding the whole filter for the URL does not prevent that.',
          fix: 'Escape the value: JSON.stringify(value) instead of "${value}" in SCIM, value.replaceAll("\'", "\'\'") in OData. Then encode the whole filter with encodeURIComponent.',
        },
        batch: BATCH.en,
        changeset: BATCH.en,
        propagated: {
          ...BATCH.en,
          why: 'A line break in the value ends the request line: an attacker can add headers and, where the boundary can be guessed, further requests, past the checks of this server. The other system runs them with the permissions of the caller, whose token it gets.',
        },
        captcha: {
          title: 'Request data in the address of a CAPTCHA check',
          message: 'The address of the CAPTCHA check that {sink} calls contains request data ({part}).',
          why: 'An attacker can add parameters to this check, for example another secret. The code does not read its result, so this gives nothing yet, and the CAPTCHA keeps nobody out.',
          fix: 'Send secret and response with URLSearchParams, and reject the request unless the answer has success: true.',
        },
        storedPath: {
          title: 'Stored data in the path or query of a server-side request',
          message: 'The path or query that {sink} calls contains data that clients of the service can write ({part}).',
          why: 'An attacker can change the path or its parameters, and so access other resources on that host, with any credentials that the server sends.',
          fix: 'Encode the value as one segment, encodeURIComponent(value), and reject "." and "..". Or send it as a query parameter, encoded with URLSearchParams.',
        },
        path: {
          title: 'Request data in the path or query of a server-side request',
          message: 'The path or query that {sink} calls contains request data ({part}).',
          why: 'An attacker can change the path or its parameters, and so access other resources on that host, with any credentials that the server sends.',
          fix: 'Encode the value as one segment, encodeURIComponent(value), and reject "." and "..". Or send it as a query parameter, encoded with URLSearchParams.',
        },
        trusted: {
          title: 'Request data in the path of a request with the application’s token',
          message:
            'The path or query that {sink} calls contains request data ({part}), and the request carries a token of the application.',
          why: 'An attacker can change the path and so use the permissions of the application at that host: read or change resources that users may not.',
          fix: 'Let the request choose a key of a constant Map of paths, for example PATHS.get(key). Or encode the value as one segment, encodeURIComponent(value), reject "." and "..", and check that the user may use this resource.',
        },
        remote: {
          title: 'Request data in the path or query of a server-side request',
          message: 'The path or query that {sink} calls contains request data ({part}).',
          why: 'An attacker can change the path or its parameters, and so access other resources on that host, with any credentials that the server sends.',
          fix: 'Write a query if the service is an OData service: remote.run(SELECT.from(…).where({ ID: value })). Otherwise, encode the value as one segment, encodeURIComponent(value), and reject "." and "..".',
        },
      },
    },
    fr: {
      title: 'Falsification de requête côté serveur (SSRF)',
      message: 'Des données de la requête ({part}) déterminent l’hôte appelé par {sink}.',
      why: 'Un attaquant peut amener le serveur à appeler des services internes, des points d’accès aux métadonnées du cloud ou d’autres systèmes que seul le serveur peut atteindre.',
      fix: 'Prenez la cible dans la configuration, à l’aide d’une clé issue de la requête, par exemple dans une Map constante : TARGETS.get(clé). Ou rejetez la requête si l’hôte (new URL(valeur).host pour une URL) n’est pas dans une liste d’hôtes autorisés.',
      variants: {
        stored: {
          title: 'Falsification de requête côté serveur (SSRF) par des données stockées',
          message: '{part} détermine l’hôte appelé par {sink}, et les clients du service peuvent écrire ces données.',
          fix: 'Avant chaque appel, vérifiez que new URL(valeur).host figure dans une liste d’hôtes autorisés. Si les utilisateurs doivent pouvoir saisir un hôte quelconque, refusez ceux qui se résolvent en adresses privées, de bouclage ou de lien local.',
        },
        destination: {
          title: 'Destination choisie par des données de la requête',
          message: '{part} détermine le nom de la destination utilisée par {sink}.',
          why: 'Un attaquant peut amener le serveur à appeler n’importe quelle destination du sous-compte, avec les identifiants qui y sont enregistrés.',
          fix: 'Cherchez le nom à l’aide d’une clé issue de la requête, par exemple dans une Map constante : DESTINATIONS.get(clé). Ou rejetez la requête si le nom n’est pas dans une liste de destinations autorisées.',
        },
        service: {
          title: 'Service distant choisi par des données de la requête',
          message: '{part} détermine le nom du service auquel {sink} se connecte.',
          why: 'Un attaquant peut amener le gestionnaire à utiliser n’importe quel service de cds.requires, base de données comprise, avec les identifiants configurés et sans passer par @restrict.',
          fix: 'Laissez la requête choisir une clé d’une Map constante, par exemple SERVICES.get(clé). Ou rejetez la requête si le nom n’est pas dans une liste de services autorisés.',
        },
        ownHost: {
          title: 'Appel sortant vers l’hôte de la requête',
          message:
            '{part} détermine l’hôte appelé par {sink}. Le routeur de la plateforme ne transmet que les requêtes destinées aux hôtes de cette application.',
          why: 'Un attaquant peut choisir parmi les hôtes routés vers cette application ; le serveur s’y appelle alors lui-même.',
          fix: 'Prenez l’adresse dans la configuration ou dans VCAP_APPLICATION (application_uris) plutôt que dans la requête.',
        },
        blind: {
          message:
            'Des données de la requête ({part}) déterminent l’hôte appelé par {sink} ; seul le statut de la réponse est utilisé.',
          why: 'Un attaquant peut découvrir quels hôtes et ports internes répondent, et faire envoyer au serveur des requêtes à des systèmes que lui seul peut atteindre.',
        },
        filter: {
          title: 'Données de la requête dans le filtre d’un appel sortant',
          message:
            'Des données de la requête ({part}) sont écrites entre les guillemets d’une expression de filtre (OData ou SCIM).',
          why: 'Un guillemet dans la valeur termine le littéral : dans le système qui reçoit le filtre, un attaquant peut modifier la condition et trouver d’autres lignes avec les droits du serveur. Encoder tout le filtre pour l’URL n’y change rien.',
          fix: 'Échappez la valeur : JSON.stringify(valeur) au lieu de "${valeur}" en SCIM, valeur.replaceAll("\'", "\'\'") en OData. Encodez ensuite tout le filtre avec encodeURIComponent.',
        },
        batch: BATCH.fr,
        changeset: BATCH.fr,
        propagated: {
          ...BATCH.fr,
          why: 'Un saut de ligne dans la valeur termine la ligne de requête : un attaquant peut ajouter des en-têtes et, si la frontière est devinable, d’autres requêtes, sans les contrôles de ce serveur. L’autre système reçoit le jeton de l’appelant et les exécute avec ses droits.',
        },
        captcha: {
          title: 'Données de la requête dans l’adresse d’une vérification de CAPTCHA',
          message: 'L’adresse de la vérification de CAPTCHA appelée par {sink} contient des données de la requête ({part}).',
          why: 'Un attaquant peut ajouter des paramètres à cette vérification, par exemple un autre secret. Le code n’en lit pas le résultat : il n’y gagne encore rien, et le CAPTCHA n’arrête personne.',
          fix: 'Envoyez secret et response avec URLSearchParams, et rejetez la requête si la réponse ne contient pas success: true.',
        },
        storedPath: {
          title: 'Données stockées dans le chemin ou les paramètres d’un appel sortant',
          message:
            'Dans l’adresse appelée par {sink}, le chemin ou les paramètres contiennent des données que les clients du service peuvent écrire ({part}).',
          why: 'Un attaquant peut modifier le chemin ou ses paramètres, et accéder ainsi à d’autres ressources de cet hôte, avec les identifiants que le serveur envoie éventuellement.',
          fix: 'Encodez la valeur comme un seul segment, encodeURIComponent(valeur), et rejetez "." et "..". Ou envoyez-la comme paramètre de requête, encodé par URLSearchParams.',
        },
        path: {
          title: 'Données de la requête dans le chemin ou les paramètres d’un appel sortant',
          message:
            'Dans l’adresse appelée par {sink}, le chemin ou les paramètres contiennent des données de la requête ({part}).',
          why: 'Un attaquant peut modifier le chemin ou ses paramètres, et accéder ainsi à d’autres ressources de cet hôte, avec les identifiants que le serveur envoie éventuellement.',
          fix: 'Encodez la valeur comme un seul segment, encodeURIComponent(valeur), et rejetez "." et "..". Ou envoyez-la comme paramètre de requête, encodé avec URLSearchParams.',
        },
        trusted: {
          title: 'Données de la requête dans le chemin d’un appel avec le jeton de l’application',
          message:
            'Dans l’adresse appelée par {sink}, le chemin ou les paramètres contiennent des données de la requête ({part}), et l’appel porte un jeton de l’application.',
          why: 'Un attaquant peut changer le chemin et utiliser ainsi les autorisations de l’application sur cet hôte : lire ou modifier des ressources interdites aux utilisateurs.',
          fix: 'Laissez la requête choisir une clé d’une Map constante de chemins, par exemple PATHS.get(clé). Ou encodez la valeur comme un seul segment, encodeURIComponent(valeur), rejetez "." et "..", et vérifiez que l’utilisateur peut utiliser cette ressource.',
        },
        remote: {
          title: 'Données de la requête dans le chemin ou les paramètres d’un appel sortant',
          message:
            'Dans l’adresse appelée par {sink}, le chemin ou les paramètres contiennent des données de la requête ({part}).',
          why: 'Un attaquant peut modifier le chemin ou ses paramètres, et accéder ainsi à d’autres ressources de cet hôte, avec les identifiants que le serveur envoie éventuellement.',
          fix: 'Écrivez une requête CQL si le service est un service OData : remote.run(SELECT.from(…).where({ ID: valeur })). Sinon, encodez la valeur comme un seul segment, encodeURIComponent(valeur), et rejetez "." et "..".',
        },
      },
    },
  }),
})

/** Whether the call that gets the text has the token of the caller. Where the text is made elsewhere, all requests of its file have to. */
function isSentWithToken({ at: { file, span } }: FlowHit, scripts: Scripts): boolean {
  const requests = scripts.of(file, sentRequests)
  const around = requests.filter((one) => span !== undefined && isWithin(span, one))
  const counted = around.length > 0 ? around : requests
  return counted.length > 0 && counted.every(({ isPropagated }) => isPropagated)
}

function variantOf({ detail, api }: FlowHit): string {
  if (detail === 'trusted') return 'trusted'
  return api.effects.has('remote') ? 'remote' : 'path'
}

/** The host that the router of a platform has looked at: not that of X-Forwarded-Host, where the server takes it from there. */
function isOwnHost({ part }: FlowHit, scripts: Scripts): boolean {
  return IS_OWN_HOST.test(part) && !(IS_TRUSTED_HOST.test(part) && scripts.get(trustingServers).length > 0)
}
