/** `Object.assign({}, a, b)`, `jQuery.extend(true, {}, a)`. */
export const MERGING: ReadonlySet<string> = new Set(['assign', 'extend', 'merge', 'deepExtend'])
