import type { Static } from 'typebox'
import type { Config } from '../../platform/config/config.ts'
import { baseUrl, encodeSegment } from '../../platform/config/urls.ts'
import type { Caller } from '../../platform/context.ts'
import { formatTime } from '../../platform/time.ts'
import { ghost, type Account } from '../../identity/users/account.ts'
import { presentUser } from '../../identity/users/present.ts'
import type { Column } from './column.ts'
import type { ColumnEdit, NewColumn } from './columns.ts'
import type { CardType, Template } from './project.ts'
import type { NewProject, ProjectEdit } from './projects.ts'
import type {
  CreateProjectColumnOption,
  CreateProjectOption,
  EditProjectColumnOption,
  EditProjectOption,
  ProjectBody,
  ProjectColumnBody,
} from './schema.ts'
import type { ProjectView } from './view.ts'

export function presentProject(
  config: Config,
  caller: Caller,
  { project, home, creator, tally }: ProjectView,
): ProjectBody {
  const { kind, id } = project.place
  return {
    id: project.id,
    title: project.title,
    description: project.description,
    owner_id: kind === 'account' ? id : 0,
    repo_id: kind === 'repository' ? id : 0,
    creator_id: creator.id,
    creator: presentUser(config, caller, creator),
    is_closed: project.isClosed,
    state: project.isClosed ? 'closed' : 'open',
    template_type: project.template,
    card_type: project.cardType,
    type: typeOf(home),
    html_url: `${baseUrl(config)}/${boardsPath(home)}/${project.id}`,
    num_open_issues: tally.open,
    num_closed_issues: tally.closed,
    num_issues: tally.open + tally.closed,
    created_at: formatTime(project.createdAt),
    updated_at: formatTime(project.updatedAt),
    closed_at: project.isClosed ? formatTime(project.closedAt) : null,
  }
}

function typeOf(home: ProjectView['home']): string {
  if ('ownerName' in home) return 'repository'
  return home.kind === 'person' ? 'individual' : 'organization'
}

/** Where the pages of the boards of one place are. */
export function boardsPath(home: ProjectView['home']): string {
  if (!('ownerName' in home)) return `${encodeSegment(home.name)}/-/projects`
  return `${encodeSegment(home.ownerName)}/${encodeSegment(home.name)}/projects`
}

export function presentColumn(
  config: Config,
  caller: Caller,
  column: Column,
  people: ReadonlyMap<number, Account>,
): ProjectColumnBody {
  return {
    id: column.id,
    title: column.title,
    default: column.isDefault,
    sorting: column.sorting,
    color: column.color,
    project_id: column.projectId,
    creator: presentUser(config, caller, people.get(column.creatorId ?? 0) ?? ghost),
    created_at: formatTime(column.createdAt),
    updated_at: formatTime(column.updatedAt),
  }
}

export function readNewProject(body: Static<typeof CreateProjectOption>): NewProject {
  return {
    title: body.title,
    description: body.description ?? '',
    template: (body.template_type || 'none') as Template,
    cardType: (body.card_type || 'text_only') as CardType,
  }
}

/** An empty title is left as it was. */
export function readProjectEdit(body: Static<typeof EditProjectOption>): ProjectEdit {
  return {
    title: body.title || undefined,
    description: body.description,
    cardType: (body.card_type || undefined) as CardType | undefined,
    isClosed: body.state ? body.state === 'closed' : undefined,
  }
}

export function readNewColumn(body: Static<typeof CreateProjectColumnOption>): NewColumn {
  return { title: body.title, color: body.color ?? '' }
}

export function readColumnEdit(body: Static<typeof EditProjectColumnOption>): ColumnEdit {
  return { title: body.title || undefined, color: body.color, sorting: body.sorting }
}
