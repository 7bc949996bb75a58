// One database is enough: the catalogue is not stored in one.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertError, assertStatus } from '../../support/expect.ts'

const strange = [
  'Nothing',
  'node',
  'mit',
  'default',
  '..%2F..%2Fpackage',
  '%2Fetc%2Fpasswd',
  'Node.gitignore',
  'Global%2FmacOS',
  'MIT.json',
  '__proto__',
  'constructor',
  'toString',
]

suite('GET /gitignore/templates', () => {
  test('lists names in the order of their bytes, to anyone', async (t) => {
    const app = await startApp(t)

    const { status, body } = await app.get(undefined, '/gitignore/templates')

    assert.equal(status, 200)
    assert.deepEqual(body, (body as string[]).toSorted())
    assert.equal(new Set(body).size, body.length)
    const wanted =
      'C C++ CDK Go Go.AllowList Java JetBrains Kotlin Linux MATLAB Node Python ROS2 Rust VisualStudioCode Windows Zig core esp-idf macOS'
    const missing = wanted.split(' ').filter((name) => !body.includes(name))
    assert.deepEqual(missing, [])
    assert.equal(body.length, 270, 'all of the contract')
  })

  test('is answered without any scope of a token', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann', {}, ['read:notification'])

    assertStatus(await app.get(ann, '/gitignore/templates'), 200)
    assertStatus(await app.get(ann, '/licenses/MIT'), 200)
    assertStatus(await app.get(ann, '/label/templates/Default'), 200)
  })
})

suite('GET /gitignore/templates/{name}', () => {
  test('answers every text of the list, with line feeds only', async (t) => {
    const app = await startApp(t)
    const { body: names } = await app.get(undefined, '/gitignore/templates')

    for (const name of names as string[]) {
      const path = `/gitignore/templates/${encodeURIComponent(name)}`
      const { status, body } = await app.get(undefined, path)

      assert.equal(status, 200, name)
      assert.deepEqual(Object.keys(body as object), ['name', 'source'])
      assert.equal(body.name, name)
      assert.match(body.source, /^[^\r]*\S[^\r]*$/, name)
    }
  })

  test('knows what a name is about', async (t) => {
    const app = await startApp(t)

    const node = await app.get(undefined, '/gitignore/templates/Node')
    const plusPlus = await app.get(undefined, '/gitignore/templates/C++')
    const fortran = await app.get(undefined, '/gitignore/templates/Fortran')

    assert.match(node.body.source, /^node_modules\/$/m)
    assert.match(plusPlus.body.source, /^\*\.o$/m)
    assert.equal(fortran.body.source, plusPlus.body.source)
  })

  for (const name of strange) {
    test(`is 404 for ${name}`, async (t) => {
      const app = await startApp(t)

      assertError(await app.get(undefined, `/gitignore/templates/${name}`), 404, 'not found')
    })
  }
})

suite('GET /licenses', () => {
  test('lists the 28 licenses with the addresses of their texts', async (t) => {
    const app = await startApp(t)

    const { status, body } = await app.get(undefined, '/licenses')

    assert.equal(status, 200)
    const keys = (body as { key: string }[]).map(({ key }) => key)
    assert.deepEqual(
      keys.join(' '),
      '0BSD AGPL-3.0 Apache-2.0 BSD-2-Clause BSD-3-Clause BSD-3-Clause-Clear BSL-1.0 CC-BY-4.0 ' +
        'CC-BY-SA-4.0 CC0-1.0 EPL-1.0 EPL-2.0 EUPL-1.2 GPL-2.0 GPL-3.0 ISC LGPL-2.1 LGPL-3.0 MIT ' +
        'MIT-0 MPL-2.0 MulanPSL-2.0 OFL-1.1 OSL-3.0 UPL-1.0 Unlicense WTFPL Zlib',
    )
    assert.deepEqual(body[0], {
      key: '0BSD',
      name: '0BSD',
      url: 'http://codestead.test/api/v1/licenses/0BSD',
    })
  })
})

