import type { Context } from '../../platform/context.ts'
import { notFound } from '../../platform/errors.ts'
import { ok } from '../../platform/http/answer.ts'
import type { Api } from '../../platform/http/api.ts'
import { gitignores } from './gitignores.ts'
import { findLabelSet, labelSetNames } from './label-sets.ts'
import { licenses } from './licenses.ts'
import { presentLabelTemplate, presentLicense, presentLicenseEntry } from './present.ts'
import {
  getGitignoreTemplateInfo,
  getLabelTemplateInfo,
  getLicenseTemplateInfo,
  listGitignoresTemplates,
  listLabelTemplates,
  listLicenseTemplates,
} from './schema.ts'

export function catalogueRoutes(api: Api, { config }: Context): void {
  api.get('/gitignore/templates', listGitignoresTemplates, async () => ok([...gitignores.names]))

  api.get('/gitignore/templates/:name', getGitignoreTemplateInfo, async (call) => {
    const name = call.param('name')
    const source = gitignores.find(name)
    if (source === undefined) throw notFound()
    return ok({ name, source })
  })

  api.get('/licenses', listLicenseTemplates, async () =>
    ok(licenses.names.map((name) => presentLicenseEntry(config, name))),
  )

  api.get('/licenses/:name', getLicenseTemplateInfo, async (call) => {
    const name = call.param('name')
    const text = licenses.find(name)
    if (text === undefined) throw notFound()
    return ok(presentLicense(config, name, text))
  })

  api.get('/label/templates', listLabelTemplates, async () => ok([...labelSetNames]))

  api.get('/label/templates/:name', getLabelTemplateInfo, async (call) => {
    const labels = findLabelSet(call.param('name'))
    if (!labels) throw notFound()
    return ok(labels.map(presentLabelTemplate))
  })
}
