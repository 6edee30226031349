/** Calls of libraries that work on lists and objects, by their access paths. Facts: ECMAScript; documentations of lodash 4, underscore 1, object-path, dot-prop and dlv; jQuery API; API of sap/base/util. */

/** Constructors of caches in the memory of the process. Facts: README of node-cache 5, lru-cache 11, quick-lru 7, @isaacs/ttlcache 1. */
export const CACHES: RegExp =
  /^(?:module:(?:node-cache|lru-cache|quick-lru|@isaacs\/ttlcache|ttl-?cache)(?: default| LRUCache| TTLCache| NodeCache)? new|global:(?:Map|Set) new)$/

/** Calls that join the items of a list to a text. */
export const JOINING: RegExp = /^module:(?:lodash|underscore)(?: |\/|\.)join$/

/** Calls that read a field of an object by a path: `_.get(order, 'data.name')`. */
export const READING_PATHS: RegExp =
  /^module:(?:(?:lodash|underscore)(?: |\/|\.)(?:get|result|property)|object-path get|dot-prop (?:get|getProperty)|dlv)$/

/** Calls of servers that put the fields of objects into their first argument. */
export const FILLING: RegExp =
  /^(?:global:Object assign|module:(?:lodash|underscore)(?: |\/|\.)(?:assign|assignIn|extend|merge|mergeWith|defaults|defaultsDeep))$/

/** The same of pages. */
export const FILLING_IN_PAGES: RegExp =
  /^(?:global:Object assign|global:(?:jQuery|\$) extend|module:sap\/base\/util\/(?:extend|deepExtend|merge))$/

/** Functions that call another one with each item of a list that stands before it. */
export const ITERATING: RegExp =
  /^(?:(?:global:(?:jQuery|\$)|module:(?:sap\/ui\/thirdparty\/)?jquery) (each|map|grep)|module:sap\/base\/util\/(each)|(?:global:_|module:(?:lodash|underscore|sap\/ui\/thirdparty\/lodash)|module:\S{0,200}\/(?:lodash|underscore)(?:[.-]min)?)[ /.](each|forEach|map|flatMap|filter|find|sortBy|some|every))$/

/** Of a map of the language, which is no request, model or form, nothing comes but what lies in it. Fact: ECMAScript, "Map.prototype.get". */
export const MAP_READS: RegExp = /^global:(?:Weak)?Map new get$/

/** Takes a path apart. Fact: Node.js, "path.parse". */
export const PARSES_PATH = 'module:path parse'
