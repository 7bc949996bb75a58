import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { find, withWorld } from './support.ts'

suite('GET /repos/search: keywords', () => {
  test('are found in names and topics, in descriptions only when asked', async (t) => {
    const { app, ann, make } = await withWorld(t)
    await make(ann, 'Kite')
    await make(ann, 'sail', { description: 'a KITE of sorts' })
    await make(ann, 'boat')
    await app.put(ann, '/repos/ann/boat/topics', { topics: ['kite-like'] })

    assert.deepEqual(await find(app, undefined, 'q=kITe'), ['ann/boat', 'ann/Kite'])
    assert.deepEqual(await find(app, undefined, 'q=kite&includeDesc=true'), [
      'ann/boat',
      'ann/Kite',
      'ann/sail',
    ])
    assert.deepEqual(await find(app, undefined, 'q=kite&topic=true&includeDesc=true'), [])
    assert.deepEqual(await find(app, undefined, 'q=ann/&topic=true'), [])
    assert.deepEqual(await find(app, undefined, 'q=kite-like&topic=true&includeDesc=true'), [
      'ann/boat',
    ])
    assert.deepEqual(await find(app, undefined, 'q=+sail,boat+'), ['ann/boat', 'ann/sail'])
    const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(',')
    assert.deepEqual(await find(app, undefined, `q=${words(19)},sail`), ['ann/sail'])
    assert.deepEqual(await find(app, undefined, `q=${words(20)},sail`), [])
    assert.deepEqual(await find(app, undefined, 'q=,'), ['ann/boat', 'ann/Kite', 'ann/sail'])
  })

  test('fold letters of every script, and take wildcards literally', async (t) => {
    const { app, ann, make } = await withWorld(t)
    await make(ann, 'a_b', { description: 'großer ÄRGER' })
    await make(ann, 'axb')

    assert.deepEqual(await find(app, undefined, `includeDesc=1&q=${encodeURIComponent('ärger')}`), [
      'ann/a_b',
    ])
    assert.deepEqual(await find(app, undefined, 'q=_'), ['ann/a_b'])
    await make(ann, 'short', { description: 'a 😀x' })
    const short = await find(app, undefined, `includeDesc=1&q=${encodeURIComponent('😀x')}`)
    assert.deepEqual(short, ['ann/short'])
    const description = `${'é'.repeat(300)}Tail "kite" AND near:b* {x} (y`
    await make(ann, 'long', { description })
    const inText = [
      'é'.repeat(299),
      `${'é'.repeat(260)}tail`,
      '"kite"',
      'e" and NEAR:B*',
      '* {x} (Y',
    ]
    const notInText = [
      `${'é'.repeat(299)}x`,
      'kite NEAR b',
      'kit*',
      '"kites',
      'near : b',
      '{x} OR y',
    ]
    for (const [texts, found] of [
      [inText, ['ann/long']],
      [notInText, []],
    ] as const)
      for (const text of texts)
        assert.deepEqual(
          await find(app, undefined, `includeDesc=1&q=${encodeURIComponent(text)}`),
          found,
          text.slice(-20),
        )
    for (const q of [
      '%25',
      '%00%25',
      '%5C',
      'x'.repeat(6000),
      "'; DROP TABLE repository; --",
      '%ff',
    ]) {
      assert.deepEqual(await find(app, undefined, `q=${q}`), [], q.slice(0, 20))
    }
  })

  test('with one slash also mean owner and name, the exact owner first', async (t) => {
    const { app, ann, bob, make } = await withWorld(t)
    const annika = await app.addCaller('annika')
    await make(ann, 'zeta')
    await make(annika, 'alpha')
    await make(bob, 'beta')

    assert.deepEqual(await find(app, undefined, 'q=ann/'), ['ann/zeta', 'annika/alpha'])
    await app.put(bob, '/user/starred/annika/alpha')
    assert.deepEqual(await find(app, undefined, 'q=ann/&sort=relevance'), [
      'annika/alpha',
      'ann/zeta',
    ])
    assert.deepEqual(await find(app, undefined, 'q=/bet'), ['bob/beta'])
    assert.deepEqual(await find(app, undefined, 'q=ann/zeta/x'), [])
    assert.deepEqual(await find(app, undefined, 'q=/'), ['annika/alpha', 'bob/beta', 'ann/zeta'])
    assert.deepEqual(await find(app, undefined, 'q=ANN/&sort=alpha&order=desc'), [
      'ann/zeta',
      'annika/alpha',
    ])
  })
})
