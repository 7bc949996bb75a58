import { formatTime } from '../../platform/time.ts'
import type { ActionValue } from './queries.ts'
import type { SecretBody, VariableBody } from './schema.ts'

export function presentSecret({ name, description, created_at }: ActionValue): SecretBody {
  return { name, description, created_at: formatTime(created_at) }
}

export function presentVariable(variable: ActionValue): VariableBody {
  return {
    owner_id: variable.account_id ?? 0,
    repo_id: variable.repository_id ?? 0,
    name: variable.name,
    data: variable.content,
    description: variable.description,
  }
}
