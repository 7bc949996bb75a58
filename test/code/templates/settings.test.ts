import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { addTemplate, generate } from './support.ts'

suite('what is made from a template', () => {
  test('has the settings of any new repository, whatever those of the template are', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const root = await app.addAdmin()
    const license = (await app.get(ann, '/licenses/MIT')).body.body
    const files = { LICENSE: license, 'main.go': 'package main\n' }
    const options = { private: true, issue_labels: 'Advanced' }
    const full = await addTemplate(app, ann, 'tpl', files, options)
    const changed = {
      has_wiki: false,
      has_releases: false,
      projects_mode: 'repo',
      internal_tracker: { enable_time_tracker: false },
      allow_squash_merge: false,
      default_merge_style: 'rebase',
    }
    const change = { ...changed, has_issues: true, has_pull_requests: true, has_projects: true }
    assertStatus(await app.patch(ann, `/repos/${full}`, change), 200)
    await app.post(root, '/admin/hooks', {
      type: 'gitea',
      config: { url: 'http://example.org/hook', content_type: 'json' },
    })
    const plain = (await app.post(ann, '/user/repos', { name: 'copy' })).body
    await app.patch(ann, '/repos/ann/copy', { name: 'plain' })

    const made = await generate(app, ann, full, { name: 'Copy', git_content: true, labels: true })

    assertStatus(made, 201)
    const { body } = await app.get(ann, '/repos/ann/copy')
    assert.equal(body.id, made.body.id, 'the old name of the other one leads here')
    assert.deepEqual(body.private, false)
    for (const key of Object.keys(plain).filter((name) => /^(has|allow|default)_/.test(name)))
      assert.deepEqual(body[key], plain[key], key)
    for (const key of [...Object.keys(changed), 'watchers_count'])
      assert.deepEqual(body[key], plain[key], key)
    assert.equal((await app.get(ann, '/repos/ann/copy/hooks')).body.length, 1)
    const labels = await app.ctx.db
      .selectFrom('label')
      .select(['name', 'exclusive_order'])
      .where('repository_id', '=', made.body.id)
      .where('name', 'like', 'Status/%')
      .orderBy('exclusive_order')
      .execute()
    assert.deepEqual(
      labels.map(({ name, exclusive_order: order }) => `${order} ${name}`),
      ['1 Status/Blocked', '2 Status/Need More Info', '3 Status/Abandoned'],
    )
    const licensesAfterJobs = async () => {
      await app.ctx.jobs.runDue()
      return (await app.get(ann, '/repos/ann/copy')).body.licenses
    }
    assert.deepEqual(await licensesAfterJobs(), [])
    assertStatus(await app.post(ann, '/repos/ann/copy/contents/x', { content: '' }), 201)
    assert.deepEqual(await licensesAfterJobs(), ['MIT'])
  })

  test('has the labels of the template itself, and its branch protections with times of their own', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    await app.post(ann, '/orgs', { username: 'acme' })
    await app.post(ann, '/orgs/acme/labels', { name: 'of-all', color: 'fff' })
    await app.post(ann, '/orgs/acme/repos', { name: 'tpl', template: true })
    await app.post(ann, '/repos/acme/tpl/labels', { name: 'own', color: 'fff' })
    const rule = await app.post(ann, '/repos/acme/tpl/branch_protections', { rule_name: 'main' })
    assertStatus(rule, 201)
    app.passTime(60)

    const items = { labels: true, protected_branch: true }
    assertStatus(await generate(app, ann, 'acme/tpl', { name: 'copy', ...items }), 201)

    const names = (await app.get(ann, '/repos/ann/copy/labels')).body.map(
      ({ name }: { name: string }) => name,
    )
    assert.deepEqual(names, ['own'])
    const [copied] = (await app.get(ann, '/repos/ann/copy/branch_protections')).body
    const { created_at: at, updated_at: then, ...settings } = copied
    assert.ok(at > rule.body.created_at && then > rule.body.updated_at)
    assert.deepEqual(
      { ...rule.body, created_at: at, updated_at: then },
      { ...settings, created_at: at, updated_at: then },
    )
  })
})
