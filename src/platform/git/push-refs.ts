import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ObjectFormat } from '../db/columns.ts'
import { readPushAbilities } from './abilities.ts'
import { HIDDEN_REFS } from './environment.ts'
import { flushPacket, pktLine } from './pkt-line.ts'
import type { Git } from './run.ts'
import { readWrittenRefs, type WrittenRef } from './written-refs.ts'

/**
 * What git tells somebody who is about to push, without starting it; undefined where it has to be
 * asked.
 */
export async function tellPushRefs(
  git: Git,
  folder: string,
  format: ObjectFormat,
): Promise<Buffer | undefined> {
  const written = await readWrittenRefs(folder).catch(() => undefined)
  if (!written || (await isShallow(folder))) return undefined
  const refs = written.filter(({ name }) => !name.startsWith(HIDDEN_REFS))
  const abilities = await readPushAbilities(git, folder, format)
  const [first = noRef(format), ...others] = refs
  const lines = [`${lineOf(first)}\0${abilities.toString()}`, ...others.map(lineOf)]
  return Buffer.from(lines.map((line) => pktLine(`${line}\n`)).join('') + flushPacket)
}

/** Git tells of the commits whose parents are missing too. */
async function isShallow(folder: string): Promise<boolean> {
  return (await stat(join(folder, 'shallow')).catch(() => undefined)) !== undefined
}

function lineOf({ id, name }: WrittenRef): string {
  return `${id} ${name}`
}

/** Stands for the refs where there are none. */
function noRef(format: ObjectFormat): WrittenRef {
  return { id: '0'.repeat(format === 'sha256' ? 64 : 40), name: 'capabilities^{}' }
}
