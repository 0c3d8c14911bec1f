import { sql } from "kysely";
import { expect, it } from "vitest";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { toRealArray } from "./real-array";

describeOnPostgres("an array of numbers as bytes", ({ openWorkspace }) => {
	it("is read as those numbers, those of several parts behind each other", async () => {
		const array = toRealArray([new Float32Array([0.5, -1, 3e-8]), new Float32Array([0, 1e30])]);
		const { rows } = await sql<{ readonly text: string }>`select ${array}::real[]::text as text`.execute(
			openWorkspace().read,
		);
		expect(rows).toEqual([{ text: "{0.5,-1,3e-08,0,1e+30}" }]);
	});
});
