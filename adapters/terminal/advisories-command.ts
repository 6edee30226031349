import { writeFile } from 'node:fs/promises'
import { fetchAdvisories } from '../../core/host.ts'
import { toJsonText, type AdvisoryPort } from '../../core/index.ts'
import { SAP_PACKAGE_NAMES } from '../../core/scanner.ts'
import { readSettings } from '../node/settings.ts'
import type { Arguments } from './arguments.ts'
import { scanPath } from './scan-path.ts'
import { tell } from './tell.ts'
import { CommandFault, EXIT, UsageFault } from './usage.ts'
import { say } from './words.ts'

/** `parapet advisories fetch FILE [folder or zip]`: writes what the vulnerability database knows about the packages of a project, or of SAP. */
export async function advisoriesCommand({ operands, locale }: Arguments): Promise<number> {
  const [verb, file, target, ...rest] = operands
  if (verb !== 'fetch' || file === undefined || rest.length > 0)
    throw new UsageFault({
      en: 'parapet advisories takes fetch, a file to write, and perhaps a folder or ZIP',
      fr: 'parapet advisories attend fetch, un fichier à écrire et, au besoin, un dossier ou un ZIP',
    })
  const settings = readSettings(process.env)
  const names = target === undefined ? SAP_PACKAGE_NAMES : await findNames(target)
  const date = new Date().toISOString().slice(0, 10)
  const found = await fetchAdvisories({ url: settings.advisoriesUrl, date }, names).catch(() => {
    throw new CommandFault(say(locale, 'databaseUnreachable', { url: settings.advisoriesUrl }))
  })
  await writeFile(file, `${toJsonText(found)}\n`).catch(() => {
    throw new CommandFault(say(locale, 'notWritten', { file }))
  })
  tell(
    say(locale, 'advisoriesWritten', {
      n: found.records.length,
      packages: say(locale, 'packages', { n: found.packages.length }),
      file,
    }),
  )
  return EXIT.done

  /** What a scan would ask about: packages of private scopes and registries stay here. */
  async function findNames(path: string): Promise<ReadonlySet<string>> {
    const asked = new Set<string>()
    const advisories: AdvisoryPort = {
      async query(packages) {
        for (const { name, isPrivate } of packages) if (isPrivate !== true) asked.add(name)
        return { source: 'file', date: new Date().toISOString().slice(0, 10), complete: true, matches: [] }
      },
    }
    await scanPath(path, locale, settings, undefined, { advisories })
    return asked
  }
}
