import { beginningOf } from '../../platform/parsing/beginning.ts'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl, baseUrl } from '../../platform/config/urls.ts'
import { anonymous } from '../../platform/context.ts'
import type { CommitChanges } from '../../platform/git/diff.ts'
import type { Commit, Signature } from '../../platform/git/parse.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { Authors } from './authors.ts'
import type { Verification, Verifications } from './verification.ts'
import type {
  CommitBody,
  CommitMetaBody,
  CommitUserBody,
  PayloadCommitBody,
  VerificationBody,
} from './schema.ts'

/** Addresses of what belongs to a repository. */
export interface Links {
  readonly api: string
  readonly page: string
}

export function linksOf(config: Config, { owner, repo }: RepositoryView): Links {
  const path = `${owner.name}/${repo.name}`
  return { api: `${apiUrl(config)}/repos/${path}`, page: `${baseUrl(config)}/${path}` }
}

export interface CommitDetails {
  readonly authors: Authors
  /** Absent where nobody wants to know. */
  readonly changes?: ((commitId: string) => CommitChanges) | undefined
  readonly showFiles: boolean
  readonly showStats: boolean
  /** Absent where nobody wants to know. */
  readonly verifications?: Verifications | undefined
  /** Of the texts of one; of a list each has a part of what fits into an answer. */
  readonly room?: number
}

/** The texts of an answer: messages, and what was signed. */
const MAX_TEXTS = 4 * 1024 * 1024

/** What each of so many may take of an answer. */
export function roomOfEach(count: number): number {
  return Math.floor(MAX_TEXTS / Math.max(1, count))
}

/** Those who made it are shown to everybody as to strangers. */
export function presentCommit(
  config: Config,
  links: Links,
  commit: Commit,
  details: CommitDetails,
): CommitBody {
  const person = ({ email }: Signature) => {
    const account = details.authors(email)
    return account ? presentUser(config, anonymous, account) : null
  }
  const meta = presentMeta(links, commit.id, commit.committer)
  const verification = details.verifications?.(commit.id)
  const { room = MAX_TEXTS } = details
  return {
    ...meta,
    html_url: `${links.page}/commit/${commit.id}`,
    commit: {
      url: meta.url,
      author: presentSignature(commit.author),
      committer: presentSignature(commit.committer),
      message: beginningOf(commit.message, room),
      tree: presentTreeMeta(links, commit),
      verification: verification ? presentVerification(verification, room) : null,
    },
    author: person(commit.author),
    committer: person(commit.committer),
    parents: commit.parents.map((id) => presentMeta(links, id)),
    ...presentChanges(commit, details),
  }
}

/** Added, removed and modified files, each in the order of paths. */
function presentChanges(
  { id }: Commit,
  { changes, showFiles, showStats }: CommitDetails,
): Pick<CommitBody, 'files' | 'stats'> {
  if (!changes) return { files: null, stats: null }
  const { files, additions, deletions } = changes(id)
  const listed = (['added', 'removed', 'modified'] as const).flatMap((status) =>
    files.filter(({ change }) => change === status).map(({ path }) => ({ filename: path, status })),
  )
  return {
    files: showFiles ? listed : null,
    stats: showStats ? { total: additions + deletions, additions, deletions } : null,
  }
}

export function presentPayloadCommit(
  links: Links,
  commit: Commit,
  { authors, verifications }: { readonly authors: Authors; readonly verifications: Verifications },
  room = MAX_TEXTS,
): PayloadCommitBody {
  const person = ({ name, email }: Signature) => ({
    name,
    email,
    username: authors(email)?.name ?? '',
  })
  return {
    id: commit.id,
    message: beginningOf(commit.message, room),
    url: `${links.page}/commit/${commit.id}`,
    author: person(commit.author),
    committer: person(commit.committer),
    verification: presentVerification(verifications(commit.id), room),
    timestamp: formatZoned(commit.committer),
    added: null,
    removed: null,
    modified: null,
  }
}

/** Of a parent no more than its id is at hand: its time is the zero time, as in the reference. */
export function presentMeta(links: Links, id: string, at?: Signature): CommitMetaBody {
  return {
    url: `${links.api}/git/commits/${id}`,
    sha: id,
    created: at ? formatZoned(at) : '0001-01-01T00:00:00Z',
  }
}

/** Clients know the commit's own id here, not the tree's. */
export function presentTreeMeta(links: Links, { id, committer }: Commit): CommitMetaBody {
  return { url: `${links.api}/git/trees/${id}`, sha: id, created: formatZoned(committer) }
}

export function presentSignature(signature: Signature): CommitUserBody {
  return { name: signature.name, email: signature.email, date: formatZoned(signature) }
}

/** A signature, and what it signs, are of use as a whole only. */
export function presentVerification(
  { isVerified, reason, signed, signer }: Verification,
  room = MAX_TEXTS,
): VerificationBody {
  const fits = signed && signed.signature.length + signed.payload.length <= room
  return {
    verified: isVerified,
    reason,
    signature: fits ? signed.signature : '',
    signer: signer
      ? {
          name: signer.account.fullName.trim() || signer.account.name,
          email: signer.email,
          username: signer.account.name,
        }
      : null,
    payload: fits ? signed.payload.toString('utf8') : '',
  }
}

/** RFC 3339 in the time zone of whoever wrote it. */
export function formatZoned({ at, zone }: Signature): string {
  const local = new Date((at + zone * 60) * 1000).toISOString().slice(0, 19)
  if (zone === 0) return `${local}Z`
  const digits = (number: number) => String(Math.floor(number)).padStart(2, '0')
  const minutes = Math.abs(zone)
  return `${local}${zone < 0 ? '-' : '+'}${digits(minutes / 60)}:${digits(minutes % 60)}`
}
