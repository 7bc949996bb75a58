import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startApp } from '../../support/app.ts'
import { whileDeleting } from '../../support/deleting.ts'
import { signIn, type Fields } from '../support.ts'

const ofApi = '/repos'

suite('the pages of a repository that is deleted meanwhile', () => {
  test('are not found', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const visitor = await signIn(app, 'ann')
    const places =
      ' /commits/branch/main /src/branch/main /src/branch/main/README.md /blame/branch/main/README.md /branches /tags /find/branch/main /search?q=one /activity /issues /issues/new /releases /pulls /wiki /settings /compare/main...main /raw/branch/main/README.md'
    const ofGit = ['service=git-upload-pack', 'service=git-receive-pack', '']

    const answers = await whileDeleting(app, ann, [
      ...places
        .split(' ')
        .map((place) => (path: string) => visitor.get(`${path.slice(ofApi.length)}${place}`)),
      ...ofGit.map(
        (query) => (path: string) =>
          app.get(ann, `^${path.slice(ofApi.length)}.git/info/refs?${query}`),
      ),
    ])

    assert.deepEqual(
      answers.filter((answer) => !/^(?:200|303|404)/.test(answer)),
      [],
    )
  })

  test('take no form', async (t) => {
    const app = await startApp(t)
    const ann = await app.addCaller('ann')
    const visitor = await signIn(app, 'ann')
    const forms: Readonly<Record<string, Fields>> = {
      '/issues/new': { title: 'x', body: 'y' },
      '/_new/branch/main': { tree_path: 'a.txt', content: 'x' },
      '/labels/new': { name: 'l', color: '#ff0000' },
      '/milestones/new': { title: 'm' },
      '/releases/new': { tag_name: 'v1', target: 'main', title: 'One' },
      '/wiki/_new': { title: 'Home', content: 'x' },
      '/settings': { description: 'x' },
      '/settings/topics': { topics: 'one two' },
      '/action/star': {},
      '/action/watch': {},
    }

    const answers = await whileDeleting(
      app,
      ann,
      Object.entries(forms).map(
        ([place, fields]) =>
          (path) =>
            visitor.post(`${path.slice(ofApi.length)}${place}`, fields),
      ),
    )

    assert.deepEqual(
      answers.filter((answer) => !/^(?:200|303|404|422)/.test(answer)),
      [],
    )
  })
})
