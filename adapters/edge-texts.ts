/** Loads what the bundle of the edge keeps apart: the texts of the rules (adapters/scripts/bundle-edge.ts). As it is compiled there is nothing to load. */
export async function loadTexts(): Promise<void> {
  // the texts stand in the rules
}
