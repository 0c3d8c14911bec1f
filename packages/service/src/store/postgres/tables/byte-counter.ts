/** Bytes that a row takes besides its large columns, with its part of the indexes: about. */
const ROW_BYTES = 200;

/**
 * Composes the triggers of a table that count its bytes for its workspace, once for each statement. A column counts as long as
 * its value is, however well it is compressed: adding and removing it count the same.
 *
 * @param columns - those of texts and bytes that may be large.
 */
export function byteCounterSql(table: string, columns: readonly string[]): string {
	const bytes = [ROW_BYTES, ...columns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(" + ");
	const added = `select workspace, ${bytes} as bytes from added`;
	const removed = `select workspace, -(${bytes}) as bytes from removed`;
	return `
create function count_bytes_of_${table}() returns trigger language plpgsql as $counter$
begin
	if tg_op = 'INSERT' then
		${addSql(added)}
	elsif tg_op = 'DELETE' then
		${addSql(removed)}
	else
		${addSql(`${added} union all ${removed}`)}
	end if;
	return null;
end
$counter$;
create trigger count_added after insert on ${table}
	referencing new table as added for each statement execute function count_bytes_of_${table}();
create trigger count_removed after delete on ${table}
	referencing old table as removed for each statement execute function count_bytes_of_${table}();
${
	columns.length === 0
		? ""
		: `create trigger count_changed after update on ${table}
	referencing old table as removed new table as added for each statement execute function count_bytes_of_${table}();
`
}`;
}

const addSql = (changes: string): string => `insert into workspace_storage as stored (workspace, bytes)
		select workspace, sum(changes.bytes) from (${changes}) as changes group by workspace having sum(changes.bytes) <> 0
		on conflict (workspace) do update set bytes = stored.bytes + excluded.bytes;`;
