import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { doMeanwhile } from '../../support/meanwhile.ts'
import { wordsOf } from '../repository/support.ts'
import { startWithSettings } from './setup.ts'

const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl work'
const path = '/repos/ann/one'
const accept = '/ann/one/transfer/accept'

suite('a repository that is offered', () => {
  test('tells the new owner who and what has access to it from then on', async (t) => {
    const { app, ann, byAnn, byBob } = await startWithSettings(t)
    await app.addCaller('cleo')
    await app.put(ann, `${path}/collaborators/cleo`, { permission: 'admin' })
    const keyed = { title: 'robot <b>', key, read_only: false }
    assertStatus(await app.post(ann, `${path}/keys`, keyed), 201)
    const config = { url: 'https://hooks.test/T0/token', secret: 's3', content_type: 'json' }
    const hook = { type: 'gitea', active: true, events: ['push'], config }
    assertStatus(await app.post(ann, `${path}/hooks`, hook), 201)
    const mirror = { remote_address: 'https://8.8.8.8/x.git', interval: '8h' }
    assertStatus(await app.post(ann, `${path}/push_mirrors`, mirror), 200)
    assertStatus(await app.put(ann, `${path}/actions/secrets/DEPLOY`, { data: 'x' }), 201)

    await app.post(ann, `${path}/transfer`, { new_owner: 'bob' })

    for (const address of ['/ann/one', '/ann/one/transfer']) {
      const page = await byBob.get(address)
      const words = wordsOf(page)
      assert.match(words, /cleo , who may administer it/)
      assert.match(words, /the deploy key robot &lt;b&gt; \( SHA256:[^ ]+ \), which may push/)
      assert.match(words, /a webhook to hooks\.test , with a secret/)
      assert.match(words, /a mirror that is pushed to 8\.8\.8\.8/)
      assert.match(words, /the secret DEPLOY of its workflows/)
      assert.doesNotMatch(page.text, /token|bob, who may/)
    }
    assert.doesNotMatch(wordsOf(await byAnn.get('/ann/one')), /deploy key/)
  })

  test('is not taken over with what was added since the new owner has looked', async (t) => {
    const { app, ann, bob, byBob } = await startWithSettings(t)
    await app.post(ann, `${path}/transfer`, { new_owner: 'bob' })
    const seenIn = ({ text }: { readonly text: string }) =>
      /name="seen" value="([^"]*)"/.exec(text)?.[1] ?? 'none'
    const seen = seenIn(await byBob.get('/ann/one'))
    assert.equal(seen, '')

    const late = await doMeanwhile(
      t,
      app,
      () => byBob.post(accept, { seen }),
      () => app.post(ann, `${path}/keys`, { title: 'robot', key, read_only: false }),
    )

    assertStatus(late, 422)
    assert.match(wordsOf(late), /has changed\. Look at it again\..*the deploy key robot/)
    assertStatus(await byBob.post(accept), 422)
    assertStatus(await app.get(bob, '/repos/bob/one'), 404)
    const taken = await byBob.post(accept, { seen: seenIn(late) })
    assert.equal(taken.headers['location'], '/bob/one')
  })
})
