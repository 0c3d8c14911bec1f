import { expect, it } from "vitest";
import { postgresMigrations } from "./migrate-postgres";

/** What an instance of the version before may still use. */
const TAKES_AWAY =
	/\b(?:drop (?:table|column|function|trigger|constraint)|rename|alter column \w+ (?:type|set not null)|truncate)\b/iu;

it("say which versions each step of Postgres leaves the database to", () => {
	let required = 0;
	for (const [index, { sql, compatibleWith }] of postgresMigrations.entries()) {
		const step = index + 1;
		expect({ step, compatibleWith }).toSatisfy(() => compatibleWith >= required && compatibleWith <= step);
		const isForVersionBefore = compatibleWith === required;
		if (isForVersionBefore)
			expect({ step, found: TAKES_AWAY.exec(sql)?.[0] }).toEqual({ step, found: undefined });
		required = compatibleWith;
	}
});
