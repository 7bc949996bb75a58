// One database is enough: none is used.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readOffers } from '../../../src/code/lfs/offer.ts'

const read = (value: unknown) => readOffers(Buffer.from(JSON.stringify(value)))

suite('what another server answers to a batch', () => {
  test('is taken as far as it is what it should be', () => {
    const link = { href: 'https://example.org/x', header: { A: 'b', n: 1, o: {} }, expires_in: 9 }
    const objects = [
      { oid: 'a', size: 1, actions: { download: link } },
      { oid: 'b', error: { code: 404, message: 'gone' } },
      { oid: 'c', error: null, actions: { download: { href: 7 }, upload: 'x' } },
      { oid: 'd', error: {} },
      null,
    ]

    const offers = read({ transfer: 'basic', objects })

    assert.deepEqual(offers?.get('a')?.download, { href: link.href, header: { A: 'b' } })
    assert.equal(offers?.get('a')?.error, undefined)
    assert.equal(offers?.get('b')?.error, 404)
    const { download, upload, error } = offers?.get('c') ?? {}
    assert.deepEqual([download, upload, error], [undefined, undefined, undefined])
    assert.ok(Number.isNaN(offers?.get('d')?.error))
    assert.deepEqual(read({ objects: [] }), new Map())
    for (const odd of [null, 1, [], {}, { objects: {} }, 'x']) assert.equal(read(odd), undefined)
    assert.equal(readOffers(Buffer.from('<html>')), undefined)
  })
})
