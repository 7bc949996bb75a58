import type { Config } from '../../platform/config/config.ts'
import { baseUrl } from '../../platform/config/urls.ts'
import { formatTime } from '../../platform/time.ts'
import type { Attachment } from './attachment.ts'
import type { AttachmentBody } from './schema.ts'

export interface AttachmentView {
  /** Where it is downloaded; by its uuid unless given. */
  readonly url?: string
  /** Clients compare records key by key, so the hash is shown only to those that ask for it. */
  readonly showDigest?: boolean
}

export function presentAttachment(
  config: Config,
  attachment: Attachment,
  { url, showDigest = false }: AttachmentView = {},
): AttachmentBody {
  return {
    id: attachment.id,
    name: attachment.name,
    size: attachment.size,
    download_count: attachment.downloadCount,
    created_at: formatTime(attachment.createdAt),
    uuid: attachment.uuid,
    browser_download_url: url ?? `${baseUrl(config)}/attachments/${attachment.uuid}`,
    ...(showDigest ? { digest: `sha256:${attachment.sha256}` } : {}),
  }
}
