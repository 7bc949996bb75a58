import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { loadAssets } from '../../src/web/assets.ts'
import { PageServer } from '../../src/web/page-server.ts'
import { registerPages } from '../../src/web/routes.ts'
import { startApp, type Headers, type TestApp } from '../support/app.ts'
import { fromElsewhere, signIn } from './support.ts'

const byPrograms = ['/user/login', '/user/sign_up', '/user/change_password']

function addressesOfForms({ ctx }: TestApp): readonly string[] {
  const pages = new PageServer()
  const site = { assets: loadAssets(), hasPage: () => false, isCopy: () => false }
  registerPages(pages, ctx, { config: ctx.config, ...site })
  const forms = pages.routes.filter(({ method }) => method === 'POST')
  return [...forms.map(({ path }) => path.replace(/[:*]\w*/g, '1')), '/setup']
}

suite('forms', () => {
  test('are taken from pages of this server only', async (t) => {
    const app = await startApp(t, {
      mail: { url: 'smtp://127.0.0.1:1' },
      users: { sign_up: true },
      security: { email_confirmation: true },
    })
    await app.addCaller('ann')
    const { cookie = '' } = (await signIn(app, 'ann')).headers
    const blocks = async (path: string, headers: Headers) => {
      const { status, text } = await app.post(undefined, `^${path}`, '', { cookie, ...headers })
      return status === 403 && text.includes('Cross-origin request blocked')
    }

    const addresses = addressesOfForms(app)

    assert.ok(addresses.length > 100)
    for (const path of addresses) {
      for (const elsewhere of [
        fromElsewhere,
        { 'sec-fetch-site': 'same-site' },
        { origin: 'http://evil.test' },
        { origin: 'null' },
      ]) {
        assert.ok(await blocks(path, elsewhere), `${path} ${JSON.stringify(elsewhere)}`)
      }
      assert.equal(await blocks(path, {}), !byPrograms.includes(path), path)
      assert.ok(!(await blocks(path, { 'sec-fetch-site': 'same-origin' })), path)
    }
  })

  test('nobody is led to a provider by another site', async (t) => {
    const app = await startApp(t, {
      openid: { issuer: 'https://id.test', client_id: 'c', client_secret: 's' },
    })
    await app.addCaller('ann')
    const ann = await signIn(app, 'ann')

    const { status, text } = await ann.get('/user/settings/openid/link', fromElsewhere)

    assert.equal(status, 403)
    assert.match(text, /Cross-origin request blocked/)
  })
})
