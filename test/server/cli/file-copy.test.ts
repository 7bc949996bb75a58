// One database is enough: files do not pass through it.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { suite, test, type TestContext } from 'node:test'
import { configWith } from '../../../src/platform/config/config.ts'
import { openStorage } from '../../../src/platform/storage/open-storage.ts'
import { noS3, startS3 } from '../../support/s3.ts'
import { Machine, startMachine } from '../../support/terminal.ts'

type Bucket = Awaited<ReturnType<typeof startS3>>

/** A machine whose files are to be there. */
function machineWith(data: string, kind: 'disk' | 's3', bucket: Bucket): Machine {
  const settings = Object.entries({ ...bucket, kind }).map(([key, value]) => [
    `CODESTEAD_STORAGE_${key.toUpperCase()}`,
    String(value),
  ])
  return new Machine(data, '', Object.fromEntries(settings))
}

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'codestead-files-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function readAll(data: string): Promise<Map<string, string>> {
  const storage = await openStorage(configWith(data))
  const files = new Map<string, string>()
  for await (const { key, size } of storage.list()) {
    const content = Buffer.concat(await Array.fromAsync(await storage.open(key)))
    assert.equal(size, content.length)
    files.set(key, content.toString('base64'))
  }
  await storage.close()
  return files
}

suite('admin files copy', () => {
  test('brings files to a bucket and back, each once', { skip: noS3 }, async (t) => {
    const bucket = await startS3(t)
    const [here, there] = [folderFor(t), folderFor(t)]
    const disk = await openStorage(configWith(here))
    for (let count = 0; count < 30; count++) {
      await disk.put(`attachments/a${count}/b-${count}`, Readable.from([randomBytes(count * 1000)]))
    }
    await disk.put('lfs/large', Readable.from([randomBytes(9_000_000)]))
    await disk.close()
    const wanted = await readAll(here)

    const first = await machineWith(here, 's3', bucket).admin(['files', 'copy', '--from', 'disk'])
    const again = await machineWith(here, 's3', bucket).admin(['files', 'copy', '--from', 'disk'])
    const back = await machineWith(there, 'disk', bucket).admin(['files', 'copy', '--from', 's3'])

    assert.deepEqual(
      [first, again, back].map(({ status, notes }) => [status, notes]),
      [
        [0, '31 files are copied.'],
        [0, '0 files are copied.'],
        [0, '31 files are copied.'],
      ],
    )
    assert.deepEqual(await readAll(there), wanted)
    // As if it had been copied while it was being written.
    appendFileSync(join(here, 'files/lfs/large'), 'more')
    const rest = await machineWith(here, 's3', bucket).admin(['files', 'copy', '--from', 'disk'])
    assert.equal(rest.notes, '1 file is copied.')
  })

  test('has to be told from where', async (t) => {
    const machine = await startMachine(t)
    const copy = (...words: string[]) => machine.admin(['files', 'copy', ...words])

    const answers = [await copy(), await copy('--from', 'tape'), await copy('--from', 'disk')]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [2, 2, 2],
    )
    const [missing, unknown, same] = answers.map(({ notes }) => notes)
    assert.match(missing ?? '', /--from is missing/)
    assert.match(unknown ?? '', /neither disk nor s3/)
    assert.match(same ?? '', /storage\.kind is disk/)
  })
})
