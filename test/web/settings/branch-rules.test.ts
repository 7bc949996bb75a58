import { assertAsksFirst } from '../support.ts'
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertStatus } from '../../support/expect.ts'
import { evil, hasScript, wordsOf } from '../repository/support.ts'
import { assertForAdministrators, complaintIn, settings, startWithSettings } from './setup.ts'

const path = `${settings}/branches`
const rules = '/repos/ann/one/branch_protections'
const form = { rule: '', rule_name: 'release/*', required_approvals: '2' }

suite('/{owner}/{repo}/settings/branches', () => {
  test('protects branches, changes how, and ends it', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    await assertForAdministrators(setup, path, path, form)
    await assertForAdministrators(setup, `${path}/new`, `${path}/delete`, { rule: 'release/*' })
    assert.deepEqual((await app.get(ann, rules)).body, [])

    const made = await byAnn.post(path, {
      ...form,
      enable_push: 'true',
      enable_push_whitelist: 'true',
      push_whitelist_usernames: 'ann, bob',
      enable_status_check: 'true',
      status_check_contexts: 'ci / build\r\nlint',
      require_signed_commits: 'true',
      protected_file_patterns: 'docs/*',
    })

    assertStatus(made, 303)
    const { body } = await app.get(ann, `${rules}/release%2F%2A`)
    assert.partialDeepStrictEqual(body, {
      rule_name: 'release/*',
      required_approvals: 2,
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ['ann', 'bob'],
      enable_force_push: false,
      enable_status_check: true,
      status_check_contexts: ['ci / build', 'lint'],
      require_signed_commits: true,
      block_on_rejected_reviews: false,
      protected_file_patterns: 'docs/*',
    })
    assert.match(wordsOf(await byAnn.get(path)), /release\/\* some push · 2 approvals · checks/)
    const edit = await byAnn.get(`${path}/edit?name=release%2F*`)
    assert.match(edit.text, /name="push_whitelist_usernames"[^>]* value="ann bob"/)
    assert.match(edit.text, /ci \/ build\nlint<\/textarea>/)
    assert.match(edit.text, /name="require_signed_commits"[^>]* checked/)
    assertStatus(await byAnn.post(path, { rule: 'release/*', required_approvals: '' }), 303)
    assert.partialDeepStrictEqual((await app.get(ann, `${rules}/release%2F%2A`)).body, {
      required_approvals: 0,
      enable_push: false,
      require_signed_commits: false,
      status_check_contexts: [],
    })
    assertAsksFirst(await byAnn.get(path), `${path}/delete`)
    assertStatus(await byAnn.post(`${path}/delete`, { rule: 'release/*' }), 303)
    assert.deepEqual((await app.get(ann, rules)).body, [])
  })

  test('tells what is wrong where it is wrong, and keeps what was typed', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await byAnn.post(path, { rule: '', rule_name: 'main' })
    const wrong: [Record<string, string>, RegExp][] = [
      [{ rule_name: 'main' }, /rule_name: There is a rule for this already/],
      [{ rule_name: '' }, /rule_name: This is needed/],
      [{ rule_name: 'x'.repeat(2000) }, /rule_name: This is too long/],
    ]

    for (const [changes, complaint] of wrong) {
      const answer = await byAnn.post(path, {
        ...form,
        block_admin_merge_override: 'true',
        ...changes,
      })
      assertStatus(answer, 422)
      assert.match(complaintIn(answer.text), complaint)
      assert.match(answer.text, /name="block_admin_merge_override"[^>]* checked/)
    }
    for (const changes of [{ rule_name: '[' }, { rule: 'main', protected_file_patterns: '[' }]) {
      const glob = await byAnn.post(path, { ...form, ...changes })
      assertStatus(glob, 422)
      assert.match(wordsOf(glob), /The pattern \[ cannot be used/)
    }
    const stranger = await byAnn.post(path, { ...form, merge_whitelist_usernames: `x${evil}` })
    assertStatus(stranger, 422)
    assert.match(wordsOf(stranger), /There is nobody called/)
    assert.equal(hasScript(stranger), false)
    const fraction = await byAnn.post(path, { ...form, required_approvals: '1.5' })
    assertStatus(fraction, 422)
    assert.equal((await app.get(ann, rules)).body.length, 1)
  })

  test('knows rules that are there alone, and changes none of an archive', async (t) => {
    const { app, ann, byAnn } = await startWithSettings(t)
    await byAnn.post(path, { rule: '', rule_name: 'main' })

    assertStatus(await byAnn.get(`${path}/edit?name=none`), 404)
    assertStatus(await byAnn.get(`${path}/edit`), 404)
    assertStatus(await byAnn.post(path, { rule: 'none', required_approvals: '1' }), 404)
    assertStatus(await byAnn.post(`${path}/delete`, { rule: 'none' }), 404)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await byAnn.post(path, form), 423)
    assertStatus(await byAnn.post(path, { rule: 'main', enable_push: 'true' }), 423)
    assertStatus(await byAnn.post(`${path}/delete`, { rule: 'main' }), 303)
  })
})

suite('/{owner}/{repo}/settings/branches/order', () => {
  test('puts a rule a place further up or down, where it counts', async (t) => {
    const setup = await startWithSettings(t)
    const { app, ann, byAnn } = setup
    const add = (name: string) => app.post(ann, rules, { rule_name: name })
    const order = async () =>
      (await app.get(ann, rules)).body.map((rule: { rule_name: string }) => rule.rule_name)
    await add('a/*')
    assert.doesNotMatch((await byAnn.get(path)).text, /branches\/order/)
    await add('a/b*')
    await add(`c/${evil}`)
    await assertForAdministrators(setup, path, `${path}/order`, { rule: 'a/*', position: '2' })
    const before = await order()
    assert.deepEqual(before, ['a/*', 'a/b*', `c/${evil}`])

    const page = await byAnn.get(path)
    assert.match(page.text, /value="0" aria-label="Move a\/\* up" disabled/)
    assert.match(page.text, /value="2" aria-label="Move a\/\* down">/)
    assert.equal(hasScript(page), false)
    const moved = await byAnn.post(`${path}/order`, { rule: 'a/*', position: '2' })

    assertStatus(moved, 303)
    assert.equal(moved.headers['location'], `${path}?saved=yes`)
    assert.deepEqual(await order(), ['a/b*', 'a/*', `c/${evil}`])
    assertStatus(await byAnn.post(`${path}/order`, { rule: `c/${evil}`, position: '1' }), 303)
    assert.deepEqual(await order(), [`c/${evil}`, 'a/b*', 'a/*'])
    assertStatus(await byAnn.post(`${path}/order`, { rule: 'gone', position: '1' }), 404)
    await app.patch(ann, '/repos/ann/one', { archived: true })
    assertStatus(await byAnn.post(`${path}/order`, { rule: 'a/*', position: '1' }), 423)
    assert.doesNotMatch((await byAnn.get(path)).text, /branches\/order/)
    assert.deepEqual(await order(), [`c/${evil}`, 'a/b*', 'a/*'])
  })
})
