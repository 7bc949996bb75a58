import { Type, type Static } from 'typebox'
import { Bytes, CommitMetaBody, CommitUserBody, VerificationBody } from '../commits/schema.ts'
import type { Endpoint } from '../../platform/http/api.ts'

const text = Type.String()
const nullableText = Type.Union([text, Type.Null()])
const time = Type.String({ format: 'date-time' })

export type ContentsBody = Static<typeof ContentsBody>
export const ContentsBody = Type.Object(
  {
    name: text,
    path: text,
    sha: text,
    last_commit_sha: Type.Optional(text),
    last_committer_date: Type.Optional(time),
    last_author_date: Type.Optional(time),
    last_commit_message: Type.Optional(text),
    type: text,
    mode: text,
    size: Type.Integer(),
    encoding: nullableText,
    content: nullableText,
    target: nullableText,
    url: text,
    html_url: nullableText,
    git_url: nullableText,
    download_url: nullableText,
    submodule_git_url: nullableText,
    _links: Type.Object({ self: text, git: nullableText, html: nullableText }),
    lfs_oid: Type.Optional(text),
    lfs_size: Type.Optional(Type.Integer()),
  },
  { title: 'ContentsResponse' },
)

export type ContentsExtBody = Static<typeof ContentsExtBody>
export const ContentsExtBody = Type.Partial(
  Type.Object({ file_contents: ContentsBody, dir_contents: Type.Array(ContentsBody) }),
  { title: 'ContentsExtResponse' },
)

const FileCommitBody = Type.Object(
  {
    url: text,
    sha: text,
    created: time,
    html_url: text,
    author: CommitUserBody,
    committer: CommitUserBody,
    parents: Type.Array(CommitMetaBody),
    message: text,
    tree: CommitMetaBody,
  },
  { title: 'FileCommitResponse' },
)

export type FileCommitBody = Static<typeof FileCommitBody>

const nullableContents = Type.Union([ContentsBody, Type.Null()])

const written = { commit: FileCommitBody, verification: VerificationBody }

const FileBody = Type.Object({ content: nullableContents, ...written }, { title: 'FileResponse' })

const FilesBody = Type.Object(
  { files: Type.Array(nullableContents), ...written },
  { title: 'FilesResponse' },
)

const IdentityOption = Type.Partial(Type.Object({ name: text, email: text }))

const common = {
  message: Type.Optional(text),
  branch: Type.Optional(Type.String({ rule: 'GitRefName', maxLength: 100, field: 'BranchName' })),
  new_branch: Type.Optional(
    Type.String({ rule: 'GitRefName', maxLength: 100, field: 'NewBranchName' }),
  ),
  author: Type.Optional(IdentityOption),
  committer: Type.Optional(IdentityOption),
  dates: Type.Optional(Type.Partial(Type.Object({ author: time, committer: time }))),
  signoff: Type.Optional(Type.Boolean()),
  force_push: Type.Optional(Type.Boolean()),
}

const content = Type.Optional(Type.String({ description: 'In base64.', field: 'ContentBase64' }))
const sha = Type.String({ description: 'The id of the file as it is.', field: 'SHA' })

export type CommonFileOptions = Omit<Static<typeof DeleteFileOptions>, 'sha'>

export const CreateFileOptions = Type.Object({ ...common, content }, { title: 'CreateFileOptions' })

export const UpdateFileOptions = Type.Object(
  { ...common, content, sha: Type.Optional(sha), from_path: Type.Optional(text) },
  { title: 'UpdateFileOptions' },
)

export const DeleteFileOptions = Type.Object(
  { ...common, sha: Type.String({ notEmpty: true, field: 'SHA' }) },
  { title: 'DeleteFileOptions' },
)

export type ChangeFileOperation = Static<typeof ChangeFileOperation>
export const ChangeFileOperation = Type.Object(
  {
    operation: Type.Optional(
      Type.String({ description: 'create, update, upload, rename or delete' }),
    ),
    path: Type.Optional(text),
    content,
    sha: Type.Optional(sha),
    from_path: Type.Optional(text),
  },
  { title: 'ChangeFileOperation' },
)

export const ChangeFilesOptions = Type.Object(
  { ...common, files: Type.Array(ChangeFileOperation, { notEmpty: true }) },
  { title: 'ChangeFilesOptions' },
)

export const ApplyDiffPatchFileOptions = Type.Object(
  {
    ...common,
    content: Type.String({ notEmpty: true, description: 'As `git diff` writes it.' }),
  },
  { title: 'ApplyDiffPatchFileOptions' },
)

export const GetFilesOptions = Type.Object(
  { files: Type.Array(text, { notEmpty: true }) },
  { title: 'GetFilesOptions' },
)