suite('GET /licenses/{name}', () => {
  test('answers the text of every license of the list', async (t) => {
    const app = await startApp(t)
    const { body: list } = await app.get(undefined, '/licenses')

    for (const { key } of list as { key: string }[]) {
      const { status, body } = await app.get(undefined, `/licenses/${key}`)

      assert.equal(status, 200, key)
      assert.deepEqual(Object.keys(body as object), [
        'key',
        'name',
        'url',
        'implementation',
        'body',
      ])
      assert.match(body.body, /^[^\r]{300,}[^\s]\n$/, key)
    }
  })

  test('leaves the placeholders of the MIT license in its 18 lines', async (t) => {
    const app = await startApp(t)

    const { body } = await app.get(undefined, '/licenses/MIT')

    assert.match(body.body, /^Copyright \(c\) <year> <copyright holders>$/m)
    assert.match(body.body, /Permission is hereby granted/)
    assert.equal(body.body.split('\n').length - 1, 18)
    assert.match(body.implementation, /LICENSE/)
  })

  for (const name of strange) {
    test(`is 404 for ${name}`, async (t) => {
      const app = await startApp(t)

      assertError(await app.get(undefined, `/licenses/${name}`), 404, 'not found')
    })
  }
})

suite('GET /label/templates', () => {
  test('lists the two sets', async (t) => {
    const app = await startApp(t)

    const { status, body } = await app.get(undefined, '/label/templates')

    assert.equal(status, 200)
    assert.deepEqual(body, ['Advanced', 'Default'])
  })
})

suite('GET /label/templates/{name}', () => {
  test('answers the labels of a set in their order', async (t) => {
    const app = await startApp(t)

    const { status, body } = await app.get(undefined, '/label/templates/Default')

    assert.equal(status, 200)
    const names = body.map(({ name, color }: Record<string, string>) => `${name} ${color}`)
    assert.deepEqual(names, [
      'bug ee0701',
      'duplicate cccccc',
      'enhancement 84b6eb',
      'help wanted 128a0c',
      'invalid e6e6e6',
      'question cc317c',
      'wontfix ffffff',
    ])
    assert.deepEqual(Object.keys(body[0]), ['name', 'exclusive', 'color', 'description'])
    assert.ok(body.every(({ description }: { description: string }) => description.length > 5))
  })

  test('tells which labels exclude each other', async (t) => {
    const app = await startApp(t)

    const { body } = await app.get(undefined, '/label/templates/Advanced')

    const labels = body as { name: string; exclusive: boolean; color: string }[]
    assert.deepEqual(
      labels.map(({ name, color }) => `${name} ${color}`),
      [
        'Kind/Bug ee0701',
        'Kind/Feature 0288d1',
        'Kind/Enhancement 84b6eb',
        'Kind/Security 9c27b0',
        'Kind/Testing 795548',
        'Kind/Documentation 37474f',
        'Compat/Breaking c62828',
        'Reviewed/Confirmed 795548',
        'Reviewed/Duplicate 616161',
        'Reviewed/Invalid 546e7a',
        "Reviewed/Won't Fix eeeeee",
        'Status/Blocked 880e4f',
        'Status/Need More Info 424242',
        'Status/Abandoned 222222',
        'Priority/Critical b71c1c',
        'Priority/High d32f2f',
        'Priority/Medium e64a19',
        'Priority/Low 4caf50',
      ],
    )
    const scopes = (exclusive: boolean) => [
      ...new Set(
        labels
          .filter((label) => label.exclusive === exclusive)
          .map(({ name }) => name.split('/')[0]),
      ),
    ]
    assert.deepEqual(scopes(false), ['Kind', 'Compat'])
    assert.deepEqual(scopes(true), ['Reviewed', 'Status', 'Priority'])
  })

  for (const name of strange) {
    test(`is 404 for ${name}`, async (t) => {
      const app = await startApp(t)

      assertError(await app.get(undefined, `/label/templates/${name}`), 404, 'not found')
    })
  }
})
