import type { Words } from './index.ts'

export const name = '0014-projects'

export function statements({ id, integer, text }: Words): readonly string[] {
  const number = `${integer} NOT NULL DEFAULT 0`
  const words = `${text} NOT NULL DEFAULT ''`
  const creator = `${integer} REFERENCES account (id) ON DELETE SET NULL`
  const times = `created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL`
  return [
    `CREATE TABLE project (
      id ${id},
      repository_id ${integer} REFERENCES repository (id) ON DELETE CASCADE,
      owner_id ${integer} REFERENCES account (id) ON DELETE CASCADE,
      creator_id ${creator},
      title ${text} NOT NULL,
      description ${words},
      template ${text} NOT NULL,
      card_type ${text} NOT NULL,
      is_closed ${number},
      closed_at ${number},
      ${times},
      CHECK ((repository_id IS NULL) <> (owner_id IS NULL))
    )`,
    `CREATE INDEX project_by_owner ON project (owner_id, is_closed)`,
    `CREATE INDEX project_by_repository ON project (repository_id, is_closed)`,
    `CREATE INDEX project_by_creator ON project (creator_id)`,

    `CREATE TABLE project_column (
      id ${id},
      project_id ${integer} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      creator_id ${creator},
      title ${text} NOT NULL,
      color ${words},
      is_default ${number},
      sorting ${number},
      ${times}
    )`,
    `CREATE INDEX project_column_by_project ON project_column (project_id, sorting)`,
    `CREATE UNIQUE INDEX project_column_default ON project_column (project_id) WHERE is_default = 1`,
    `CREATE INDEX project_column_by_creator ON project_column (creator_id)`,

    `CREATE TABLE project_card (
      id ${id},
      project_id ${integer} NOT NULL REFERENCES project (id) ON DELETE CASCADE,
      column_id ${integer} NOT NULL REFERENCES project_column (id) ON DELETE CASCADE,
      issue_id ${integer} NOT NULL REFERENCES issue (id) ON DELETE CASCADE,
      sorting ${number},
      UNIQUE (project_id, issue_id)
    )`,
    `CREATE INDEX project_card_by_column ON project_card (column_id, sorting)`,
    `CREATE INDEX project_card_by_issue ON project_card (issue_id)`,
  ]
}
