import { MAX_SHOWN_BYTES } from '../../code/content/browse.ts'
import type { Context } from '../../platform/context.ts'
import { MAX_FIELDS } from '../../platform/http/form-parts.ts'
import type { Site } from '../layout.ts'
import { repositoryForm, type Done, type Submitted } from '../repository/form.ts'
import { repositoryPage, type Show } from '../repository/visit.ts'
import type { Section } from './place.ts'
import { showDelete, takeDelete } from './remove.ts'
import { assertMayEdit } from './rights.ts'
import { showUpload, takeUpload } from './upload.ts'
import { showEdit, showNewFile, takeText } from './write.ts'
import type { PageServer } from '../page-server.ts'

/** Files of a branch, made, changed, removed and uploaded by commits. */
export function filePages(server: PageServer, ctx: Context, site: Site): void {
  const { default_max_blob_size, max_body_size } = ctx.config.api
  // Whatever stands in a form may be escaped; what is longer than what can be edited is uploaded.
  const maxBytes = 3 * MAX_SHOWN_BYTES + max_body_size
  const terms = { admit: assertMayEdit, maxBytes }
  const add = (
    section: Section,
    show: Show,
    take: (submitted: Submitted) => Promise<Done>,
    more: { readonly maxBytes: number; readonly maxParts?: number } = terms,
  ) => {
    const path = `/:owner/:repo/${section}/branch/*`
    server.get(path, repositoryPage(ctx, site, show))
    server.post(path, repositoryForm(ctx, site, take, { ...terms, ...more }))
  }
  add('_new', showNewFile, takeText('_new'))
  add('_edit', showEdit, takeText('_edit'))
  add('_delete', showDelete, takeDelete)
  add('_upload', showUpload, takeUpload, {
    maxBytes: default_max_blob_size + max_body_size,
    maxParts: MAX_FIELDS,
  })
}
