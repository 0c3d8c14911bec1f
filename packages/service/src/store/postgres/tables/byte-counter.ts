/** Bytes that a row takes besides its large columns, with its part of the indexes: about. */
const ROW_BYTES = 200;

/** Table whose rows count. */
export interface CountedTable {
	readonly table: string;
	/** Columns of texts or bytes that may be large. */
	readonly columns: readonly string[];
	/** Expression of further bytes. Default none. */
	readonly more?: string;
}

/**
 * Composes the triggers of a table that count its bytes for its workspace, once for each statement. A column counts as long as
 * its value is, however well it is compressed: adding and removing it count the same.
 */
export function byteCounterSql(counted: CountedTable): string {
	const { table, columns, more } = counted;
	const onUpdate = `create trigger count_changed after update on ${table}
	referencing old table as removed new table as added for each statement execute function ${toFunction(table)}();
`;
	return `${byteFunctionSql(counted)}
create trigger count_added after insert on ${table}
	referencing new table as added for each statement execute function ${toFunction(table)}();
create trigger count_removed after delete on ${table}
	referencing old table as removed for each statement execute function ${toFunction(table)}();
${columns.length === 0 && more === undefined ? "" : onUpdate}`;
}

/**
 * Composes the function of the triggers. What is removed is subtracted only where there is a sum: that of a workspace that is
 * deleted goes in the same statement.
 */
export function byteFunctionSql({ table, columns, more }: CountedTable): string {
	const bytes = [
		ROW_BYTES,
		...columns.map((column) => `coalesce(octet_length(${column}), 0)`),
		...(more === undefined ? [] : [more]),
	].join(" + ");
	const added = `select workspace, ${bytes} as bytes from added`;
	const removed = `select workspace, -(${bytes}) as bytes from removed`;
	return `
create or replace function ${toFunction(table)}() returns trigger language plpgsql as $counter$
begin
	if tg_op = 'INSERT' then
		insert into workspace_storage as stored (workspace, bytes)
		select workspace, sum(changes.bytes) from (${added}) as changes group by workspace
		on conflict (workspace) do update set bytes = stored.bytes + excluded.bytes;
	elsif tg_op = 'DELETE' then
		${updateSql(removed)}
	else
		${updateSql(`${added} union all ${removed}`)}
	end if;
	return null;
end
$counter$;`;
}

const toFunction = (table: string): string => `count_bytes_of_${table}`;

const updateSql = (
	changes: string,
): string => `update workspace_storage as stored set bytes = stored.bytes + summed.bytes
		from (
			select workspace, sum(changes.bytes) as bytes from (${changes}) as changes group by workspace
		) as summed
		where stored.workspace = summed.workspace and summed.bytes <> 0;`;
