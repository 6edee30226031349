/**
 * Loads the scanner with the first scan, and for whoever asks for rules: what is else answered does without nine tenths of the program. Where it could not be loaded,
 * the next request tries again.
 */
export const loadScanner = (): Promise<typeof import('../core/scanner.ts')> => import('../core/scanner.ts')
