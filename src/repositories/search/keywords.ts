import { sql, type Expression, type RawBuilder, type SqlBool } from 'kysely'
import type { Database } from '../../platform/db/database.ts'
import { contains } from '../../platform/db/like.ts'
import type { RepositoryBuilder, RepositoryCondition } from '../repository/conditions.ts'
import { topicIds, type IdSet, type SetFilter } from './sets.ts'
import type { Wanted } from './wanted.ts'

const name = sql.ref('repository.lower_name')
const description = sql.ref('repository.lower_description')
const topicName = sql.ref('topic.name')
/** Every reach there is. */
const EVERY_REACH = [0, 1, 2, 3]

export interface KeywordFilter extends SetFilter {
  /** Those that may fit by something else than their name. */
  readonly outsideName: readonly IdSet[]
  readonly inTopics: boolean
  /** Whether `ids` can be found without looking at every repository. */
  readonly isIndexed: boolean
}

/** One of the alternatives is in the name, a topic or, if asked for, the description. */
export async function keywordFilter(db: Database, wanted: Wanted): Promise<KeywordFilter> {
  const { keywords, isTopic, path, includeDescription } = wanted
  if (isTopic) {
    const ids = keywords.map(topicIds)
    const fits: RepositoryCondition = (eb) => eb.or(keywords.map((word) => hasExactTopic(word)(eb)))
    return { ids, fits, outsideName: ids, inTopics: true, isIndexed: true }
  }
  const inTopics = await isInSomeTopic(db, keywords)
  const words = path ? [...keywords, path.name] : keywords
  const outsideName = [
    ...(inTopics ? [idsWithTopicLike(keywords)] : []),
    ...(includeDescription ? words.map((word) => textIds(db, word, 'description')) : []),
  ]
  return {
    ids: [...words.map((word) => textIds(db, word, 'name')), ...outsideName],
    fits: matches(wanted, inTopics),
    isRough: path !== undefined,
    outsideName,
    inTopics,
    isIndexed: words.every(isIndexed),
  }
}

export function hasExactTopic(topic: string): RepositoryCondition {
  return (eb) => hasTopic(eb, sql<SqlBool>`topic.name = ${topic}`)
}

/**
 * There are few topics, and most words are in none of them: then no repository has to be asked for
 * its topics.
 */
async function isInSomeTopic(db: Database, words: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('topic')
    .select('topic.id')
    .where(anyOf(words, (word) => contains(topicName, word)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function anyOf(
  words: readonly string[],
  test: (word: string) => RawBuilder<SqlBool>,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(words.map(test), sql` OR `)})`
}

function matches(wanted: Wanted, inTopics: boolean): RepositoryCondition {
  const { keywords, path } = wanted
  return (eb) =>
    eb.or([
      isInText(wanted),
      ...(inTopics
        ? [
            hasTopic(
              eb,
              anyOf(keywords, (word) => contains(topicName, word)),
            ),
          ]
        : []),
      ...(path
        ? [
            eb.and([
              contains(sql.ref('repository.owner_name'), path.owner),
              contains(name, path.name),
            ]),
          ]
        : []),
    ])
}

/** Whether a word is in what the text index holds. */
export function isInText({ keywords, includeDescription }: Wanted): RawBuilder<SqlBool> {
  const texts = includeDescription ? [name, description] : [name]
  return anyOf(keywords, (word) =>
    sql.join(
      texts.map((text) => contains(text, word)),
      sql` OR `,
    ),
  )
}

function hasTopic(eb: RepositoryBuilder, condition: Expression<SqlBool>): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom('repository_topic')
      .select('repository_topic.topic_id')
      .whereRef('repository_topic.repository_id', '=', 'repository.id')
      .where('repository_topic.topic_id', 'in', (inner) =>
        inner.selectFrom('topic').select('topic.id').where(condition),
      ),
  )
}

export function idsWithTopicLike(words: readonly string[]): IdSet {
  return sql`SELECT repository_id AS id FROM repository_topic
    WHERE topic_id IN (SELECT id FROM topic WHERE ${anyOf(words, (word) => contains(topicName, word))})`
}

/** Words of one or two characters are in no index, and in so many names that it hardly matters. */
export function textIds(db: Database, word: string, text: Text): IdSet {
  if (db.dialect === 'sqlite' && isIndexed(word)) {
    const { inIndex, late } = fromText([word], [text], EVERY_REACH)
    return sql`SELECT rowid AS id ${inIndex} UNION ALL SELECT late.id ${late}`
  }
  return sql`SELECT id FROM repository WHERE ${contains(sql.ref(`lower_${text}`), word)}`
}

type Text = 'name' | 'description'

export function isIndexed(word: string): boolean {
  return [...word].length >= 3
}

/** Where words are found on SQLite: no repository is in both. */
export interface WordedParts {
  /** What the text index knows. */
  readonly inIndex: RawBuilder<unknown>
  /**
   * What it does not know yet (`text-index.ts`): there are few, and they are looked at themselves.
   */
  readonly late: RawBuilder<unknown>
}

/** Repositories of these reaches with one of `words`. */
export function fromText(
  words: readonly string[],
  texts: readonly Text[],
  reaches: readonly number[],
): WordedParts {
  const columns = texts.flatMap((text) => reaches.map((reach) => `${text}_${reach}`))
  const phrases = words.map((word) => `"${word.replaceAll('"', '""')}"`)
  const isWorded = words.flatMap((word) =>
    texts.map((text) => sql`instr(${sql.ref(`repository.lower_${text}`)}, ${word}) > 0`),
  )
  return {
    inIndex: sql`FROM repository_text
      WHERE repository_text MATCH ${`{${columns.join(' ')}} : (${phrases.join(' OR ')})`}
      AND rowid NOT IN (SELECT id FROM repository_text_late)`,
    late: sql`FROM repository_text_late AS late CROSS JOIN repository ON repository.id = late.id
      WHERE repository.reach IN (${sql.join(reaches)}) AND (${sql.join(isWorded, sql` OR `)})`,
  }
}
