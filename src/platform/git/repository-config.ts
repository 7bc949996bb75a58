import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat } from '../db/columns.ts'
import { hasCode } from '../errors.ts'

const core = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n'

/**
 * All that the settings of a repository ever say; what matters is in the settings of every process.
 */
export const configTexts: Readonly<Record<ObjectFormat, string>> = {
  sha1: core,
  sha256: `${core.replace('version = 0', 'version = 1')}[extensions]\n\tobjectformat = sha256\n`,
}

const ours = new Set(Object.values(configTexts))

/**
 * Settings of a repository win over those of the process, and several of them name programs to run.
 * Git is therefore not started on a repository whose settings somebody has changed.
 */
export async function assertConfigIsOurs(folder: string): Promise<void> {
  const text = await readFile(join(folder, 'config'), 'utf8').catch(ignoreAbsence)
  if (text === undefined || ours.has(text)) return
  throw new Error(`${join(folder, 'config')} was changed: git is not started with foreign settings`)
}

/** Git says better than we could what is missing. */
function ignoreAbsence(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT', 'ENOTDIR')) throw error
}
