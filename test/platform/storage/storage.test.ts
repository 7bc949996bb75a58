// One database is enough: none is used.
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readlinkSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { configWith } from '../../../src/platform/config/config.ts'
import { DiskStorage } from '../../../src/platform/storage/disk.ts'
import { FileMissing, type FileStorage } from '../../../src/platform/storage/file-storage.ts'
import { openStorage } from '../../../src/platform/storage/open-storage.ts'
import { noS3, startS3 } from '../../support/s3.ts'

const later = () => Math.floor(Date.now() / 1000) + 3600

async function* chunks(...parts: (Uint8Array | string)[]) {
  for (const part of parts) yield Buffer.from(part)
}

async function* broken(length: number) {
  yield Buffer.alloc(length)
  throw new Error('the client is gone')
}

async function read(files: FileStorage, key: string, range?: { from: number; to: number }) {
  return Buffer.concat(await (await files.open(key, range)).toArray())
}

async function keysOf(files: FileStorage, prefix?: string): Promise<string[]> {
  const found = await Array.fromAsync(files.list(prefix))
  return found.map(({ key }) => key).sort()
}

/** What every storage does. */
function contract(
  title: string,
  open: (t: TestContext) => Promise<FileStorage>,
  skip: string | false,
) {
  suite(title, { skip }, () => {
    test('gives back what was put, whole and in parts, and measures it', async (t) => {
      const files = await open(t)
      const large = randomBytes(9_000_000)

      const small = await files.put('attachments/ab/one', chunks('hello, ', 'world'))
      const measured = await files.putNew('lfs/cd/two', chunks(large))
      const empty = await files.putNew('attachments/ab/none', chunks())

      assert.deepEqual(small, { size: 12, sha256: hash('sha256', 'hello, world') })
      assert.deepEqual(measured, { size: large.length, sha256: hash('sha256', large) })
      assert.deepEqual(empty, { size: 0, sha256: hash('sha256', '') })
      assert.equal((await read(files, 'attachments/ab/one')).toString(), 'hello, world')
      assert.equal(
        (await read(files, 'attachments/ab/one', { from: 7, to: 11 })).toString(),
        'world',
      )
      assert.ok((await read(files, 'lfs/cd/two')).equals(large))
      assert.equal((await read(files, 'attachments/ab/none')).length, 0)
    })

    test('lists what lies below a prefix, and forgets what is removed', async (t) => {
      const files = await open(t)
      for (const key of ['attachments/ab/one', 'attachments/cd/two', 'lfs/ab/three']) {
        await files.put(key, chunks(key))
      }

      await files.remove('attachments/ab/one')
      await files.remove('attachments/ab/one')

      assert.deepEqual(await keysOf(files, 'attachments'), ['attachments/cd/two'])
      assert.deepEqual(await keysOf(files, 'lfs'), ['lfs/ab/three'])
      assert.deepEqual(await keysOf(files, 'avatars'), [])
      const [listed] = await Array.fromAsync(files.list('lfs'))
      assert.ok(Math.abs((listed?.modifiedAt ?? 0) - Date.now() / 1000) < 60)
      await assert.rejects(files.open('attachments/ab/one'), FileMissing)
    })

    test('moves what it has to another key, and lists the trash only when asked', async (t) => {
      const files = await open(t)
      await files.put('attachments/ab/one', chunks('one'))
      const trashed = 'trash/2026-11-19/attachments/ab/one'

      await files.move('attachments/ab/one', trashed)
      const [all, trash] = [await keysOf(files), await keysOf(files, 'trash')]
      await assert.rejects(files.move('attachments/ab/one', trashed), FileMissing)
      await files.move(trashed, 'attachments/ab/one')

      assert.deepEqual([all, trash], [[], [trashed]])
      assert.deepEqual(await keysOf(files), ['attachments/ab/one'])
      assert.equal((await read(files, 'attachments/ab/one')).toString(), 'one')
    })

    test('keeps nothing of what breaks off, however much there was', async (t) => {
      const files = await open(t)

      for (const length of [0, 10, 20_000_000]) {
        await assert.rejects(files.put('attachments/ab/one', broken(length)), /client is gone/)
        await assert.rejects(files.putNew('attachments/ab/two', broken(length)), /client is gone/)
      }
      await files.tidy(later())

      assert.deepEqual(await keysOf(files, 'attachments'), [])
      await assert.rejects(files.open('attachments/ab/one'), FileMissing)
    })

    test('takes no key that leads elsewhere', async (t) => {
      const files = await open(t)

      for (const key of ['../x', 'a/../b', '/a/b', 'a', 'a//b', 'A/b', 'a/b\0', 'a/b.c', '']) {
        await assert.rejects(files.put(key, chunks('x')), /is no key/, key)
        await assert.rejects(files.putNew(key, chunks('x')), /is no key/, key)
        await assert.rejects(files.open(key), /is no key/, key)
        await assert.rejects(files.remove(key), /is no key/, key)
      }
    })
  })
}

