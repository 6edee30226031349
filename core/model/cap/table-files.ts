/** Names of tables in the files that hold their rows. Fact: capire, "Adding Initial Data" (`db/data/<namespace>-<entity>.csv`). */

/** `my.shop-Books.csv` and `my-shop-Books.csv` are the entity my.shop.Books. */
export function tableOf(path: string): string {
  return foldedName(path.slice(path.lastIndexOf('/') + 1, -'.csv'.length))
}

/** Names with dots, dashes and underscores are the same to CAP. */
export function foldedName(name: string): string {
  return name.replaceAll(/[-._]/g, '.').toLowerCase()
}
