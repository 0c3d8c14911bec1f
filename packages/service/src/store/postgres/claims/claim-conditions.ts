import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Work, WorkKind } from "../../claims/work-claims";

/** Condition that an instance holds its lease, by the clock of the database. @param owner - its id, or a column with it. */
export const isLiving = (owner: RawBuilder<unknown>): RawBuilder<SqlBool> =>
	sql<SqlBool>`${owner} IN (SELECT id FROM stemma_deployment.instances WHERE lease_until > now())`;

/** Kind of the claims that say which instances have uploads of a workspace; the uploads themselves name their instance. */
export const UPLOADS_CLAIM_KIND = "uploads";

/** Condition that a claim is of the workspace of the transaction. */
export const IS_OWN_WORKSPACE = sql<SqlBool>`claims.workspace = current_setting('stemma.workspace')`;

/** Condition that a claim is the one of some work of the workspace. */
export const isClaimOf = ({
	kind,
	id,
}: Pick<Work, "kind"> & { readonly id: string | RawBuilder<unknown> }): RawBuilder<SqlBool> =>
	sql<SqlBool>`(${IS_OWN_WORKSPACE} AND claims.kind = ${kind} AND claims.id = ${id})`;

/**
 * Condition that no living instance has claimed the work of a row.
 *
 * @param id - column with the id of the work.
 * @param own - id of this instance: it lives, also where its lease is over.
 */
export const isUnclaimed = (kind: WorkKind, id: string, own: string): RawBuilder<SqlBool> =>
	sql<SqlBool>`NOT EXISTS (
	SELECT FROM stemma_deployment.claims
	WHERE ${isClaimOf({ kind, id: sql.ref(id) })}
		AND (claims.owner = ${own} OR ${isLiving(sql.ref("claims.owner"))})
)`;
