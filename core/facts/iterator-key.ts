/** The name of the methods `[Symbol.iterator]` and `[Symbol.asyncIterator]`. */
export const ITERATOR_KEY = '@@iterator'
