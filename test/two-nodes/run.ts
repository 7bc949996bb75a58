// Says whether a network file system shows what one node has written to another at once:
//   npm run test:two-nodes -- /mnt/one /mnt/two        two mounts of one file system
//   npm run test:two-nodes                             the same folder twice, as on one machine
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '20' } },
})
const [one = '', two = one] = positionals
const test = ['test/run.ts', 'test/server/processes/two-nodes.test.ts', '--database', 'postgres']
const { status } = spawnSync(process.execPath, [...process.execArgv, ...test], {
  stdio: 'inherit',
  env: { ...process.env, TWO_NODES: `${one}\n${two}`, TWO_NODES_ROUNDS: values.rounds },
})
process.exit(status ?? 1)
