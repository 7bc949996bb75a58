import type { Context } from '../../platform/context.ts'
import { addHookPages } from '../hooks/pages.ts'
import type { Site } from '../layout.ts'
import { formOf, ownPageOf, type Shown, type SignedInLook, type Submitted } from '../look.ts'
import type { PageServer } from '../page-server.ts'
import { showEmails } from './emails.ts'
import { createAccount, showNewPerson } from './new-person.ts'
import { enterHooks } from './hooks.ts'
import { showOrganizations } from './organizations.ts'
import { showPackages } from './packages.ts'
import { showPeople } from './people.ts'
import {
  dropPerson,
  dropSecondFactor,
  freePerson,
  renamePerson,
  savePassword,
  savePerson,
  showPerson,
} from './person.ts'
import { dropKey } from './person-keys.ts'
import { showRepositories } from './repositories.ts'
import { again, assertAdministers } from './section.ts'
import { mailTest, runTask, showServer } from './server.ts'
import { showSettings } from './settings.ts'
import { adoptOne, deleteOne, showUnadopted } from './unadopted.ts'

/**
 * What administrators of the whole server see and set; for everybody else there is nothing here.
 */
export function administrationPages(server: PageServer, ctx: Context, site: Site): void {
  const root = '/-/admin'
  const show = (path: string, page: (look: SignedInLook) => Promise<Shown>) =>
    server.get(
      root + path,
      ownPageOf(ctx, site, async (look) => {
        assertAdministers(look)
        return page(look)
      }),
    )
  const take = (path: string, act: (submitted: Submitted) => Promise<Shown>) =>
    server.post(
      root + path,
      formOf(ctx, site, async (submitted) => {
        assertAdministers(submitted)
        return act(submitted)
      }),
    )

  show('', (look) => showServer(look))
  take('/mail/test', mailTest)
  take('/tasks/run', runTask)
  show('/users', showPeople)
  show('/users/new', (look) => showNewPerson(look))
  take('/users/new', createAccount)
  show('/users/:name', (look) => showPerson(look))
  take('/users/:name', savePerson)
  take('/users/:name/password', savePassword)
  take('/users/:name/keys/delete', dropKey)
  take('/users/:name/two-factor/delete', dropSecondFactor)
  take('/users/:name/unblock', freePerson)
  take('/users/:name/rename', renamePerson)
  take('/users/:name/delete', dropPerson)
  show('/emails', showEmails)
  show('/orgs', showOrganizations)
  show('/repos', showRepositories)
  show('/packages', showPackages)
  addHookPages({
    enter: enterHooks,
    again,
    show: (path, page) => show(`/hooks${path}`, page),
    take: (path, act) => take(`/hooks${path}`, act),
  })
  show('/unadopted', (look) => showUnadopted(look))
  take('/unadopted/adopt', adoptOne)
  take('/unadopted/delete', deleteOne)
  show('/settings', showSettings)
}
