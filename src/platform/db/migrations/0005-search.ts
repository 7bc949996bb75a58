import type { Words } from './index.ts'

export const name = '0005-search'

/**
 * What makes search fast: `reach` says in one number who sees a repository, `repository_tally`
 * counts repositories by it, `owner_name` is there to order by, every order has an index that also
 * holds `reach`, and texts have an index of their trigrams, on SQLite with a column for each reach.
 * The database keeps all of it itself, so that no writer can forget to.
 */
export function statements(words: Words): readonly string[] {
  return [
    `ALTER TABLE repository ADD COLUMN reach ${words.integer} NOT NULL DEFAULT -1`,
    `ALTER TABLE repository ADD COLUMN owner_name ${words.text} NOT NULL DEFAULT ''`,
    `CREATE TABLE repository_tally (
      reach ${words.integer} NOT NULL,
      slot ${words.integer} NOT NULL,
      repositories ${words.integer} NOT NULL,
      PRIMARY KEY (reach, slot)
    )`,
    ...orderIndexes(),
    ...(words.dialect === 'sqlite' ? sqliteTriggers() : postgresTriggers()),
    `UPDATE repository SET is_private = is_private`,
  ]
}

/**
 * Ties are broken by ascending id in both directions. Where many rows tie (no stars, no size), each
 * has an index.
 */
function orderIndexes(): readonly string[] {
  const plain = ['lower_name', 'created_at', 'updated_at', 'stars_count', 'forks_count']
  const sizes = ['git_size', 'lfs_size', '(git_size + lfs_size)']
  const tied = ['stars_count', 'forks_count', ...sizes]
  const label = (column: string) => column.replace(/\W+/g, '_').replace(/^_|_$/g, '')
  return [
    ...[...plain, ...sizes].map(
      (column) =>
        `CREATE INDEX repository_order_${label(column)} ON repository (${column}, id, reach)`,
    ),
    `CREATE INDEX repository_seen ON repository (id, reach)`,
    `CREATE INDEX repository_order_alpha ON repository (owner_name, lower_name, id, reach)`,
    ...tied.map(
      (column) =>
        `CREATE INDEX repository_order_${label(column)}_down ON repository (${column} DESC, id, reach)`,
    ),
  ]
}

/**
 * 0: everybody sees it; 1: everybody who is signed in; 2: those who know its owner; 3: it is
 * private.
 */
const reachOf = (isPrivate: string, visibility: string) =>
  `CASE WHEN ${isPrivate} = 1 THEN 3 WHEN ${visibility} = 'public' THEN 0 WHEN ${visibility} = 'limited' THEN 1 ELSE 2 END`

const setOwner = `UPDATE repository SET owner_name = NEW.lower_name,
  reach = ${reachOf('is_private', 'NEW.visibility')} WHERE owner_id = NEW.id;`

/** Sixteen rows for each reach, so that parallel writers seldom wait for the same one. */
export const count = (reach: string, id: string, by: 1 | -1) =>
  `INSERT INTO repository_tally (reach, slot, repositories) VALUES (${reach}, ${id} % 16, ${by})
    ON CONFLICT (reach, slot) DO UPDATE SET repositories = repository_tally.repositories + excluded.repositories;`

/**
 * A text is in the column of its repository's reach: how many of those that all may see have a
 * word, the index says alone.
 */
const textColumns = ['name', 'description'].flatMap((text) =>
  [0, 1, 2, 3].map((reach) => `${text}_${reach}`),
)

const addText = `INSERT INTO repository_text (rowid, ${textColumns.join(', ')})
  SELECT id, ${textColumns.map(textOf).join(', ')} FROM repository WHERE id = NEW.id;`

const writeText = `DELETE FROM repository_text WHERE rowid = NEW.id;
  ${addText}`

function textOf(column: string): string {
  const [text, reach] = column.split('_')
  return `CASE reach WHEN ${reach} THEN lower_${text} END`
}

/** An owner who is gone is for the foreign key to say. */
const orNone = (ownerName: string) => `COALESCE(${ownerName}, '')`

const ofOwner = (column: string) =>
  `(SELECT ${column} FROM account WHERE account.id = NEW.owner_id)`
const nameOfOwner = orNone(ofOwner('lower_name'))
const reachOfNew = reachOf('NEW.is_private', ofOwner('visibility'))

