import { at, stringOf } from '../../parse/data.ts'
import { defineRule, type Rule } from '../rule.ts'

/** The script that platforms start runs CAP as on a developer's machine.
 *  Facts: capire, "cds watch" (development, live reload, mocked services), `cds-serve --with-mocks`, `--profile`. */
export const hybridProfileDeployed: Rule = defineRule({
  id: 'cap/hybrid-profile-deployed',
  severity: 'MEDIUM',
  confidence: 'high',
  cwe: [1188],
  since: '0.1.0',
  docs: 'https://cap.cloud.sap/docs/node.js/authentication',
  on: ['cap-root'],
  text: {
    en: {
      title: 'The deployed application starts as on a developer’s machine',
      message: 'The script "start" in {file} is "{script}": {part} is for development, and this project is deployed.',
      why: 'Profiles for development bring users of a file, services that answer with made-up data, and pages that tell too much.',
      fix: 'Write "start": "cds-serve", and keep {part} in a script of its own ("watch").',
    },
    fr: {
      title: 'L’application déployée démarre comme sur le poste d’un développeur',
      message: 'Le script « start » de {file} est « {script} » : {part} est pour le développement, et ce projet est déployé.',
      why: 'Les profils de développement apportent des utilisateurs d’un fichier, des services aux réponses inventées et des pages trop bavardes.',
      fix: 'Écrivez "start": "cds-serve", et gardez {part} dans un script à part (« watch »).',
    },
  },

  *check({ test, runtime, root, files, deployments }) {
    // an image says by itself what it starts: cap/node-env-not-production
    const isStarted = deployments.some(({ file }) => /\.(?:ya?ml|mtaext)$/i.test(file))
    if (test || runtime === 'java' || !isStarted) return
    const path = root === '' ? 'package.json' : `${root}/package.json`
    const content = files.find((file) => file.path === path)?.content
    const start = content?.as === 'data' ? at(content.roots[0], 'scripts', 'start') : undefined
    const script = stringOf(start)
    const part = FOR_DEVELOPMENT.exec(script ?? '')?.[0]
    if (start === undefined || script === undefined || part === undefined) return
    const span = { start: start.start, end: start.end }
    yield { at: { file: path, span }, args: { file: path, script: script.slice(0, 200), part } }
  },
})

const FOR_DEVELOPMENT =
  /\bcds watch\b|\bcds w\b|--with-mocks\b|--in-memory\b|--profile[= ](?:development|hybrid)\b|\b(?:CDS|NODE)_ENV=(?:development|hybrid)\b/
