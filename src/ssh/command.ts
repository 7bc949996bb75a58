import type { RepositoryPath } from '../repositories/load.ts'

/** What a client may ask for; there is nothing else, and no shell. */
export type Command =
  | {
      readonly kind: 'upload-pack' | 'receive-pack' | 'upload-archive'
      readonly path: RepositoryPath
    }
  | {
      readonly kind: 'lfs-authenticate'
      readonly path: RepositoryPath
      readonly operation: 'download' | 'upload'
    }

const ofGit = /^git[ -](upload-pack|receive-pack|upload-archive) (\S+)$/
const ofLfs = /^git-lfs-authenticate (\S+) (download|upload)(?: [0-9a-f]*)?$/

export function parseCommand(text: string): Command | undefined {
  const [, kind, place = ''] = ofGit.exec(text) ?? []
  const [, lfsPlace = '', operation] = ofLfs.exec(text) ?? []
  const path = parsePath(place || lfsPlace)
  if (!path) return undefined
  if (kind !== undefined) return { kind: kind as 'upload-pack', path }
  return { kind: 'lfs-authenticate', path, operation: operation as 'download' }
}

/** `owner/name.git`, quoted or not, as git writes it for a shell. */
function parsePath(text: string): RepositoryPath | undefined {
  const [, quoted, plain] = /^(?:'([^']*)'|([^']*))$/.exec(text) ?? []
  const [, owner, repo] = /^\/?([^/]+)\/([^/]+?)(?:\.git)?\/?$/.exec(quoted ?? plain ?? '') ?? []
  return owner === undefined || repo === undefined ? undefined : { owner, repo }
}