/**
 * The row of NEW as its owner makes it. Every index holds one of both: where the row says so
 * already, none is touched.
 */
export const setReach = `UPDATE repository SET owner_name = ${nameOfOwner}, reach = ${reachOfNew}
  WHERE id = NEW.id AND (owner_name <> ${nameOfOwner} OR reach <> ${reachOfNew});`

function sqliteTriggers(): readonly string[] {
  return [
    `CREATE VIRTUAL TABLE repository_text USING fts5 (
      ${textColumns.join(', ')}, tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1, detail = 'full')`,
    `CREATE TRIGGER repository_added AFTER INSERT ON repository BEGIN
      ${count('NEW.reach', 'NEW.id', 1)}
      ${addText}
      ${setReach}
    END`,
    `CREATE TRIGGER repository_opened AFTER UPDATE OF is_private, owner_id ON repository BEGIN ${setReach} END`,
    `CREATE TRIGGER repository_counted AFTER UPDATE OF reach ON repository WHEN OLD.reach <> NEW.reach BEGIN
      ${count('OLD.reach', 'NEW.id', -1)}
      ${count('NEW.reach', 'NEW.id', 1)}
      ${writeText}
    END`,
    `CREATE TRIGGER repository_worded AFTER UPDATE OF lower_name, lower_description ON repository
      WHEN OLD.lower_name <> NEW.lower_name OR OLD.lower_description <> NEW.lower_description BEGIN ${writeText} END`,
    `CREATE TRIGGER repository_removed AFTER DELETE ON repository BEGIN
      ${count('OLD.reach', 'OLD.id', -1)}
      DELETE FROM repository_text WHERE rowid = OLD.id;
    END`,
    `CREATE TRIGGER account_opened AFTER UPDATE OF visibility, lower_name ON account
      WHEN OLD.visibility <> NEW.visibility OR OLD.lower_name <> NEW.lower_name BEGIN ${setOwner}
    END`,
  ]
}

/**
 * The owner is held while its repository is made: its visibility may be changed at the same moment.
 */
function postgresTriggers(): readonly string[] {
  const body = (text: string) => `RETURNS trigger LANGUAGE plpgsql AS $$ ${text} $$`
  return [
    `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
    `CREATE INDEX repository_name_text ON repository USING gin (lower_name gin_trgm_ops)`,
    `CREATE INDEX repository_description_text ON repository USING gin (lower_description gin_trgm_ops)`,
    `CREATE FUNCTION repository_set_reach() ${body(`DECLARE owner record; BEGIN
      SELECT visibility, lower_name INTO owner FROM account WHERE id = NEW.owner_id FOR SHARE;
      NEW.owner_name := ${orNone('owner.lower_name')};
      NEW.reach := ${reachOf('NEW.is_private', 'owner.visibility')};
      RETURN NEW;
    END`)}`,
    `CREATE FUNCTION repository_count() ${body(`BEGIN
      IF TG_OP <> 'INSERT' THEN ${count('OLD.reach', 'OLD.id', -1)} END IF;
      IF TG_OP <> 'DELETE' THEN ${count('NEW.reach', 'NEW.id', 1)} END IF;
      RETURN NULL;
    END`)}`,
    `CREATE FUNCTION account_set_reach() ${body(`BEGIN
      ${setOwner}
      RETURN NULL;
    END`)}`,
    `CREATE TRIGGER repository_opened BEFORE INSERT OR UPDATE OF is_private, owner_id ON repository
      FOR EACH ROW EXECUTE FUNCTION repository_set_reach()`,
    `CREATE TRIGGER repository_counted AFTER INSERT OR DELETE ON repository FOR EACH ROW EXECUTE FUNCTION repository_count()`,
    `CREATE TRIGGER repository_recounted AFTER UPDATE ON repository FOR EACH ROW
      WHEN (OLD.reach <> NEW.reach) EXECUTE FUNCTION repository_count()`,
    `CREATE TRIGGER account_opened AFTER UPDATE OF visibility, lower_name ON account FOR EACH ROW
      WHEN (OLD.visibility <> NEW.visibility OR OLD.lower_name <> NEW.lower_name) EXECUTE FUNCTION account_set_reach()`,
  ]
}
