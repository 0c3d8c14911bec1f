import { sql } from "kysely";
import { expect, it } from "vitest";
import { describeOnPostgres } from "../test-support/describe-on-postgres";
import { type ElementType, toBinaryArray } from "./binary-array";

describeOnPostgres("an array as bytes", ({ openWorkspace }) => {
	const format = async (type: ElementType, values: readonly unknown[]): Promise<unknown> => {
		const array = sql`${toBinaryArray(type, values)}::${sql.raw(type)}[]`;
		const { rows } = await sql<{ readonly text: string }>`select ${array}::text as text`.execute(
			openWorkspace().read,
		);
		return rows[0]?.text;
	};

	it.each([
		["integer", [1, -2, null, 2 ** 31 - 1], "{1,-2,NULL,2147483647}"],
		[
			"bigint",
			[0, -1, 2 ** 32, -(2 ** 40) - 3, Number.MAX_SAFE_INTEGER, null],
			"{0,-1,4294967296,-1099511627779,9007199254740991,NULL}",
		],
		[
			"text",
			["a", "", "Ü 退 🙂", 'a,"\\{}', null, "a\u0000b"],
			'{a,"","Ü 退 🙂","a,\\"\\\\{}",NULL,a\ufffdb}',
		],
		["bytea", [new Uint8Array([0, 255]), new Uint8Array(), null], '{"\\\\x00ff","\\\\x",NULL}'],
		["text", [], "{}"],
	] as const)("of %s is read as its values", async (type, values, text) => {
		expect(await format(type, values)).toBe(text);
	});
});
