import { Type, type Static } from 'typebox'

export type AttachmentBody = Static<typeof AttachmentBody>
export const AttachmentBody = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    size: Type.Integer(),
    download_count: Type.Integer(),
    created_at: Type.String(),
    uuid: Type.String(),
    browser_download_url: Type.String(),
    digest: Type.Optional(Type.String({ description: 'sha256: and the hash, where asked for.' })),
  },
  { title: 'Attachment' },
)

export const EditAttachmentOptions = Type.Partial(Type.Object({ name: Type.String() }), {
  title: 'EditAttachmentOptions',
})
