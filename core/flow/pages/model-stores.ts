/** Ends the stores of what reaches the models of all views, and of what one view shows. */
const SHARED = ' in all views'
const SHOWN = ' in the view of '

/** What reaches the model of a name in every view, of the store of that name. */
export function sharedModelStore(store: string): string {
  return `${store}${SHARED}`
}

/** What a view shows whose controller sets a model of its own. */
export function shownModelStore(store: string, controller: string): string {
  return `${store}${SHOWN}${controller}`
}

/** The store from which one of a view is filled as well. */
export function filledFrom(store: string): string | undefined {
  const end = store.indexOf(SHOWN)
  return end === -1 ? undefined : sharedModelStore(store.slice(0, end))
}

/** As the code calls it. */
export function toldStore(store: string): string {
  const end = store.indexOf(SHOWN)
  return end === -1 ? store.replace(SHARED, '') : store.slice(0, end)
}
