/** Ends the stores of what reaches the models of all views, and of what one file sets on its own. */
const SHARED = ' in all views'
const SET = ' on the views of '

/** What reaches the model of a name in every view, of the store of that name. */
export function sharedModelStore(store: string): string {
  return `${store}${SHARED}`
}

/** What a controller sets on its own view, and on those of the controllers that extend it. */
export function setModelStore(store: string, controller: string): string {
  return `${store}${SET}${controller}`
}

/** As the code calls it. */
export function toldStore(store: string): string {
  const end = store.indexOf(SET)
  return end === -1 ? store.replace(SHARED, '') : store.slice(0, end)
}
