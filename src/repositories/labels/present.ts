import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { apiUrl } from '../../platform/config/urls.ts'
import type { Label } from './label.ts'
import type { LabelEdit, NewLabel } from './labels.ts'
import type { CreateLabelOption, EditLabelOption, LabelBody } from './schema.ts'

/**
 * Where labels are found: those of an organization, also from its repositories, below the
 * organization.
 */
export interface LabelHome {
  readonly ownerName: string
  readonly repositoryName: string
}

export function presentLabel(
  config: Config,
  { ownerName, repositoryName }: LabelHome,
  label: Label,
): Static<typeof LabelBody> {
  const path = label.isOfOrganization ? `orgs/${ownerName}` : `repos/${ownerName}/${repositoryName}`
  return {
    id: label.id,
    name: label.name,
    exclusive: label.isExclusive,
    is_archived: label.isArchived,
    color: label.color,
    description: label.description,
    url: `${apiUrl(config)}/${path}/labels/${label.id}`,
  }
}

export function readNewLabel(body: Static<typeof CreateLabelOption>): NewLabel {
  return {
    name: body.name,
    color: body.color,
    description: body.description ?? '',
    isExclusive: body.exclusive ?? false,
    isArchived: body.is_archived ?? false,
  }
}

export function readLabelEdit(body: Static<typeof EditLabelOption>): LabelEdit {
  return {
    name: body.name,
    color: body.color,
    description: body.description,
    isExclusive: body.exclusive,
    isArchived: body.is_archived ?? false,
  }
}
