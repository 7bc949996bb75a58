import { encodeSegment } from '../../platform/config/urls.ts'
import { beginningOf } from '../../platform/parsing/beginning.ts'
import { presentMeta, roomOfEach, type Links } from '../commits/present.ts'
import type { TagBody } from './schema.ts'
import type { NamedTag } from './tags.ts'

/** One of so many in an answer. */
export function presentTag(
  links: Links,
  { name, id, message, commit, at }: NamedTag,
  count = 1,
): TagBody {
  const archive = `${links.page}/archive/${encodeSegment(name)}`
  return {
    name,
    message: beginningOf(message, roomOfEach(count)),
    id,
    commit: presentMeta(links, commit.id, at),
    zipball_url: `${archive}.zip`,
    tarball_url: `${archive}.tar.gz`,
  }
}
