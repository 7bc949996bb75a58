import type { GitObject } from '../../platform/git/objects.ts'
import type { Ref } from '../../platform/git/list-refs.ts'
import type { Tag } from '../../platform/git/parse.ts'
import { encodePath } from '../../platform/config/urls.ts'
import { presentSignature, presentVerification, type Links } from './present.ts'
import type { AnnotatedTagBody, BlobBody, ReferenceBody, TreeBody } from './git-schema.ts'
import type { SizedEntry, TreePage } from './tree.ts'
import type { Verification } from './verification.ts'

export function presentTree(links: Links, tree: TreePage): TreeBody {
  return {
    sha: tree.id,
    url: `${links.api}/git/trees/${tree.id}`,
    tree: tree.entries.map((entry) => presentEntry(links, entry)),
    truncated: tree.hasMore,
    page: tree.number,
    total_count: tree.total,
  }
}

function presentEntry(links: Links, entry: SizedEntry): TreeBody['tree'][number] {
  const type = entry.kind === 'dir' ? 'tree' : entry.kind === 'submodule' ? 'commit' : 'blob'
  return {
    path: entry.path,
    mode: entry.mode,
    type,
    size: entry.size,
    sha: entry.id,
    // A submodule's commit is not ours to show.
    url: type === 'commit' ? '' : `${links.api}/git/${type}s/${entry.id}`,
  }
}

/** Above the limit there is no content. */
export function presentBlob(
  links: Links,
  { id, size, content }: Omit<GitObject, 'type' | 'content'> & { content: Buffer | undefined },
): BlobBody {
  return {
    content: content?.toString('base64') ?? null,
    encoding: content ? 'base64' : null,
    url: `${links.api}/git/blobs/${id}`,
    sha: id,
    size,
  }
}

export function presentReference(links: Links, { name, id, type }: Ref): ReferenceBody {
  return {
    ref: name,
    url: `${links.api}/git/${encodePath(name)}`,
    object: { type, sha: id, url: `${links.api}/git/${type}s/${id}` },
  }
}

export function presentAnnotatedTag(
  links: Links,
  tag: Tag,
  verification: Verification,
): AnnotatedTagBody {
  return {
    tag: tag.name,
    sha: tag.id,
    url: `${links.api}/git/tags/${tag.id}`,
    // As it stands in the object, last newline included: clients compare it with what git shows.
    message: tag.message,
    tagger: presentSignature({ ...tag.tagger, zone: 0 }),
    object: {
      type: tag.target.type,
      url: `${links.api}/git/${tag.target.type}s/${tag.target.id}`,
      sha: tag.target.id,
    },
    verification: presentVerification(verification),
  }
}
