import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "@stemma/core/errors";

/** Asserts that SQLite has full-text search: Node before 22.16 has it without. @throws ConfigurationError */
export function assertFullTextSearch(): void {
	const database = new DatabaseSync(":memory:");
	try {
		database.exec("CREATE VIRTUAL TABLE probe USING fts5(text)");
	} catch (cause) {
		throw new ConfigurationError(
			`The SQLite of Node ${process.versions.node} has no full-text search (FTS5).`,
			{
				hint: "Use Node 22.16 or later; Node 24 is best.",
				cause,
			},
		);
	} finally {
		database.close();
	}
}
