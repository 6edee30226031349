import { defineExtract, type Extract } from '../../extracts/extract.ts'
import { constantOf, stringConstantOf, pathOf } from '../../facts/index.ts'
import { isIn, isInternal, isLoopback, isSapHost, ownDomains } from '../../model/deployment/index.ts'
import { fieldOf, holdsRemote, isUi5Network, readRemote, resourcePathOf, type Ui5App } from '../../model/ui5/index.ts'
import { at, membersOf, stringOf } from '../../parse/data.ts'
import { ParseFailure } from '../../parse/failure.ts'
import { parseJson } from '../../parse/json.ts'
import type { Value } from '../../facts/types.ts'
import type { Localized, Place, RuleText, Span } from '../../types.ts'
import { defineRule, variantOfCases, type Rule } from '../rule.ts'

const REGISTERS: ReadonlySet<string> = new Set([
  'global:jQuery sap registerModulePath',
  'global:jQuery sap registerResourcePath',
  'global:$ sap registerModulePath',
  'global:$ sap registerResourcePath',
])
/** Functions and controls with the address of a component beside its name. */
const COMPONENTS: ReadonlySet<string> = new Set([
  'module:sap/ui/core/Component create',
  'module:sap/ui/core/Component load',
  'global:sap ui core Component create',
  'global:sap ui component',
  'global:sap ui component load',
  'module:sap/ui/core/ComponentContainer',
  'global:sap ui core ComponentContainer',
])

interface ScriptRoot {
  readonly namespace: string
  readonly address: string
  readonly at: Span
}

/** Namespaces and components that a script gives a constant address. */
const scriptRoots: Extract<ScriptRoot> = defineExtract({
  name: 'ui5-resource-roots',
  keywords: [
    'registerModulePath',
    'registerResourcePath',
    'sap.ui.loader',
    'sap.ui.component',
    'sap/ui/core/Component',
    'sap.ui.core.Component',
  ],
  prefilter: holdsRemote,
  inPages: true,
  *collect({ facts }) {
    for (const { callee, args } of facts.calls) {
      const path = pathOf(callee)?.join(' ') ?? ''
      const [first, second] = args
      if (first === undefined) continue
      if (REGISTERS.has(path)) yield* toRoot(String(constantOf(first) ?? ''), second)
      const settings = COMPONENTS.has(path) ? [first, second].find((value) => value?.kind === 'object') : undefined
      if (settings?.kind === 'object') {
        const name = fieldOf(settings, 'name')
        yield* toRoot(String((name && constantOf(name)) ?? 'Component'), fieldOf(settings, 'url'))
      }
      const paths = path === 'global:sap ui loader config' && first.kind === 'object' ? fieldOf(first, 'paths') : undefined
      if (paths?.kind === 'object') for (const { key, value } of paths.fields) yield* toRoot(key ?? '', value)
    }
  },
})

function toRoot(namespace: string, value: Value | undefined): ScriptRoot[] {
  const address = stringConstantOf(value)
  if (value === undefined || address === undefined) return []
  return [{ namespace, address, at: { start: value.start, end: value.end } }]
}

const PLAIN: Localized<Omit<RuleText, 'fix'>> = {
  en: {
    title: 'UI5 modules loaded over unencrypted HTTP',
    message: 'Modules in the namespace "{namespace}" are loaded from {host} over plain HTTP.',
    why: 'An attacker on the network path can replace the modules and run code in the user’s session.',
  },
  fr: {
    title: 'Modules UI5 chargés en HTTP non chiffré',
    message: 'Les modules de l’espace de noms "{namespace}" sont chargés depuis {host} en HTTP sans chiffrement.',
    why: 'Un attaquant placé sur le réseau peut remplacer les modules et exécuter du code dans la session de l’utilisateur.',
  },
}

/**
 * A namespace of modules, or a component, that is loaded from a third-party host.
 * Facts: documentation of SAPUI5, "Configuration Options and URL Parameters" (resource-roots); API of sap.ui.loader (`paths`) and of
 * sap.ui.core.Component (`url` becomes the resource root of the component’s name).
 * Impact: whoever gets hold of that host, or of the network path to it, runs code in the session of the user.
 */
