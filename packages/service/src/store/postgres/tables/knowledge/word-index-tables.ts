import { WORKSPACE_SCHEMA } from "../../connection/transaction-scope";
import { INLINE_BYTES, partitionedTable, WORKSPACE_COLUMN_SQL } from "../partitioned-table";

/** Size in kB, the least, at which new words move into the index: a search reads the list of those that have not for each token. */
const PENDING_KILOBYTES = 64;
/** Share of a page that is filled at first: counts change in place as long as there is room. */
const VOCABULARY_FILL = 70;
/** Cost that keeps the planner from computing the keys of rows in place of looking them up. */
const KEYS_COST = 10_000;

/** Sets options of storage, which only the partitions themselves have. */
const setStorage = (table: string, options: string): string => `
do $$
declare
	partition regclass;
begin
	for partition in select inhrelid::regclass from pg_inherits where inhparent = '${table}'::regclass loop
		execute format('alter table %s set (${options})', partition);
	end loop;
end
$$;
`;

/**
 * Word indexes of knowledge bases. `passage_words` has the tokens of each passage with their positions; those of its title
 * come first, and each column begins two positions behind the last. A key stands for a token in a knowledge base, so that
 * a search reads nothing of others. `passage_vocabulary` has each token once, with the number of passages that have it.
 */
export const wordIndexTablesSql = `
create table word_indexes (
	${WORKSPACE_COLUMN_SQL},
	knowledge_base bigint not null,
	passage_count bigint not null,
	token_count bigint not null,
	primary key (workspace, knowledge_base)
);

${partitionedTable(
	"passage_vocabulary",
	`
	${WORKSPACE_COLUMN_SQL},
	knowledge_base bigint not null,
	word text collate "C" not null,
	passage_count bigint not null,
	primary key (workspace, knowledge_base, word)`,
)}
${partitionedTable(
	"passage_words",
	`
	${WORKSPACE_COLUMN_SQL},
	number bigint not null,
	knowledge_base bigint not null,
	title_tokens integer not null,
	token_count integer not null,
	words tsvector not null,
	primary key (workspace, number)`,
)}
alter table passage_words alter column words set storage main;
${setStorage("passage_words", `toast_tuple_target = ${INLINE_BYTES}`)}${setStorage("passage_vocabulary", `fillfactor = ${VOCABULARY_FILL}`)}
create function passage_keys(workspace text, knowledge_base bigint, words tsvector) returns bigint[]
	language sql immutable parallel safe cost ${KEYS_COST}
	return (
		select coalesce(array_agg(hashtextextended(word collate "C", hashtextextended(workspace collate "C", knowledge_base))), '{}')
		from unnest(tsvector_to_array(words)) as word
	);
create index passage_words_by_key on passage_words using gin (passage_keys(workspace, knowledge_base, words))
	with (gin_pending_list_limit = ${PENDING_KILOBYTES});

-- Row-level security forbids an index on words, whose operators may tell of other rows. The owner of this function is
-- not under it: the condition on the workspace is in here. Gives each wanted token with the passages that have it: a
-- line each, of its number, the tokens of its title, all of its tokens, and a tsvector of the token.
create function find_passage_words(knowledge_bases bigint[], wanted text[])
	returns table (knowledge_base bigint, word text, passages text)
	language plpgsql stable security definer set search_path = ${WORKSPACE_SCHEMA}, pg_temp
	-- Its estimated cost is high for the sake of the plan alone.
	set jit = off set max_parallel_workers_per_gather = 0
as $$
begin
	return query execute '
		select base, token, found.passages
		from unnest($2) as base, unnest($3) as token cross join lateral (
			select string_agg(w.number || '' '' || w.title_tokens || '' '' || w.token_count || '' '' ||
				ts_filter(setweight(w.words, ''A'', array[token]), ''{a}'')::text, E''\\n'') as passages
			from passage_words w
			where w.workspace = $1 and passage_keys(w.workspace, w.knowledge_base, w.words) &&
				array[hashtextextended(token collate "C", hashtextextended($1 collate "C", base))]
		) as found
		where found.passages is not null'
	using current_setting('stemma.workspace'), knowledge_bases, wanted;
end
$$;
`;
