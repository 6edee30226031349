/** `Orders` of `shop.catalog.Orders`, `onInit` of `Main.onInit`: what stands behind the last dot. */
export function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}
