import type { Config } from '../../platform/config/config.ts'
import { copyFiles } from '../../platform/storage/copy.ts'
import { openStorage } from '../../platform/storage/open-storage.ts'
import { UsageError, type Invocation } from './command.ts'

/** From where they have been to where the settings say that they are. */
export async function runFileCopy(invocation: Invocation): Promise<void> {
  const { config, terminal } = invocation
  const kind = invocation.required('from')
  if (kind !== 'disk' && kind !== 's3') throw new UsageError('--from is neither disk nor s3')
  if (kind === config.storage.kind) {
    throw new UsageError(`storage.kind is ${kind}: it has to say where the files are to go`)
  }
  const source = await openStorage(withStorage(config, kind))
  const target = await openStorage(config)
  const count = await copyFiles(source, target)
  await Promise.all([source.close(), target.close()])
  terminal.note(`${count} ${count === 1 ? 'file is' : 'files are'} copied.`)
}

function withStorage(config: Config, kind: Config['storage']['kind']): Config {
  return { ...config, storage: { ...config.storage, kind } }
}