/** What was open a moment ago may be closed. */
function placeOf(descriptor: string): string {
  try {
    return readlinkSync(descriptor)
  } catch {
    return ''
  }
}

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-storage-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

contract('files on disk', async (t) => new DiskStorage(newFolder(t)), false)
contract(
  'files in a bucket',
  async (t) => openStorage(configWith(newFolder(t), { storage: await startS3(t) })),
  noS3,
)

suite('folders on a disk', () => {
  test('stay open, but not all of them', async (t) => {
    const folder = newFolder(t)
    const files = new DiskStorage(folder)
    const isInside = (descriptor: string) => placeOf(descriptor).startsWith(folder)

    for (let count = 0; count < 300; count++) await files.put(`lfs/${count}/x`, chunks('x'))

    const open = readdirSync('/proc/self/fd').filter((name) => isInside(`/proc/self/fd/${name}`))
    assert.ok(open.length > 100 && open.length <= 256, `${open.length} are open`)
    await files.close()
  })

  test('are made again when somebody has removed them', async (t) => {
    const folder = newFolder(t)
    const files = new DiskStorage(folder)
    t.after(() => files.close())

    await files.putNew('attachments/ab/one', chunks('one'))
    rmSync(join(folder, 'attachments'), { recursive: true })
    const keys = ['attachments/ab/two', 'attachments/ab/three', 'attachments/cd/four']
    await Promise.all(keys.map((key) => files.putNew(key, chunks(key))))

    assert.deepEqual(await keysOf(files, 'attachments'), keys.toSorted())
  })
})

suite('tidying a disk', () => {
  test('removes what was being written when the process ended, once it is old', async (t) => {
    const folder = newFolder(t)
    const files = new DiskStorage(folder)
    const { promise, resolve } = Promise.withResolvers<void>()
    const writing = files.put(
      'attachments/ab/one',
      (async function* () {
        yield Buffer.from('x')
        await promise
      })(),
    )
    const unfinished = await firstFile(folder)

    await files.tidy(later() - 7200)
    const young = await firstFile(folder)
    utimesSync(join(folder, unfinished), 1, 1)
    await files.tidy(later() - 7200)

    assert.equal(young, unfinished)
    resolve()
    await assert.rejects(writing)
    assert.deepEqual(await keysOf(files, 'attachments'), [])
  })
})

async function firstFile(folder: string): Promise<string> {
  const { globSync } = await import('node:fs')
  for (;;) {
    const [found] = globSync('attachments/ab/*', { cwd: folder })
    if (found !== undefined) return found
    await new Promise(setImmediate)
  }
}

suite('a bucket that cannot be used', { skip: noS3 }, () => {
  test('ends the start of the server', async (t) => {
    const storage = { ...(await startS3(t)), bucket: 'absent' }

    await assert.rejects(openStorage(configWith(newFolder(t), { storage })), /bucket/i)
  })
})
