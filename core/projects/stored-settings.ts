import type { Storage } from 'unstorage'
import * as z from 'zod'
import type { Log } from '../log.ts'
import type { ProjectSettings } from './types.ts'

const SETTINGS = 'titles:'

const settingsSchema: z.ZodType<ProjectSettings> = z.object({ title: z.string().optional(), tags: z.array(z.string()) })

/** What people say of projects: one record each, the last who writes it wins. */
export interface StoredSettings {
  read(project: string): Promise<ProjectSettings>
  write(project: string, settings: ProjectSettings): Promise<void>
  erase(project: string): Promise<void>
}

export function createStoredSettings(storage: Storage, log: Log): StoredSettings {
  return {
    async read(project) {
      const value = await storage.getItem(SETTINGS + project)
      if (value === null) return { tags: [] }
      const { data } = settingsSchema.safeParse(value)
      if (data === undefined) log({ level: 'warn', event: 'record-damaged', project })
      return data ?? { tags: [] }
    },
    write: (project, settings) => storage.setItem(SETTINGS + project, settings),
    erase: (project) => storage.removeItem(SETTINGS + project),
  }
}
