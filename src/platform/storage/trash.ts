import { FileMissing, TRASH, type FileStorage } from './file-storage.ts'

const DAY_SECONDS = 86_400

/** The part of the trash that takes what is thrown away now, such as `2026-11-19`. */
export function dayOf(now: number): string {
  return new Date(now * 1000).toISOString().slice(0, 10)
}

/** Whether what was thrown away on that day has been kept for so many days since. */
export function isOver(day: string, now: number, keptDays: number): boolean {
  return day < dayOf(now - keptDays * DAY_SECONDS)
}

/** What is gone already is fine. */
export async function throwAway(files: FileStorage, key: string, now: number): Promise<void> {
  await files.move(key, `${TRASH}/${dayOf(now)}/${key}`).catch(ignoreMissing)
}

export interface ThrownAway {
  readonly day: string
  /** Where it was before. */
  readonly key: string
}

export async function* listThrownAway(files: FileStorage): AsyncGenerator<ThrownAway> {
  for await (const { key } of files.list(TRASH)) {
    const [, day = '', ...rest] = key.split('/')
    yield { day, key: rest.join('/') }
  }
}

/** For good. */
export async function emptyTrash(
  files: FileStorage,
  now: number,
  keptDays: number,
): Promise<number> {
  let count = 0
  for await (const { day, key } of listThrownAway(files)) {
    if (!isOver(day, now, keptDays)) continue
    await files.remove(`${TRASH}/${day}/${key}`)
    count++
  }
  return count
}

/** To where it was; false when it is not in the trash any more. */
export async function takeBack(files: FileStorage, { day, key }: ThrownAway): Promise<boolean> {
  try {
    await files.move(`${TRASH}/${day}/${key}`, key)
    return true
  } catch (error) {
    ignoreMissing(error)
    return false
  }
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof FileMissing)) throw error
}
