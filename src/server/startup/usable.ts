import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { keyFileOf, loadSecrets } from '../../identity/auth/secrets.ts'
import { ConfigError, type Config } from '../../platform/config/config.ts'
import { repositoriesFolder } from '../../platform/git/layout.ts'
import { assertGitUsable, GitMissingError } from '../../platform/git/version.ts'
import { ReachPolicy } from '../../platform/network/policy.ts'
import { filesFolder, openStorage } from '../../platform/storage/open-storage.ts'

/** Looks at what the settings name, and refuses to start with what cannot be used. */
export async function assertUsable(config: Config): Promise<void> {
  const problems = await findUnusable(config)
  if (problems.length > 0) throw new ConfigError(problems)
}

/** What the settings name and a server could not use: a line for each, with the setting. */
export async function findUnusable(config: Config): Promise<readonly string[]> {
  const found = await Promise.all([
    problemsOf(async () => assertGitUsable()),
    problemsOf(async () => assertFolders(config)),
    problemsOf(async () => assertSecretKey(config)),
    problemsOf(async () => void new ReachPolicy(config)),
    problemsOf(async () => assertDatabase(config)),
    problemsOf(async () => assertBucket(config)),
  ])
  return found.flat()
}

async function problemsOf(check: () => Promise<void>): Promise<readonly string[]> {
  try {
    await check()
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    if (error instanceof GitMissingError) return [error.message]
    throw error
  }
}

function assertFolders(config: Config): void {
  const source = config.sources.get('data') ?? 'CODESTEAD_DATA'
  const folders = [config.data, repositoriesFolder(config), filesFolder(config)]
  for (const folder of folders) {
    // What is missing is made, in the folder above it.
    const there = nearest(folder)
    try {
      if (!statSync(there).isDirectory()) throw new Error('it is no folder')
      accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
    } catch (error) {
      const { message } = error as Error
      throw new ConfigError(`${source}: ${there} cannot be written to: ${message}`)
    }
  }
}

function nearest(folder: string): string {
  const above = dirname(folder)
  return existsSync(folder) || above === folder ? folder : nearest(above)
}

/** One that is not there is made by the first start, and missed by every other. */
function assertSecretKey(config: Config): void {
  const path = keyFileOf(config)
  if (config.security.secret_key === '' && !existsSync(path)) return
  try {
    loadSecrets(config)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`security.secret_key: ${(error as Error).message}`, { cause: error })
  }
}

async function assertDatabase(config: Config): Promise<void> {
  if (config.database.url === '') return
  const { assertFit } = await import('../../platform/db/postgres-fitness.ts')
  await assertFit(config)
}

async function assertBucket(config: Config): Promise<void> {
  if (config.storage.kind !== 's3') return
  await (await openStorage(config)).close()
}
