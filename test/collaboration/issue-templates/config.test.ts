import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { assertStatus } from '../../support/expect.ts'
import { fill } from '../../support/fill.ts'
import { addRepository } from './support.ts'

suite('GET /repos/{owner}/{repo}/issue_config', () => {
  test('takes the first file there is, and tells whether it is valid', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const link = { name: 'Forum', url: 'https://example.org/forum', about: 'Ask here' }
    const standard = { blank_issues_enabled: true, contact_links: [] }
    const good = { valid: true, message: '' }
    const cases: [Record<string, string | Buffer>, object, object][] = [
      [{}, standard, good],
      [
        {
          '.github/ISSUE_TEMPLATE/config.yaml': 'blank_issues_enabled: false',
          '.gitea/issue_template/config.yml': `contact_links: [${JSON.stringify({ ...link, more: 1 })}]`,
        },
        { ...standard, contact_links: [link] },
        good,
      ],
      [
        {
          'config.yml': 'a: [',
          '.github/ISSUE_TEMPLATE/config.yaml': 'blank_issues_enabled: false',
        },
        standard,
        { valid: false },
      ],
      [
        { 'config.yaml': Buffer.from([0xff, 0xfe]) },
        standard,
        { valid: false, message: 'the file is too large, or not in UTF-8' },
      ],
      [
        {
          'ISSUE_TEMPLATE/config.yaml': 'blank_issues_enabled: false',
          '.gitlab/ISSUE_TEMPLATE/config.yaml': 'blank_issues_enabled: false',
        },
        standard,
        good,
      ],
    ]

    for (const [index, [files, config, validation]] of cases.entries()) {
      const full = await addRepository(app, ann, `r${index}`, files)
      const read = await app.get(undefined, `/repos/${full}/issue_config`)
      assertStatus(read, 200)
      assert.deepEqual(read.body, config, `case ${index}`)
      const validated = await app.get(undefined, `/repos/${full}/issue_config/validate`)
      assertStatus(validated, 200)
      assert.partialDeepStrictEqual(validated.body, validation, `case ${index}`)
    }
  })

  test('looks for its file in four folders, one after the other', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const paths = ['.gitea/ISSUE', '.gitea/issue', '.github/ISSUE', '.github/issue'].flatMap(
      (start) => {
        const each = start.endsWith('E') ? `${start}_TEMPLATE/config` : `${start}_template/config`
        return [`${each}.yaml`, `${each}.yml`]
      },
    )
    const contentOf = (path: string) => `contact_links: [{name: ${path}, url: /a, about: a}]`

    for (const [index, path] of paths.entries()) {
      assertStatus(await app.post(ann, '/user/repos', { name: `r${index}` }), 201)
      const there = paths.slice(index).map((each) => ({ path: each, content: contentOf(each) }))
      await fill(app, `ann/r${index}`, there)
      const { body } = await app.get(ann, `/repos/ann/r${index}/issue_config`)
      assert.equal(body.contact_links[0].name, path)
    }
  })
})
