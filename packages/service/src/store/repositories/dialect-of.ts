import { type Kysely, SqliteAdapter } from "kysely";

/** Dialect that some queries are written in, for the few that are not the same in both. */
export const dialectOf = <Tables>(queries: Kysely<Tables>): "sqlite" | "postgres" =>
	queries.getExecutor().adapter instanceof SqliteAdapter ? "sqlite" : "postgres";
