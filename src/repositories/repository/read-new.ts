import type { Static } from 'typebox'
import type { Context } from '../../platform/context.ts'
import type { NewRepository } from './create.ts'
import type { CreateRepoOption } from './schema.ts'

const trustModels = ['collaborator', 'committer', 'collaboratorcommitter']

export function readNew({ config }: Context, body: Static<typeof CreateRepoOption>): NewRepository {
  const trustModel = (body.trust_model ?? '').trim().toLowerCase()
  return {
    name: body.name,
    description: body.description ?? '',
    isPrivate: config.repositories.force_private || (body.private ?? false),
    isTemplate: body.template ?? false,
    autoInit: body.auto_init ?? false,
    readme: body.readme || 'Default',
    gitignores: body.gitignores ?? '',
    license: body.license ?? '',
    issueLabels: body.issue_labels ?? '',
    defaultBranch: body.default_branch || config.repositories.default_branch,
    objectFormat: body.object_format_name ?? '',
    trustModel: trustModels.includes(trustModel) ? trustModel : 'default',
  }
}
