import type { Insertable, Selectable, Updateable } from 'kysely'
import type { AccountTables } from './tables/accounts.ts'
import type { ActionTables } from './tables/actions.ts'
import type { ActivityTables } from './tables/activity.ts'
import type { CodeTables } from './tables/code.ts'
import type { IssueTables } from './tables/issues.ts'
import type { MirrorTables } from './tables/mirrors.ts'
import type { OrganizationTables } from './tables/organizations.ts'
import type { PackageTables } from './tables/packages.ts'
import type { ProjectTables } from './tables/projects.ts'
import type { PullTables } from './tables/pulls.ts'
import type { ReleaseTables } from './tables/releases.ts'
import type { RepositoryTables } from './tables/repositories.ts'
import type { UpkeepTables } from './tables/upkeep.ts'
import type { WebhookTables } from './tables/webhooks.ts'

/** All tables; each file beside describes some of them, as the migrations make them. */
export interface Schema
  extends
    AccountTables,
    OrganizationTables,
    RepositoryTables,
    CodeTables,
    ActivityTables,
    IssueTables,
    ProjectTables,
    PullTables,
    ReleaseTables,
    PackageTables,
    MirrorTables,
    WebhookTables,
    ActionTables,
    UpkeepTables {}

export type Row<Table extends keyof Schema> = Selectable<Schema[Table]>
export type NewRow<Table extends keyof Schema> = Insertable<Schema[Table]>
/** `undefined` means "leave it". */
export type Changes<Table extends keyof Schema> = Updateable<Schema[Table]>
