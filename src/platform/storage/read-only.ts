import type { FileStorage } from './file-storage.ts'
import { StorageAway } from './mark.ts'

/** A storage that is only read for as long as `isReadOnly` says: another server writes to it. */
export function readOnlyWhile(files: FileStorage, isReadOnly: () => boolean): FileStorage {
  const guarded =
    <Parameters extends unknown[], Result>(write: (...parameters: Parameters) => Promise<Result>) =>
    async (...parameters: Parameters): Promise<Result> => {
      if (isReadOnly()) throw new StorageAway('the bucket of the original')
      return write(...parameters)
    }
  return {
    put: guarded(files.put.bind(files)),
    putNew: guarded(files.putNew.bind(files)),
    move: guarded(files.move.bind(files)),
    remove: guarded(files.remove.bind(files)),
    tidy: guarded(files.tidy.bind(files)),
    open: files.open.bind(files),
    linkTo: files.linkTo.bind(files),
    list: files.list.bind(files),
    close: files.close.bind(files),
  }
}
