import { existsSync, type MakeDirectoryOptions } from 'node:fs'
import { access, constants, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

/** With those above it; gives the topmost that was not there. */
export async function makeFolder(
  folder: string,
  options: Pick<MakeDirectoryOptions, 'mode'> = {},
): Promise<string | undefined> {
  try {
    return await mkdir(folder, { ...options, recursive: true })
  } catch (error) {
    // Node says of a file system that is read-only that there is no such folder.
    await access(lastThere(folder), constants.W_OK)
    throw error
  }
}

function lastThere(folder: string): string {
  const above = dirname(folder)
  return existsSync(above) || above === folder ? above : lastThere(above)
}
