import { encodePath } from '../../platform/config/urls.ts'
import {
  formatZoned,
  presentMeta,
  presentSignature,
  presentTreeMeta,
  type Links,
} from '../commits/present.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { Revision } from '../../platform/git/revisions.ts'
import type { Pointer } from '../lfs/object.ts'
import type { ContentEntry, Contents } from './entries.ts'
import type { ContentsBody, ContentsExtBody, FileCommitBody } from './schema.ts'

export function presentContents(
  links: Links,
  { revision, found }: Contents,
): ContentsBody | ContentsBody[] {
  if (!isList(found)) return presentEntry(links, revision, found)
  return found.map((entry) => presentEntry(links, revision, entry))
}

function isList(found: Contents['found']): found is readonly ContentEntry[] {
  return Array.isArray(found)
}

/** What is told of the last commit. */
interface Told {
  readonly metadata: boolean
  readonly message: boolean
}

const usual: Told = { metadata: true, message: false }

/** Under the name of what it is. */
export function presentExtended(
  links: Links,
  { revision, found }: Contents,
  told: Told,
): ContentsExtBody {
  if (!isList(found)) return { file_contents: presentEntry(links, revision, found, told) }
  return { dir_contents: found.map((entry) => presentEntry(links, revision, entry, told)) }
}

export function presentEntry(
  links: Links,
  revision: Revision,
  entry: ContentEntry,
  told = usual,
): ContentsBody {
  const { kind, content } = entry
  const addresses = addressesOf(links, revision, entry)
  return {
    name: entry.name,
    path: entry.path,
    sha: entry.id,
    ...presentLastCommit(entry.lastCommit, told),
    type: kind,
    mode: entry.mode,
    size: entry.size,
    encoding: content ? 'base64' : null,
    content: content?.toString('base64') ?? null,
    target: entry.target ?? null,
    url: addresses.self,
    html_url: addresses.html,
    git_url: addresses.git,
    download_url: addresses.download,
    submodule_git_url: entry.submoduleUrl ?? null,
    _links: { self: addresses.self, git: addresses.git, html: addresses.html },
    ...presentPointer(entry.pointer),
  }
}

/** What a submodule holds lies in another repository. */
function addressesOf(links: Links, { kind, name }: Revision, entry: ContentEntry) {
  const path = encodePath(entry.path)
  const place = `${kind}/${encodePath(name)}/${path}`
  const isOurs = entry.kind !== 'submodule'
  const isFile = entry.kind === 'file' || entry.kind === 'symlink'
  return {
    self: `${links.api}/contents/${path}?ref=${encodeURIComponent(name)}`,
    html: isOurs ? `${links.page}/src/${place}` : null,
    git: isOurs ? `${links.api}/git/blobs/${entry.id}` : null,
    download: isFile ? `${links.page}/raw/${place}` : null,
  }
}

function presentLastCommit(commit: Commit | undefined, { metadata, message }: Told) {
  if (!commit) return {}
  const dates = {
    last_commit_sha: commit.id,
    last_committer_date: formatZoned(commit.committer),
    last_author_date: formatZoned(commit.author),
  }
  return { ...(metadata ? dates : {}), ...(message ? { last_commit_message: commit.message } : {}) }
}

function presentPointer(pointer: Pointer | undefined) {
  return pointer ? { lfs_oid: pointer.oid, lfs_size: pointer.size } : {}
}

export function presentFileCommit(links: Links, commit: Commit): FileCommitBody {
  return {
    ...presentMeta(links, commit.id, commit.committer),
    html_url: `${links.page}/commit/${commit.id}`,
    author: presentSignature(commit.author),
    committer: presentSignature(commit.committer),
    parents: commit.parents.map((id) => presentMeta(links, id)),
    message: commit.message,
    tree: presentTreeMeta(links, commit),
  }
}
