import type { Static } from 'typebox'
import type { Attachment } from '../../repositories/attachments/attachment.ts'
import { presentAttachment } from '../../repositories/attachments/present.ts'
import type { AttachmentBody } from '../../repositories/attachments/schema.ts'
import { linksOf } from '../../code/commits/present.ts'
import type { Config } from '../../platform/config/config.ts'
import { encodePath, encodeSegment } from '../../platform/config/urls.ts'
import { anonymous } from '../../platform/context.ts'
import type { RepositoryView } from '../../repositories/repository/view.ts'
import { formatTime } from '../../platform/time.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { NewRelease } from './create.ts'
import type { ReleaseEdit } from './edit.ts'
import type { WantedNotes } from './notes.ts'
import type { Release } from './release.ts'
import type {
  CreateReleaseOption,
  EditReleaseOption,
  GenerateNotesOption,
  ReleaseBody,
} from './schema.ts'

export interface ReleaseParts {
  readonly author: Account | undefined
  readonly files: readonly Attachment[]
  readonly showDigest: boolean
}

/** The author's address is nobody's business here, whoever asks. */
export function presentRelease(
  config: Config,
  view: RepositoryView,
  release: Release,
  { author, files, showDigest }: ReleaseParts,
): ReleaseBody {
  const { api, page } = linksOf(config, view)
  const url = `${api}/releases/${release.id}`
  const tag = encodePath(release.tagName)
  return {
    id: release.id,
    tag_name: release.tagName,
    target_commitish: release.target,
    name: release.title,
    body: release.note,
    url,
    html_url: `${page}/releases/tag/${tag}`,
    tarball_url: `${page}/archive/${tag}.tar.gz`,
    zipball_url: `${page}/archive/${tag}.zip`,
    upload_url: `${url}/assets`,
    draft: release.isDraft,
    prerelease: release.isPrerelease,
    created_at: formatTime(release.createdAt),
    published_at: release.publishedAt === undefined ? null : formatTime(release.publishedAt),
    author: presentUser(config, anonymous, author ?? ghost),
    assets: presentFiles(config, view, release, files, showDigest),
  }
}

/** By tag and name where that tells them all apart. */
export function presentFiles(
  config: Config,
  view: RepositoryView,
  { tagName }: Release,
  files: readonly Attachment[],
  showDigest: boolean,
): AttachmentBody[] {
  const isDistinct = new Set(files.map(({ name }) => name)).size === files.length
  const folder = `${linksOf(config, view).page}/releases/download/${encodeSegment(tagName)}`
  return files.map((file) =>
    presentAttachment(config, file, {
      showDigest,
      ...(isDistinct ? { url: `${folder}/${encodeSegment(file.name)}` } : {}),
    }),
  )
}

export function readNew(body: Static<typeof CreateReleaseOption>): NewRelease {
  return {
    tagName: body.tag_name,
    tagMessage: body.tag_message ?? '',
    target: body.target_commitish ?? '',
    title: body.name ?? '',
    note: body.body ?? '',
    isDraft: body.draft ?? false,
    isPrerelease: body.prerelease ?? false,
  }
}

/** The contract leaves what is empty as it is. */
export function readEdit(body: Static<typeof EditReleaseOption>): ReleaseEdit {
  return {
    tagName: body.tag_name,
    target: body.target_commitish,
    title: body.name || undefined,
    note: body.body || undefined,
    isDraft: body.draft,
    isPrerelease: body.prerelease,
  }
}

export function readWantedNotes(body: Static<typeof GenerateNotesOption>): WantedNotes {
  return {
    tagName: body.tag_name,
    target: body.target_commitish ?? '',
    previousTagName: body.previous_tag_name ?? '',
  }
}
