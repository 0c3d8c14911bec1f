import { partitionedTable, WORKSPACE_COLUMN_SQL } from "../partitioned-table";

const TABLES = ["passage_vectors", "passage_vectors_2"] as const;

const toTableSql = (table: string): string => `${partitionedTable(
	table,
	`
	${WORKSPACE_COLUMN_SQL},
	knowledge_base bigint not null,
	number bigint not null,
	vector real[] not null,
	primary key (workspace, knowledge_base, number)`,
)}
alter table ${table} alter column vector set storage main;
`;

/** Vectors of passages, of length 1; a pair of tables as on SQLite, see `vector-slots`. Only comparing them needs pgvector. */
export const vectorTablesSql = TABLES.map(toTableSql).join("\n");

/** Makes vectors comparable, once pgvector is there. May run again. */
export const comparableVectorsSql = TABLES.map(
	(table) => `
do $$
begin
	if exists (
		select from pg_attribute
		where attrelid = '${table}'::regclass and attname = 'vector' and atttypid = 'real[]'::regtype
	) then
		alter table ${table} alter column vector type vector using vector::vector;
		alter table ${table} alter column vector set storage main;
	end if;
end
$$;
`,
).join("");
