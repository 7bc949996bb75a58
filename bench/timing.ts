import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'
import { median, timed } from './time.ts'
import { openWire, type Wire } from './wire.ts'

/** Two requests whose answers are the same, and whose times are to tell no more. */
interface Pair {
  readonly what: string
  readonly one: Ask
  readonly other: Ask
  readonly rounds: number
}

interface Ask {
  readonly path: string
  readonly headers?: Record<string, string>
}

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 2000)
/** Passwords are slow to try, and what they take varies little. */
const PASSWORDS = Math.ceil(ROUNDS / 20)
const WARM_UP = 200

/**
 * What the time of an answer tells about what is hidden (security.md F2, G7, M2): nothing, so
 * ratios near 1.
 */
export async function timingBench(): Promise<void> {
  const settings = {
    CODESTEAD_SECURITY_FAILURES_PER_ADDRESS: '1000000',
    CODESTEAD_SECURITY_FAILURES_PER_ACCOUNT: '1000000',
  }
  const codestead = await startCodestead({ isAdmin: true, settings })
  try {
    const rows = []
    for (const pair of await pairsOf(codestead)) rows.push(await compare(codestead.url, pair))
    printTable('time of answers that tell the same', rows)
  } finally {
    await codestead.stop()
  }
}

async function pairsOf(codestead: Codestead): Promise<readonly Pair[]> {
  const { token } = codestead
  const hidden = await makeHidden(codestead)
  const absentId = hidden.id + 1_000_000
  const stranger = { authorization: `token ${hidden.strangersToken}` }
  const repository = (what: string, one: string, other: string, headers = {}): Pair => ({
    what,
    one: { path: `/api/v1${one}`, headers },
    other: { path: `/api/v1${other}`, headers },
    rounds: ROUNDS,
  })
  return [
    repository(
      'no repository by id, or one that is hidden',
      `/repositories/${absentId}`,
      `/repositories/${hidden.id}`,
    ),
    repository(
      'the same, signed in',
      `/repositories/${absentId}`,
      `/repositories/${hidden.id}`,
      stranger,
    ),
    repository(
      'no repository by name, or one that is hidden',
      '/repos/ann/absent',
      '/repos/ann/hidden',
    ),
    repository('the same, signed in', '/repos/ann/absent', '/repos/ann/hidden', stranger),
    repository(
      'no repository by name, or a hidden one that was renamed',
      '/repos/ann/absent',
      '/repos/ann/once',
    ),
    {
      what: 'a token that is wrong at its first letter, or at its last',
      one: { path: '/api/v1/user', headers: { authorization: `token ${changedAt(token, 0)}` } },
      other: {
        path: '/api/v1/user',
        headers: { authorization: `token ${changedAt(token, token.length - 1)}` },
      },
      rounds: ROUNDS,
    },
    {
      what: 'nobody of that name, or a wrong password (API)',
      one: { path: '/api/v1/user', headers: { authorization: basic('nobody', 'wrong-one') } },
      other: { path: '/api/v1/user', headers: { authorization: basic('ann', 'wrong-one') } },
      rounds: PASSWORDS,
    },
    {
      what: 'a wrong password of an account that is off, or of one that is on',
      one: { path: '/api/v1/user', headers: { authorization: basic('off', 'wrong-one') } },
      other: { path: '/api/v1/user', headers: { authorization: basic('ann', 'wrong-one') } },
      rounds: PASSWORDS,
    },
  ]
}

interface Hidden {
  readonly id: number
  readonly strangersToken: string
}

/**
 * A private repository that had another name, somebody who may not see it, and an account that is
 * off.
 */
async function makeHidden({ url, token }: Codestead): Promise<Hidden> {
  const send = async (
    method: string,
    path: string,
    body: object,
    authorization = `token ${token}`,
  ) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/v1${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { readonly id: number; readonly sha1: string }
  }
  const person = (username: string) => ({
    username,
    email: `${username}@example.org`,
    password: 'password1',
    must_change_password: false,
  })
  await send('POST', '/admin/users', person('bob'))
  await send('POST', '/admin/users', person('off'))
  await send('PATCH', '/admin/users/off', { source_id: 0, login_name: 'off', active: false })
  const scopes = { name: 'bench', scopes: ['all'] }
  const { sha1 } = await send('POST', '/users/bob/tokens', scopes, basic('bob', 'password1'))
  const { id } = await send('POST', '/user/repos', { name: 'once', private: true })
  await send('PATCH', '/repos/ann/once', { name: 'hidden' })
  return { id, strangersToken: sha1 }
}

async function compare(url: string, { what, one, other, rounds }: Pair) {
  const asks = [await openAsk(url, one), await openAsk(url, other)]
  const times: number[][] = asks.map(() => [])
  let statuses: number[] = []
  for (let round = 0; round < rounds + Math.min(rounds, WARM_UP); round++) {
    const isWarm = round >= Math.min(rounds, WARM_UP)
    statuses = []
    // Each goes first every second time, since what comes after another finds a busier machine.
    for (const index of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const ask = asks[index]
      const ms = await timed(async () => (statuses[index] = (await ask?.send()) ?? 0))
      if (isWarm) times[index]?.push(ms)
    }
  }
  for (const ask of asks) ask.wire.close()
  const [first = 0, second = 0] = times.map(median)
  return {
    what,
    answers: statuses.join(' and '),
    'one ms': first.toFixed(3),
    'other ms': second.toFixed(3),
    ratio: (second / first).toFixed(2),
    target: '0.95 to 1.05',
  }
}

async function openAsk(
  url: string,
  { path, headers = {} }: Ask,
): Promise<{ wire: Wire; send: () => Promise<number> }> {
  const wire = await openWire(url, headers)
  return { wire, send: () => wire.send('GET', path, '') }
}

function changedAt(text: string, index: number): string {
  return text.slice(0, index) + (text[index] === '0' ? '1' : '0') + text.slice(index + 1)
}

function basic(name: string, password: string): string {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}
