/**
 * Condition of a row of runs or feedback: `reader` may use all that the run was made with, which is still there, or it is their
 * own. What is gone was limited to persons whom nobody knows any more.
 *
 * @param owner - column with the id of the person that it belongs to.
 */
export const visibleSql = (table: "runs" | "feedback", owner: string): string => `
(${table}.limits IS NULL OR ${table}.${owner} = reader.id OR NOT EXISTS (
	SELECT 1 FROM json_each(${table}.limits) AS item
	WHERE NOT EXISTS (
		SELECT 1 FROM knowledge_bases WHERE id = item.value AND deleted_at IS NULL
		AND (access IS NULL OR reader.id IN (SELECT value FROM json_each(access)))
	) AND NOT EXISTS (
		SELECT 1 FROM agents WHERE id = item.value
		AND (access IS NULL OR reader.id IN (SELECT value FROM json_each(access)))
	)
))`;

/** Condition like {@link visibleSql} with a single parameter, the id of the reader. */
export const visibleToSql = (table: "runs" | "feedback", owner: string): string =>
	`EXISTS (SELECT 1 FROM (SELECT ? AS id) AS reader WHERE ${visibleSql(table, owner)})`;
