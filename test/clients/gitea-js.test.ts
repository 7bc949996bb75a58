import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import { giteaApi } from 'gitea-js'
import { createToken } from '../../src/identity/auth/tokens.ts'
import { basic, PASSWORD, startApp, type TestApp } from '../support/app.ts'

/** What the client throws: the response with the error it carried. */
type HttpResponse = Response & { readonly error: { readonly message: string } }

/** The client is used as published; only the server is ours, on a real port. */
async function listen(t: TestContext): Promise<{ app: TestApp; url: string }> {
  const app = await startApp(t)
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.server.address() as AddressInfo
  return { app, url: `http://127.0.0.1:${port}/` }
}

suite('gitea-js', () => {
  test('signs in, makes a token, an organization and a team', async (t) => {
    const { app, url } = await listen(t)
    await app.addPerson('ann')
    await app.addPerson('bob')
    const signIn = { headers: { Authorization: basic('ann', PASSWORD) } }
    const anonymous = giteaApi(url, { customFetch: fetch })

    const me = await anonymous.user.userGetCurrent(signIn)
    const wanted = { name: 'client', scopes: ['all'] }
    const { data: token } = await anonymous.users.userCreateToken('ann', wanted, signIn)
    const api = giteaApi(url, { token: token.sha1 ?? '', customFetch: fetch })
    const org = await api.orgs.orgCreate({ username: 'acme', full_name: 'Acme' })
    const team = await api.orgs.orgCreateTeam('acme', {
      name: 'devs',
      permission: 'write',
      units: ['repo.code', 'repo.issues'],
    })
    await api.teams.orgAddTeamMember(team.data.id ?? 0, 'bob')

    assert.equal(me.data.login, 'ann')
    assert.equal(token.sha1?.length, 40)
    assert.equal(org.status, 201)
    assert.equal(org.data.full_name, 'Acme')
    assert.deepEqual(team.data.units_map, { 'repo.code': 'write', 'repo.issues': 'write' })
    assert.deepEqual(
      (await api.teams.orgListTeamMembers(team.data.id ?? 0)).data.map(({ login }) => login),
      ['bob'],
    )
    assert.match((await api.version.getVersion()).data.version ?? '', /^1\.26\.0/)
  })

  test('tracks issues with labels, milestones and comments', async (t) => {
    const { app, url } = await listen(t)
    const { secret } = await createToken(app.ctx, await app.addPerson('ann'), {
      name: 'client',
      scopes: ['all'],
    })
    const api = giteaApi(url, { token: secret, customFetch: fetch })
    await api.user.createCurrentUserRepo({ name: 'r' })

    const label = await api.repos.issueCreateLabel('ann', 'r', { name: 'bug', color: '#f00' })
    const milestone = await api.repos.issueCreateMilestone('ann', 'r', { title: 'v1' })
    const issue = await api.repos.issueCreateIssue('ann', 'r', {
      title: 'first',
      labels: [label.data.id ?? 0],
      milestone: milestone.data.id ?? 0,
    })
    await api.repos.issueCreateComment('ann', 'r', 1, { body: 'a remark' })
    await api.repos.issueReplaceLabels('ann', 'r', 1, { labels: [] })
    const closed = await api.repos.issueEditIssue('ann', 'r', 1, { state: 'closed' })

    assert.equal(issue.data.labels?.[0]?.name, 'bug')
    assert.equal(closed.data.milestone?.closed_issues, 1)
    const found = await api.repos.issueListIssues('ann', 'r', { state: 'closed', q: 'remark' })
    assert.deepEqual(
      found.data.map(({ number, labels, comments }) => [number, labels, comments]),
      [[1, [], 1]],
    )
    const { data: comments } = await api.repos.issueGetComments('ann', 'r', 1)
    assert.equal(comments[0]?.body, 'a remark')
    assert.deepEqual((await api.notifications.notifyGetList()).data, [])
  })

  test('is told of errors as it expects them', async (t) => {
    const { url } = await listen(t)
    const api = giteaApi(url, { token: 'wrong', customFetch: fetch })

    const error = await api.user.userGetCurrent().catch((caught: unknown) => caught)

    assert.ok(error instanceof Response)
    assert.equal(error.status, 401)
    assert.equal((error as HttpResponse).error.message, 'invalid username, password or token')
  })
})
