import { notFound } from '../../platform/errors.ts'
import { programVersion } from '../../platform/version.ts'
import type { TaskState } from '../../platform/jobs/schedule.ts'
import { senderOf } from '../../outbound/mail/mail.ts'
import { sendTestMail } from '../../outbound/mail/test-mail.ts'
import { organizationCount } from '../../identity/organizations/statistics.ts'
import { listHolds } from '../../platform/storage/removals.ts'
import { listHeldSweeps } from '../../platform/sweeps/careful.ts'
import { repositoryCount } from '../../repositories/repository/statistics.ts'
import { peopleCounts } from '../../identity/users/statistics.ts'
import { counted, countText, everyText, sizeText, timeAgo } from '../figures.ts'
import { problemOf, renderProblem, type FormProblem } from '../forms/problem.ts'
import { renderAction, renderRows, type SettingsRow } from '../forms/settings.ts'
import { html, type Html } from '../../platform/html.ts'
import type { Page } from '../layout.ts'
import type { Shown, SignedInLook, Submitted } from '../look.ts'
import { renderChecks } from './checks.ts'
import { adminPath, inSection } from './section.ts'
import { sentenceOf } from './task-words.ts'

const databases = { sqlite: 'SQLite', postgres: 'PostgreSQL' } as const

/** How the server is, and what it does by itself. */
export async function showServer(look: SignedInLook, problem?: FormProblem): Promise<Page> {
  const tasks = await look.ctx.schedule.list()
  return inSection(
    look,
    '',
    html`
${look.query.text('started') !== undefined && html`<p class="sheet notice" role="status">Started.</p>`}
${look.query.text('mailed') !== undefined && html`<p class="sheet notice" role="status">The mail server has taken the mail.</p>`}
${renderProblem(problem)}
${await renderWaiting(look)}
<h2>Server</h2>
${await renderFacts(look)}
<h2>Mail</h2>
${renderMail(look)}
<h2>Tasks</h2>
<p class="lede">What the server does by itself, or when you say so. What checks find stands below, and in the log.</p>
${renderRows(
  tasks.map((task) => renderTask(look, task)),
  'There is none.',
)}
${renderChecks(look, await look.ctx.above.checkStates(look.ctx))}`,
  )
}

/** What waits for a person, and what keeps the server from removing anything. */
async function renderWaiting({ ctx }: SignedInLook): Promise<Html> {
  const held = await listHeldSweeps(ctx.db)
  const holds = listHolds(ctx.config)
  return html`
${held.map(
  ({ name, strays, total }) => html`
<p class="sheet notice" role="alert">The sweep of ${name} found ${strays} of ${total} to belong to nothing and took none: is this the right database? <code>npm run admin -- sweep allow --name ${name}</code> moves them to the trash.</p>`,
)}
${holds.map(
  ({ file, saidAt }) => html`
<p class="sheet notice">Nothing is removed while there is <code>${file}</code>: a backup is being made, or was begun ${timeAgo(ctx.now(), Math.floor(saidAt / 1000))} by hand.</p>`,
)}`
}

async function renderFacts({ ctx }: SignedInLook): Promise<Html> {
  const people = await peopleCounts(ctx)
  const startedAt = ctx.now() - Math.floor(process.uptime())
  return html`
<dl class="sheet facts">
<div><dt>Codestead</dt><dd>${programVersion}</dd></div>
<div><dt>Node.js</dt><dd>${process.versions.node}</dd></div>
<div><dt>Database</dt><dd>${databases[ctx.db.dialect]}</dd></div>
<div><dt>Started</dt><dd>${timeAgo(ctx.now(), startedAt)}</dd></div>
<div><dt>Memory</dt><dd>${sizeText(process.memoryUsage.rss())}</dd></div>
<div><dt>People</dt><dd>${countText(people.total)}, of whom ${countText(people.month)} signed in within a month</dd></div>
<div><dt>Organizations</dt><dd>${countText(await organizationCount(ctx))}</dd></div>
<div><dt>Repositories</dt><dd>${countText(await repositoryCount(ctx))}</dd></div>
</dl>`
}

function renderMail(look: SignedInLook): Html {
  const { ctx, viewer } = look
  const { name, address } = senderOf(ctx.config)
  if (!ctx.mailer.isSetUp) {
    return html`<p class="sheet notice mute">No mail is sent: the setting <code>mail.url</code> is empty.</p>`
  }
  const row = {
    title: `${name} <${address}>`,
    about: `A test goes to ${viewer.account.email}.`,
    action: renderAction(adminPath(look, 'mail', 'test'), 'Send a test mail'),
  }
  return renderRows([row], '')
}

function renderTask(look: SignedInLook, task: TaskState): SettingsRow {
  const { name, startedAt, runs } = task
  const now = look.ctx.now()
  return {
    title: html`<code>${name}</code>`,
    about: html`${sentenceOf(name)} · ${whenText(task)} · ${runs === 0 ? 'has not run yet' : html`ran ${timeAgo(now, startedAt)}, ${counted(runs, 'time')} so far`}`,
    action: renderAction(adminPath(look, 'tasks', 'run'), 'Run now', { name }),
  }
}

function whenText({ everySeconds, timeOfDay }: TaskState): string {
  if (everySeconds === undefined) return 'when you say so'
  return timeOfDay === undefined ? everyText(everySeconds) : `every night at ${timeOfDay}`
}

export async function runTask(submitted: Submitted): Promise<Shown> {
  const { ctx, form } = submitted
  if (!(await ctx.schedule.runNow(form.get('name') ?? ''))) throw notFound()
  return { leadsTo: `${adminPath(submitted)}?started=yes` }
}

export async function mailTest(submitted: Submitted): Promise<Shown> {
  const { ctx, viewer } = submitted
  try {
    await sendTestMail(ctx, viewer.account.email)
  } catch (error) {
    return { page: await showServer(submitted, problemOf(error)), status: 422 }
  }
  return { leadsTo: `${adminPath(submitted)}?mailed=yes` }
}
