import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { until } from '../../support/until.ts'

export const skipWithoutHaproxy =
  spawnSync('haproxy', ['-v']).status === 0
    ? false
    : 'haproxy is not installed: .ci/haproxy installs it'

/**
 * As docs/operating.md has it for two nodes, but that nothing is tried twice: a request that a
 * stop loses is seen.
 */
function configure(port: number, nodes: readonly number[]): string {
  const servers = nodes.map(
    (node, index) => `  server node${index} 127.0.0.1:${node} check inter 100ms fall 1 rise 1`,
  )
  return `global
  maxconn 500
defaults
  mode http
  timeout connect 60s
  timeout client 300s
  timeout server 300s
  timeout check 60s
  retries 0
frontend all
  bind 127.0.0.1:${port}
  stats enable
  stats uri /haproxy
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /api/readyz
${servers.join('\n')}
`
}

export interface Balancer {
  readonly url: string
  /** Waits until requests are sent to this node, or to it no longer. */
  readonly untilNode: (index: number, state: 'UP' | 'DOWN') => Promise<void>
}

export async function startBalancer(
  t: TestContext,
  folder: string,
  port: number,
  nodes: readonly number[],
): Promise<Balancer> {
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, configure(port, nodes))
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  t.after(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  const url = `http://127.0.0.1:${port}`
  const untilNode: Balancer['untilNode'] = async (index, state) => {
    const isSo = new RegExp(`^nodes,node${index},.*,${state}[ ,]`, 'm')
    await until(async () => {
      const answer = await fetch(`${url}/haproxy;csv`).catch(() => undefined)
      return isSo.test((await answer?.text()) ?? '')
    })
  }
  return { url, untilNode }
}
