import type { ObjectFormat } from '../db/columns.ts'
import type { Git } from './run.ts'

const known = new WeakMap<Git, Map<ObjectFormat, Buffer>>()

/**
 * What protocol 2 tells a client first: what git is able to do, nothing of the repository but its format. Every
 * clone and fetch begins with it, so git is asked once.
 */
export async function readAbilities(
  git: Git,
  folder: string,
  format: ObjectFormat,
): Promise<Buffer> {
  const ofGit = known.get(git) ?? new Map<ObjectFormat, Buffer>()
  known.set(git, ofGit)
  const abilities = ofGit.get(format) ?? (await askGit(git, folder))
  ofGit.set(format, abilities)
  return abilities
}

async function askGit(git: Git, folder: string): Promise<Buffer> {
  const command = ['upload-pack', '--stateless-rpc', '--advertise-refs', folder]
  return git.run(folder, command, { environment: { GIT_PROTOCOL: 'version=2' } })
}