const access = { scope: ['repository'], access: 'visible', publicOnly: 'public' } as const
const ref = { ref: 'branch, tag or commit; the default branch when empty' }

export const repoGetContentsList = {
  ...access,
  operationId: 'repoGetContentsList',
  summary: 'The entries of the root folder',
  query: ref,
  answers: { 200: Type.Union([Type.Array(ContentsBody), ContentsBody]) },
} satisfies Endpoint

export const repoGetContents = {
  ...repoGetContentsList,
  operationId: 'repoGetContents',
  summary: 'A file, or the entries of a folder',
} satisfies Endpoint

export const repoGetContentsExt = {
  ...access,
  operationId: 'repoGetContentsExt',
  summary: 'A file, or the entries of a folder, with as much about them as is asked for',
  query: {
    ...ref,
    includes:
      'any of file_content, lfs_metadata, commit_metadata and commit_message, separated by commas',
  },
  answers: { 200: ContentsExtBody },
} satisfies Endpoint

export const repoGetContentsExtRoot = {
  ...repoGetContentsExt,
  operationId: 'repoGetContentsExtRoot',
  summary: 'The same for the root folder',
} satisfies Endpoint

export const repoGetEditorConfig = {
  ...access,
  operationId: 'repoGetEditorConfig',
  summary: 'What the .editorconfig of the root folder says of a file',
  query: ref,
  answers: {
    200: Type.Partial(
      Type.Object({ charset: text, indent_style: text, indent_size: text, end_of_line: text }),
    ),
  },
} satisfies Endpoint

export const repoApplyDiffPatch = {
  ...access,
  operationId: 'repoApplyDiffPatch',
  summary: 'Commit what a patch changes',
  body: ApplyDiffPatchFileOptions,
  answers: { 200: FileBody },
} satisfies Endpoint

export const repoCreateFile = {
  ...access,
  operationId: 'repoCreateFile',
  summary: 'Create a file',
  body: CreateFileOptions,
  answers: { 201: FileBody },
} satisfies Endpoint

export const repoUpdateFile = {
  ...access,
  operationId: 'repoUpdateFile',
  summary: 'Change or move a file; create it when no sha is given',
  body: UpdateFileOptions,
  answers: { 200: FileBody, 201: FileBody },
} satisfies Endpoint

export const repoDeleteFile = {
  ...access,
  operationId: 'repoDeleteFile',
  summary: 'Delete a file',
  body: DeleteFileOptions,
  answers: { 200: FileBody },
} satisfies Endpoint

export const repoChangeFiles = {
  ...access,
  operationId: 'repoChangeFiles',
  summary: 'Change several files in one commit',
  body: ChangeFilesOptions,
  answers: { 201: FilesBody },
} satisfies Endpoint

const several = {
  ...access,
  answers: { 200: Type.Array(nullableContents) },
} as const

export const repoGetFileContents = {
  ...several,
  operationId: 'repoGetFileContents',
  summary: 'Several files at once',
  query: { ...ref, body: 'the names of the files, as JSON' },
} satisfies Endpoint

export const repoGetFileContentsPost = {
  ...several,
  operationId: 'repoGetFileContentsPost',
  summary: 'The same, with the names in the body',
  query: ref,
  body: GetFilesOptions,
} satisfies Endpoint

const bytes = {
  ...access,
  answers: { 200: Bytes, 206: Bytes, 304: 'not modified', 416: 'the part lies beyond the end' },
} as const

export const repoGetRawFile = {
  ...bytes,
  operationId: 'repoGetRawFile',
  summary: 'The bytes of a file',
  query: ref,
} satisfies Endpoint

export const repoGetRawFileOrLFS = {
  ...bytes,
  operationId: 'repoGetRawFileOrLFS',
  summary: 'The bytes of a file, large ones from where they are kept',
  query: ref,
  answers: { ...bytes.answers, 303: 'sent to where it is kept (`storage.redirect`)' },
} satisfies Endpoint

const archived = {
  ...access,
  query: { path: 'only this part of the tree; may be given again' },
  answers: { ...bytes.answers, 303: 'sent to where it is kept (`storage.redirect`)' },
} as const

export const repoGetArchive = {
  ...archived,
  operationId: 'repoGetArchive',
  summary: 'Everything at a branch, tag or commit: name it with .zip, .tar.gz or .bundle',
} satisfies Endpoint

export const repoGetZipball = {
  ...archived,
  operationId: 'repoGetZipball',
  summary: 'The same as a zip file',
} satisfies Endpoint

export const repoGetTarball = {
  ...archived,
  operationId: 'repoGetTarball',
  summary: 'The same as a tar file',
} satisfies Endpoint

export const repoGetBundle = {
  ...archived,
  operationId: 'repoGetBundle',
  summary: 'The same as a git bundle',
} satisfies Endpoint
