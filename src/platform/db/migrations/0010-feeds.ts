import type { Words } from './index.ts'

export const name = '0010-feeds'

/**
 * What makes a page of a feed cost the same however much has happened: an index in the order of
 * each feed, which also holds what decides who sees an entry; one of the few accounts that hide
 * something; and two tallies of activities, by everything that decides who sees them. The database
 * keeps the tallies itself, so that no writer, and no deletion of what an activity goes with, can
 * forget to.
 */
export function statements({ integer, text, dialect }: Words): readonly string[] {
  const rest = 'kind, is_private'
  const repository = `repository_id ${integer} NOT NULL REFERENCES repository (id) ON DELETE CASCADE`
  const counted = `is_private ${integer} NOT NULL, actor_reach ${integer} NOT NULL, activities ${integer} NOT NULL`
  return [
    `ALTER TABLE activity ADD COLUMN owner_id ${integer} NOT NULL DEFAULT 0`,
    `UPDATE activity SET owner_id = (SELECT owner_id FROM repository WHERE repository.id = activity.repository_id)`,
    `DROP INDEX activity_by_repository`,
    `DROP INDEX activity_by_account`,
    `CREATE INDEX activity_by_repository ON activity (repository_id, created_at, id, account_id, ${rest})`,
    `CREATE INDEX activity_by_account ON activity (account_id, created_at, id, repository_id, ${rest})`,
    `CREATE INDEX activity_by_owner ON activity (owner_id, created_at, id, account_id, repository_id, ${rest})`,
    `CREATE INDEX account_hiding ON account (id, visibility, hide_activity)
      WHERE hide_activity = 1 OR visibility <> 'public'`,
    `CREATE TABLE activity_tally (
      ${repository}, kind ${text} NOT NULL, ${counted}, PRIMARY KEY (repository_id, kind, is_private, actor_reach)
    )`,
    // Not tied to the account: when that is deleted, its activities are taken off here first.
    `CREATE TABLE actor_tally (
      ${repository}, account_id ${integer} NOT NULL, kind ${text} NOT NULL, ${counted}, PRIMARY KEY (${ofActor})
    )`,
    `CREATE INDEX actor_tally_by_account ON actor_tally (account_id, repository_id)`,
    ...(dialect === 'sqlite' ? sqliteTriggers() : postgresTriggers()),
    `INSERT INTO actor_tally (${ofActor}, actor_reach, activities)
      SELECT ${ofActor}, ${reachOfActor('news')}, activities
      FROM (SELECT ${ofActor}, count(*) AS activities FROM activity GROUP BY ${ofActor}) news`,
  ]
}

const ofActor = 'repository_id, account_id, kind, is_private'

/**
 * 0: everybody sees what they do; 1: everybody who is signed in; 2: nobody but they themselves and
 * administrators.
 */
const reachOf = (account: string) =>
  `CASE WHEN ${account}.hide_activity = 1 THEN 2 WHEN ${account}.visibility = 'public' THEN 0
    WHEN ${account}.visibility = 'limited' THEN 1 ELSE 2 END`

const reachOfActor = (row: string) =>
  `(SELECT ${reachOf('account')} FROM account WHERE account.id = ${row}.account_id)`

const addToActor = `ON CONFLICT (${ofActor}) DO UPDATE SET activities = actor_tally.activities + excluded.activities`

const setReach = `UPDATE actor_tally SET actor_reach = ${reachOf('NEW')} WHERE account_id = NEW.id`

const count = (row: 'OLD' | 'NEW', sign: '-' | '') =>
  `INSERT INTO activity_tally (repository_id, kind, is_private, actor_reach, activities)
    VALUES (${row}.repository_id, ${row}.kind, ${row}.is_private, ${row}.actor_reach, ${sign}${row}.activities)
    ON CONFLICT (repository_id, kind, is_private, actor_reach)
    DO UPDATE SET activities = activity_tally.activities + excluded.activities;`

