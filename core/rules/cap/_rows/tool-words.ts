const TOOL_FIX = {
  en: 'Hand the user of the request to the tool beside what the model writes, and add the owner to the condition: createTools(req.user), then {owner}: user.id. Reject rows of others.',
  fr: 'Transmettez à l’outil, en plus des arguments du modèle, l’utilisateur de la requête, et ajoutez le propriétaire à la condition : createTools(req.user), puis {owner}: user.id. Rejetez les lignes d’autrui.',
}

const PROMPT = {
  en: 'The text of the prompt decides which argument the model writes: a user can ask for the row of another user, or a text that the model reads can do so.',
  fr: 'Le texte du prompt détermine l’argument que le modèle écrit : un utilisateur, ou un texte que le modèle lit, peut demander la ligne d’un autre utilisateur.',
}

type Words = Readonly<Record<string, { readonly message: string; readonly why: string; readonly fix: string }>>

/** What is told of rows that a tool of a language model reads or changes. */
export const TOOL_WORDS: Readonly<Record<'en' | 'fr', Words>> = {
  en: {
    tool: {
      message:
        'This statement reads or writes rows of {entity} by {value}, an argument of a tool that a language model runs; elsewhere, the project limits {entity} to the rows of the user ({owner}).',
      why: PROMPT.en,
      fix: TOOL_FIX.en,
    },
    'tool-part': {
      message:
        'This statement reads or writes rows of {entity} by {value}, an argument of a tool that a language model runs; they belong to rows of {root}, which the project limits to those of the user ({owner}).',
      why: PROMPT.en,
      fix: TOOL_FIX.en,
    },
    'tool-stamped': {
      message:
        'This statement reads or writes rows of {entity} by {value}, an argument that a language model writes; the project writes the authenticated user into {owner} of these rows, but does not compare it here.',
      why: PROMPT.en,
      fix: TOOL_FIX.en,
    },
    'tool-stamped-part': {
      message:
        'This statement reads or writes rows of {entity} by {value}, an argument that a language model writes; they belong to rows of {root}, whose {owner} holds the authenticated user, but nothing compares it here.',
      why: PROMPT.en,
      fix: TOOL_FIX.en,
    },
    'tool-private': {
      message:
        'This statement reads or writes rows of {entity} by {value}, an argument that a language model writes; {owner} names the user that each row belongs to, but nothing compares it with the caller.',
      why: PROMPT.en,
      fix: TOOL_FIX.en,
    },
    'tool-private-part': {
      message:
        'This statement reads or writes rows of {entity} by {value}, an argument that a language model writes; they belong to rows of {root}, whose {owner} names the user, but nothing compares it with the caller.',
      why: PROMPT.en,
      fix: TOOL_FIX.en,
    },
  },
  fr: {
    tool: {
      message:
        'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, argument d’un outil qu’un modèle de langage exécute ; ailleurs, le projet limite {entity} aux lignes de l’utilisateur ({owner}).',
      why: PROMPT.fr,
      fix: TOOL_FIX.fr,
    },
    'tool-part': {
      message:
        'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, argument d’un outil qu’un modèle de langage exécute ; elles dépendent de lignes de {root}, que le projet limite à celles de l’utilisateur ({owner}).',
      why: PROMPT.fr,
      fix: TOOL_FIX.fr,
    },
    'tool-stamped': {
      message:
        'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, argument qu’un modèle de langage écrit ; le projet écrit l’utilisateur authentifié dans {owner} de ces lignes, mais ne le compare pas ici.',
      why: PROMPT.fr,
      fix: TOOL_FIX.fr,
    },
    'tool-stamped-part': {
      message:
        'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, argument qu’un modèle de langage écrit ; elles dépendent de lignes de {root}, dont {owner} contient l’utilisateur authentifié, mais rien ne le compare ici.',
      why: PROMPT.fr,
      fix: TOOL_FIX.fr,
    },
    'tool-private': {
      message:
        'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, argument qu’un modèle de langage écrit ; {owner} nomme l’utilisateur à qui appartient chaque ligne, mais rien ne le compare à l’appelant.',
      why: PROMPT.fr,
      fix: TOOL_FIX.fr,
    },
    'tool-private-part': {
      message:
        'Cette instruction lit ou écrit des lignes de {entity} d’après {value}, argument qu’un modèle de langage écrit ; elles dépendent de lignes de {root}, dont {owner} nomme l’utilisateur, mais rien ne le compare à l’appelant.',
      why: PROMPT.fr,
      fix: TOOL_FIX.fr,
    },
  },
}
