import type { ArchiveReason, Locale, RefusalCode } from '../core/index.ts'

export type Words = Readonly<Record<Locale, string>>

/** One row of the only table of errors: its status, and what it says. `detail` says what to do. */
export interface ProblemWords {
  readonly status: number
  readonly title: Words
  /** `{limit}`, `{allow}` and `{detected}` are filled from the refusal's details. */
  readonly detail: Words
}

export const PROBLEMS: Readonly<Record<RefusalCode, ProblemWords>> = {
  'invalid-request': {
    status: 400,
    title: { en: 'Invalid request', fr: 'Requête non valide' },
    detail: {
      en: 'The request is not as it should be. Correct what "errors" names, then send it again.',
      fr: 'La requête n’est pas telle qu’elle devrait être. Corrigez ce que "errors" indique, puis envoyez-la de nouveau.',
    },
  },
  'missing-file': {
    status: 400,
    title: { en: 'File missing', fr: 'Fichier manquant' },
    detail: {
      en: 'Send exactly one file that is not empty, a ZIP archive, in the form field "project".',
      fr: 'Envoyez exactement un fichier non vide, une archive ZIP, dans le champ de formulaire "project".',
    },
  },
  unauthorized: {
    status: 401,
    title: { en: 'Token required', fr: 'Jeton requis' },
    detail: {
      en: 'This server requires a token. Send the one that its operator gave you in the header "Authorization: Bearer".',
      fr: 'Ce serveur exige un jeton. Envoyez celui que son exploitant vous a donné dans l’en-tête "Authorization: Bearer".',
    },
  },
  'directory-not-allowed': {
    status: 403,
    title: { en: 'Folder not allowed', fr: 'Dossier non autorisé' },
    detail: {
      en: 'This server may not scan that folder. Choose one within the allowed roots that the server can read, or upload a ZIP archive.',
      fr: 'Ce serveur n’a pas le droit d’analyser ce dossier. Choisissez-en un dans les racines autorisées et lisible par le serveur, ou envoyez une archive ZIP.',
    },
  },
  'forbidden-origin': {
    status: 403,
    title: { en: 'Foreign origin', fr: 'Origine étrangère' },
    detail: {
      en: 'The request comes from a page of another site. Use the page of this server, or a program that is not a browser.',
      fr: 'La requête provient d’une page d’un autre site. Utilisez la page de ce serveur, ou un programme autre qu’un navigateur.',
    },
  },
  'not-found': {
    status: 404,
    title: { en: 'Not found', fr: 'Introuvable' },
    detail: {
      en: 'There is nothing at this address. The interface is described at api/openapi.json.',
      fr: 'Il n’y a rien à cette adresse. L’interface est décrite sous api/openapi.json.',
    },
  },
  'scan-not-found': {
    status: 404,
    title: { en: 'Scan not found', fr: 'Analyse introuvable' },
    detail: {
      en: 'No report is stored under this id. It may have been deleted, or have left the history to make room. Scan the project again.',
      fr: 'Aucun rapport n’est conservé sous cet identifiant. Il a pu être supprimé, ou quitter l’historique faute de place. Analysez de nouveau le projet.',
    },
  },
  'job-not-found': {
    status: 404,
    title: { en: 'Job not found', fr: 'Tâche introuvable' },
    detail: {
      en: 'No job is known under this id. It is forgotten a day after its end, and with the process where there is no shared queue. Look for its report in the history, or scan the project again.',
      fr: 'Aucune tâche n’est connue sous cet identifiant. Elle est oubliée un jour après sa fin, et avec le processus s’il n’y a pas de file partagée. Cherchez son rapport dans l’historique, ou analysez de nouveau le projet.',
    },
  },
  'directory-not-found': {
    status: 404,
    title: { en: 'Folder not found', fr: 'Dossier introuvable' },
    detail: {
      en: 'There is no folder at this path. Check its spelling, and that it lies on the machine of the server; a ZIP is uploaded.',
      fr: 'Il n’y a pas de dossier à ce chemin. Vérifiez son orthographe, et qu’il se trouve bien sur la machine du serveur ; un ZIP s’envoie.',
    },
  },
  'project-not-found': {
    status: 404,
    title: { en: 'Project not found', fr: 'Projet introuvable' },
    detail: {
      en: 'No scan of a project with this name is kept. Take one of those that api/projects lists.',
      fr: 'Aucune analyse d’un projet de ce nom n’est conservée. Prenez l’un de ceux que donne api/projects.',
    },
  },
  'finding-not-found': {
    status: 404,
    title: { en: 'Finding not found', fr: 'Constat introuvable' },
    detail: {
      en: 'No scan of this project has a finding with this id. Take one of those that its last report lists.',
      fr: 'Aucune analyse de ce projet n’a de constat portant cet identifiant. Prenez l’un de ceux du dernier rapport.',
    },
  },
  'decision-changed': {
    status: 412,
    title: { en: 'Decision changed', fr: 'Décision modifiée' },
    detail: {
      en: 'Somebody else decided meanwhile, and nothing was written. Look at "findings", then decide again with the tags that stand there.',
      fr: 'Quelqu’un d’autre a décidé entre-temps, et rien n’a été écrit. Consultez "findings", puis décidez de nouveau avec les étiquettes qui s’y trouvent.',
    },
  },
  'precondition-required': {
    status: 428,
    title: { en: 'Precondition required', fr: 'Précondition requise' },
    detail: {
      en: 'Send the tag of the decision that you saw as "If-Match", or "If-None-Match: *" where there was none.',
      fr: 'Envoyez l’étiquette de la décision que vous avez vue dans "If-Match", ou "If-None-Match: *" s’il n’y en avait pas.',
    },
  },
  'version-not-found': {
    status: 404,
    title: { en: 'Version not found', fr: 'Version introuvable' },
    detail: {
      en: 'The catalogue does not know this version. Take one of those that api/vendor/ui5/version lists.',
      fr: 'Le catalogue ne connaît pas cette version. Prenez l’une de celles que donne api/vendor/ui5/version.',
    },
  },
  'method-not-allowed': {
    status: 405,
    title: { en: 'Method not allowed', fr: 'Méthode non autorisée' },
    detail: {
      en: 'This address answers to {allow} only. Use one of these.',
      fr: 'Cette adresse ne répond qu’à {allow}. Utilisez l’une de ces méthodes.',
    },
  },
  'request-timeout': {
    status: 408,
    title: { en: 'Request too slow', fr: 'Requête trop lente' },
    detail: {
      en: 'The body came in too slowly. Send it again over a faster connection: at least 10 kB a second, and 10 minutes at most.',
      fr: 'Le corps est arrivé trop lentement. Renvoyez-le par une connexion plus rapide, d’au moins 10 ko par seconde, en 10 minutes au plus.',
    },
  },
  'upload-too-large': {
    status: 413,
    title: { en: 'Body too large', fr: 'Corps trop volumineux' },
    detail: {
      en: 'The body of the request is larger than {limit}. Leave out what is not source code (node_modules, dist, media), or raise the limit of the server.',
      fr: 'Le corps de la requête dépasse {limit}. Retirez ce qui n’est pas du code source (node_modules, dist, médias), ou relevez la limite du serveur.',
    },
  },
  'archive-too-large': {
    status: 413,
    title: { en: 'Project too large', fr: 'Projet trop volumineux' },
    detail: {
      en: 'The project is larger than this server scans. Scan a part of it, or raise the limit of the server.',
      fr: 'Le projet est plus grand que ce que ce serveur analyse. Analysez-en une partie, ou relevez la limite du serveur.',
    },
  },
  'unsupported-media-type': {
    status: 415,
    title: { en: 'Unsupported media type', fr: 'Type de contenu non pris en charge' },
    detail: {
      en: 'Send an archive as multipart/form-data, a folder as application/json, and neither with a Content-Encoding.',
      fr: 'Envoyez une archive en multipart/form-data, un dossier en application/json, et ni l’un ni l’autre avec un Content-Encoding.',
    },
  },
  'unknown-host': {
    status: 421,
    title: { en: 'Unknown host', fr: 'Hôte inconnu' },
    detail: {
      en: 'This server does not answer to the name in the address. Open it as localhost, or add the name to PARAPET_HOSTS.',
      fr: 'Ce serveur ne répond pas au nom qui figure dans l’adresse. Ouvrez-le comme localhost, ou ajoutez le nom à PARAPET_HOSTS.',
    },
  },
  'archive-invalid': {
    status: 422,
    title: { en: 'Invalid archive', fr: 'Archive non valide' },
    detail: {
      en: 'The archive can’t be read. Make it again with an ordinary ZIP program.',
      fr: 'L’archive ne peut pas être lue. Recréez-la avec un programme ZIP ordinaire.',
    },
  },
  'archive-encrypted': {
    status: 422,
    title: { en: 'Encrypted archive', fr: 'Archive chiffrée' },
    detail: {
      en: 'The archive is protected with a password. Make it again without one.',
      fr: 'L’archive est protégée par un mot de passe. Recréez-la sans mot de passe.',
    },
  },
  'project-empty': {
    status: 422,
    title: { en: 'Empty project', fr: 'Projet vide' },
    detail: {
      en: 'There is nothing to scan in it. Check that the source code is inside, not only folders or installed packages.',
      fr: 'Il ne contient rien à analyser. Vérifiez que le code source s’y trouve, et pas seulement des dossiers ou des paquets installés.',
    },
  },
  'idempotency-mismatch': {
    status: 422,
    title: { en: 'Idempotency key reused', fr: 'Clé d’idempotence réutilisée' },
    detail: {
      en: 'This "Idempotency-Key" was sent with another request in the last day. Use a new key for each scan, and the same one only to repeat a request.',
      fr: 'Cette "Idempotency-Key" accompagnait une autre requête au cours du dernier jour. Prenez une nouvelle clé pour chaque analyse, et la même uniquement pour répéter une requête.',
    },
  },
  'worker-lost': {
    status: 500,
    title: { en: 'Scan aborted repeatedly', fr: 'Analyse interrompue à plusieurs reprises' },
    detail: {
      en: 'Each of the three workers that took this scan ended before it was done: they were stopped, or the project takes more memory than they have. Scan a part of it, or give the operator the id in "instance".',
      fr: 'Chacun des trois processus qui ont pris cette analyse s’est arrêté avant la fin : ils ont été interrompus, ou le projet demande plus de mémoire qu’ils n’en ont. Analysez-en une partie, ou donnez à l’exploitant l’identifiant "instance".',
    },
  },
  'internal-error': {
    status: 500,
    title: { en: 'Internal error', fr: 'Erreur interne' },
    detail: {
      en: 'Something went wrong here, not with your request. Try again; if it stays, give the operator the id in "instance".',
      fr: 'Quelque chose a échoué ici, et non dans votre requête. Réessayez ; si cela persiste, donnez à l’exploitant l’identifiant "instance".',
    },
  },
  'directory-scan-unavailable': {
    status: 501,
    title: { en: 'No folder scans here', fr: 'Pas d’analyse de dossier ici' },
    detail: {
      en: 'This server can’t read folders. Upload the project as a ZIP archive.',
      fr: 'Ce serveur ne peut pas lire de dossiers. Envoyez le projet sous forme d’archive ZIP.',
    },
  },
  'catalogue-unavailable': {
    status: 502,
    title: { en: 'Catalogue unavailable', fr: 'Catalogue indisponible' },
    detail: {
      en: 'The UI5 catalogue gave no usable answer. Try again later, or check the address in PARAPET_CATALOGUE_URL.',
      fr: 'Le catalogue UI5 n’a pas donné de réponse exploitable. Réessayez plus tard, ou vérifiez l’adresse dans PARAPET_CATALOGUE_URL.',
    },
  },
  busy: {
    status: 503,
    title: { en: 'Busy', fr: 'Occupé' },
    detail: {
      en: 'The server has as much work as it can take, or is shutting down. Try again after the seconds in "Retry-After". When memory runs short, uploads that take more than 10 seconds give way: use a fast connection.',
      fr: 'Le serveur a autant de travail qu’il peut en prendre, ou il s’arrête. Réessayez après le délai en secondes de "Retry-After". Quand la mémoire manque, les envois qui durent plus de 10 secondes cèdent la place : utilisez une connexion rapide.',
    },
  },
  'storage-unavailable': {
    status: 503,
    title: { en: 'Storage unavailable', fr: 'Stockage indisponible' },
    detail: {
      en: 'The history can’t be reached. A report that was just made is in "report" and is not stored: save it. Try again later.',
      fr: 'L’historique est inaccessible. Un rapport qui vient d’être établi se trouve dans "report" et n’est pas conservé, enregistrez-le. Réessayez plus tard.',
    },
  },
  'queue-unavailable': {
    status: 503,
    title: { en: 'Queue unavailable', fr: 'File d’attente indisponible' },
    detail: {
      en: 'The queue of scans, or the place where archives wait, can’t be reached or has lost what was handed in. Send the project again after the seconds in "Retry-After".',
      fr: 'La file des analyses, ou l’endroit où attendent les archives, est inaccessible ou a perdu ce qui lui a été remis. Renvoyez le projet après le délai en secondes de "Retry-After".',
    },
  },
  'catalogue-timeout': {
    status: 504,
    title: { en: 'Catalogue too slow', fr: 'Catalogue trop lent' },
    detail: {
      en: 'The UI5 catalogue gave no full answer in time. Try again later.',
      fr: 'Le catalogue UI5 n’a pas répondu entièrement à temps. Réessayez plus tard.',
    },
  },
}

