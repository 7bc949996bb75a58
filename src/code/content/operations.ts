import { invalid } from '../../platform/errors.ts'
import type { Overlay } from './overlay.ts'
import { assertPathAllowed } from './path.ts'

const kinds = ['create', 'update', 'upload', 'rename', 'delete'] as const
export type OperationKind = (typeof kinds)[number]

export interface FileOperation {
  readonly kind: OperationKind
  readonly path: string
  /** Where the file comes from, when it moves; else empty. */
  readonly fromPath: string
  /** Absent where the content stays what it is. */
  readonly content: Buffer | undefined
  /** The id of the file as the caller knows it. */
  readonly sha: string
}

export function readKind(text: string): OperationKind {
  const kind = kinds.find((known) => known === text)
  if (!kind) throw invalid(`unknown operation: ${text}`)
  return kind
}

export async function applyOperation(overlay: Overlay, operation: FileOperation): Promise<void> {
  assertPathAllowed(operation.path)
  if (operation.fromPath !== '') assertPathAllowed(operation.fromPath)
  switch (operation.kind) {
    case 'create':
      return create(overlay, operation)
    case 'upload':
      return upload(overlay, operation)
    case 'update':
    case 'rename':
      return update(overlay, operation)
    case 'delete':
      await overlay.load(operation.path, operation.sha)
      return overlay.remove(operation.path)
  }
}

async function create(overlay: Overlay, { path, content }: FileOperation): Promise<void> {
  await overlay.assertPlaceFor(path)
  if (await overlay.find(path)) throw alreadyThere(path)
  overlay.write(path, content ?? Buffer.alloc(0))
}

async function upload(overlay: Overlay, { path, content }: FileOperation): Promise<void> {
  await overlay.assertPlaceFor(path)
  overlay.write(path, content ?? Buffer.alloc(0), (await overlay.find(path))?.mode)
}

/** A file that moves keeps its mode, and its content unless it is given another. */
async function update(overlay: Overlay, operation: FileOperation): Promise<void> {
  const { path, content, sha } = operation
  const from = operation.fromPath || path
  const file = await overlay.load(from, sha)
  if (from !== path) {
    overlay.remove(from)
    await overlay.assertPlaceFor(path)
    if (await overlay.find(path)) throw alreadyThere(path)
  }
  if (content) overlay.write(path, content, file.mode)
  else overlay.copy(path, file)
}

function alreadyThere(path: string): Error {
  return invalid(`repository file already exists [path: ${path}]`, { reason: 'path_taken' })
}
