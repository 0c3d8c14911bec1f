import { DEPLOYMENT_SCHEMA } from "../../connection/transaction-scope";
import { INLINE_BYTES, PARTITIONS, WORKSPACE_COLUMN_SQL } from "../partitioned-table";

/** Tables of vectors with those of their codes. */
const TABLES = [
	["passage_vectors", "passage_codes"],
	["passage_vectors_2", "passage_codes_2"],
] as const;

const toKeepingSql = (vectors: string, codes: string): string => `
	create function keep_${codes}() returns trigger language plpgsql as $keep$
	begin
		if tg_op = 'DELETE' then
			delete from ${codes} codes using removed
			where codes.workspace = current_setting('stemma.workspace') and codes.workspace = removed.workspace
				and codes.knowledge_base = removed.knowledge_base and codes.number = removed.number;
		else
			insert into ${codes} (workspace, knowledge_base, number, code)
			select workspace, knowledge_base, number, binary_quantize(vector) from added
			on conflict (workspace, knowledge_base, number) do update set code = excluded.code;
		end if;
		return null;
	end
	$keep$;
	create trigger codes_added after insert on ${vectors}
		referencing new table as added for each statement execute function keep_${codes}();
	create trigger codes_changed after update on ${vectors}
		referencing new table as added for each statement execute function keep_${codes}();
	create trigger codes_removed after delete on ${vectors}
		referencing old table as removed for each statement execute function keep_${codes}();`;

const toTableSql = ([vectors, codes]: (typeof TABLES)[number]): string => `
do $$
declare
	own text;
begin
	if to_regprocedure('binary_quantize(vector)') is null or to_regclass('${codes}') is not null then
		return;
	end if;
	create table ${codes} (
		${WORKSPACE_COLUMN_SQL},
		knowledge_base bigint not null,
		number bigint not null,
		code varbit not null,
		primary key (workspace, knowledge_base, number)
	) partition by hash (workspace);
	-- So that rows of vectors stay whole: numbers hardly get shorter, and trying takes most of the time of storing them.
	for part in 0..${PARTITIONS - 1} loop
		execute format('alter table ${vectors}_p%s set (toast_tuple_target = ${INLINE_BYTES})', part);
		execute format('create table ${codes}_p%s partition of ${codes} for values with (modulus ${PARTITIONS}, remainder %s)', part, part);
	end loop;
	${toKeepingSql(vectors, codes)}
	-- Row-level security binds the owner, too.
	for own in select id from ${DEPLOYMENT_SCHEMA}.workspaces loop
		perform set_config('stemma.workspace', own, true);
		insert into ${codes} (workspace, knowledge_base, number, code)
		select workspace, knowledge_base, number, binary_quantize(vector) from ${vectors} where workspace = own;
	end loop;
	perform set_config('stemma.workspace', '', true);
end
$$;
`;

/**
 * Codes of vectors: a bit for each number, set where it is above zero. Searches compare them first, which reads a thirtieth of
 * the bytes. Triggers keep them, so that an instance of an earlier version may write vectors, too. They need
 * `binary_quantize` of pgvector 0.7; without it there are no such tables, and searches compare whole vectors. May run again.
 */
export const vectorCodesSql = TABLES.map(toTableSql).join("");
