import type { Span } from '../types.ts'

/** What a function that answers requests does, as far as its own body tells. */
export interface RouteFunction {
  /** It looks at who calls: the user, a header of authorization, a signature. */
  readonly asks: boolean
  /** It asks no more than for a code that its owner was sent, or for a password, or makes a token: whoever calls it need not be logged in. */
  readonly asksCode?: true
  /** It may end the request itself. */
  readonly refuses: boolean
  /** It reads or changes data of the application. `stored`: its database, `called`: a system that it calls with credentials of its own. `asked`: it reads what another system gives to others as well. */
  readonly usesData: false | 'asked' | 'some' | 'called' | 'stored'
  /** All that it reads of stored data is named like a public catalogue. */
  readonly readsCatalogue?: true
  /** It answers every request with the same: it looks at none, and calls nothing but the response. */
  readonly isFixed: boolean
  /** It calls nothing but the response, logs and conversions. */
  readonly isIdle?: true
  /** All that it does is to send the browser on to a fixed place. */
  readonly leadsOn: boolean
  /** It answers with the environment of its process, with figures and paths of that, with a token that it gets by credentials of the application, or with the file of a database. */
  readonly tells?: 'environment' | 'internals' | 'token' | 'database'
  /** It answers with what a call gives, or with what a callback gets. */
  readonly passesOn?: true
  /** It answers with truth values and constants alone, of stored data that it reads, or with figures too: how many rows there are. */
  readonly verdict?: 'verdict' | 'counts'
  /** What it reads of a destination. */
  readonly credentials?: DestinationParts
  readonly rights?: RouteRights
}

/** What a function reads of a destination, or of what another one has read. */
export interface DestinationParts {
  /** It asks for the description of one. */
  readonly isRead: boolean
  /** It takes the password or the tokens out of it. */
  readonly isLoggedOn: boolean
}

/** What runs before a route answers, or answers it. */
export interface FlowGate {
  readonly node: number
  /** What a function is given that makes it: `asyncHandler(report)`. */
  readonly given: readonly number[]
  /** What of another file it is. */
  readonly module?: RouteTarget['module']
  /** It gets the app before the route is registered, and may protect it. */
  readonly isFront?: true
  /**
   * It runs for every request in front of the route, `router.use(signedIn)`. `named`: its name says that it asks for a login, which counts where nothing of its body is known;
   * `filed`: that of its module does, and it may leave it to others to refuse.
   */
  readonly used?: 'named' | 'filed' | 'unnamed'
}

/** A function of the app that answers requests, by the file that it is in. */
export interface AnsweringFunction {
  readonly file: number
  readonly start: number
  readonly end: number
}

/** What a function that answers a route, or runs in front of it, knows of who may do it. */
export interface RouteRights {
  /** What it looks at that is more than a login: `checkLocalScope`. */
  readonly checks?: string
  /** It looks at who calls, or a function of its file that it calls. */
  readonly looksAtCaller?: true
  /** Something else that it reads of the request may tell who calls, or a function that gets the request. */
  readonly asksFurther?: true
  /** It does so by a name alone that holds a part of the path: `const userId = req.params.userId`. */
  readonly namesCaller?: true
  /** It makes the caller of a token, or asks whether there is one: `req.user = rows[0]`, `req.isAuthenticated()`. */
  readonly logsIn?: true
  /** What the client names the row by, `req.params.id`, where it changes or reads stored data with it. */
  readonly key?: string
  readonly rows?: readonly RouteRow[]
  /** A role of people from outside, `customer`, whom it lets pass beside administrators, and of whom it asks no more than that. */
  readonly admits?: string
  /** The one role that it refuses: all others pass. */
  readonly refuses?: string
  /** It asks no more than that of its caller. */
  readonly asksRoleAlone?: true
  /** It asks no more than a role of its caller, whom it may note and write into rows. */
  readonly comparesNobody?: true
}

/** Rows of a table that a function asks for: those of the user, or the one that the client names. */
export interface RouteRow extends Span {
  readonly table: string
  /** `compared`: whoever is not their owner is refused; `written`: they get the user who makes them. */
  readonly own?: 'asked' | 'compared' | 'written'
  readonly isChanged?: true
  /** The change writes the user into the row: who takes over an order that waits for somebody owns it by that alone. */
  readonly isTaken?: true
  /** The row is new, and `key` is a part of the path that is written into it. */
  readonly isAdded?: true
  /** `req.query.id` */
  readonly key?: string
  /** All rows of one state, `{ expired: false }`. */
  readonly isListed?: true
  /** All rows of the table, unless the client asks for fewer. */
  readonly isAll?: true
  /** Of a new row: the column that gets the user who makes it. */
  readonly maker?: string
  /** Of a new row: its columns that refer to a party from outside, `vendorId`. */
  readonly parties?: readonly string[]
}

/** What may be called: functions of the file, or one of another file. */
export interface RouteTarget {
  readonly targets: readonly number[]
  readonly module?: { readonly source: string; readonly name: string }
}

/** What a file exports in a wrapper under a name: the functions that this is given, and the wrapper. */
export interface WrappedExport {
  readonly name: string
  readonly inner: readonly RouteTarget[]
  readonly by: RouteTarget | undefined
}

/** A route as its file registers it, or a router that it mounts. */
export interface FlowRoute {
  /** `post`; `use`: of a router. */
  readonly verb: string
  /** Undefined: it is not constant. */
  readonly path?: string
  readonly start: number
  readonly end: number
  readonly answers: readonly RouteTarget[]
  /** What runs before it answers. */
  readonly fronts: readonly RouteTarget[]
  /** The name of what checks more than a login in front of it. */
  readonly check?: string
  /** The roles that this lets pass: `authorize('Buyer', 'Admin')`. */
  readonly roles?: readonly string[]
  /** What else runs before it then, and may ask whose the row is. */
  readonly beside?: readonly (readonly RouteTarget[])[]
  /** The module of the router. */
  readonly mounts?: string
  /** What it is registered with asks who calls. */
  readonly asks?: true
}
