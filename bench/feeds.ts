import { benchGrowth, type Reading } from './growth.ts'
import { generateActivities, type ActivityWorld } from './world/activities.ts'

type Who = 'administrator' | 'member' | 'ordinary' | 'anonymous'

/** A page of each feed. */
export async function feedsBench(): Promise<void> {
  await benchGrowth({
    heading: 'feeds',
    sizes: (process.env['BENCH_ACTIVITIES'] ?? '10000,10000000').split(',').map(Number),
    fill: generateActivities,
    readings: readingsOf,
  })
}

/** `member` owns the repository and is in the team; the third page is there at every size. */
function readingsOf(world: ActivityWorld): readonly Reading[] {
  const callers: readonly Who[] = ['administrator', 'member', 'ordinary', 'anonymous']
  const paths = [
    `/repos/${world.repository}`,
    `/users/${world.person}`,
    `/orgs/${world.organization}`,
  ]
  const insiders: readonly Who[] = ['administrator', 'member']
  const feeds: readonly [Who, string][] = [
    ...paths.flatMap((path) => callers.map((who): [Who, string] => [who, path])),
    ...insiders.map((who): [Who, string] => [who, `/teams/${world.teamId}`]),
  ]
  return ['', '?page=3'].flatMap((page) =>
    feeds.map(([who, below]) => {
      const path = `${below}/activities/feeds${page}`
      const token = who === 'anonymous' ? undefined : world.tokens[who]
      return { name: `${who} ${path}`, path, token }
    }),
  )
}
