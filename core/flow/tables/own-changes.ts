/** Marks what a page is answered that changes something: what it says of that is about what the page has sent. */
export const OF_CHANGE = '@of-change'
/** The same of a change of one row: the answer is mostly that row, with all that others have written into it. */
export const OF_ROW = '@of-row'

/** Marks what such an answer says of a change that failed: an error. */
export const ANSWERED = '@answered'

/** Marks the words of the own service about a request that it refused. */
export const REFUSED = '@refused'

/** Marks what a server on the machine of whoever opens the page answers, or one in the workspace of a developer. */
export const OF_MACHINE = '@of-machine'

/** Marks the name of a file that the user chooses or drops, which that user sees. */
export const FILE_NAME = '@file-name'

/** Marks what an operation returns beside rows: `value` of its answer, where it is no list. Fact: OData JSON format 4.01, "Operation response", "Individual property or operation response". */
export const RETURNED = '@returned'
export const RETURN_FIELD = 'value'

/** Fields of answers that say why a change failed. What else an answer has may be of the row, which others have filled. Facts: OData JSON format 4.01, "Error Response"; RFC 6749, "Error Response". */
export const ERROR_FIELDS: ReadonlySet<string> = new Set('error errors error_message errorMessage error_description'.split(' '))
/** And those that say how it went, where no row has fields of these names: tickets and posts have a `message`. */
export const TELLING_FIELDS: ReadonlySet<string> = new Set([
  ...ERROR_FIELDS,
  ...'message Message msg statusMessage responseMessage'.split(' '),
])

/** Methods of requests that change something, whatever the address is. Fact: RFC 9110, "Method Definitions"; PATCH: RFC 5789. */
export const CHANGING_METHODS: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'MERGE', 'DELETE'])
/** Those of them, and calls, that change fields of a row. */
export const ROW_CHANGES: ReadonlySet<string> = new Set(['PUT', 'PATCH', 'MERGE', 'put', 'patch', 'update'])
/** Calls that send such a request, and those that post. Facts: API of sap.ui.model.odata.v2.ODataModel; axios 1; jQuery 3.7. */
export const CHANGING_CALLS: ReadonlySet<string> = new Set(['create', 'update', 'remove', 'put', 'patch', 'delete'])
export const POSTING_CALLS: ReadonlySet<string> = new Set(['post', 'syncPost'])
/** Words of addresses to which pages post what they look for or ask: the answer holds what others wrote. */
export const ASKING_WORDS: ReadonlySet<string> = new Set(
  (
    'search find list get query fetch read load lookup look retrieve browse filter select report preview graphql batch chat chats ask question prompt completion completions generate summarize summary translate ' +
    'analyze explain suggest suggestions recommend predict history messages conversation conversations ai gpt llm assistant agent view show render'
  ).split(' '),
)
/** Words in which addresses of services begin: they tell nothing of what is posted. */
export const ROOT_WORDS: ReadonlySet<string> = new Set('api odata rest service services srv sap opu http https'.split(' '))
/** Callbacks of requests that did not succeed. */
export const FAILING_CALLBACKS: ReadonlySet<string> = new Set(['error', 'fail', 'catch'])
