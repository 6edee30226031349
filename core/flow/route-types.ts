/** What a function that answers requests does, as far as its own body tells. */
export interface RouteFunction {
  /** It looks at who calls: the user, a header of authorization, a signature. */
  readonly asks: boolean
  /** It may end the request itself. */
  readonly refuses: boolean
  /** It reads or changes data of the application. `stored`: its database, or a system that it calls with credentials of its own. */
  readonly usesData: false | 'some' | 'stored'
  /** It answers every request with the same: it looks at none, and calls nothing but the response. */
  readonly isFixed: boolean
  /** All that it does is to send the browser on to a fixed place. */
  readonly leadsOn: boolean
}

/** What runs before a route answers, or answers it. */
export interface FlowGate {
  readonly node: number
  /** What a function is given that makes it: `asyncHandler(report)`. */
  readonly given: readonly number[]
  /** It gets the app before the route is registered, and may protect it. */
  readonly isFront?: true
}

/** A function of the app that answers requests, by the file that it is in. */
export interface AnsweringFunction {
  readonly file: number
  readonly start: number
  readonly end: number
}
