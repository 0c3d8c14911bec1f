import {
	type KyselyPlugin,
	type PluginTransformQueryArgs,
	type PluginTransformResultArgs,
	type QueryResult,
	type RawBuilder,
	type RootOperationNode,
	sql,
	type UnknownRow,
} from "kysely";
import { OWN_WORKSPACE, OwnRowsTransformer } from "./own-rows-transformer";

/** Column of every workspace's table that says whose row it is. Inserts leave it out: its default is the workspace. */
export const WORKSPACE_COLUMN = "workspace";

/** Setting of a transaction that says which workspace it is for. Row-level security and defaults read it. */
export const WORKSPACE_SETTING = "stemma.workspace";

/**
 * Condition that a table of raw SQL shows the rows of the workspace alone. The plugin adds it to built queries, not to raw
 * ones, and puts the workspace in: only for a value does Postgres plan with one partition in place of all.
 *
 * @param table - name or alias.
 */
export const ownRows = (table: string): RawBuilder<boolean> =>
	sql<boolean>`${sql.ref(`${table}.${WORKSPACE_COLUMN}`)} = ${OWN_WORKSPACE}`;

/**
 * Limits queries to the rows of one workspace, in front of row-level security, so that indexes and partitions serve them.
 * Targets of `ON CONFLICT` get the column, and rows come back without it.
 */
export function createOwnRowsPlugin(workspaceId: string): KyselyPlugin {
	return {
		transformQuery: ({ node, queryId }: PluginTransformQueryArgs): RootOperationNode =>
			new OwnRowsTransformer(workspaceId).transformNode(node, queryId),
		transformResult: async ({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> => {
			const [first] = result.rows;
			if (first === undefined || !(WORKSPACE_COLUMN in first)) return result;
			return { ...result, rows: result.rows.map(({ [WORKSPACE_COLUMN]: _, ...row }) => row) };
		},
	};
}
