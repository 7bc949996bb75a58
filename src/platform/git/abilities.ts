import type { ObjectFormat } from '../db/columns.ts'
import { keptBy } from '../caches/kept-by.ts'
import type { Git } from './run.ts'

type ByFormat = Map<ObjectFormat, Buffer>

const ofFetches = keptBy((_git: Git): ByFormat => new Map())
const ofPushes = keptBy((_git: Git): ByFormat => new Map())

/**
 * What protocol 2 tells a client first: what git is able to do, nothing of the repository but its
 * format. Every clone and fetch begins with it, so git is asked once.
 */
export async function readAbilities(
  git: Git,
  folder: string,
  format: ObjectFormat,
): Promise<Buffer> {
  const known = ofFetches(git).get(format)
  if (known) return known
  const command = ['upload-pack', '--stateless-rpc', '--advertise-refs', folder]
  const environment = { GIT_PROTOCOL: 'version=2' }
  return keep(ofFetches(git), format, await git.run(folder, command, { environment }))
}

/**
 * What git is able to do for a push, which it tells behind the first ref. It is asked once, as in
 * `readAbilities`.
 */
export async function readPushAbilities(
  git: Git,
  folder: string,
  format: ObjectFormat,
): Promise<Buffer> {
  const known = ofPushes(git).get(format)
  if (known) return known
  const command = ['receive-pack', '--stateless-rpc', '--advertise-refs', folder]
  const told = await git.run(folder, command)
  return keep(ofPushes(git), format, told.subarray(told.indexOf(0) + 1, told.indexOf('\n')))
}

function keep(known: ByFormat, format: ObjectFormat, abilities: Buffer): Buffer {
  known.set(format, abilities)
  return abilities
}
