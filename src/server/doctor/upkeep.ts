import type { Config } from '../../platform/config/config.ts'
import { listHolds } from '../../platform/storage/removals.ts'
import { listHeldSweeps } from '../../platform/sweeps/careful.ts'
import type { Check } from './check.ts'

const LONG_HOLD_MS = 6 * 3_600_000

/** What waits for a person. */
export function upkeepChecks(config: Config): readonly Check[] {
  return [
    {
      name: 'no sweep waits for a person',
      find: async (db) =>
        (await listHeldSweeps(db)).map(
          ({ name, strays, total }) =>
            `${name}: ${strays} of ${total} belong to nothing, which is too much to be true. Look at database.url; "sweep allow --name ${name}" moves them to the trash`,
        ),
    },
    {
      name: 'nobody has held removals for long',
      find: async () =>
        listHolds(config)
          .filter(({ saidAt }) => Date.now() - saidAt > LONG_HOLD_MS)
          .map(({ file }) => `${file} keeps everything from being removed`),
    },
  ]
}