/** More exact than the detail of `archive-invalid` and `archive-too-large`. */
export const REASONS: Readonly<Record<ArchiveReason, Words>> = {
  'not-a-zip': {
    en: 'The file is not a ZIP archive. Pack the project as ZIP.',
    fr: 'Le fichier n’est pas une archive ZIP. Compressez le projet au format ZIP.',
  },
  truncated: {
    en: 'The archive ends too early. Copy or download it again.',
    fr: 'L’archive se termine trop tôt. Copiez-la ou téléchargez-la de nouveau.',
  },
  'unsafe-name': {
    en: 'An entry has a name that points outside of the archive. Make it again, from the folder of the project.',
    fr: 'Une entrée porte un nom qui désigne un endroit hors de l’archive. Recréez-la à partir du dossier du projet.',
  },
  'duplicate-name': {
    en: 'Two entries have the same name, so it is open which one counts. Make the archive again.',
    fr: 'Deux entrées portent le même nom, si bien qu’on ne sait pas laquelle compte. Recréez l’archive.',
  },
  ambiguous: {
    en: 'The archive can be read in more than one way. Make it again with an ordinary ZIP program.',
    fr: 'L’archive peut être lue de plusieurs façons. Recréez-la avec un programme ZIP ordinaire.',
  },
  overlap: {
    en: 'Entries of the archive lie over one another. Make it again with an ordinary ZIP program.',
    fr: 'Des entrées de l’archive se chevauchent. Recréez-la avec un programme ZIP ordinaire.',
  },
  'multi-disk': {
    en: 'The archive is split into several files. Make it again in one piece.',
    fr: 'L’archive est répartie en plusieurs fichiers. Recréez-la en un seul morceau.',
  },
  'unsupported-method': {
    en: 'An entry is compressed with another method than deflate. Make the archive again with the standard compression.',
    fr: 'Une entrée est compressée par une autre méthode que deflate. Recréez l’archive avec la compression standard.',
  },
  'size-mismatch': {
    en: 'An entry has another size than the archive says. It is damaged: make it again.',
    fr: 'Une entrée n’a pas la taille que l’archive annonce. Elle est endommagée, recréez-la.',
  },
  'crc-mismatch': {
    en: 'The checksum of an entry is wrong. The archive is damaged: make it again.',
    fr: 'La somme de contrôle d’une entrée est fausse. L’archive est endommagée, recréez-la.',
  },
  'corrupt-data': {
    en: 'The data of an entry can’t be decoded. The archive is damaged: make it again.',
    fr: 'Les données d’une entrée ne peuvent pas être décodées. L’archive est endommagée, recréez-la.',
  },
  entries: {
    en: 'The project has more than {limit} files. Scan a part of it, or raise the limit of the server.',
    fr: 'Le projet a plus de {limit} fichiers. Analysez-en une partie, ou relevez la limite du serveur.',
  },
  path: {
    en: 'A path in the project is too long or too deep. Shorten it.',
    fr: 'Un chemin du projet est trop long ou trop profond. Raccourcissez-le.',
  },
  inflated: {
    en: 'What would be analysed is larger than {limit} when unpacked. Scan a part of it, or raise the limit of the server.',
    fr: 'Ce qui serait analysé dépasse {limit} une fois décompressé. Analysez-en une partie, ou relevez la limite du serveur.',
  },
}

/** Behind the reason `not-a-zip`, where the bytes tell what they are. */
export const SEEMS: Words = { en: ' It looks like {detected}.', fr: ' Il ressemble à {detected}.' }