export const resourceRootsForeign: Rule = defineRule({
  id: 'ui5/resource-roots-foreign',
  impact: 'session',
  evidence: 'assumed',
  confidence: 'high',
  cwe: [829],
  since: '0.1.0',
  docs: 'https://github.com/SAP-docs/sapui5/blob/main/docs/04_Essentials/configuration-options-and-url-parameters-91f2d03.md',
  extracts: [scriptRoots],
  on: 'ui5-app',

  *check(app, project) {
    let own: ReadonlySet<string> | undefined
    for (const { namespace, address, at, inScript } of [...rootsOfPages(app), ...rootsOfManifest(app), ...rootsOfScripts(app)]) {
      const remote = readRemote(address)
      if (remote === undefined || isLoopback(remote.host)) continue
      const plain = remote.scheme === 'http'
      const { host } = remote
      if (
        !plain &&
        (isUi5Network(host) || isSapHost(host) || isInternal(host) || isIn((own ??= ownDomains(project.deployment)), host))
      )
        continue
      const args = { namespace, host, module: resourcePathOf(app, 'lib') }
      const reach = !plain ? 'anyone' : isInternal(host) ? 'privileged' : 'user'
      yield { at, args, reach, ...variantOfCases(plain && 'plain', inScript && 'script') }
    }
  },

  text: () => ({
    en: {
      title: 'UI5 modules loaded from a third-party host',
      message: 'Modules in the namespace "{namespace}" are loaded from {host}.',
      why: 'An attacker who controls that host can run code in every session of the app; UI5 modules cannot be protected by Subresource Integrity (SRI).',
      fix: 'Copy the modules into the app and replace this URL with their relative path, such as "./lib".',
      variants: {
        script: {
          fix: 'Copy the modules into the app and replace this URL with their path, such as sap.ui.require.toUrl("{module}").',
        },
        plain: {
          ...PLAIN.en,
          fix: 'Load the modules over https:// if {host} belongs to your company or to SAP. Otherwise, copy them into the app and replace this URL with their relative path, such as "./lib".',
        },
        'plain-script': {
          ...PLAIN.en,
          fix: 'Load the modules over https:// if {host} belongs to your company or to SAP. Otherwise, copy them into the app and replace this URL with their path, such as sap.ui.require.toUrl("{module}").',
        },
      },
    },
    fr: {
      title: 'Modules UI5 chargés depuis un hôte tiers',
      message: 'Les modules de l’espace de noms "{namespace}" sont chargés depuis {host}.',
      why: 'Un attaquant qui contrôle cet hôte peut exécuter du code dans toutes les sessions de l’application ; le contrôle d’intégrité (SRI) est impossible pour des modules UI5.',
      fix: 'Copiez les modules dans l’application et remplacez cette URL par leur chemin relatif, comme "./lib".',
      variants: {
        script: {
          fix: 'Copiez les modules dans l’application et remplacez cette URL par leur chemin, obtenu avec sap.ui.require.toUrl("{module}").',
        },
        'plain-script': {
          ...PLAIN.fr,
          fix: 'Chargez les modules en https:// si {host} appartient à votre entreprise ou à SAP. Sinon, copiez-les dans l’application et remplacez cette URL par leur chemin, obtenu avec sap.ui.require.toUrl("{module}").',
        },
        plain: {
          ...PLAIN.fr,
          fix: 'Chargez les modules en https:// si {host} appartient à votre entreprise ou à SAP. Sinon, copiez-les dans l’application et remplacez cette URL par leur chemin relatif, comme "./lib".',
        },
      },
    },
  }),
})

interface Root {
  readonly namespace: string
  readonly address: string
  readonly at: Place
  /** Paths of scripts are relative to the page, which may be that of a launchpad. */
  readonly inScript?: boolean
}

function* rootsOfPages({ pages }: Ui5App): Generator<Root> {
  for (const { test, bootstrap } of pages) {
    if (test) continue
    for (const { name, value, at } of bootstrap.settings) {
      if (value === undefined) continue
      if (name.startsWith('resourceroots/')) yield { namespace: name.slice('resourceroots/'.length), address: value, at }
      if (name === 'resourceroots') for (const [namespace, address] of readRoots(value)) yield { namespace, address, at }
    }
  }
}

/** What an attribute holds: JSON. One that UI5 could not read maps nothing. */
function readRoots(text: string): [string, string][] {
  try {
    return membersOf(parseJson(text)).flatMap(({ key, value }): [string, string][] => {
      const address = stringOf(value)
      return address === undefined ? [] : [[key, address]]
    })
  } catch (error) {
    if (error instanceof ParseFailure) return []
    throw error
  }
}

function* rootsOfManifest({ manifest }: Ui5App): Generator<Root> {
  for (const { key, value } of membersOf(at(manifest?.root, 'sap.ui5', 'resourceRoots'))) {
    const address = stringOf(value)
    if (manifest !== undefined && address !== undefined)
      yield { namespace: key, address, at: { file: manifest.file, span: value } }
  }
}

function* rootsOfScripts({ scripts }: Ui5App): Generator<Root> {
  for (const { file, value } of scripts.get(scriptRoots)) {
    const { namespace, address, at } = value
    yield { namespace, address, at: { file, span: at }, inScript: true }
  }
}
