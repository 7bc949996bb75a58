import { request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'

const KIB = 1024

/**
 * Something that the server is asked for, while a plain request beside it tells how long it waits.
 */
interface Load {
  readonly what: string
  readonly ask: () => Promise<Received>
}

interface Received {
  readonly status: number
  readonly body: Buffer
}

/**
 * How long one request holds up a plain one beside it: what strangers write is to hold it no
 * longer than 100 ms.
 */
export async function holdingBench(): Promise<void> {
  const codestead = await startCodestead({ isAdmin: true })
  try {
    const rows = []
    for (const load of await loadsOf(codestead)) {
      const first = await hold(codestead, load)
      const again = await hold(codestead, load)
      rows.push({
        what: load.what,
        status: first.status,
        'answer MB': (first.bytes / 1e6).toFixed(2),
        'answer ms': first.took.toFixed(0),
        'held ms': first.held.toFixed(0),
        'answer ms again': again.took.toFixed(0),
        'held ms again': again.held.toFixed(0),
        target: '100',
      })
    }
    printTable('how long one request holds up a plain one beside it', rows)
  } finally {
    await codestead.stop()
  }
}

async function hold({ url }: Codestead, { ask }: Load) {
  await pause(300)
  let held = 0
  const over = new AbortController()
  const beside = (async () => {
    while (!over.signal.aborted) {
      const began = performance.now()
      await send(`${url}/api/v1/version`)
      held = Math.max(held, performance.now() - began)
      await pause(2)
    }
  })()
  await pause(50)
  const began = performance.now()
  const answer = await ask()
  const took = performance.now() - began
  over.abort()
  await beside
  return { status: answer.status, bytes: answer.body.length, held, took }
}

const wide = (columns: number, rows: number) =>
  `|${'a|'.repeat(columns)}\n|${'-|'.repeat(columns)}\n${'|b\n'.repeat(rows)}`
const prose = (length: number) =>
  'Some *text* with `code`, a [link](docs/a.md), see #1 and @ann.\n\n'.repeat(length / 64)
const references = (length: number) =>
  Array.from({ length: length / 16 }, (_, at) => `[a](b${at}) #${at + 1}\n`).join('\n')

/** Texts that become much, or take long. */
const texts: Readonly<Record<string, string>> = {
  'wide tables of 13 KB': wide(2000, 2000),
  'wide tables of 252 KB': wide(2000, 2000).repeat(18),
  'prose of 250 KB': prose(250 * KIB),
  '2,000 tasks': '- [ ] a task\n'.repeat(2000),
  'links and references of 250 KB': references(250 * KIB),
  'brackets of 250 KB': `${'['.repeat(15_000)}\n\n`.repeat(16),
  'elements of 250 KB': '<b><i>a'.repeat(36_000),
  'open links of 250 KB': '<a>'.repeat(80_000),
  'cells of 250 KB': `|a|b|\n|-|-|\n${'|c|d|\n'.repeat(42_000)}`,
}

async function loadsOf(codestead: Codestead): Promise<readonly Load[]> {
  const { url, token } = codestead
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const post = async (path: string, body: object) =>
    send(`${url}/api/v1${path}`, { method: 'POST', headers, body })
  const make = async (path: string, body: object) => {
    const answer = await post(path, body)
    if (answer.status > 299)
      throw new Error(`POST ${path}: ${answer.status} ${String(answer.body)}`)
    return JSON.parse(String(answer.body)) as { readonly number: number }
  }
  const cookie = await signIn(codestead)
  const page = (what: string, path: string): Load => ({
    what,
    ask: () => send(url + path, { headers: { cookie } }),
  })

  await make('/user/repos', { name: 'held', auto_init: true })
  const loads: Load[] = []
  for (const [what, text] of Object.entries(texts)) {
    loads.push({ what: `POST /markdown: ${what}`, ask: () => post('/markdown', { Text: text }) })
  }
  const files: [string, string][] = [
    ['README.md', wide(2000, 2000).repeat(6)],
    ['lines.txt', 'const a = 1\n'.repeat(20_000)],
    ['.editorconfig', '[*.{a,b}]\nindent_size = 2\n'.repeat(2500)],
  ]
  for (const [name, text] of files) {
    const content = Buffer.from(text).toString('base64')
    await send(`${url}/api/v1/repos/ann/held/contents/${name}`, {
      method: name === 'README.md' ? 'PUT' : 'POST',
      headers,
      body: { content, ...(await shaOf(codestead, name)) },
    })
  }
  // The first page of all loads the program's pages.
  await send(`${url}/ann/held/issues`)
  loads.push(page('README of wide tables', '/ann/held'))
  loads.push(
    page('file of 20,000 lines, with an .editorconfig', '/ann/held/src/branch/main/lines.txt'),
  )
  loads.push(page('its blame', '/ann/held/blame/branch/main/lines.txt'))

  const contents = Array.from({ length: 4000 }, (_, at) => ({
    operation: 'create',
    path: `many/file-${at}.txt`,
    content: Buffer.from(`${at}\n`).toString('base64'),
  }))
  await make('/repos/ann/held/contents', { files: contents, new_branch: 'many', message: 'many' })
  loads.push(page('folder of 4,000 files', '/ann/held/src/branch/many/many'))
  const { number } = await make('/repos/ann/held/pulls', {
    title: 'many',
    head: 'many',
    base: 'main',
  })
  loads.push(page('pull request of 4,000 files', `/ann/held/pulls/${number}/files`))

  const forms = Array.from({ length: 100 }, (_, at) => ({
    operation: 'create',
    path: `.gitea/ISSUE_TEMPLATE/form-${at}.yaml`,
    content: Buffer.from(formOf(at)).toString('base64'),
  }))
  await make('/repos/ann/held/contents', { files: forms, branch: 'main', message: 'forms' })
  loads.push(page('list of 100 issue forms', '/ann/held/issues/new/choose'))
  loads.push({
    what: 'GET /issue_templates of 100 forms',
    ask: () => send(`${url}/api/v1/repos/ann/held/issue_templates`),
  })

  for (const [what, text] of Object.entries(texts)) {
    const { number: index } = await make('/repos/ann/held/issues', { title: what, body: 'a' })
    for (let at = 0; at < 50; at++) {
      await make(`/repos/ann/held/issues/${index}/comments`, { body: `${at}\n\n${text}` })
    }
    loads.push(page(`50 comments: ${what}`, `/ann/held/issues/${index}`))
  }
  return loads
}

async function signIn({ url }: Codestead): Promise<string> {
  const answer = await fetch(`${url}/user/login`, {
    method: 'POST',
    headers: { origin: url, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ user_name: 'ann', password: 'password1' }),
    redirect: 'manual',
  })
  const [cookie = ''] = answer.headers.getSetCookie().map((set) => set.split(';')[0] ?? '')
  if (cookie === '') throw new Error(`POST /user/login: ${answer.status}`)
  return cookie
}

function formOf(at: number): string {
  const fields = Array.from(
    { length: 250 },
    (_, field) => `- type: input\n  id: f${field}\n  attributes:\n    label: Field ${field}\n`,
  )
  return `name: Form ${at}\ndescription: d\nbody:\n${fields.join('')}`
}

async function shaOf({ url }: Codestead, name: string): Promise<object> {
  const answer = await send(`${url}/api/v1/repos/ann/held/contents/${name}`)
  if (answer.status !== 200) return {}
  return { sha: (JSON.parse(String(answer.body)) as { sha: string }).sha }
}

interface Sent {
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: object
}

/** On a connection of its own, so that none is closed while it is wanted. */
async function send(url: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  request(url, { method, headers, agent: false }, (answer) => {
    buffer(answer).then((read) => resolve({ status: answer.statusCode ?? 0, body: read }), reject)
  })
    .on('error', reject)
    .end(body && JSON.stringify(body))
  return promise
}
