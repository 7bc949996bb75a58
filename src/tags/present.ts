import { encodeSegment } from '../config/urls.ts'
import { presentMeta, type Links } from '../commits/present.ts'
import type { TagBody } from './schema.ts'
import type { NamedTag } from './tags.ts'

export function presentTag(links: Links, { name, id, message, commit, at }: NamedTag): TagBody {
  const archive = `${links.page}/archive/${encodeSegment(name)}`
  return {
    name,
    message,
    id,
    commit: presentMeta(links, commit.id, at),
    zipball_url: `${archive}.zip`,
    tarball_url: `${archive}.tar.gz`,
  }
}
