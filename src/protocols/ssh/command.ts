import { readCodePath, readPartPath, type PartPath } from '../../code/pushes/part.ts'

/** What a client may ask for; there is nothing else, and no shell. */
export type Command =
  | {
      readonly kind: 'upload-pack' | 'receive-pack' | 'upload-archive'
      readonly path: PartPath
    }
  | {
      readonly kind: 'lfs-authenticate'
      readonly path: PartPath
      readonly operation: 'download' | 'upload'
    }

const ofGit = /^git[ -](upload-pack|receive-pack|upload-archive) (\S+)$/
const ofLfs = /^git-lfs-authenticate (\S+) (download|upload)(?: [0-9a-f]*)?$/

export function parseCommand(text: string): Command | undefined {
  const [, kind, place = ''] = ofGit.exec(text) ?? []
  const [, lfsPlace = '', operation] = ofLfs.exec(text) ?? []
  const [owner, name] = splitPath(place || lfsPlace)
  if (owner === undefined || name === undefined) return undefined
  if (kind !== undefined) return { kind: kind as 'upload-pack', path: readPartPath(owner, name) }
  const path = readCodePath(owner, name)
  return { kind: 'lfs-authenticate', path, operation: operation as 'download' }
}

/** Owner and name, quoted or not, as git writes them for a shell. */
function splitPath(text: string): readonly string[] {
  const [, quoted, plain] = /^(?:'([^']*)'|([^']*))$/.exec(text) ?? []
  return /^\/?([^/]+)\/([^/]+)\/?$/.exec(quoted ?? plain ?? '')?.slice(1) ?? []
}
