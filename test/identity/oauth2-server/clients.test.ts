// One database is enough: the client and the browser see the same.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite, test, type TestContext } from 'node:test'
import * as oidc from 'openid-client'
import type { Page } from 'playwright-core'
import { GitClient } from '../../platform/git/support.ts'
import { PASSWORD, startApp, type TestApp } from '../../support/app.ts'
import { openPage, skipWithoutBrowser } from '../../support/browser.ts'
import { assertStatus } from '../../support/expect.ts'
import { codeFor, exchange, register, startWithClient, wishOf, type Client } from './setup.ts'

/** A service that people sign in to: the address to which they are led back. */
async function startService(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => response.end('signed in'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/back`
}

/** Where the server will listen, which its links say. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface Host {
  readonly app: TestApp
  readonly url: string
}

async function startHost(t: TestContext): Promise<Host> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const app = await startApp(t, { server: { url } })
  await app.server.listen({ host: '127.0.0.1', port })
  return { app, url }
}

async function signInOn(page: Page): Promise<void> {
  await page.getByLabel('Name or e-mail').fill('ann')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.keyboard.press('Enter')
}

function discover({ url }: Host, { client_id, client_secret }: Client) {
  return oidc.discovery(new URL(url), client_id, client_secret, undefined, {
    execute: [oidc.allowInsecureRequests],
  })
}

suite('openid-client, and a browser', { skip: skipWithoutBrowser }, () => {
  test('signs somebody in, asks who they are, and goes on without them', async (t) => {
    const host = await startHost(t)
    const [bob, ann] = [await host.app.addCaller('bob'), await host.app.addCaller('ann')]
    const back = await startService(t)
    const settings = { redirect_uris: [back], confidential_client: true }
    const config = await discover(host, await register(host.app, bob, settings))
    const page = await openPage(t)
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))

    const visit = async (finish: () => Promise<void>) => {
      const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
      const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
      const address = oidc.buildAuthorizationUrl(config, {
        redirect_uri: back,
        scope: 'openid profile email',
        code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
      })
      await page.goto(address.href)
      await finish()
      await page.waitForURL((url) => url.href.startsWith(back))
      const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true }
      return oidc.authorizationCodeGrant(config, new URL(page.url()), checks)
    }
    const tokens = await visit(async () => {
      await signInOn(page)
      await page.getByRole('button', { name: 'Authorize' }).click()
    })

    const sub = String(ann.id)
    assert.partialDeepStrictEqual(tokens.claims(), { sub, email: 'ann@example.org' })
    const told = await oidc.fetchUserInfo(config, tokens.access_token, sub)
    assert.equal(told.preferred_username, 'ann')
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token ?? '')
    const { active } = await oidc.tokenIntrospection(config, renewed.access_token)
    assert.equal(active, true)
    // Whoever agreed before is led on from the page where they sign in.
    await page.context().clearCookies()
    const again = await visit(() => signInOn(page))
    assert.equal(again.claims()?.sub, sub)
    assert.deepEqual(complaints, [])
  })
})

suite('git', () => {
  test('comes in with a token of an application, as far as that reaches', async (t) => {
    const { app, ann, byAnn, client } = await startWithClient(t)
    assertStatus(
      await app.post(ann, '/user/repos', { name: 'r', auto_init: true, private: true }),
      201,
    )
    const root = await app.server.listen({ host: '127.0.0.1', port: 0 })
    const git = new GitClient(t)
    const tokenFor = async (scope: string) => {
      const code = await codeFor(byAnn, wishOf(client, { scope }))
      return (await exchange(app, client, code)).body.access_token as string
    }
    const address = (token: string) => `${root.replace('//', `//oauth2:${token}@`)}/ann/r.git`

    const reading = address(await tokenFor('read:repository'))
    await git.git(['clone', '--quiet', reading, 'r'])
    const folder = `${git.home}/r`
    await git.git(['commit', '--quiet', '--allow-empty', '-m', 'more'], folder)
    const refused = await git.run(['push', reading, 'main'], folder)
    assert.notEqual(refused.code, 0)
    assert.match(refused.notes, /403/)
    const blind = await git.run(['ls-remote', address(await tokenFor('read:user'))])
    assert.match(blind.notes, /403/)

    await git.git(['push', '--quiet', address(await tokenFor('write:repository')), 'main'], folder)
    assert.equal((await app.get(ann, '/repos/ann/r/commits')).body.length, 2)
  })
})
