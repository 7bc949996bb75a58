import type { Attachment } from '../../repositories/attachments/attachment.ts'
import type { Config } from '../../platform/config/config.ts'
import { basePath } from '../../platform/config/urls.ts'
import type { Context } from '../../platform/context.ts'
import { dispositionOf } from '../../platform/http/stored-file.ts'
import type { Account } from '../../identity/users/account.ts'
import { avatar } from '../avatar.ts'
import { counted, sizeText, timeAgo } from '../figures.ts'
import { html, type Html, type Part } from '../../platform/html.ts'
import { icon } from '../icons.ts'
import { personLink } from '../person.ts'
import type { Talk } from './conversation.ts'

/** Larger pictures are left to who asks for them. */
const MAX_SHOWN_BYTES = 10 * 1024 * 1024

/** Something that was said: the text of an issue, or a comment on it. */
export interface Said {
  /** For links to it. */
  readonly id: string
  readonly author: Account
  readonly body: string
  readonly createdAt: number
  readonly updatedAt?: number
  readonly assets: readonly Attachment[]
}

type DeletePath = ((file: Attachment) => string) | undefined

/** What stands around it. */
export interface Surroundings {
  readonly actions?: Part
  readonly foot?: Part
  /** Where one of its files is deleted, by who may. */
  readonly deletePath?: DeletePath
}

export async function renderSaid(
  { visit: { ctx }, speak }: Pick<Talk, 'visit' | 'speak'>,
  said: Said,
  { actions, foot, deletePath }: Surroundings = {},
): Promise<Html> {
  const { id, author, body, createdAt, assets } = said
  const text = await speak(body)
  return html`
<article class="comment" id="${id}">
${avatar(ctx.config, author, 40)}
<section class="sheet">
<header>${author.id > 0 ? personLink(ctx.config, author) : html`<b>${author.name}</b>`} <a class="mute" href="#${id}">${timeAgo(ctx.now(), createdAt)}</a>${actions && html`<span class="end">${actions}</span>`}</header>
${body === '' && assets.length > 0 ? undefined : html`<div class="prose">${body === '' ? html`<p class="mute">Nothing was written.</p>` : text}</div>`}
${renderAttachments(ctx, said, deletePath)}
${foot}
</section>
</article>`
}

function renderAttachments(
  { config }: Context,
  { body, assets }: Said,
  deletePath: DeletePath,
): Part {
  if (assets.length === 0) return undefined
  const render = (file: Attachment) => {
    // What the text shows itself is not shown again.
    const isShown = isShownPicture(config, file) && !body.includes(file.uuid)
    return renderAttachment(config, file, isShown, deletePath)
  }
  return html`<ul class="attach plain">${assets.map(render)}</ul>`
}

/** A picture that browsers are told to show, and not to save. */
function isShownPicture(config: Config, { mediaType, size }: Attachment): boolean {
  const isPicture = mediaType.startsWith('image/') && size <= MAX_SHOWN_BYTES
  return isPicture && dispositionOf(config, mediaType) === 'inline'
}

function renderAttachment(
  config: Config,
  attachment: Attachment,
  isShown: boolean,
  deletePath: DeletePath,
): Html {
  const { name, uuid, downloadCount } = attachment
  const href = `${basePath(config)}/attachments/${uuid}`
  return html`
<li>
${isShown && html`<a class="preview" href="${href}"><img src="${href}" alt="${name}" loading="lazy"></a>`}
<span class="kind" aria-hidden="true">${kindOf(name)}</span>
<span class="grow"><a href="${href}">${name}</a><span class="mute">${describeFile(attachment)}${downloadCount > 0 && !isShown && html` · ${counted(downloadCount, 'download')}`}</span></span>
<a class="get" href="${href}" download aria-label="Download ${name}">${icon('download')}</a>
${deletePath && renderDelete(deletePath(attachment), name)}
</li>`
}

/** Asked twice: a file that is gone does not come back. */
export function renderDelete(action: string, name: string): Html {
  return html`<details class="drop-file"><summary aria-label="Delete ${name}">${icon('trash')}</summary>
<form method="post" action="${action}"><button class="button danger">Delete for good<span class="unseen"> ${name}</span></button></form></details>`
}

/** How large a file is, and enough of its digest to tell it from another. */
export function describeFile({ size, sha256 }: Pick<Attachment, 'size' | 'sha256'>): string {
  return `${sizeText(size)} · sha256 ${sha256.slice(0, 8)}…${sha256.slice(-4)}`
}

export function kindOf(name: string): string {
  return /\.([A-Za-z0-9]{1,4})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
}
