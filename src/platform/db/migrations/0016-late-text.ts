import { count, setReach } from './0005-search.ts'
import type { Words } from './index.ts'

export const name = '0016-late-text'

/**
 * On SQLite the index of texts follows a moment later, many repositories in one commit: to bring it
 * up to date within each made a commit of one page one of four. Until then the repository is named
 * here.
 */
export function statements({ dialect }: Words): readonly string[] {
  return dialect === 'sqlite' ? lateText : []
}

const noteLate = `INSERT OR IGNORE INTO repository_text_late (id) VALUES (NEW.id);`

const lateText = [
  `CREATE TABLE repository_text_late (id INTEGER PRIMARY KEY)`,
  ...['added', 'counted', 'worded', 'removed'].map((event) => `DROP TRIGGER repository_${event}`),
  `CREATE TRIGGER repository_added AFTER INSERT ON repository BEGIN
    ${count('NEW.reach', 'NEW.id', 1)}
    ${noteLate}
    ${setReach}
  END`,
  `CREATE TRIGGER repository_counted AFTER UPDATE OF reach ON repository WHEN OLD.reach <> NEW.reach BEGIN
    ${count('OLD.reach', 'NEW.id', -1)}
    ${count('NEW.reach', 'NEW.id', 1)}
    ${noteLate}
  END`,
  `CREATE TRIGGER repository_worded AFTER UPDATE OF lower_name, lower_description ON repository
    WHEN OLD.lower_name <> NEW.lower_name OR OLD.lower_description <> NEW.lower_description BEGIN ${noteLate} END`,
  `CREATE TRIGGER repository_removed AFTER DELETE ON repository BEGIN
    ${count('OLD.reach', 'OLD.id', -1)}
    DELETE FROM repository_text WHERE rowid = OLD.id;
    DELETE FROM repository_text_late WHERE id = OLD.id;
  END`,
]
