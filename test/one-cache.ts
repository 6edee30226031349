import type { Plugin } from 'vite'

/**
 * One cache of transformed modules for all configurations: the text of the configuration file counts as a part of each module, so every configuration
 * transformed the whole scanner anew. What changes how modules are transformed (plugins, `resolve`, the root) counts beside it. For the same reason a
 * configuration lists its one project under `projects`: the plugins of Vitest have other names there.
 */
export function oneCache(): Plugin {
  return {
    name: 'one-cache',
    configResolved: ({ configFileDependencies }) => {
      configFileDependencies.length = 0
    },
  }
}
