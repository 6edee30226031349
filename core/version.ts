/** The version of package.json (a test compares them); a constant, because an edge runtime has no file to read it from. */
export const VERSION = '0.1.0'
