import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadInTurns } from './load.ts'
import { startCodestead, type Codestead } from './servers.ts'
import { printTable } from './table.ts'
import { median, timed } from './time.ts'

/**
 * Repositories from templates beside plain git; issue templates beside the record of their
 * repository.
 */
export async function templatesBench(): Promise<void> {
  const codestead = await startCodestead()
  const scratch = mkdtempSync(join(tmpdir(), 'codestead-bench-'))
  try {
    await benchGenerate(codestead, scratch)
    await benchIssueTemplates(codestead)
  } finally {
    await codestead.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

async function post({ url, token }: Codestead, path: string, body: object): Promise<void> {
  const headers = { authorization: `token ${token}`, 'content-type': 'application/json' }
  const options = { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetch(`${url}/api/v1${path}`, options)
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
}

async function benchGenerate(codestead: Codestead, scratch: string): Promise<void> {
  const rows: Record<string, string | number>[] = []
  for (const [files, rounds] of [
    [50, 15],
    [5000, 5],
  ] as const) {
    const folder = await pushTemplate(codestead, scratch, files)
    const name = (round: number) => `made-${files}-${round}`
    const ours = await series(rounds, (round) =>
      post(codestead, `/repos/ann/tpl-${files}/generate`, {
        owner: 'ann',
        name: name(round),
        git_content: true,
      }),
    )
    const plain = await series(rounds, async (round) =>
      cloneAndCommit(folder, scratch, name(round)),
    )
    rows.push({
      files,
      'generate ms': ours.toFixed(0),
      'clone --depth 1 and commit ms': plain.toFixed(0),
      ratio: (ours / plain).toFixed(2),
      target: '<= 1.5',
    })
  }
  printTable('repositories from templates, one after the other', rows)
}

async function pushTemplate(codestead: Codestead, scratch: string, files: number): Promise<string> {
  const name = `tpl-${files}`
  const folder = join(scratch, name)
  mkdirSync(folder)
  for (let file = 0; file < files; file++) {
    const parent = join(folder, `folder-${file % 50}`)
    mkdirSync(parent, { recursive: true })
    writeFileSync(join(parent, `file-${file}.txt`), `line ${file} of a text\n`.repeat(150))
  }
  git(folder, ['init', '--quiet', '--initial-branch=main'])
  git(folder, ['add', '.'])
  git(folder, ['commit', '--quiet', '--message=files'])
  await post(codestead, '/user/repos', { name, template: true })
  const remote = `${codestead.url.replace('//', '//ann:password1@')}/ann/${name}.git`
  git(folder, ['push', '--quiet', remote, 'main'])
  return folder
}

/** The least that somebody would do by hand: the files are written once, and committed anew. */
function cloneAndCommit(template: string, scratch: string, name: string): void {
  git(scratch, ['clone', '--quiet', '--depth=1', `file://${template}`, name])
  git(join(scratch, name), ['commit', '--quiet', '--amend', '--message=Initial commit'])
}

function git(folder: string, parameters: readonly string[]): void {
  const who = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', '-c', 'gc.auto=0']
  execFileSync('git', [...who, ...parameters], { cwd: folder, stdio: 'ignore' })
}

async function series(rounds: number, work: (round: number) => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) times.push(await timed(() => work(round)))
  return median(times)
}

const form = `name: Bug
about: Something is wrong
body:
  - type: textarea
    id: what
    attributes: {label: What happened?, placeholder: Tell us}
    validations: {required: true}
  - type: dropdown
    id: where
    attributes: {label: Where?, options: [here, there]}
`

async function benchIssueTemplates(codestead: Codestead): Promise<void> {
  await post(codestead, '/user/repos', { name: 'forms' })
  const files = ['bug.yaml', 'wish.yaml', 'question.yaml'].map((name) => ({
    operation: 'create',
    path: `.gitea/ISSUE_TEMPLATE/${name}`,
    content: Buffer.from(form).toString('base64'),
  }))
  await post(codestead, '/repos/ann/forms/contents', { files })
  const address = `${codestead.url}/api/v1/repos/ann/forms`
  await loadInTurns('issue templates', [
    { route: 'GET /repos/{owner}/{repo}', url: address },
    {
      route: 'GET .../issue_templates, three forms',
      url: `${address}/issue_templates`,
      target: '>= 0.50',
    },
  ])
}
