import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { suite, test } from 'node:test'
import { giteaApi } from 'gitea-js'
import { startWithRepository } from '../code/commits/setup.ts'
import { createToken } from '../../src/identity/auth/tokens.ts'

suite('gitea-js', () => {
  test('publishes a release with an asset, as release tools do', async (t) => {
    const { app, ann } = await startWithRepository(t)
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.server.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/`
    const { secret } = await createToken(app.ctx, ann.account, { name: 'c', scopes: ['all'] })
    const api = giteaApi(url, { token: secret, customFetch: fetch })
    const content = Buffer.from('the tool itself')

    const draft = await api.repos.repoCreateRelease('ann', 'one', {
      tag_name: 'v1.0.0',
      name: 'One',
      body: 'notes',
      draft: true,
    })
    const id = draft.data.id ?? 0
    const asset = await api.repos.repoCreateReleaseAttachment(
      'ann',
      'one',
      id,
      { attachment: new File([content], 'tool.bin') },
      { name: 'tool-1.0.0.bin' },
    )
    const published = await api.repos.repoEditRelease('ann', 'one', id, { draft: false })

    assert.equal(draft.status, 201)
    assert.equal(draft.data.published_at, null)
    assert.equal(asset.data.name, 'tool-1.0.0.bin')
    assert.equal(asset.data.size, content.length)
    assert.equal(published.data.draft, false)
    const latest = await api.repos.repoGetLatestRelease('ann', 'one')
    const [listed] = latest.data.assets ?? []
    const path = new URL(listed?.browser_download_url ?? '').pathname
    assert.equal(path, '/ann/one/releases/download/v1.0.0/tool-1.0.0.bin')
    const file = await fetch(url + path.slice(1))
    const bytes = Buffer.from(await file.arrayBuffer())
    assert.equal(hash('sha256', bytes), hash('sha256', content))
    assert.equal((await api.repos.repoListReleases('ann', 'one')).data.length, 1)
    await api.repos.repoDeleteRelease('ann', 'one', id)
    await api.repos.repoDeleteTag('ann', 'one', 'v1.0.0')
  })
})
