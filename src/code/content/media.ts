import type { Context } from '../../platform/context.ts'
import { openObject } from '../lfs/media.ts'
import { MAX_POINTER_BYTES, parsePointer } from '../lfs/object.ts'
import type { Repository } from '../../repositories/repository/repository.ts'
import { loadRawFile, type RawFile, type RawPlace } from './raw.ts'

/** Like `loadRawFile`; where a pointer of Git LFS stands for the bytes, those, if we have them. */
export async function loadMediaFile(
  ctx: Context,
  repo: Repository,
  place: RawPlace,
  headBytes: number,
): Promise<RawFile> {
  const file = await loadRawFile(ctx, repo, place, Math.max(headBytes, MAX_POINTER_BYTES))
  const pointer = file.size <= MAX_POINTER_BYTES ? parsePointer(file.head) : undefined
  const stored = pointer && (await openObject(ctx, repo, pointer, headBytes))
  return stored ? { ...stored, name: file.name } : file
}