function sqliteTriggers(): readonly string[] {
  const add = `INSERT INTO actor_tally (${ofActor}, actor_reach, activities)
    VALUES (NEW.repository_id, NEW.account_id, NEW.kind, NEW.is_private, ${reachOfActor('NEW')}, 1) ${addToActor};`
  const take = `UPDATE actor_tally SET activities = activities - 1
    WHERE repository_id = OLD.repository_id AND account_id = OLD.account_id AND kind = OLD.kind AND is_private = OLD.is_private;`
  return [
    `CREATE TRIGGER actor_tally_added AFTER INSERT ON actor_tally BEGIN ${count('NEW', '')} END`,
    `CREATE TRIGGER actor_tally_changed AFTER UPDATE ON actor_tally BEGIN ${count('OLD', '-')} ${count('NEW', '')} END`,
    `CREATE TRIGGER activity_added AFTER INSERT ON activity BEGIN ${add} END`,
    `CREATE TRIGGER activity_changed AFTER UPDATE OF ${ofActor} ON activity BEGIN ${take} ${add} END`,
    `CREATE TRIGGER activity_removed AFTER DELETE ON activity BEGIN ${take} END`,
    `CREATE TRIGGER account_hid AFTER UPDATE OF visibility, hide_activity ON account
      WHEN OLD.visibility <> NEW.visibility OR OLD.hide_activity <> NEW.hide_activity BEGIN ${setReach}; END`,
  ]
}

/**
 * Once for each statement, in the order of the key, so that two of them seldom wait for each other:
 * whoever changes what an actor shows goes by it, too, and of two counts changes the one with the
 * smaller reach first. Whoever records is held apart from whoever changes what the actor shows:
 * either would miss what the other is about to write.
 */
function postgresTriggers(): readonly string[] {
  const body = (lines: string, variables = '') =>
    `RETURNS trigger LANGUAGE plpgsql AS $$ ${variables} BEGIN ${lines} RETURN NULL; END $$`
  const hold = `PERFORM pg_advisory_xact_lock_shared(40, account_id::int) FROM
    (SELECT DISTINCT account_id FROM added ORDER BY account_id) actors;`
  const add = `${hold} INSERT INTO actor_tally (${ofActor}, actor_reach, activities)
    SELECT ${ofActor}, ${reachOfActor('news')}, activities
    FROM (SELECT ${ofActor}, count(*) AS activities FROM added GROUP BY ${ofActor}) news ORDER BY ${ofActor} ${addToActor};`
  const take = `UPDATE actor_tally SET activities = actor_tally.activities - gone.activities
    FROM (SELECT ${ofActor}, count(*) AS activities FROM removed GROUP BY ${ofActor} ORDER BY ${ofActor}) gone
    WHERE actor_tally.repository_id = gone.repository_id AND actor_tally.account_id = gone.account_id
      AND actor_tally.kind = gone.kind AND actor_tally.is_private = gone.is_private;`
  const on = (event: string, tables: string) =>
    `AFTER ${event} ON activity REFERENCING ${tables} FOR EACH STATEMENT EXECUTE FUNCTION`
  return [
    `CREATE FUNCTION actor_tally_count() ${body(
      `IF TG_OP = 'UPDATE' AND OLD.actor_reach < NEW.actor_reach THEN ${count('OLD', '-')} END IF; ${count('NEW', '')}
      IF TG_OP = 'UPDATE' AND OLD.actor_reach >= NEW.actor_reach THEN ${count('OLD', '-')} END IF;`,
    )}`,
    `CREATE FUNCTION activity_add() ${body(add)}`,
    `CREATE FUNCTION activity_change() ${body(`${take} ${add}`)}`,
    `CREATE FUNCTION activity_remove() ${body(take)}`,
    `CREATE FUNCTION account_hide() ${body(
      `PERFORM pg_advisory_xact_lock(40, NEW.id::int);
      FOR tally IN SELECT repository_id, kind, is_private FROM actor_tally WHERE account_id = NEW.id
        ORDER BY repository_id, kind, is_private LOOP
        ${setReach} AND repository_id = tally.repository_id AND kind = tally.kind AND is_private = tally.is_private;
      END LOOP;`,
      'DECLARE tally record;',
    )}`,
    `CREATE TRIGGER actor_tally_counted AFTER INSERT OR UPDATE ON actor_tally
      FOR EACH ROW EXECUTE FUNCTION actor_tally_count()`,
    `CREATE TRIGGER activity_added ${on('INSERT', 'NEW TABLE AS added')} activity_add()`,
    `CREATE TRIGGER activity_changed ${on('UPDATE', 'OLD TABLE AS removed NEW TABLE AS added')} activity_change()`,
    `CREATE TRIGGER activity_removed ${on('DELETE', 'OLD TABLE AS removed')} activity_remove()`,
    `CREATE TRIGGER account_hid AFTER UPDATE OF visibility, hide_activity ON account FOR EACH ROW
      WHEN (OLD.visibility <> NEW.visibility OR OLD.hide_activity <> NEW.hide_activity) EXECUTE FUNCTION account_hide()`,
  ]
}
