// Measures what the server does beside the least that could do it, in one run, and prints ratios:
//   npm run bench            all of it          npm run bench -- api      one part
import { apiBench } from './api.ts'
import { crowdsBench } from './crowds.ts'
import { feedsBench } from './feeds.ts'
import { filesBench } from './files.ts'
import { gitBench } from './git.ts'
import { historyBench } from './history.ts'
import { holdingBench } from './holding.ts'
import { issuesBench } from './issues.ts'
import { memoryBench } from './memory.ts'
import { repositoriesBench } from './repositories.ts'
import { searchBench } from './search.ts'
import { templatesBench } from './templates.ts'
import { timingBench } from './timing.ts'
import { workersBench } from './workers.ts'

const parts: Record<string, () => Promise<void>> = {
  api: apiBench,
  repositories: repositoriesBench,
  git: gitBench,
  history: historyBench,
  search: searchBench,
  feeds: feedsBench,
  issues: issuesBench,
  files: filesBench,
  templates: templatesBench,
  timing: timingBench,
  holding: holdingBench,
  memory: memoryBench,
  crowds: crowdsBench,
  workers: workersBench,
}

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in parts))
if (unknown.length > 0) {
  console.error(
    `there is no part ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`,
  )
  process.exit(2)
}
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length === 0 || wanted.includes(name)) await run()
}
