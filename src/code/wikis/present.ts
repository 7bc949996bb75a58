import { presentSignature, type Links } from '../commits/present.ts'
import { readBase64 } from '../content/read-change.ts'
import { AppError } from '../../platform/errors.ts'
import type { Commit } from '../../platform/git/parse.ts'
import type { PageEdit } from './edit.ts'
import { addressOfFile, titleOfFile } from './name.ts'
import type { WholePage, WikiPage } from './pages.ts'
import type {
  CreateWikiPageOptions,
  WikiCommitBody,
  WikiPageBody,
  WikiPageMetaBody,
} from './schema.ts'

export function presentPageMeta(links: Links, { file, lastCommit }: WikiPage): WikiPageMetaBody {
  const address = addressOfFile(file)
  return {
    title: titleOfFile(file),
    html_url: `${links.page}/wiki/${address}`,
    sub_url: address,
    last_commit: lastCommit ? presentWikiCommit(lastCommit) : null,
  }
}

export function presentPage(links: Links, page: WholePage): WikiPageBody {
  return {
    ...presentPageMeta(links, page),
    content_base64: page.content.toString('base64'),
    commit_count: page.commitCount,
    sidebar: page.sidebar.toString('base64'),
    footer: page.footer.toString('base64'),
  }
}

export function presentWikiCommit(commit: Commit): WikiCommitBody {
  return {
    sha: commit.id,
    author: presentSignature(commit.author),
    commiter: presentSignature(commit.committer),
    message: commit.message,
  }
}

export function readPageEdit({
  title = '',
  content_base64,
  message = '',
}: CreateWikiPageOptions): PageEdit {
  return {
    title: title.trim(),
    content: content_base64 === undefined ? undefined : readContent(content_base64),
    message: message.trim(),
  }
}

function readContent(text: string): Buffer {
  try {
    return readBase64(text)
  } catch (cause) {
    throw new AppError('bad_request', 'invalid base64 encoding of content', { cause })
  }
}
