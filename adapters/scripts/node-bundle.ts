import { fileURLToPath } from 'node:url'
import type { BuildOptions } from 'esbuild'
import { fingerprintSources } from './fingerprint.ts'

/** How everything is bundled that runs in Node. */
export const NODE_BUNDLE = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // of packages with several forms the one with static imports
  mainFields: ['module', 'main'],
  // packages in CommonJS ask for modules of Node.js by require
  banner: { js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);" },
  define: { PARAPET_FINGERPRINT: JSON.stringify(fingerprintSources()) },
  // Node.js has fetch: what stands in for it where it is missing takes a tenth of a start
  alias: { ofetch: fileURLToPath(new URL('../../node_modules/ofetch/dist/index.mjs', import.meta.url)) },
  logLevel: 'error',
} satisfies BuildOptions

/** Text of one byte a letter is read, kept and compared at half the cost. esbuild leaves letters of other kinds in regular expressions alone. */
export function toAscii(text: string): string {
  return text.replaceAll(/[\u0080-\uffff]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
