/** A call of a package that calls the function it is given. */
export interface CallingRow {
  /** Access paths of the callee. */
  readonly calls: readonly string[]
  /** The position of the function. */
  readonly at: number
  /** From which position on the arguments of the call are those of the function. */
  readonly from?: number
}

/** Facts: Node.js 24, "Timers", "process.nextTick", "AsyncLocalStorage"; documentation of p-limit 6, bottleneck 2. */
export const CALLING: readonly CallingRow[] = [
  {
    calls: ['global:setImmediate', 'module:timers setImmediate', 'global:process nextTick', 'module:process nextTick'],
    at: 0,
    from: 1,
  },
  { calls: ['global:queueMicrotask'], at: 0 },
  {
    calls: ['global:setTimeout', 'global:setInterval', 'module:timers setTimeout', 'module:timers setInterval'],
    at: 0,
    from: 2,
  },
  { calls: ['module:p-limit ()', 'module:bottleneck new schedule'], at: 0, from: 1 },
  { calls: ['module:async_hooks AsyncLocalStorage new run'], at: 1, from: 2 },
]

/** Calls that give a function which does what the given one does. Facts: documentation of lodash 4, p-memoize 7, p-throttle 7, express-async-handler 1, Node.js 24 ("util"). */
export const WRAPPING: RegExp =
  /^module:(?:lodash|underscore)(?: |\/|\.)(?:debounce|throttle|memoize|once|ary|unary|negate|curry|rearg|wrap|after|before)$|^module:(?:p-memoize|p-throttle|p-debounce|express-async-handler|once|memoizee|mem|util deprecate)(?: default)?(?: \(\))?$/

/** Calls that fill the first parameters of the function that they are given. */
export const PARTIAL: RegExp = /^module:(?:lodash|underscore)(?: |\/|\.)partial$/

/** Functions of async 3 that call each function with a callback. Fact: caolan.github.io/async, "Control Flow". */
export const CONTROL_FLOW: RegExp = /^module:async(?: |\/)(?:default )?(waterfall|series|parallel|parallelLimit|race|tryEach)$/

/** Queues whose worker gets what is pushed: `async.queue(worker).push(task)`. */
export const WORKING: RegExp = /^module:(?:async (?:default )?(?:queue|priorityQueue|cargo)|fastq|fastq promise)$/
export const QUEUEING: ReadonlySet<string> = new Set(['push', 'pushAsync', 'unshift'])

/** Names of methods whose callback decides or is registered: what it gives is not what the call gives. */
export const NOT_GIVEN: RegExp =
  /^(?:on|once|off|before|after|use|get|post|put|patch|delete|all|route|param|filter|find\w{0,20}|some|every|reject|sort\w{0,5}|toSorted|forEach|each|then|catch|finally|map|flatMap|reduce\w{0,5}|add(?:Event)?Listener|subscribe|set(?:Immediate|Timeout|Interval)|nextTick|queueMicrotask|describe|it|test|impl|with|defineProperty|watch|listen|replace|replaceAll)$/

/** Calls that give a function which does the same by a promise, or by a callback. Fact: Node.js 24, "util". */
export const PROMISIFYING: RegExp = /^module:(?:node:)?util (?:promisify|callbackify)$/
/** Of those the one whose callback becomes a promise. */
export const TO_PROMISE = 'module:util promisify'

/** Calls whose functions name what is uploaded. Fact: multer 2 (README, "DiskStorage"). */
export const NAMING_UPLOADS = 'module:multer diskStorage'
/** What parses uploads. Fact: busboy 1 (README). */
export const PARSING_UPLOADS = 'module:busboy'

/** What hands events to whoever listens: `new EventEmitter()`, `events.once`. Fact: Node.js 24, "events". */
export const EMITTERS: ReadonlySet<string> = new Set(['module:events', 'module:node:events'])
