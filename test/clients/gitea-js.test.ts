import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import { giteaApi } from 'gitea-js'
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

  test('is told of errors as it expects them', async (t) => {
    const { url } = await listen(t)
    const api = giteaApi(url, { token: 'wrong', customFetch: fetch })

    const error = await api.user.userGetCurrent().catch((caught: unknown) => caught)

    assert.ok(error instanceof Response)
    assert.equal(error.status, 401)
    assert.equal((error as HttpResponse).error.message, 'invalid username, password or token')
  })
})
